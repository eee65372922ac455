/**
 * Look: one reading of one offer of a site's, from its first question to its last. What a reader is given, and what it
 * gives back; the readers are `filter-look.ts`, `change-list-look.ts`, `archive-look.ts`, `robots-rdf-look.ts` and
 * `page-list-look.ts`.
 */
import type { ChangeKind, Instant, PageEntry, Robots } from '@comity/protocol'
import type { Conversation } from './conversation.ts'
import type { OfferMemory } from './offer-memory.ts'
import type { Offer } from './site-offers.ts'

/** A page as it was told of. Without instant and digest it is only named: nobody says that it has changed. */
export interface Told extends PageEntry {
  readonly change: ChangeKind
  readonly changedAt?: Instant | undefined
  /** It was put on the list after this moment, whatever its own date (`archive-look.ts`). */
  readonly listedAfter?: Instant | undefined
}

export interface LookParts {
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
  /** A page is told of. A page that changed twice is told of once, as it is now. */
  readonly tell: (told: Told) => void
  /** What was told so far may be relied on: the memory is written down. */
  readonly keep: () => void
}

/** How a look ended. With a problem the offer has failed; whatever it told before is good all the same. */
export interface LookEnd {
  readonly problem?: string | undefined
  /** It told only of changes, and not of all since we last knew everything: the site's pages are to be listed once. */
  readonly isBehind?: boolean | undefined
  /** A capability list that the document named. */
  readonly up?: string | undefined
}

export type Look = (parts: LookParts) => Conversation<LookEnd>

/** Absolute and on that origin, or undefined: nobody speaks for another site. */
export function ownUrl(url: string, origin: string): string | undefined {
  const parsed = URL.parse(url, `${origin}/`)
  if (parsed === null || parsed.origin !== new URL(origin).origin) return undefined
  parsed.hash = ''
  return parsed.href
}
