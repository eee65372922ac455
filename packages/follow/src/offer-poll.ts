/**
 * OfferPoll: one reading of one offer of a site's, from its first question to its last. What a reader is given, and what it
 * gives back; the readers are `polls/filter-poll.ts`, `polls/change-list-poll.ts`, `polls/archive-poll.ts`, `polls/robots-rdf-poll.ts`,
 * `polls/page-list-poll.ts` and `polls/feed-poll.ts`.
 */
import type { BatchPage, ChangeKind, Instant, PageEntry, Robots } from '@comity/protocol'
import type { Inquiry } from './inquiry.ts'
import type { OfferMemory } from './offers/memory.ts'
import type { Offer } from './site-offers.ts'
import type { Spent } from './site-talk.ts'

/** A page as it was told of. Without instant and digest it is only named: nobody says that it has changed. */
export interface ReportedPage extends PageEntry {
  readonly change: ChangeKind
  readonly changedAt?: Instant | undefined
  /** It was put on the list after this moment, whatever its own date (`polls/archive-poll.ts`). */
  readonly listedAfter?: Instant | undefined
  /** It stood in a feed, where other documents are polled: whose word it is counts, not who led there. */
  readonly channel?: 'feed' | undefined
}

export interface OfferPollParts {
  /** Only documents of this origin are asked for. */
  readonly origin: string
  readonly offer: Offer
  readonly memory: OfferMemory
  /** What robots.txt says, as last read. */
  readonly robots: Robots | undefined
  /** Media types that matter; absent for all. */
  readonly types?: readonly string[] | undefined
  /** Changes before this cannot matter; absent when all do. */
  readonly since?: Instant | undefined
  /** When the site last told us everything, by whatever offer; absent when it never did. */
  readonly toldAt?: Instant | undefined
  /** The site offers to list all its pages, too. */
  readonly hasOtherLists?: boolean | undefined
  /**
   * A page is told of. A page that changed twice is told of once, as it is now. `document`: the part of a complete list that
   * it stands in; `memory.named` has heard that it is being read.
   */
  readonly tell: (told: ReportedPage, document?: string) => void
  /** What changed may come with the pages themselves; absent when it is not to. */
  readonly bring?: ChangedPagesWish | undefined
  /** What was told so far may be relied on: the memory is written down. */
  readonly keep: () => void
}

/** A filter can be asked for the pages that have changed instead of their names (002 §6.2). */
export interface ChangedPagesWish {
  readonly fields: 'difference' | 'page'
  /** Those that came; each was told of before, so that nothing is lost when it cannot be taken in. */
  readonly take: (pages: readonly BatchPage[], address: string) => void
}

/** What asking for pages has cost, and why it was of no use. */
export interface BulkCost extends Spent {
  readonly problem?: string | undefined
}

/** How a poll ended. With a problem the offer has failed; whatever it told before is good all the same. */
export interface OfferPollEnd {
  readonly problem?: string | undefined
  /** It told only of changes, and not of all since we last knew everything: the site's pages are to be listed once. */
  readonly isBehind?: boolean | undefined
  /** Present when pages were asked for. */
  readonly brought?: BulkCost | undefined
  /** A capability list that the document named. */
  readonly up?: string | undefined
  /** Documents among those read that turned out to be feeds: they are no part of a list of all pages. */
  readonly feeds?: readonly string[] | undefined
  /** What names all pages of the site was read, or is known to be as it was: whoever is not named is missing. */
  readonly isComplete?: boolean | undefined
  /** All documents that it consists of; without it, those that are known. */
  readonly documents?: readonly string[] | undefined
}

export type OfferPoll = (parts: OfferPollParts) => Inquiry<OfferPollEnd>

/** Absolute and on that origin, or undefined: nobody speaks for another site. */
export function ownUrl(url: string, origin: string): string | undefined {
  const parsed = URL.parse(url, `${origin}/`)
  if (parsed === null || parsed.origin !== new URL(origin).origin) return undefined
  parsed.hash = ''
  return parsed.href
}
