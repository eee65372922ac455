/**
 * One virtual crawl of 003: the part of a web that its start page leads to, and the order in which a crawler visits it.
 *
 * The paper's crawler has one queue (Figure 1). Ours has one for each site, and among pages of equal rank takes turns
 * between sites, which is right for a live crawl and not what the paper did; so all pages are put on one site, unless
 * the order is about sites. How much that matters is part of the report: most pages are of equal rank.
 */

import type { Order, OrderSettings } from '@comity/frontier'
import { subWeb } from '../../webs/graph/graph-part.ts'
import { reachableFrom } from '../../webs/graph/reach.ts'
import { seenWhole } from '../../webs/importance-of-web.ts'
import { createRandom, seedOf } from '@comity/testbed'
import { VirtualCrawl, noPoliteness } from '../../simulate/virtual-crawl.ts'
import { linksOf } from '../../webs/graph/web-graph.ts'
import { labOrder } from '../../lab-orders.ts'
import type { WebGraph } from '../../webs/graph/web-graph.ts'

/** All that can be found from a start page: "the total number of pages for the experiment" (003 §6). */
export interface CrawlPart {
  readonly web: WebGraph
  /** Number of the start page in it. */
  readonly start: number
  /** What the pages of the part are in the whole web. */
  readonly pages: Uint32Array
}

export function partFrom(whole: WebGraph, start: number): CrawlPart {
  const { reached, count } = reachableFrom(whole, [start])
  const pages = new Uint32Array(count)
  for (let page = 0, n = 0; page < whole.pages; page++) if (reached[page] === 1) pages[n++] = page
  return { web: subWeb(whole, reached), start: pages.indexOf(start), pages }
}

interface CrawlChoice {
  readonly order: string
  readonly seed: number
  /** Of each page, 1 when it is hot; for crawls with a topic. */
  readonly hot?: Uint8Array | undefined
  readonly importance?: Omit<OrderSettings, 'random' | 'oracle'>
  /** What a lab's order may know of each page. */
  readonly oracle?: Float64Array | undefined
  /** `site`: a queue for each site, as a live crawl has. */
  readonly queues?: 'one' | 'site' | undefined
}

/** Pages in the order visited, until all are. */
export function visitsOf({ web, start }: CrawlPart, choice: CrawlChoice): Uint32Array {
  const { seed, hot, oracle, importance, queues = 'one' } = choice
  const order = labOrder(choice.order)
  const random = createRandom(seedOf(seed, choice.order, start))
  const crawl = new VirtualCrawl(queues === 'site' || ranksSites(order) ? web : onOneSite(web), {
    order,
    politeness: noPoliteness,
    random: () => random.next(),
    // The ideal crawler needs no links to find anything (003 §3).
    homes: choice.order === 'perfect' ? Array.from({ length: web.pages }, (_, page) => page) : [start],
    oracle: oracle && ((page) => oracle[page]!),
    ...(importance && { importance }),
    ...(hot && { similarityOf: (page) => ({ similarity: hot[page]!, isHot: hot[page] === 1 }) }),
  })
  const visits = new Uint32Array(web.pages)
  let visited = 0
  for (const page of crawl.inOrder()) visits[visited++] = page
  return visits.subarray(0, visited)
}

/** The same web with a single queue. Addresses keep every word they have, behind one name for all. */
export function onOneSite(web: WebGraph): WebGraph {
  const { words } = web
  return {
    ...web,
    sites: 1,
    siteOf: new Uint32Array(web.pages),
    words: words && {
      urlOf: (page) => `http://web/${words.urlOf(page)}`,
      titleOf: (page) => words.titleOf(page),
      bodyOf: (page) => words.bodyOf(page),
      anchorOf: (link) => words.anchorOf(link),
    },
  }
}

const NOTHING: WebGraph = {
  name: '',
  pages: 0,
  starts: new Uint32Array(1),
  targets: new Uint32Array(0),
  sites: 0,
  siteOf: new Uint32Array(0),
  homes: [],
}

const ranksSites = (order: Order): boolean => {
  const ranking = order.start(seenWhole(NOTHING), { random: () => 0, oracle: () => 0 })
  return ranking.rankSite !== undefined || ranking.taken !== undefined
}

/** How often the next page is one that the last page links to: 1 for a crawl that never looks back (003 Figure 3). */
export function followedShare(web: WebGraph, visits: Uint32Array): number {
  let followed = 0
  for (let at = 1; at < visits.length; at++) if (linksOf(web, visits[at - 1]!).includes(visits[at]!)) followed++
  return visits.length < 2 ? 0 : followed / (visits.length - 1)
}
