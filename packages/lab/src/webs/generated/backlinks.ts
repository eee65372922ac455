/**
 * Generated backlinks: how many links each page should get.
 *
 * Every page gets a score from its place (home pages and sections on the menu of large sites high, members of a cluster
 * as high as their cluster is large, the first three levels higher than the rest) times luck. Then the best score takes the
 * highest number of the wanted law, the second the next, and so on. The law is met exactly, whatever the scores; scores
 * decide who gets the links. Pages that a crawl from the core can reach are ranked on their own, since it is of these
 * that 003 §6 gives the figures: 47 % with at least 3 backlinks, 10 % with at least 10, 0.8 % with at least 100.
 */
import { normal } from './distributions.ts'
import { webParts } from './sites.ts'
import type { SitePlan, WebPart } from './sites.ts'
import type { PageTrees } from './trees.ts'
import { createRandom, seedOf } from '@comity/testbed'
import type { Random } from '@comity/testbed'

/**
 * Share of pages with at least so many backlinks. The row for 2 is ours: 003 §7 says that more than a third of the hot
 * pages have one backlink only. Between rows the law is a power of the number; so it is past the last.
 */
const backlinkLaw: readonly { readonly least: number; readonly share: number }[] = [
  { least: 1, share: 1 },
  { least: 2, share: 0.63 },
  { least: 3, share: 0.47 },
  { least: 10, share: 0.1 },
  { least: 100, share: 0.008 },
]
/** 2.1 for the density, the in-degree exponent of Broder et al. 2000; the rows of 10 and 100 above give the same. */
const tailExponent = 1.1

/** What a crawl from the core reaches. */
const reachableParts: ReadonlySet<WebPart> = new Set(['core', 'out'])

/** No page is linked from more than a twentieth of the web; of a very small web, from half of it. */
const mostBacklinks = (pages: number): number => Math.max(1, Math.floor(pages / 20), Math.min(500, pages >> 1))

/** Backlinks wanted for each page, at least 1. */
export function wantedBacklinks(seed: number, sites: SitePlan, trees: PageTrees): Uint32Array {
  const random = createRandom(seedOf(seed, 'backlinks'))
  const pages = sites.siteOf.length
  const keys = new Float64Array(pages)
  const wanted = new Uint32Array(pages)
  const most = mostBacklinks(pages)
  const isReachable = (page: number): boolean => reachableParts.has(webParts[sites.parts[sites.siteOf[page]!]!]!)
  for (let page = 0; page < pages; page += 1) {
    keys[page] = sortKey(scoreOf(random, sites, trees, page), page, isReachable(page))
  }
  keys.sort()
  let reachable = 0
  while (reachable < pages && keys[pages - 1 - reachable]! >= firstReachableKey) reachable += 1
  for (let rank = 0; rank < pages; rank += 1) {
    const [place, count] = rank < reachable ? [rank, reachable] : [rank - reachable, pages - reachable]
    wanted[keys[pages - 1 - rank]! % pageSpace] = Math.min(most, backlinksAt((place + 0.5) / count))
  }
  return wanted
}

/** The number of backlinks that a share `u` of the pages has or exceeds. */
export function backlinksAt(u: number): number {
  const row = backlinkLaw.findLastIndex(({ share }) => u <= share)
  const { least, share } = backlinkLaw[row]!
  const next = backlinkLaw[row + 1]
  const exponent = next === undefined ? tailExponent : Math.log(share / next.share) / Math.log(next.least / least)
  const number = Math.floor(least * (share / u) ** (1 / exponent) + 1e-9)
  // Within a row the next one's number belongs to the next row, however the power rounds.
  return next === undefined ? number : Math.min(number, next.least - 1)
}

/** Sections that the menu of their site names on every page, as it does the home page. */
const onMenu = 0.15
const clusterMenu = 40
/** Added on the first levels; past them depth tells nothing of importance (004 §7, Figure 10). */
const firstLevels: readonly number[] = [0, 1, 0.5, 0.2]

/** Logarithm of the backlinks we would expect here, before the law is imposed. */
function scoreOf(random: Random, sites: SitePlan, trees: PageTrees, page: number): number {
  const site = sites.siteOf[page]!
  const sitePages = sites.pageStarts[site + 1]! - sites.pageStarts[site]!
  const level = trees.levels[page]!
  const isOnMenu = level === 0 || (level === 1 && random.chance(onMenu))
  if (isOnMenu) return Math.log(sitePages / 2) + 0.8 * normal(random)
  if (isWellKnown(trees, page)) return Math.log(clusterSize(trees, page)) + 0.15 * normal(random)
  return 0.3 * Math.log(trees.branchSizes[page]!) + (firstLevels[level] ?? 0) + 0.8 * normal(random)
}

/** Pages that the whole cluster links to: all of a small one, forty spread over a large one (a manual and its menu). */
function isWellKnown(trees: PageTrees, page: number): boolean {
  if (trees.clusters[page] === 0) return false
  const root = clusterRoot(trees, page)
  return (page - root) % Math.ceil(trees.branchSizes[root]! / clusterMenu) === 0
}

const clusterSize = (trees: PageTrees, page: number): number => trees.branchSizes[clusterRoot(trees, page)]!

/** The first page of the cluster that a page of a cluster lies in. */
export function clusterRoot({ clusters, parents }: Pick<PageTrees, 'clusters' | 'parents'>, page: number): number {
  let root = page
  while (clusters[root] === 2) root = parents[root]!
  return root
}

// One number holds reachability, score and page, so that sorting millions of them needs no comparison of ours:
// 1 bit, 28 bits of score between -16 and 16, 24 bits of page: the 53 bits a number holds exactly.
const pageSpace = 2 ** 24
const scoreSpace = 2 ** 28
const firstReachableKey = scoreSpace * pageSpace

function sortKey(score: number, page: number, isReachable: boolean): number {
  const place = Math.min(scoreSpace - 1, Math.max(0, Math.floor(((score + 16) / 32) * scoreSpace)))
  return ((isReachable ? scoreSpace : 0) + place) * pageSpace + page
}
