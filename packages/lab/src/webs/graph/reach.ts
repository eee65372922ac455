/**
 * Reach: what a crawl can find from where it starts. 003 §6 lost a fifth of its pages to this: nothing led to them from
 * the one page it started at.
 */
import { componentsOf } from './components.ts'
import { transposed } from './links.ts'
import type { Links } from './links.ts'
import type { Random } from '@comity/testbed'
import type { WebGraph } from './web-graph.ts'

interface Reach {
  /** 1 for each page that is reached, the start pages included. */
  readonly reached: Uint8Array
  readonly count: number
}

export function reachableFrom({ starts, targets }: Links, pages: Iterable<number>): Reach {
  const reached = new Uint8Array(starts.length - 1)
  const queue = new Uint32Array(reached.length)
  let count = 0
  const reach = (page: number): void => {
    if (reached[page] !== 0) return
    reached[page] = 1
    queue[count++] = page
  }
  for (const page of pages) reach(page)
  for (let at = 0; at < count; at++) {
    const page = queue[at]!
    for (let i = starts[page]!; i < starts[page + 1]!; i++) reach(targets[i]!)
  }
  return { reached, count }
}

interface LargestReach extends Reach {
  readonly page: number
}

/** Start pages that are tried: half of them in the largest components, half where nothing leads to. */
const CANDIDATES = 16
/** Pages that `startPages` tries one by one where there is no core to choose from. */
const MAX_TRIES = 200

/**
 * The page a crawl finds most from, among those worth a try: to know the very best takes a search from every page.
 * A page of the core reaches the core and all behind it; only pages before the core can reach more, and of these
 * the ones that nothing links to and that have most links are tried.
 */
export function largestReach(web: WebGraph): LargestReach | undefined {
  const { sizes, memberOf } = componentsOf(web)
  const large = largest(sizes.length, CANDIDATES / 2, (component) => sizes[component]!).map((c) => memberOf[c]!)
  const before = largest(web.pages, CANDIDATES / 2, sourceDegree(web))
  let best: LargestReach | undefined
  for (const page of new Set([...large, ...before])) {
    const reach = reachableFrom(web, [page])
    if (best === undefined || reach.count > best.count) best = { page, ...reach }
  }
  return best
}

/** A start page good enough for a web that names none: of those with most links, the first to reach half of it. */
export function wideStart(web: WebGraph): number[] {
  const { pages } = web
  let [best, most] = [-1, 0]
  for (const page of largest(pages, CANDIDATES, degreeOf(web))) {
    const { count } = reachableFrom(web, [page])
    if (count > most) [best, most] = [page, count]
    if (most * 2 >= pages) break
  }
  return best >= 0 ? [best] : pages > 0 ? [0] : []
}

/**
 * Different start pages, each of which reaches at least half of what the best one does: home pages where there are
 * such, others by chance. Fewer than `count` when the web has no more.
 */
export function startPages(web: WebGraph, count: number, random: Random): number[] {
  const best = largestReach(web)
  if (best === undefined) return []
  // Whoever reaches the core reaches all behind it. Where that is too little, whoever reaches the best start will do.
  const { sizes, memberOf } = componentsOf(web)
  const [core = 0] = largest(sizes.length, 1, (component) => sizes[component]!)
  const middle = memberOf[core]!
  const isWide = reachableFrom(web, [middle]).count * 2 >= best.count
  const { reached: good, count: choice } = reachableFrom(transposed(web), [isWide ? middle : best.page])
  const chosen = new Set(random.shuffle(web.homes.filter((page) => good[page] === 1)).slice(0, count))
  const others = Uint32Array.from({ length: choice })
  for (let page = 0, at = 0; page < web.pages; page++) if (good[page] === 1) others[at++] = page
  // Fisher and Yates from the front, as far as needed.
  for (let at = 0; at < choice && chosen.size < count; at++) {
    const other = random.between(at, choice - 1)
    chosen.add(others[other]!)
    others[other] = others[at]!
  }
  // A web without a core, where every start finds its own few pages.
  for (const page of chosen.size < count ? largest(web.pages, MAX_TRIES, degreeOf(web)) : []) {
    if (chosen.size < count && reachableFrom(web, [page]).count * 2 >= best.count) chosen.add(page)
  }
  return [...chosen]
}

const degreeOf =
  ({ starts }: WebGraph) =>
  (page: number): number =>
    starts[page + 1]! - starts[page]!

/** Links of a page that no page links to; 0 for all others. */
function sourceDegree(web: WebGraph): (page: number) => number {
  const isTarget = new Uint8Array(web.pages)
  for (const target of web.targets) isTarget[target] = 1
  const degree = degreeOf(web)
  return (page) => (isTarget[page] === 1 ? 0 : degree(page))
}

/** The `count` items with the largest value above 0, largest first, the first of equals first. */
function largest(items: number, count: number, valueOf: (item: number) => number): number[] {
  const best: { item: number; value: number }[] = []
  for (let item = 0; item < items; item++) {
    const value = valueOf(item)
    if (value <= (best.length < count ? 0 : best.at(-1)!.value)) continue
    const place = best.findIndex((other) => other.value < value)
    best.splice(place < 0 ? best.length : place, 0, { item, value })
    if (best.length > count) best.pop()
  }
  return best.map(({ item }) => item)
}
