/**
 * What a crawl can ever find of a web, by where it starts (001 §II): in the core, at the one page that leads furthest, or at so
 * many pages as somebody knows. The best set of start pages is out of reach for any search; ours are taken one by one, each the
 * page with the most links among those that no one before leads to.
 */
import { PARTS } from '../../webs/parts.ts'
import { largestReach, reachableFrom } from '../../webs/graph/reach.ts'
import type { WebGraph } from '../../webs/graph/web-graph.ts'

export interface CrawlReach {
  readonly name: string
  readonly seeds: number
  readonly reached: Uint8Array
}

export function crawlReaches(web: WebGraph, parts: Uint8Array, seedCounts: readonly number[]): CrawlReach[] {
  const core = parts.indexOf(PARTS.indexOf('core'))
  const best = largestReach(web)
  const reaches: CrawlReach[] = []
  if (core >= 0) reaches.push({ name: 'from the core', seeds: 1, reached: reachableFrom(web, [core]).reached })
  if (best !== undefined) reaches.push({ name: 'from the best page', seeds: 1, reached: best.reached })
  return [...reaches, ...fromMany(web, best?.page, seedCounts)]
}

function fromMany(web: WebGraph, first: number | undefined, counts: readonly number[]): CrawlReach[] {
  const { pages, starts } = web
  const degree = (page: number): number => starts[page + 1]! - starts[page]!
  const byLinks = Uint32Array.from({ length: pages }, (_, page) => page).toSorted(
    (a, b) => degree(b) - degree(a) || a - b,
  )
  const reached = new Uint8Array(pages)
  const queue: number[] = []
  let seeds = 0
  const start = (page: number): void => {
    seeds++
    reached[page] = 1
    queue.push(page)
    for (let from = queue.pop(); from !== undefined; from = queue.pop()) {
      for (let i = starts[from]!; i < starts[from + 1]!; i++) {
        const target = web.targets[i]!
        if (reached[target] === 1) continue
        reached[target] = 1
        queue.push(target)
      }
    }
  }
  if (first !== undefined) start(first)
  let at = 0
  return counts.map((count) => {
    while (at < pages) {
      if (seeds >= count) break
      const page = byLinks[at++]!
      if (reached[page] === 0) start(page)
    }
    return { name: `from ${count.toLocaleString('en')} pages`, seeds: count, reached: reached.slice() }
  })
}
