/**
 * Generated links: who links to each page. Every page has a number of backlinks to get; we choose the pages that give
 * them, and turn the result round at the end.
 *
 *   inside   the parent; the cluster, if there is one; then the smallest branch around the page that is large enough:
 *            its own (links up), its parent's (siblings), … the whole site (navigation)
 *   outside  the links that hold the parts together (`webs/generated/bonds.ts`), then pages of the parts that may link here,
 *            half of them on sites with the same topic
 *
 * Choosing sources for a target, and not targets for a source, is what lets the backlink law be met exactly. A stamp per
 * page keeps a source from being taken twice, so each target occurs once on a page and never on itself.
 */
import { clusterRoot } from './backlinks.ts'
import type { SiteBonds } from './bonds.ts'
import { rounded } from './distributions.ts'
import type { GeneratedWebSettings } from './settings.ts'
import type { SitePlan } from './sites.ts'
import { createSourcePool } from './sources.ts'
import type { SourcePool } from './sources.ts'
import type { PageTrees } from './trees.ts'
import { transposed } from '../graph/links.ts'
import type { Links } from '../graph/links.ts'
import { createRandom, seedOf } from '@comity/testbed'
import type { Random } from '@comity/testbed'

interface LinkPlan {
  readonly settings: GeneratedWebSettings
  readonly sites: SitePlan
  readonly trees: PageTrees
  readonly wanted: Uint32Array
  readonly bonds: SiteBonds
}

/**
 * Share of the links to a page that come from other sites. Nobody links deep into a cluster: it is found by its first
 * page, which nothing but its parent may point to, and that is what makes hot pages hard to find (003 Figure 3).
 */
const outsideShare = { home: 0.6, popular: 0.25, plain: 0.06, deepInCluster: 0 }
const popularFrom = 10
/** Home pages known by their registration only, "very few or no in-links" (004 §7). */
const unknownHomes = 0.35

export function drawLinks(plan: LinkPlan, onPages: (done: number) => void): Links {
  const pages = plan.wanted.length
  const sourceStarts = new Uint32Array(pages + 1)
  const drawing = createDrawing(plan)
  for (let page = 0; page < pages; page += 1) {
    drawSources(drawing, page)
    sourceStarts[page + 1] = drawing.count
    if (page % 65_536 === 0) onPages(page)
  }
  return transposed({ starts: sourceStarts, targets: drawing.sources.subarray(0, drawing.count) })
}

interface Drawing extends LinkPlan {
  readonly random: Random
  readonly pool: SourcePool
  /** stamps[p] is target + 1 when p has been taken for this target. */
  readonly stamps: Uint32Array
  readonly sources: Uint32Array
  count: number
}

function createDrawing(plan: LinkPlan): Drawing {
  let most = 2 * plan.sites.parts.length
  for (const backlinks of plan.wanted) most += backlinks
  return {
    ...plan,
    random: createRandom(seedOf(plan.settings.seed, 'links')),
    pool: createSourcePool(plan.sites),
    stamps: new Uint32Array(plan.wanted.length),
    sources: new Uint32Array(most),
    count: 0,
  }
}

function drawSources(drawing: Drawing, page: number): void {
  const { sites, trees, wanted, random } = drawing
  const site = sites.siteOf[page]!
  const home = sites.pageStarts[site]!
  const end = sites.pageStarts[site + 1]!
  const first = drawing.count
  const backlinks = wanted[page]!
  drawing.stamps[page] = page + 1
  if (page === home) bindHome(drawing, site, page)
  else take(drawing, page, trees.parents[page]!)
  const left = Math.max(0, backlinks - (drawing.count - first))
  const share = outsideShare[kindOf(drawing, page)]
  const room = end - home - 1 - (page === home ? 0 : 1)
  const inside = Math.min(room, left - Math.min(left, rounded(random, share * left)))
  if (inside > 0) drawInside(drawing, page, inside)
  const isUnknown = page === home && drawing.bonds.mayBeUnknown(site) && random.chance(unknownHomes)
  if (!isUnknown) drawOutside(drawing, page, backlinks - (drawing.count - first))
}

function kindOf({ trees, wanted }: Drawing, page: number): keyof typeof outsideShare {
  if (trees.levels[page] === 0) return 'home'
  if (trees.clusters[page] === 2) return 'deepInCluster'
  return wanted[page]! < popularFrom ? 'plain' : 'popular'
}

function take(drawing: Drawing, page: number, source: number): boolean {
  if (drawing.stamps[source] === page + 1) return false
  drawing.stamps[source] = page + 1
  drawing.sources[drawing.count] = source
  drawing.count += 1
  return true
}

/** The links that the part of the site asks for, whether the law wants them or not. */
function bindHome(drawing: Drawing, site: number, home: number): void {
  const { bonds, sites, random } = drawing
  const from = bonds.foundFrom(site)
  if (from !== undefined) {
    const start = sites.pageStarts[from]!
    take(drawing, home, start + random.int(sites.pageStarts[from + 1]! - start))
  }
  for (const guest of bonds.leadingTo(site)) take(drawing, home, sites.pageStarts[guest]!)
}

function drawInside(drawing: Drawing, page: number, count: number): void {
  const { trees, random } = drawing
  let left = count
  if (trees.clusters[page] !== 0) {
    const root = clusterRoot(trees, page)
    left -= drawFromRun(drawing, page, root, trees.branchSizes[root]!, left)
  }
  // Its own branch may link to it from every page; others have twice the room, since pages list some of their siblings.
  let branch = page
  while (left > 0) {
    const size = trees.branchSizes[branch]!
    const parent = trees.parents[branch]!
    if (parent === branch || (size > (branch === page ? left : 2 * left) && !random.chance(0.1))) {
      left -= drawFromRun(drawing, page, branch, size, left)
      if (parent === branch) return
    }
    branch = parent
  }
}

/** Takes up to `count` pages of a run of pages, and returns how many it got. */
function drawFromRun(drawing: Drawing, page: number, start: number, size: number, count: number): number {
  const { random } = drawing
  let got = 0
  if (count * 3 < size) {
    // Sparse: try at random. A few misses are likely, many are not; the limit only keeps a full run from holding us.
    for (let tries = 4 * count + 8; tries > 0 && got < count; tries -= 1) {
      if (take(drawing, page, start + random.int(size))) got += 1
    }
    return got
  }
  // Dense: one walk over the run from a random place, leaving each page out with the chance that makes the count fit.
  const shift = random.int(size)
  for (let step = 0; step < size && got < count; step += 1) {
    const source = start + ((shift + step) % size)
    if (random.next() * (size - step) < (count - got) * 1.1 && take(drawing, page, source)) got += 1
  }
  return got
}

function drawOutside(drawing: Drawing, page: number, count: number): void {
  const { sites, random, pool } = drawing
  const site = sites.siteOf[page]!
  let left = count
  for (let tries = 3 * count + 8; tries > 0 && left > 0; tries -= 1) {
    const source = pool.draw(random, site)
    if (source === undefined) return
    if (sites.siteOf[source] !== site && take(drawing, page, source)) left -= 1
  }
}
