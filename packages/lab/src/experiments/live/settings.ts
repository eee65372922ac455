/** Settings of the comparison of live and simulated crawls. */
import { ORDERS, parseOrder, usableOrders } from '@comity/frontier'

export interface LiveSettings {
  /** By name, as `--order` takes them; none: every one that a crawl can use. */
  readonly orders: readonly string[]
  /** w, k and r of 004 §4. */
  readonly waitMs: number
  readonly pagesPerConnection: number
  readonly robots: number
  /** What the latencies and bandwidths of the web are multiplied with, so that an afternoon becomes a minute. */
  readonly latencyFactor: number
  readonly bandwidthFactor: number
  /** The word that orders with a topic look for. */
  readonly topic: string
  readonly seed: number
  /** Simulated crawls of each order, with other overheads and other dice: one alone says little about another. */
  readonly draws: number
}

export const liveDefaults: LiveSettings = {
  orders: [],
  waitMs: 50,
  pagesPerConnection: 1,
  robots: 8,
  // Much longer than what a machine takes for a request, or that would decide who comes first.
  latencyFactor: 0.1,
  bandwidthFactor: 200,
  topic: 'computer',
  seed: 1,
  // One more in random order, on 400 pages, leaves the band of 20 three times in eight and that of 100 once in twelve.
  draws: 100,
}

/** 004 §5 has batches of 10,000 to 100,000 of 3.5 million pages. So few of a small web would be one page each. */
const BATCHES = 20
/** An importance put together, as 003 §2 has it: IC. */
const COMBINED = '0.5*pagerank + 0.5*log(backlink)'

/** Every order that a crawl of so many pages can use, and one that is an expression. */
export function liveOrders(pages: number): string[] {
  const size = Math.max(1, Math.round(pages / BATCHES))
  return [...usableOrders(size), COMBINED]
}

/** Fills in the defaults. A RangeError says what cannot be used. */
export function liveSettings(pages: number, given: Partial<LiveSettings> = {}): LiveSettings {
  const settings = { ...liveDefaults, ...given }
  const orders = settings.orders.length === 0 ? liveOrders(pages) : settings.orders
  for (const name of orders) requireLive(name)
  for (const key of ['pagesPerConnection', 'robots', 'draws'] as const) {
    if (!Number.isSafeInteger(settings[key]) || settings[key] < 1)
      throw bad(`${key} is ${settings[key]}; give 1 or more`)
  }
  if (!(settings.waitMs >= 0 && settings.waitMs < Infinity)) throw bad(`waitMs is ${settings.waitMs}`)
  if (!(settings.latencyFactor >= 0)) throw bad(`latencyFactor is ${settings.latencyFactor}; give 0 or more`)
  if (!(settings.bandwidthFactor > 0)) throw bad(`bandwidthFactor is ${settings.bandwidthFactor}; give more than 0`)
  if (settings.topic.trim() === '') throw bad('the topic is empty')
  return { ...settings, orders: [...new Set(orders)] }
}

function requireLive(name: string): void {
  const order = parseOrder(name)
  if (typeof order === 'string') throw bad(order)
  const kind = ORDERS.find((one) => one.name === name.split(':', 1)[0]!.trim())
  if (kind?.isLabOnly) throw bad(`${name} knows what only a lab can know, so nobody can crawl by it`)
}

const bad = (problem: string): RangeError => new RangeError(`No live crawl can be compared: ${problem}.`)
