/**
 * Link census: who links to whom, and what follows from it: the importance of pages and sites (PageRank, 003 §2) and
 * the links between sites. About 40 bytes a page and four a link, up to a cap; past that, new links are not heard, and
 * `isFull` says so.
 */
import { LinkGraph, PageRank } from '@comity/frontier'
import type { GraphModel } from './models.ts'
import type { PageColumns } from './page-columns.ts'
import type { SiteChoice } from '../ports.ts'
import { TimeSlices } from './time-slices.ts'

/** A hundredth of each rank: these figures are looked at, no page is chosen by them. */
const TOLERANCE = 1e-2
/** When more than one page in so many is new, sweeps over everything are cheaper than following each change. */
const FEW = 20
/** As many as a person can tell apart on a screen. */
const MAX_GRAPH_SITES = 300

type DrawnGraph = Omit<GraphModel, 'linkedOnly'>

interface RankedSite {
  readonly site: number
  readonly origin: string
  readonly pages: number
}

interface LinkCensusOptions {
  readonly maxLinks: number
}

export class LinkCensus {
  readonly #columns: PageColumns
  readonly #maxLinks: number
  #rank: PageRank = new PageRank({ tolerance: TOLERANCE })
  #isSettled = false
  #shares: Float64Array = new Float64Array(0)
  readonly #graphs = new Map<SiteChoice, DrawnGraph>()

  constructor(columns: PageColumns, { maxLinks }: LinkCensusOptions) {
    this.#columns = columns
    this.#maxLinks = maxLinks
  }

  get graph(): LinkGraph {
    return this.#rank.graph
  }

  get isFull(): boolean {
    return this.graph.links >= this.#maxLinks
  }

  /** Hear what these pages link to, then what follows. */
  async hear(pages: readonly number[], linksOf: (page: number) => readonly number[]): Promise<void> {
    const slices = new TimeSlices()
    const few = pages.length * FEW < this.#columns.count
    this.#rank.grow(this.#columns.count)
    for (const page of pages) {
      if (this.isFull) break
      // Of several links between two pages one counts, and a page has no say about itself.
      const links = new Set(linksOf(page))
      links.delete(page)
      if (links.size > 0 || this.graph.countOf(page) > 0) this.#rank.set(page, [...links])
      if (slices.isOver) {
        if (few) this.#rank.settle(noMatter)
        await slices.rest()
      }
    }
    if (few) this.#rank.settle(noMatter)
    else while (this.#rank.solve(TOLERANCE, 1) > 0) await slices.rest()
    this.#isSettled = true
    this.#shares = new Float64Array(0)
    this.#graphs.clear()
  }

  /** How many times the importance of the average page; 0 until it is known. */
  importanceOf(page: number): number {
    return this.#isSettled ? this.#rank.rankOf(page) : 0
  }

  /** The part of all importance that a site's pages have together: 0 to 1, and 0 until it is known. */
  shareOf(site: number): number {
    if (this.#isSettled && this.#shares.length === 0) this.#shares = this.#sharesOfSites()
    return this.#shares[site] ?? 0
  }

  /** Pages that link to this one, most important first. */
  linksIn(page: number): number[] {
    const { graph } = this
    const from: number[] = []
    for (let other = 0; other < this.#columns.count; other++) {
      const count = graph.countOf(other)
      if (count === 0) continue
      const links = graph.blockOf(other)
      const start = graph.offsetOf(other)
      for (let i = start; i < start + count; i++) {
        if (links[i] !== page) continue
        from.push(other)
        break
      }
    }
    return from.toSorted((a, b) => this.#rank.valueOf(b) - this.#rank.valueOf(a))
  }

  /** By page, 1 where a link of another page leads there. */
  linked(): Uint8Array {
    const { graph } = this
    const linked = new Uint8Array(this.#columns.count)
    for (let page = 0; page < this.#columns.count; page++) {
      if (graph.countOf(page) > 0) for (const target of graph.linksOf(page)) linked[target] = 1
    }
    return linked
  }

  /** The most important sites, given best first, and the links between them. */
  siteGraph(show: SiteChoice, sites: readonly RankedSite[]): DrawnGraph {
    let graph = this.#graphs.get(show)
    if (graph === undefined) this.#graphs.set(show, (graph = this.#drawGraph(sites)))
    return graph
  }

  #drawGraph(sites: readonly RankedSite[]): DrawnGraph {
    const shown = sites.slice(0, MAX_GRAPH_SITES)
    const places = new Map(shown.map(({ site }, place) => [site, place]))
    const counts = this.#linksBetween(places)
    const links: [from: number, to: number, links: number][] = []
    for (const [at, count] of counts.entries()) {
      if (count > 0) links.push([Math.floor(at / shown.length), at % shown.length, count])
    }
    return {
      sites: shown.map(({ site, origin, pages }) => ({ origin, pages, importance: this.shareOf(site) })),
      links: links.toSorted(([, , a], [, , b]) => b - a),
      leftOut: sites.length - shown.length,
    }
  }

  #linksBetween(places: ReadonlyMap<number, number>): Uint32Array {
    const { sites, count } = this.#columns
    const between = new Uint32Array(places.size ** 2)
    for (let page = 0; page < count; page++) {
      if (this.graph.countOf(page) === 0) continue
      const from = places.get(sites[page]!)
      if (from === undefined) continue
      for (const target of this.graph.linksOf(page)) {
        const to = places.get(sites[target]!)
        if (to !== undefined && to !== from) between[from * places.size + to]!++
      }
    }
    return between
  }

  #sharesOfSites(): Float64Array {
    const { sites, count } = this.#columns
    let most = 0
    for (let page = 0; page < count; page++) most = Math.max(most, sites[page]! + 1)
    const shares = new Float64Array(Math.max(1, most))
    let sum = 0
    for (let page = 0; page < count; page++) {
      const value = this.#rank.valueOf(page)
      shares[sites[page]!]! += value
      sum += value
    }
    return sum === 0 ? shares : shares.map((share) => share / sum)
  }
}

const noMatter = (): void => undefined
