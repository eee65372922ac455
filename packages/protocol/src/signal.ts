/** Signal: somebody's claim about a page. A claim, not a fact: trust is learnt per site and channel. */
import type { Instant } from './instant.ts'
import type { ChangeKind } from './feeds/page-entry.ts'

/** Every way to hear of a change without asking for the page. */
export const SIGNAL_CHANNELS = [
  'sitemap',
  'feed',
  'change-list',
  'metadata-archive',
  'robots-rdf',
  'filter',
  'expires',
  'indexnow',
  'websub',
  'gateway',
] as const

export type SignalChannel = (typeof SIGNAL_CHANNELS)[number]

export interface Signal {
  readonly url: string
  readonly change: ChangeKind
  readonly channel: SignalChannel
  /** When the page changed, by the claimant's clock. */
  readonly changedAt?: Instant | undefined
  /** `sha-256:` and hexadecimal digits over the body without content coding. */
  readonly digest?: string | undefined
}
