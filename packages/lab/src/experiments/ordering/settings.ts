/** Settings of the experiments of 003, and how they tell how far they are. */
import { findOrder } from '../../lab-orders.ts'
import type { WebGraph } from '../../webs/graph/web-graph.ts'

export interface OrderingSettings {
  /** Pages to start at for each seed. The paper had one; what a crawl finds first depends much on it. */
  readonly starts: number
  readonly seeds: readonly number[]
  /** Orders besides those of the paper, by name, for the graphs about links. */
  readonly orders: readonly string[]
  /** Words for Graphs 7 to 9, and for Graph 10. */
  readonly topics: readonly [first: string, second: string]
  /** A small web of one site for Graphs 5 and 6; without, one is looked for. */
  readonly site?: WebGraph | undefined
  /** Room for pages in the Limited Buffer Crawl, as shares of the web. */
  readonly buffers: readonly number[]
  /** A part of a web that is larger has its topic crawls from one start page only: there are twenty of them. */
  readonly maxTopicPages: number
}

export const orderingDefaults: OrderingSettings = {
  starts: 3,
  seeds: [1],
  orders: [],
  topics: ['computer', 'admission'],
  buffers: [0.01, 0.1, 0.3],
  maxTopicPages: 20_000,
}

export interface OrderingHooks {
  /** Called before each crawl, with what it is. `of` is the best guess so far. Whoever wants to stop throws. */
  readonly onCrawl?: ((what: string, done: number, of: number) => void) | undefined
}

/** Fills in the defaults. A RangeError says what cannot be used. */
export function orderingSettings(given: Partial<OrderingSettings> = {}): OrderingSettings {
  const settings = { ...orderingDefaults, ...given }
  const { starts, seeds, orders, topics, buffers } = settings
  if (!Number.isSafeInteger(starts) || starts < 1 || starts > MOST) throw bad(`starts is ${starts}; give 1 to ${MOST}`)
  if (seeds.length < 1 || seeds.length > MOST) throw bad(`there are ${seeds.length} seeds; give 1 to ${MOST}`)
  if (orders.length > MOST_ORDERS) throw bad(`there are ${orders.length} more orders; give at most ${MOST_ORDERS}`)
  for (const name of orders) {
    const order = findOrder(name)
    if (typeof order === 'string') throw bad(order)
  }
  if (topics.some((word) => word.trim() === '')) throw bad('a topic is empty')
  for (const share of buffers) if (!(share > 0 && share <= 1)) throw bad(`a buffer of ${share} of the web; give 0 to 1`)
  return settings
}

const MOST = 100
/** More lines than this in one plot cannot be told apart. */
const MOST_ORDERS = 12

const bad = (problem: string): RangeError => new RangeError(`The orders cannot be compared: ${problem}.`)
