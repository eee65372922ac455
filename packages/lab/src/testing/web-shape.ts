/**
 * The shape of a web in numbers, to tell whether an experiment on it says anything about the Web: how links are shared
 * out (003 §6, first paragraph), how sites grow (004 Figure 3), and the bow tie of Broder et al. (Computer Networks 33,
 * 2000, doi:10.1016/S1389-1286(00)00083-9).
 */
import { PARTS, partsOf } from '../webs/parts.ts'
import { fitPowerLaw } from '../webs/graph/power-law.ts'
import type { PowerLaw } from '../webs/graph/power-law.ts'
import type { WebGraph } from '../webs/graph/web-graph.ts'

interface WebShape {
  readonly pages: number
  readonly sites: number
  readonly links: number
  readonly meanLinks: number
  /** Share of the links that stay on their site; 0 for a web without links. */
  readonly internalShare: number
  /** Share of the pages with at least so many backlinks; 003 §6 found 47 %, 10 % and 0.8 %. */
  readonly backlinkShares: { readonly 3: number; readonly 10: number; readonly 100: number }
  /** Undefined where there are too few to tell. */
  readonly backlinks: PowerLaw | undefined
  readonly siteSizes: PowerLaw | undefined
  readonly bowTie: BowTie
}

/** Pages of each part; they add up to all pages. */
interface BowTie {
  /** The largest set of pages that all reach each other. */
  readonly core: number
  /** Reach the core, and are not reached from it. */
  readonly in: number
  /** Reached from the core, and do not reach it. */
  readonly out: number
  /** Hang on one of these by links one way or the other. */
  readonly tendrils: number
  readonly disconnected: number
}

export function shapeOf(web: WebGraph): WebShape {
  const { pages, sites, targets } = web
  const backlinks = countsOf(pages, targets)
  const atLeast = (count: number): number => share(backlinks.filter((links) => links >= count).length, pages)
  return {
    pages,
    sites,
    links: targets.length,
    meanLinks: share(targets.length, pages),
    internalShare: share(internalLinks(web), targets.length),
    backlinkShares: { 3: atLeast(3), 10: atLeast(10), 100: atLeast(100) },
    backlinks: fitPowerLaw(backlinks),
    siteSizes: fitPowerLaw(countsOf(sites, web.siteOf)),
    bowTie: bowTieOf(web),
  }
}

export function bowTieOf(web: WebGraph): BowTie {
  const counts = countsOf(PARTS.length, Uint32Array.from(partsOf(web)))
  return Object.fromEntries(PARTS.map((part, at) => [part, counts[at]!])) as unknown as BowTie
}

function countsOf(kinds: number, items: Uint32Array): Uint32Array {
  const counts = new Uint32Array(kinds)
  for (const item of items) counts[item]! += 1
  return counts
}

function internalLinks({ pages, starts, targets, siteOf }: WebGraph): number {
  let internal = 0
  for (let page = 0; page < pages; page++) {
    for (let i = starts[page]!; i < starts[page + 1]!; i++) if (siteOf[targets[i]!] === siteOf[page]) internal += 1
  }
  return internal
}

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole)
