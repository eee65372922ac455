/** Scheduling settings: all that the experiment of 004 can be told, with what the paper did as the default. */
import { findOrder } from '../../lab-orders.ts'
import { unknownSpeeds } from '../../simulate/settings.ts'
import type { UnknownSpeeds } from '../../simulate/settings.ts'

export interface SchedulingSettings {
  /** Names of orders; `batch` and `partial` without a number stand for one of each size in `batchSizes`. */
  readonly orders: readonly string[]
  /** Those that are run with more than one robot, too. */
  readonly parallelOrders: readonly string[]
  /** K of 004 §5. For a web smaller than the paper's they shrink with it: see `paperPages`. */
  readonly batchSizes: readonly number[]
  /** Pages of the paper's web; 0 leaves the batches as they are, whatever the web. */
  readonly paperPages: number
  /** r; the first is what speed-ups are relative to. */
  readonly robots: readonly number[]
  /** B in bytes a second, largest first; the largest is the link of every figure that does not name another. */
  readonly bandwidths: readonly number[]
  /** w and k of 004 §4.1 and §4.2. */
  readonly waitMs: number
  readonly pagesPerConnection: number
  /** Figure 7: one batch from the middle of a crawl, with k and with this k, over each of these links. */
  readonly manyPagesPerConnection: number
  readonly tailBatch: number
  readonly tailRobots: number
  readonly tailBandwidths: readonly number[]
  /** Figures 8 and 9: the crawl of 004 §7, which took eight days. */
  readonly crawlRobots: number
  readonly crawlBatch: number
  /** 004 §4 took at most so many pages from a site. */
  readonly maxPagesPerSite: number
  /** Simulated crawls stop after so many pages. */
  readonly maxPages: number
  /** The first decides all; the order `random` is run with each of them. */
  readonly seeds: readonly number[]
  /** For webs that do not say how large their pages and how fast their sites are. */
  readonly unknown: UnknownSpeeds
}

export const schedulingDefaults: SchedulingSettings = {
  orders: ['optimal', 'depth', 'length', 'batch', 'partial', 'pagerank', 'random'],
  parallelOrders: ['optimal', 'depth', 'length'],
  batchSizes: [10_000, 50_000, 100_000],
  paperPages: 3_500_000,
  robots: [1, 64, 256],
  bandwidths: [20_000_000, 2_000_000, 200_000, 20_000, 2_000, 200],
  waitMs: 15_000,
  pagesPerConnection: 1,
  manyPagesPerConnection: 100,
  // 29 hours at 2 KB a second and 3 at 20 are both some 210 MB: about 10,000 pages at the paper's 20 KB or so (§7).
  tailBatch: 10_000,
  tailRobots: 256,
  tailBandwidths: [20_000, 2_000],
  crawlRobots: 1_000,
  crawlBatch: 100_000,
  maxPagesPerSite: 25_000,
  maxPages: Infinity,
  seeds: [1],
  unknown: unknownSpeeds,
}

const MAX_ROBOTS = 100_000
/** A batch from the middle must leave pages before it and after it. */
const MAX_TAIL_SHARE = 1 / 4

/** Fills in the defaults. Throws a RangeError that says what to change. */
export function schedulingSettings(given: Partial<SchedulingSettings> = {}): SchedulingSettings {
  const settings = { ...schedulingDefaults, ...given }
  for (const key of ['orders', 'robots', 'bandwidths', 'tailBandwidths', 'seeds'] as const) {
    if (settings[key].length === 0) throw new RangeError(`${key} is empty; give at least one`)
  }
  for (const order of [...settings.orders, ...settings.parallelOrders]) {
    const parsed = findOrder(order)
    if (typeof parsed === 'string') throw new RangeError(`orders: ${parsed}`)
  }
  for (const count of [...settings.robots, settings.tailRobots, settings.crawlRobots])
    requireWhole('robots', count, MAX_ROBOTS)
  for (const count of [...settings.batchSizes, settings.tailBatch, settings.crawlBatch]) requireWhole('batches', count)
  for (const key of ['pagesPerConnection', 'manyPagesPerConnection'] as const) requireWhole(key, settings[key])
  for (const bandwidth of [...settings.bandwidths, ...settings.tailBandwidths]) {
    if (!(bandwidth > 0 && bandwidth < Infinity))
      throw new RangeError(`a link of ${bandwidth} bytes a second is no link`)
  }
  if (!(settings.waitMs >= 0 && settings.waitMs < Infinity)) throw new RangeError(`waitMs is ${settings.waitMs}`)
  if (!(settings.maxPages >= 1)) throw new RangeError(`maxPages is ${settings.maxPages}; 1 is the least`)
  return settings
}

function requireWhole(name: string, value: number, most = Number.MAX_SAFE_INTEGER): void {
  if (Number.isSafeInteger(value) && value >= 1 && value <= most) return
  throw new RangeError(`${name}: ${value} must be a whole number from 1 to ${most}`)
}

/** The settings for a web of this many pages: batches shrunk in proportion, orders named with their batches. */
export function scaledTo(pages: number, settings: SchedulingSettings): SchedulingSettings {
  const scale = settings.paperPages === 0 ? 1 : Math.min(1, pages / settings.paperPages)
  const shrunk = (size: number): number => Math.max(1, Math.round(size * scale))
  const batchSizes = [...new Set(settings.batchSizes.map(shrunk))]
  const named = (orders: readonly string[]): string[] => [
    ...new Set(orders.flatMap((name) => (isSized(name) ? batchSizes.map((size) => `${name}:${size}`) : [name]))),
  ]
  return {
    ...settings,
    batchSizes,
    orders: named(settings.orders),
    parallelOrders: named(settings.parallelOrders),
    // Not in proportion: how a batch's hours divide into transfers and rests depends on what it holds, not on the web.
    tailBatch: Math.min(settings.tailBatch, Math.max(1, Math.floor(pages * MAX_TAIL_SHARE))),
    crawlBatch: shrunk(settings.crawlBatch),
  }
}

const isSized = (order: string): boolean => order === 'batch' || order === 'partial'
