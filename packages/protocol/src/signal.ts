/** Signal: somebody's claim about a page. A claim, not a fact: trust is learnt per site and channel. */
import type { Instant } from './instant.ts'

export type SignalChannel = 'sitemap' | 'feed' | 'change-list' | 'archive' | 'indexnow' | 'websub' | 'gateway'

export interface Signal {
  readonly url: string
  readonly change: 'created' | 'updated' | 'deleted'
  readonly channel: SignalChannel
  /** When the page changed, by the claimant's clock. */
  readonly changedAt?: Instant
  readonly digest?: string
}
