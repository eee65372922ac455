/** What `advise` can be told, with its defaults. */
import { connectionPages, politeDefaults } from '@comity/frontier'
import { findOrder } from '../lab-orders.ts'

export interface AdviseSettings {
  /** What the crawl had. */
  readonly order: string
  /** w; as the visits to one site followed each other, at most the polite rest, when not given. */
  readonly waitMs: number | undefined
  readonly pagesPerConnection: number
  readonly robots: number
  /** Orders to try; all that a crawl without a topic can use when not given. */
  readonly orders: readonly string[] | undefined
  /** Of the link, bytes a second. */
  readonly bandwidth: number
  readonly seed: number
}

const adviseDefaults: AdviseSettings = {
  order: 'depth',
  waitMs: undefined,
  pagesPerConnection: connectionPages(politeDefaults),
  // As many visits at once as `crawl --parallel` makes by itself.
  robots: 64,
  orders: undefined,
  bandwidth: 20_000_000,
  seed: 1,
}

export interface AdviseHooks {
  onPart?(what: string, done: number, of: number): void
  readonly signal?: AbortSignal | undefined
}

/** Fills in the defaults. Throws a RangeError that says what to change. */
export function adviseSettings(given: Partial<AdviseSettings>): AdviseSettings {
  const settings = { ...adviseDefaults, ...given }
  const { order, orders, waitMs, pagesPerConnection, robots, bandwidth } = settings
  for (const name of [order, ...(orders ?? [])]) {
    const parsed = findOrder(name)
    if (typeof parsed === 'string') throw new RangeError(`orders: ${parsed}`)
  }
  for (const [name, value] of Object.entries({ pagesPerConnection, robots }))
    if (!Number.isSafeInteger(value) || value < 1) throw new RangeError(`${name} is ${value}; 1 is the least`)
  if (waitMs !== undefined && !(waitMs >= 0 && waitMs < Infinity)) throw new RangeError(`waitMs is ${waitMs}`)
  if (!(bandwidth > 0 && bandwidth < Infinity)) throw new RangeError(`a link of ${bandwidth} bytes a second is no link`)
  return settings
}
