/** What the tests of the frontier share: a frontier over a store, polite and quick, and one visit from lease to release. */
import type { TestContext } from 'node:test'
import { Frontier } from '../queue/frontier.ts'
import type { FrontierBatch, FrontierSource, BatchPageText } from '../queue/frontier-batch.ts'
import type { Discovery, FrontierOptions } from '../queue/frontier-options.ts'
import { orderNamed } from '../order/orders.ts'
import { politeDefaults } from '../queue/politeness.ts'
import type { Politeness } from '../queue/politeness.ts'

export interface FrontierStore extends FrontierSource {
  store(batch: FrontierBatch): void | Promise<void>
  textOf(page: number): BatchPageText
}

/** An empty one, gone when the test ends. */
export type MakeFrontierStore = (t: TestContext) => FrontierStore | Promise<FrontierStore>

export const politeness: Politeness = { ...politeDefaults, delayMs: 1_000, slowdown: 10, backoffMs: 2_000 }

export function frontierOver(store: FrontierStore, given: Partial<FrontierOptions> = {}): Frontier {
  return new Frontier({
    order: orderNamed('depth'),
    politenessOf: () => politeness,
    budgetOf: () => ({ maxPages: 1_000, maxBytes: 1e9, maxKnown: 10_000 }),
    maxTries: 3,
    random: () => 0.5,
    gates: false,
    textOf: (page) => store.textOf(page),
    ...given,
  })
}

/** A start page. */
export const found: Discovery = { depth: 0, seed: 0 }
/** One lease from start to end, its first task answered and settled. */
export function visitOnce(frontier: Frontier, at: number, address = 'x'): string | undefined {
  const lease = frontier.lease(at)
  if (lease === undefined || !frontier.place(lease, address, at)) return undefined
  frontier.answered(lease, { endedAt: at, tookMs: 1, overloaded: false })
  if (lease.first.kind === 'page') frontier.settle(lease.first.page, 'done')
  frontier.release(lease, at)
  return lease.first.url
}
