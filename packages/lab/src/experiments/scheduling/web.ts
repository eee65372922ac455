/**
 * What 004 and 002 say of the web itself: how large sites are (004 Figure 3), and how PageRank goes with depth (004
 * Figure 10) and with the size of the site (002 Figure 6.4).
 */
import { toleranceOf } from '../../claims/tolerances.ts'
import { fitPowerLaw } from '../../webs/graph/power-law.ts'
import type { PowerLaw } from '../../webs/graph/power-law.ts'
import type { SampleWeb } from './sample.ts'
import { Correlation } from './statistics.ts'

export interface WebStatistics {
  /** Pages of each site, and the mean PageRank of a page on it, in units of the mean over all pages. */
  readonly siteSizes: Uint32Array
  readonly siteMeans: Float64Array
  readonly sizeLaw: PowerLaw | undefined
  /** Of log size with log mean PageRank, over sites of `fewest-pages` or more, and over all. */
  readonly sizeCorrelation: number
  readonly allCorrelation: number
  readonly levels: readonly Level[]
  /** Of depth with log PageRank over pages, up to `DEEP` clicks from a home page and from there on. */
  readonly shallowCorrelation: number
  readonly deepCorrelation: number
}

interface Level {
  readonly depth: number
  readonly pages: number
  /** Mean PageRank of a page, in units of the mean over all pages. */
  readonly mean: number
}

/** "3-4 clicks away from the home page the correlation is very low" (004 §7). */
export const DEEP = 4

export function webStatistics({ web, depths }: SampleWeb, ranks: Float64Array): WebStatistics {
  const siteSizes = new Uint32Array(web.sites)
  const siteMeans = new Float64Array(web.sites)
  for (let page = 0; page < web.pages; page++) {
    siteSizes[web.siteOf[page]!]! += 1
    siteMeans[web.siteOf[page]!]! += ranks[page]! * web.pages
  }
  const [bySize, ofAll] = [new Correlation(), new Correlation()]
  const fewest = toleranceOf('fewest-pages')
  for (const [site, size] of siteSizes.entries()) {
    siteMeans[site]! /= size
    const point = [Math.log(size), Math.log(siteMeans[site]!)] as const
    ofAll.add(...point)
    if (size >= fewest) bySize.add(...point)
  }
  const [shallow, deep] = [new Correlation(), new Correlation()]
  for (const [page, depth] of depths.entries()) {
    if (depth <= DEEP) shallow.add(depth, Math.log(ranks[page]!))
    if (depth >= DEEP) deep.add(depth, Math.log(ranks[page]!))
  }
  return {
    siteSizes,
    siteMeans,
    sizeLaw: fitPowerLaw(siteSizes),
    sizeCorrelation: bySize.value,
    allCorrelation: ofAll.value,
    levels: levelsOf(depths, ranks),
    shallowCorrelation: shallow.value,
    deepCorrelation: deep.value,
  }
}

function levelsOf(depths: Uint16Array, ranks: Float64Array): Level[] {
  const pages: number[] = []
  const sums: number[] = []
  for (const [page, depth] of depths.entries()) {
    pages[depth] = (pages[depth] ?? 0) + 1
    sums[depth] = (sums[depth] ?? 0) + ranks[page]!
  }
  return Array.from(pages, (count, depth) => ({
    depth,
    pages: count,
    mean: ((sums[depth] ?? 0) / count) * depths.length,
  }))
}
