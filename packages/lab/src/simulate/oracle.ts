/** The PageRank of every page of a whole web, known beforehand: what a crawl is measured by (004 §5, "oracle" values). */
import { PageRank } from '@comity/frontier'
import { linksOf } from '../webs/graph/web-graph.ts'
import type { WebGraph } from '../webs/graph/web-graph.ts'

const TOLERANCE = 1e-6

/** The values add up to 1. */
export function trueRanks(web: WebGraph): Float64Array {
  const ranks = new PageRank()
  ranks.grow(web.pages)
  for (let page = 0; page < web.pages; page++) ranks.set(page, linksOf(web, page))
  ranks.solve(TOLERANCE)
  const values = Float64Array.from({ length: web.pages }, (_, page) => ranks.valueOf(page))
  const sum = values.reduce((total, value) => total + value, 0)
  return values.map((value) => value / sum)
}
