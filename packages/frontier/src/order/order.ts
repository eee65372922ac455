/**
 * Order: which page next. `crawl --order NAME` and the lab use the same code, by name; the table is in `order/orders.ts`.
 *
 * An order starts a ranking for one crawl. The ranking gives each waiting page a number, lower first, and each site
 * one; among equals come the page known longest and the site that has waited longest for its turn. What a crawl learns
 * it is told by `visited`, and what has moved because of that it says by `moved`, so that the queue is right before the
 * next page is taken. Politeness holds whatever it says: an order chooses among the sites that may be visited now.
 */
import type { LocationRules } from './location-score.ts'

export interface OrderSiteFacts {
  /** Scheme, host and port: `https://example.org`. */
  readonly origin: string
  /** Pages in its queue. */
  readonly waiting: number
  /** Pages fetched from it so far. */
  readonly visited: number
  /** Rank of the best page in its queue; Infinity when there is none. */
  readonly best: number
}

/** How a ranking says that a page has moved. */
interface RankMoves {
  /** The rank of this page has changed. Harmless for one that does not wait. */
  moved(page: number): void
  /** The ranks of any number of pages have changed. */
  allMoved(): void
}

/** What a ranking may know about the pages it ranks. */
export interface RankedWeb extends RankMoves {
  /** Pages known; their ids count up from 0. */
  readonly count: number
  /** Clicks from a start page. */
  depthOf(page: number): number
  siteOf(page: number): OrderSiteFacts
  isWaiting(page: number): boolean
  /** Reads the disk for a page that was found long ago. */
  urlOf(page: number): string
}

/** What a page that was visited has taught us. */
export interface PageVisit {
  /** The pages it links to, each once. */
  readonly links: ArrayLike<number>
  /** Words of the nth of them. */
  anchorOf(n: number): string
  /** IS(P, Q): how much the page itself has to do with the driving query, and whether that makes it hot (003 §7). */
  readonly similarity: number
  readonly isHot: boolean
}

/** What a crawl tells its ranking as it goes on. */
interface CrawlNews {
  /** A page was fetched, or fetched again, and this is what it says now. */
  visited?(page: number, visit: PageVisit): void
  /** Many visits of an earlier run at once, when a crawl goes on; `visited` one by one when this is left out. */
  restore?(visits: Iterable<readonly [page: number, visit: PageVisit]>): void
  /** A page is about to be taken: what was put off until ranks are needed is due, and `moved` may be called. */
  refresh?(): void
  /** A site's turn has come. */
  taken?(site: OrderSiteFacts): void
  /** A new batch is about to be chosen; see `queue/batch-choice.ts`. */
  beginBatch?(): void
}

export interface Ranking extends CrawlNews {
  /** Lower comes first. Asked when a page begins to wait, is found nearer to a start page, or has `moved`. */
  rankPage(page: number): number
  /** Lower comes first; the rank of its best page when this is left out. */
  rankSite?(site: OrderSiteFacts): number
}

/** What a user says about importance. Every part may be left out. */
export interface OrderSettings {
  /** 0 ≤ x < 1. */
  readonly random: () => number
  /** Words of the driving query Q (003 §2.1). */
  readonly topic?: readonly string[] | undefined
  /** How near to a hot page makes a page hot (003 Figure 5: 3, 'distance < 3'); 0 is the crawler of Figure 4. */
  readonly nearHot?: number | undefined
  /** A URL that waits becomes hot when a later link calls it so; the paper does not (003 Figures 4 and 5). */
  readonly promote?: boolean | undefined
  readonly location?: LocationRules | undefined
  /** The true importance of a page, which only a lab can know. */
  readonly oracle?: ((page: number) => number) | undefined
}

/** What an order of two plain functions looks at. */
export interface PageFacts {
  /** Clicks from a start page. */
  readonly depth: number
  readonly site: OrderSiteFacts
  /** Reads the disk for a page that was found long ago. */
  readonly url: string
}

export interface Order {
  readonly name: string
  readonly description: string
  /** Pages a batch; the crawl takes the next batch when this one is done (004 §5, Batch). */
  readonly batch?: number | undefined
  /** Ranks by likeness to a topic, and means nothing without one. */
  readonly needsTopic?: boolean | undefined
  start(web: RankedWeb, settings: OrderSettings): Ranking
}

/** An order that learns nothing on the way: two functions of plain facts, lower first. */
export function simpleOrder(given: {
  readonly name: string
  readonly description: string
  rankPage(page: PageFacts): number
  /** The rank of its best page when this is left out. */
  rankSite?(site: OrderSiteFacts): number
}): Order {
  return {
    name: given.name,
    description: given.description,
    start: (web) => ({
      rankPage: (page) =>
        given.rankPage({
          depth: web.depthOf(page),
          site: web.siteOf(page),
          get url() {
            return web.urlOf(page)
          },
        }),
      ...(given.rankSite && { rankSite: (site) => given.rankSite!(site) }),
    }),
  }
}
