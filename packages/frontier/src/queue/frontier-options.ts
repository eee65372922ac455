/** What a frontier is told: its order, its politeness, its budgets, and how a page was found. */
import type { BatchPageText } from './frontier-batch.ts'
import type { Order, OrderSettings } from '../order/order.ts'
import type { HomeOf } from '../shard/elsewhere.ts'
import type { BatchOptions } from './page-queues.ts'
import type { Politeness } from './politeness.ts'

/** What one site may cost us, so that a trap costs little. 25,000 pages is what 004 §4 took from a site. */
export interface SiteBudget {
  readonly maxPages: number
  readonly maxBytes: number
  /** URLs remembered for one site; an endless calendar fills this, not the memory. */
  readonly maxKnown: number
}

/** How many sites may be remembered, so that a farm of host names fills this and not the memory (540 bytes a site). */
export interface SiteLimits {
  readonly maxSites: number
  /** Of one registrable domain: whoever owns a name can make hosts below it without end. */
  readonly maxSitesPerDomain: number
}

export const siteLimits: SiteLimits = { maxSites: 1_000_000, maxSitesPerDomain: 10_000 }

export interface FrontierOptions {
  readonly order: Order
  /** What the order needs to know about importance. */
  readonly importance?: Omit<OrderSettings, 'random'> | undefined
  /**
   * Visited pages that the order may be behind by when a page is taken; 0, true at every page, when not given. A crawl
   * that has fetched more than it has read is behind anyway.
   */
  readonly lag?: (() => number) | undefined
  /** Take pages in batches; an order that has batches of its own decides for itself. */
  readonly batch?: BatchOptions | undefined
  readonly politenessOf: (site: { readonly origin: string; readonly address: string | undefined }) => Politeness
  readonly budgetOf: (origin: string) => SiteBudget
  /** `siteLimits` when not given. */
  readonly siteLimits?: SiteLimits
  /** Of a shard among several: whose home another one is. A frontier that is alone has none. */
  readonly shard?: { readonly homeOf: HomeOf } | undefined
  /** `new`: new pages wait until they are wanted, only what is due again is visited. `all`: no page is visited, prerequisites alone are run. */
  readonly holds?: 'new' | 'all' | undefined
  /** Fetches of one page before we give it up. */
  readonly maxTries: number
  readonly random: () => number
  /** False: robots.txt is not asked for. */
  readonly gates: boolean
  /** Text of a page whose batch has been stored. */
  readonly textOf: (page: number) => BatchPageText
}

/** How a page was found. `excluded` is the reason not to fetch it; without one it waits. */
export interface Discovery {
  readonly depth: number
  readonly seed: number
  readonly parent?: number
  readonly excluded?: number
}
