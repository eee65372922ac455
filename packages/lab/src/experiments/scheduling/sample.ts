/**
 * The web of 004 made from any web: every site is known from a registry and begun at its home page (§5, §7), and at most
 * so many pages of a site are taken (§4). What a crawl cannot find, or would not take, is not part of it; so its
 * PageRank is that of what was crawled, as in the paper, and every full crawl ends at 1.
 */
import { subWeb } from '../../webs/graph/graph-part.ts'
import type { WebGraph } from '../../webs/graph/web-graph.ts'

export interface SampleWeb {
  readonly web: WebGraph
  /** Clicks from the nearest home page, of every page. */
  readonly depths: Uint16Array
}

/** Deeper ones count as this deep. */
const MAX_DEPTH = 0xffff

export function sampleWeb(web: WebGraph, maxPagesPerSite: number): SampleWeb {
  const all = { ...web, homes: registryHomes(web) }
  const { keep, count } = breadthFirst(all, maxPagesPerSite)
  const part = count === all.pages ? all : subWeb(all, keep)
  return { web: part, depths: breadthFirst(part, Infinity).depths }
}

/** The home pages a web knows; a site without one is entered at its first page, which leads the others by its URL. */
export function registryHomes({ pages, sites, siteOf, homes }: WebGraph): number[] {
  const known = new Set(homes)
  const hasHome = new Uint8Array(sites)
  for (const page of known) hasHome[siteOf[page]!] = 1
  for (let page = 0; page < pages; page++) {
    if (hasHome[siteOf[page]!] === 1) continue
    hasHome[siteOf[page]!] = 1
    known.add(page)
  }
  return [...known]
}

function breadthFirst(
  { pages, sites, siteOf, starts, targets, homes }: WebGraph,
  maxPagesPerSite: number,
): { keep: Uint8Array; depths: Uint16Array; count: number } {
  const keep = new Uint8Array(pages)
  const depths = new Uint16Array(pages)
  const taken = new Uint32Array(sites)
  const queue = new Uint32Array(pages)
  let count = 0
  const find = (page: number, depth: number): void => {
    if (keep[page] === 1 || taken[siteOf[page]!]! >= maxPagesPerSite) return
    keep[page] = 1
    taken[siteOf[page]!]! += 1
    depths[page] = Math.min(depth, MAX_DEPTH)
    queue[count++] = page
  }
  for (const page of homes) find(page, 0)
  for (let at = 0; at < count; at++) {
    const page = queue[at]!
    for (let link = starts[page]!; link < starts[page + 1]!; link++) find(targets[link]!, depths[page]! + 1)
  }
  return { keep, depths, count }
}
