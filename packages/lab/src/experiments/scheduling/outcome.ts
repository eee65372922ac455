/** Scheduling outcome: everything that was measured on one web, before it becomes figures, tables and answers. */
import type { SampleWeb } from './sample.ts'
import type { SchedulingRuns, TailRun } from './runs.ts'
import type { SchedulingSettings } from './settings.ts'
import { valueAt } from './statistics.ts'
import { webStatistics } from './web.ts'
import type { WebStatistics } from './web.ts'
import type { Curve } from '../../simulate/record.ts'
import type { SimulationResult } from '../../simulate/settings.ts'
import type { WebGraph } from '../../webs/graph/web-graph.ts'

export interface SchedulingOutcome {
  readonly web: WebGraph
  /** The web was fitted to what the paper says of its own. */
  readonly isFitted: boolean
  /** Scaled to the web. */
  readonly settings: SchedulingSettings
  readonly shape: WebStatistics
  /** By order, for each number of robots; the first has all orders. */
  readonly crawls: ReadonlyMap<number, ReadonlyMap<string, SimulationResult>>
  /** The order `random`, once for each seed. */
  readonly atRandom: readonly Curve[]
  /** Length, for each link and number of robots. */
  readonly speeds: readonly SpeedRun[]
  readonly tailWeb: WebGraph
  readonly tails: readonly TailRun[]
  readonly inBatches: SimulationResult
  readonly days: readonly Day[]
}

export interface SpeedRun {
  readonly bandwidth: number
  readonly robots: number
  readonly result: SimulationResult
  /** How many times faster than the first number of robots on the largest link; for all pages, and for half of them. */
  readonly speedUp: number
  readonly halfSpeedUp: number
}

/** An eighth of a crawl: the paper's took eight days. */
interface Day {
  readonly number: number
  /** Shares of all at its end. */
  readonly pages: number
  readonly rank: number
  /** Mean PageRank of the pages of the day, in units of the mean over all pages; NaN for a day without. */
  readonly mean: number
}

const DAYS = 8

export function measure(
  sample: SampleWeb,
  ranks: Float64Array,
  settings: SchedulingSettings,
  runs: SchedulingRuns,
  isFitted = false,
): SchedulingOutcome {
  const { robots, bandwidths, orders, parallelOrders, seeds } = settings
  const wide = bandwidths[0]!
  const crawls = new Map(
    robots.map((count, n) => {
      const names = n === 0 ? orders : parallelOrders
      return [count, new Map(names.map((order) => [order, runs.crawl(order, count, wide)]))]
    }),
  )
  const atRandom = orders.includes('random')
    ? seeds.map((seed) => runs.crawl('random', robots[0]!, wide, seed).curve)
    : []
  const { web: tailWeb, runs: tails } = runs.tails()
  const inBatches = runs.inBatches()
  return {
    web: sample.web,
    isFitted,
    settings,
    shape: webStatistics(sample, ranks),
    crawls,
    atRandom,
    speeds: speedRuns(settings, runs),
    tailWeb,
    tails,
    inBatches,
    days: daysOf(inBatches),
  }
}

const half = (curve: Curve): number => valueAt(curve, 'pages', curve.pages.at(-1)! / 2, 'timeMs')

function speedRuns({ robots, bandwidths }: SchedulingSettings, runs: SchedulingRuns): SpeedRun[] {
  const base = runs.crawl('length', robots[0]!, bandwidths[0]!)
  return bandwidths.flatMap((bandwidth) =>
    robots.map((count) => {
      const result = runs.crawl('length', count, bandwidth)
      const speedUp = base.timeMs / result.timeMs
      return { bandwidth, robots: count, result, speedUp, halfSpeedUp: half(base.curve) / half(result.curve) }
    }),
  )
}

function daysOf({ curve, timeMs, pages }: SimulationResult): Day[] {
  const total = curve.rank.at(-1)!
  const at = (number: number, column: keyof Curve): number => valueAt(curve, 'timeMs', (timeMs * number) / DAYS, column)
  return Array.from({ length: DAYS }, (_, n) => {
    const number = n + 1
    const [ranked, fetched] = [at(number, 'rank') - at(n, 'rank'), at(number, 'pages') - at(n, 'pages')]
    const mean = fetched === 0 ? NaN : ranked / total / (fetched / pages)
    return { number, pages: at(number, 'pages') / pages, rank: at(number, 'rank') / total, mean }
  })
}
