/**
 * Events: what a crawl tells whoever listens, on `node:diagnostics_channel`. They cost nothing when nobody does, and
 * never change behaviour.
 */
import { channel } from 'node:diagnostics_channel'
import type { Channel } from 'node:diagnostics_channel'
import type { InboxEndpoint, InboxScheme } from '@comity/collection'
import type { IntakeOutcome } from './intake-outcome.ts'
import type { Outcome, SiteOutcome } from './outcome.ts'

export interface VisitEvent {
  readonly url: string
  readonly outcome: Outcome
  readonly status: number
  readonly bytes: number
  readonly tookMs: number
  readonly problem?: string | undefined
}
export interface RobotsEvent {
  readonly origin: string
  readonly verdict: string
  readonly status: number
  /** Why it could not be read: the verdict is `unreachable` then. */
  readonly outcome?: SiteOutcome | undefined
  readonly problem?: string | undefined
}
export interface CommitEvent {
  readonly pages: number
  readonly tookMs: number
}
export interface SiteGivenUpEvent {
  readonly origin: string
  readonly outcome: SiteOutcome
  readonly problem: string
}
export interface SentEvent {
  readonly origin: string
  /** The page; undefined for what is of none, or could not be read. */
  readonly url?: string | undefined
  readonly scheme: InboxScheme
  readonly door: InboxEndpoint
  readonly outcome: IntakeOutcome
}

/** A page was visited; it is not durable yet. */
export const visited: Channel<VisitEvent> = channel('comity:visited') as Channel<VisitEvent>
/** robots.txt of a site was read, or could not be. */
export const robotsRead: Channel<RobotsEvent> = channel('comity:robots') as Channel<RobotsEvent>
/** Pages were acknowledged: whatever happens now, they are there. */
export const committed: Channel<CommitEvent> = channel('comity:committed') as Channel<CommitEvent>
/** A site that does not answer is left alone for the rest of the run. */
export const siteGivenUp: Channel<SiteGivenUpEvent> = channel('comity:site-given-up') as Channel<SiteGivenUpEvent>
/** A page or notice that a site sent unasked was taken in, or was not; it is not durable yet. */
export const sentIn: Channel<SentEvent> = channel('comity:sent') as Channel<SentEvent>

export const EVENT_NAMES: readonly string[] = [
  'comity:visited',
  'comity:robots',
  'comity:committed',
  'comity:site-given-up',
  'comity:sent',
]
