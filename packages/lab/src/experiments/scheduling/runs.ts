/**
 * The simulated crawls that the figures and tables of 004 are drawn from. Each is run once, however many figures show it.
 */
import { politeDefaults } from '@comity/frontier'
import type { BatchOptions, Politeness } from '@comity/frontier'
import { subWeb } from '../../webs/graph/graph-part.ts'
import type { SchedulingSettings } from './settings.ts'
import { simulate } from '../../simulate/simulation.ts'
import type { SimulationResult } from '../../simulate/settings.ts'
import type { WebGraph } from '../../webs/graph/web-graph.ts'

export interface SchedulingHooks {
  /** Before each simulated crawl: what comes, and how many are over. */
  onProgress?(what: string, done: number, of: number): void
}

export interface TailRun {
  readonly bandwidth: number
  readonly pagesPerConnection: number
  readonly result: SimulationResult
}

export class SchedulingRuns {
  readonly #web: WebGraph
  readonly #ranks: Float64Array
  readonly #settings: SchedulingSettings
  readonly #hooks: SchedulingHooks
  readonly #known = new Map<string, SimulationResult>()
  readonly #planned: number
  #done = 0

  constructor(web: WebGraph, ranks: Float64Array, settings: SchedulingSettings, hooks: SchedulingHooks) {
    this.#web = web
    this.#ranks = ranks
    this.#settings = settings
    this.#hooks = hooks
    this.#planned = plannedRuns(settings)
  }

  /** A whole crawl. */
  crawl(order: string, robots: number, bandwidth: number, seed: number = this.#settings.seeds[0]!): SimulationResult {
    const key = `${order}, ${robots} ${robots === 1 ? 'robot' : 'robots'}, ${bandwidth} bytes a second, seed ${seed}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const result = this.#simulate(key, { order, robots, bandwidth, seed })
    this.#known.set(key, result)
    return result
  }

  /** The crawl of 004 §7: Length, in batches. */
  inBatches(): SimulationResult {
    const { crawlRobots: robots, crawlBatch: size, bandwidths } = this.#settings
    const batch = { size, spread: false }
    return this.#simulate('the crawl of eight days', { order: 'length', robots, bandwidth: bandwidths[0]!, batch })
  }

  /** Figure 7: the batch under way when half of the pages are fetched, alone, for each link and each k. */
  tails(): { readonly web: WebGraph; readonly runs: readonly TailRun[] } {
    const {
      tailRobots: robots,
      tailBandwidths,
      pagesPerConnection,
      manyPagesPerConnection,
      waitMs,
      seeds,
    } = this.#settings
    const web = this.#middleBatch()
    const ranks = new Float64Array(web.pages)
    const runs = tailBandwidths.flatMap((bandwidth) =>
      [pagesPerConnection, manyPagesPerConnection].map((k) => {
        this.#report(`a batch, ${bandwidth} bytes a second, ${k} pages a connection`)
        const politeness = politenessOf(waitMs, k)
        const settings = { order: 'length', robots, bandwidth, politeness, seed: seeds[0]!, ranks }
        return {
          bandwidth,
          pagesPerConnection: k,
          result: simulate(web, { ...settings, unknown: this.#settings.unknown }),
        }
      }),
    )
    return { web, runs }
  }

  /** The pages of the batch as a web without links: what a batch finds waits for the next one. */
  #middleBatch(): WebGraph {
    const { tailBatch: size, tailRobots: robots, bandwidths } = this.#settings
    const half = Math.floor(Math.min(this.#web.pages, this.#settings.maxPages) / 2)
    const fetched: number[] = []
    const { batches } = this.#simulate(
      'up to the middle, in batches',
      { order: 'length', robots, bandwidth: bandwidths[0]!, batch: { size, spread: false }, maxPages: half + 2 * size },
      (page) => fetched.push(page),
    )
    const at = Math.max(
      0,
      batches.findLastIndex(({ after }) => after <= half),
    )
    const keep = new Uint8Array(this.#web.pages)
    for (const page of fetched.slice(batches[at]?.after, batches[at + 1]?.after)) keep[page] = 1
    const part = subWeb({ ...this.#web, words: undefined }, keep)
    const homes = Array.from({ length: part.pages }, (_, page) => page)
    return { ...part, homes, starts: new Uint32Array(part.pages + 1), targets: new Uint32Array(0) }
  }

  #simulate(what: string, crawl: Crawl, onPage?: (page: number) => void): SimulationResult {
    const { waitMs, pagesPerConnection, maxPages, unknown, seeds } = this.#settings
    this.#report(what)
    const web = readsWords(crawl.order) ? this.#web : { ...this.#web, words: undefined }
    const politeness = politenessOf(waitMs, pagesPerConnection)
    const settings = {
      seed: seeds[0]!,
      maxPages,
      unknown,
      ranks: this.#ranks,
      politeness,
      homes: this.#homesFor(crawl.order),
    }
    return simulate(web, { ...settings, ...crawl }, onPage && { onPage })
  }

  /** The ideal crawler of 003 §3 knows every page from the start. */
  #homesFor(order: string): readonly number[] {
    return order === 'perfect' ? Array.from({ length: this.#web.pages }, (_, page) => page) : this.#web.homes
  }

  #report(what: string): void {
    this.#hooks.onProgress?.(what, this.#done++, this.#planned)
  }
}

interface Crawl {
  readonly order: string
  readonly robots: number
  readonly bandwidth: number
  readonly seed?: number
  readonly batch?: BatchOptions
  readonly maxPages?: number
}

/** The paper knows no rest in proportion to slowness. */
export const politenessOf = (waitMs: number, pagesPerConnection: number | undefined): Politeness => ({
  ...politeDefaults,
  delayMs: waitMs,
  pagesPerConnection,
  slowdown: 0,
})

/** The rest are spared the making of millions of URLs. */
const readsWords = (order: string): boolean => /location|anchor|topic/.test(order)

function plannedRuns(settings: SchedulingSettings): number {
  const { orders, parallelOrders, robots, bandwidths, tailBandwidths, seeds } = settings
  const more = parallelOrders.filter((order) => order !== 'length').length * (robots.length - 1)
  const atRandom = orders.includes('random') ? seeds.length - 1 : 0
  const lengthAlone = orders.includes('length') ? 1 : 0
  return (
    orders.length + atRandom + more + robots.length * bandwidths.length - lengthAlone + 2 + 2 * tailBandwidths.length
  )
}
