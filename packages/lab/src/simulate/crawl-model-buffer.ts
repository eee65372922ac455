/**
 * Limited Buffer Crawl (003 §3): the crawler visits every page and may keep B of them. It drops what looks least
 * important at the time, by I'(P); how many of those it holds at the end belong to the B best is P_BC.
 */
import { metricNamed, LimitedBuffer } from '@comity/frontier'
import { hotCount, worthOfBest } from './crawl-models.ts'
import { seenWhole } from '../webs/importance-of-web.ts'
import { linksOf } from '../webs/graph/web-graph.ts'
import type { WebGraph } from '../webs/graph/web-graph.ts'

/** I'(P), the importance of a page by the links seen so far. It only rises. */
interface Estimate {
  scoreOf(page: number): number
  visited(page: number, links: Uint32Array): void
}

/** IB'(P). */
export function backlinkEstimate(web: WebGraph): Estimate {
  const metric = metricNamed('backlink')!.start(seenWhole(web), { random: () => 0 })
  return {
    scoreOf: (page) => metric.score(page),
    visited: (page, links) => metric.visited?.(page, { links, anchorOf: () => '', similarity: 0, isHot: false }),
  }
}

/** P_BC for each of several sizes B, from 0 to 1. A page is hot that is worth as much as the Bth best or more. */
export function bufferPerformance(
  web: WebGraph,
  visits: Uint32Array,
  importance: Float64Array,
  sizes: readonly number[],
  estimate: Estimate,
): number[] {
  const buffers = sizes.map((size) => new LimitedBuffer(size, (page) => estimate.scoreOf(page)))
  for (const page of visits) {
    estimate.visited(page, linksOf(web, page))
    for (const buffer of buffers) buffer.add(page)
  }
  return buffers.map(({ pages }, n) => {
    const target = worthOfBest(importance, sizes[n]!)
    return pages.length === 0 ? 0 : pages.filter((page) => importance[page]! >= target).length / pages.length
  })
}

/** P_BC of a crawler that keeps pages at random: each kept page is hot as likely as any. The ideal one has 1. */
export function randomBufferPerformance(importance: Float64Array, size: number): number {
  return importance.length === 0 ? 0 : hotCount(importance, worthOfBest(importance, size)) / importance.length
}
