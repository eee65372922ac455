/**
 * Order: which site next, and which of its pages (004 §5). One table of names; `crawl --order NAME` and the lab read it.
 *
 * An order is two pure functions of small facts. Lower comes first; among equals the page known longest and the site
 * that has waited longest for its turn. Ranks of pages are kept as 32-bit floats: 24 bits of them count.
 */
export interface PageFacts {
  /** Clicks from a start page. */
  readonly depth: number
  /** How often fetching it has failed so far. */
  readonly tries: number
  readonly site: SiteFacts
}

export interface SiteFacts {
  /** Scheme, host and port: `https://example.org`. */
  readonly origin: string
  /** Pages in its queue. */
  readonly waiting: number
  /** Pages fetched from it so far. */
  readonly visited: number
  /** Rank of the best page in its queue; Infinity when there is none. */
  readonly best: number
}

export interface Order {
  readonly name: string
  readonly description: string
  rankPage(page: PageFacts): number
  rankSite(site: SiteFacts): number
}

/**
 * A page that failed comes back behind everything else its site has, so one broken page cannot hold the others up. More
 * than any depth, and little enough for 24 bits: 255 tries at depth 65,535 come to 2²⁴ - 1.
 */
const RETRY_PENALTY = 65_536
const byDepth = (page: PageFacts): number => page.depth + page.tries * RETRY_PENALTY

export const ORDERS: readonly Order[] = [
  {
    name: 'depth',
    description: 'breadth-first: pages fewest clicks from a start page first (004 §5, Depth)',
    rankPage: byDepth,
    rankSite: (site) => site.best,
  },
  {
    name: 'length',
    description: 'breadth-first in each site, the site with the longest queue first (004 §5, Length)',
    rankPage: byDepth,
    rankSite: (site) => -site.waiting,
  },
]

export function orderNamed(name: string): Order | undefined {
  return ORDERS.find((order) => order.name === name)
}
