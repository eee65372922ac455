/**
 * FetchFilter: the last word before a page is asked for, and on whether the body of its answer is worth reading. Most crawls
 * fetch what their links lead to; `media-type/offer-discovery.ts` first hears what a site has to tell.
 */
import { headerOf } from '@comity/protocol'
import type { Head, PageTask, TypeWish } from '@comity/ingest'
import { isMediaTypeCrawl, isSurelyUnwanted, mayLead } from '@comity/ingest'

/** Ask for it; exclude it, as it is of no wanted type; or put it back, as a question goes first. */
export type Admission = 'fetch' | 'leave' | 'later'

export interface FetchFilter {
  admits(task: PageTask, site: number): Admission
  wants(head: Head, url: string, site: number): boolean
  /** The page itself is wanted, and not the word that it has not changed. */
  mustBeWhole(page: number): boolean
}

/** By type alone. Where HTML is not wanted it is a means: it may lead to what is. */
export function filterByType(wish: TypeWish): FetchFilter {
  // Kinds alone have had their say when the link was read.
  const isFine = isMediaTypeCrawl(wish) || wish.types.length > 0
  return {
    admits: ({ url }) => (isFine && isSurelyUnwanted(wish, url) ? 'leave' : 'fetch'),
    wants: (head, url) => head.status !== 200 || mayLead(wish, headerOf(head.headers, 'content-type'), url),
    mustBeWhole: () => false,
  }
}
