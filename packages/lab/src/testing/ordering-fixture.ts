/** Small webs for tests: any links, any words, and the crawlers of 003 as the paper prints them, slow and obvious. */
import fc from 'fast-check'
import { linksOf } from '../webs/graph/web-graph.ts'
import type { WebGraph } from '../webs/graph/web-graph.ts'

export interface SmallWeb {
  readonly web: WebGraph
  /** Of each page: whether it is on the topic. */
  readonly hot: Uint8Array
}

/** A web from lists of links. Words: anchors and addresses that name "computer" where they are told to. */
export function webOf(
  links: readonly (readonly number[])[],
  { anchors = [], urls = [], hot = [], sites = [] }: SmallWords = {},
): WebGraph {
  const lists = links.map((list, page) => [...new Set(list)].filter((to) => to !== page))
  const starts = new Uint32Array(lists.length + 1)
  for (const [page, list] of lists.entries()) starts[page + 1] = starts[page]! + list.length
  const siteOf = Uint32Array.from(lists, (_, page) => sites[page] ?? 0)
  return {
    name: 'small',
    pages: lists.length,
    starts,
    targets: Uint32Array.from(lists.flat()),
    sites: Math.max(1, ...siteOf.map((site) => site + 1)),
    siteOf,
    homes: [0],
    words: {
      urlOf: (page) => `http://s${siteOf[page]}.example/${urls[page] === true ? 'computer' : 'page'}-${page}`,
      titleOf: (page) => (hot[page] === true ? 'The Computer' : 'Other'),
      bodyOf: () => 'text',
      anchorOf: (link) => (anchors[link] === true ? 'on computers' : 'here'),
    },
  }
}

interface SmallWords {
  readonly anchors?: readonly boolean[]
  readonly urls?: readonly boolean[]
  readonly hot?: readonly boolean[]
  readonly sites?: readonly number[]
}

const flags = (length: number, weight: number): fc.Arbitrary<boolean[]> => {
  const rarely = fc.oneof(
    { weight: 10 - weight, arbitrary: fc.constant(false) },
    { weight, arbitrary: fc.constant(true) },
  )
  return fc.array(rarely, { minLength: length, maxLength: length })
}

export const anySmallWeb: fc.Arbitrary<SmallWeb> = fc.integer({ min: 1, max: 24 }).chain((pages) => {
  return fc
    .record({
      links: fc.array(fc.array(fc.nat(pages - 1), { maxLength: 6 }), { minLength: pages, maxLength: pages }),
      anchors: flags(6 * pages, 2),
      urls: flags(pages, 1),
      hot: flags(pages, 3),
      sites: fc.array(fc.nat(3), { minLength: pages, maxLength: pages }),
    })
    .map(({ links, ...words }) => ({ web: webOf(links, words), hot: Uint8Array.from(words.hot, Number) }))
})

/** What a slow crawler knows: pages in the order found, pages visited, and pairs (from, to) of links seen. */
export interface SlowCrawl {
  readonly found: number[]
  readonly visited: number[]
  readonly links: (readonly [from: number, to: number])[]
}

/** 003 Figure 1, reordering everything before each step: `choose` picks from the pages that wait, in the order found. */
export function slowCrawl(
  web: WebGraph,
  start: number,
  choose: (waiting: readonly number[], crawl: SlowCrawl) => number,
): SlowCrawl {
  const crawl: SlowCrawl = { found: [start], visited: [], links: [] }
  for (;;) {
    const waiting = crawl.found.filter((page) => !crawl.visited.includes(page))
    if (waiting.length === 0) return crawl
    const url = choose(waiting, crawl)
    crawl.visited.push(url)
    for (const u of linksOf(web, url)) {
      crawl.links.push([url, u])
      if (!crawl.found.includes(u)) crawl.found.push(u)
    }
  }
}

/** The best by a score, higher first; the first of equals. */
export const bestOf = (pages: readonly number[], score: (page: number) => number): number =>
  pages.reduce((best, page) => (score(page) > score(best) ? page : best))

/** backlink_count[u] = number of terms (-, u) in links (003 Figure 2). */
export const backlinksIn = ({ links }: SlowCrawl, u: number): number => links.filter(([, to]) => to === u).length

/**
 * Clicks from the start page by the links seen. What a page is found to be when it is visited it stays: a shorter way
 * that is seen later brings only pages nearer that still wait.
 */
export function depthsIn({ found, visited, links }: SlowCrawl): ReadonlyMap<number, number> {
  const depths = new Map([[found[0]!, 0]])
  for (const [from, to] of links) {
    if (visited.includes(to) && visited.indexOf(to) <= visited.indexOf(from)) continue
    depths.set(to, Math.min(depths.get(to) ?? Infinity, depths.get(from)! + 1))
  }
  return depths
}
