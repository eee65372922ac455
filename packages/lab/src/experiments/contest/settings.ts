/** Settings of the contest of orders. */
import { findOrder } from '../../lab-orders.ts'

export interface ContestSettings {
  /** The order that is compared with each of the others. */
  readonly champion: string
  /** `batch` without a number stands for 10,000 of 3.5 million pages (004 §5), at least 100. */
  readonly orders: readonly string[]
  readonly starts: number
  readonly seeds: readonly number[]
  /** The share of pages with most backlinks that counts as well linked. */
  readonly wellLinked: number
  /** Politeness of the second half: r and w of 004 §4. */
  readonly robots: number
  readonly waitMs: number
}

export const contestDefaults: ContestSettings = {
  champion: 'tiered',
  orders: ['depth', 'length', 'backlink', 'pagerank', 'batch', 'random'],
  starts: 4,
  seeds: [1],
  wellLinked: 0.01,
  robots: 16,
  waitMs: 15_000,
}

const MOST = 100

/** Fills in the defaults. A RangeError says what cannot be used. */
export function contestSettings(given: Partial<ContestSettings> = {}): ContestSettings {
  const settings = { ...contestDefaults, ...given }
  const { champion, orders, starts, seeds, wellLinked, robots, waitMs } = settings
  for (const name of [champion, ...orders]) {
    const order = findOrder(name)
    if (typeof order === 'string') throw new RangeError(order)
  }
  if (orders.length === 0) throw new RangeError('orders is empty; name one to compare with')
  for (const [name, value] of Object.entries({ starts, robots, seeds: seeds.length })) {
    if (!Number.isSafeInteger(value) || value < 1 || value > MOST)
      throw new RangeError(`${name} is ${value}; give 1 to ${MOST}`)
  }
  if (!(wellLinked > 0 && wellLinked < 1))
    throw new RangeError(`wellLinked is ${wellLinked}; give a share of the pages`)
  if (!(waitMs >= 0 && waitMs < Infinity)) throw new RangeError(`waitMs is ${waitMs}`)
  return settings
}

/** The orders by name, with batches as long as the web asks for. */
export function sizedOrders(pages: number, { champion, orders }: ContestSettings): string[] {
  const size = Math.max(100, Math.round((10_000 * pages) / 3_500_000))
  return [...new Set([champion, ...orders])].map((name) => (name === 'batch' ? `batch:${size}` : name))
}
