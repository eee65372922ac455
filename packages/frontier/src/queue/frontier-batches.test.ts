import assert from 'node:assert/strict'
import { test } from 'node:test'
import { frontierOver, politeness } from '../testing/frontier-fixture.ts'
import type { Frontier } from './frontier.ts'
import type { Lease } from './lease.ts'
import { MemoryStore } from '../testing/memory-store.ts'
import { orderNamed } from '../order/orders.ts'

const inBatches = (size: number, gates = false): Frontier =>
  frontierOver(new MemoryStore(), {
    order: orderNamed('depth'),
    batch: { size, spread: true },
    gates,
    politenessOf: () => ({ ...politeness, delayMs: 1_000, pagesPerConnection: 1 }),
  })

function offerAll(frontier: Frontier, sites: number, pages: number): void {
  for (let page = 0; page < pages; page++) {
    for (let site = 0; site < sites; site++) frontier.offer(`https://${site}.example/${page}`, { depth: 0, seed: 0 })
  }
}

function finish(frontier: Frontier, lease: Lease, now: number): void {
  if (lease.task.kind === 'page') frontier.settle(lease.task.page, 'done')
  frontier.answered(lease, { endedAt: now, tookMs: 0, overloaded: false })
  frontier.release(lease, now)
}

test('a batch takes as many sites as there are, and the next is chosen when every page of it is settled', () => {
  const frontier = inBatches(4)
  offerAll(frontier, 3, 3)
  const sizes: [pages: number, sites: number][] = []
  for (let now = 0, number = 0; frontier.count('waiting') + frontier.count('leased') > 0; now += 1_000) {
    for (let lease = frontier.lease(now); lease !== undefined; lease = frontier.lease(now)) {
      if (frontier.batch!.number !== number) sizes.push([frontier.batch!.pages, frontier.batch!.sites])
      number = frontier.batch!.number
      finish(frontier, lease, now)
    }
  }
  assert.deepEqual(sizes, [
    [4, 3],
    [4, 3],
    [1, 1],
  ])
})

test('a visit that is still asking for robots.txt keeps its batch open', () => {
  const frontier = inBatches(2, true)
  offerAll(frontier, 2, 2)
  const [first, second] = [frontier.lease(0)!, frontier.lease(0)!]
  assert.deepEqual([first.task.kind, second.task.kind], ['prerequisite', 'prerequisite'])
  assert.equal(frontier.lease(0), undefined)
  assert.equal(frontier.batch!.number, 1)
})

test('a site that rests for more than a minute does not hold up the next batch', () => {
  const frontier = inBatches(2)
  offerAll(frontier, 2, 2)
  const [first, second] = [frontier.lease(0)!, frontier.lease(0)!]
  frontier.answered(first, { endedAt: 0, tookMs: 0, overloaded: true, retryAt: 3_600_000 })
  if (first.task.kind === 'page') frontier.settle(first.task.page, 'waiting')
  frontier.release(first, 0)
  finish(frontier, second, 0)
  const next = frontier.lease(1_000)
  assert.equal(next?.site, second.site)
  assert.equal(frontier.batch!.number, 2)
})
