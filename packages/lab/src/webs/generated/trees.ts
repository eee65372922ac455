/**
 * Generated trees: the pages of each site below its home page, so that clicks from home mean something.
 *
 * Pages are numbered in preorder: a page, then everything below its first child, then below its second. A branch is
 * then a run of numbers, p … p + branchSizes[p] - 1, and "somewhere in this section" costs one random number.
 * Topics go down the tree and change here and there; some small branches are marked as clusters, whose pages will all
 * link to each other (cluster A of 003 Figure 3).
 */
import type { SitePlan } from './sites.ts'
import { topicCount } from './vocabulary.ts'
import { createRandom, seedOf } from '@comity/testbed'
import type { Random } from '@comity/testbed'

export interface PageTrees {
  /** The page a level above that links here; a home page is its own parent. */
  readonly parents: Uint32Array
  /** Clicks from the home page along the tree. */
  readonly levels: Uint8Array
  /** Pages of the branch that begins here, this one included. */
  readonly branchSizes: Uint32Array
  /** 0 outside clusters, 1 at the first page of a cluster, 2 further down in it. */
  readonly clusters: Uint8Array
  readonly topics: Uint8Array
}

/** Past this level a page lists all that is left below it: deeper paths are traps more often than content. */
const deepestLevel = 14

/** Branches this large become clusters with this chance. Fitted: about 5 % of the pages are then well linked in one. */
const clusterChances: readonly { readonly least: number; readonly chance: number }[] = [
  { least: 0, chance: 0 },
  { least: 8, chance: 0.1 },
  { least: 41, chance: 0.08 },
  { least: 100, chance: 0.08 },
  { least: 500, chance: 0 },
]

export function growTrees(seed: number, pages: number, sites: SitePlan): PageTrees {
  const random = createRandom(seedOf(seed, 'trees'))
  const trees: PageTrees = {
    parents: new Uint32Array(pages),
    levels: new Uint8Array(pages),
    branchSizes: new Uint32Array(pages),
    clusters: new Uint8Array(pages),
    topics: new Uint8Array(pages),
  }
  for (const [site, topic] of sites.topics.entries()) {
    const [home, end] = [sites.pageStarts[site]!, sites.pageStarts[site + 1]!]
    trees.parents[home] = home
    trees.branchSizes[home] = end - home
    trees.topics[home] = topic
    // In preorder a page is described by its parent before its own turn comes, so one pass is enough.
    for (let page = home; page < end; page += 1) branchOut(random, trees, page, end - home)
  }
  return trees
}

function branchOut(random: Random, trees: PageTrees, page: number, sitePages: number): void {
  const level = trees.levels[page]!
  const size = trees.branchSizes[page]!
  if (level > 0 && trees.clusters[page] === 0 && random.chance(clusterChance(size))) trees.clusters[page] = 1
  let below = size - 1
  let children = childCount(random, below, level)
  // Large sites are many departments under one roof (Stanford's were, 003 §5); small ones stay with their subject.
  const change = level > 0 ? 0.04 : sitePages > 1_000 ? 0.5 : 0.12
  for (let child = page + 1; children > 0; children -= 1) {
    const branch = children === 1 ? below : share(random, below, children)
    trees.parents[child] = page
    trees.levels[child] = level + 1
    trees.branchSizes[child] = branch
    trees.clusters[child] = trees.clusters[page] === 0 ? 0 : 2
    trees.topics[child] = random.chance(change) ? random.int(topicCount) : trees.topics[page]!
    below -= branch
    child += branch
  }
}

const clusterChance = (size: number): number => clusterChances.findLast(({ least }) => size >= least)!.chance

/** Home pages and indexes list many, other pages few; one in ten is an archive that lists everything below it. */
function childCount(random: Random, below: number, level: number): number {
  if (below <= 1 || level >= deepestLevel - 1) return below
  if (level === 0) return clamped(Math.sqrt(below) * (0.5 + random.next()), Math.min(below, 60))
  if (below <= 12 ? random.chance(0.7) : below <= 300 && random.chance(0.1)) return below
  return clamped(1 + below ** 0.4 * (0.5 + random.next()), below)
}

/** Uneven on purpose: 3u² is 1 on average and makes a few large sections beside many small ones. */
function share(random: Random, below: number, children: number): number {
  const spare = below - children
  return 1 + Math.floor(Math.min(spare, (spare / children) * 3 * random.next() ** 2))
}

const clamped = (value: number, most: number): number => Math.max(1, Math.min(most, Math.round(value)))
