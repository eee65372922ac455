// Runs alone: all that share a process with what it holds would pay for it at every collection of garbage.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ORDERS, orderNamed } from '@comity/frontier'
import { liveDefaults, liveOrders, liveSettings } from './settings.ts'
import type { LiveSettings } from './settings.ts'

test('every order that a crawl can use is compared, and an expression', () => {
  const names = liveOrders(2_000)
  for (const name of names) orderNamed(name)
  const usable = ORDERS.filter(({ isLabOnly }) => isLabOnly !== true)
  assert.equal(names.length, usable.length + 1)
  assert.ok(usable.every(({ name }) => names.some((one) => one.split(':')[0] === name)))
})

test('batches are small enough that a small web has several', () => {
  assert.ok(liveOrders(2_000).includes('batch:100'))
  assert.ok(liveOrders(1).includes('batch:1'))
})

test('defaults fill what is not given, and an order counts once', () => {
  assert.deepEqual(liveSettings(100, { orders: ['depth', 'depth'], robots: 2 }), {
    ...liveDefaults,
    orders: ['depth'],
    robots: 2,
  })
})

const refusals: [given: Partial<LiveSettings>, expected: RegExp][] = [
  [{ orders: ['nonsense'] }, /there is no order "nonsense"/],
  [{ orders: ['optimal'] }, /optimal knows what only a lab can know/],
  [{ robots: 0 }, /robots is 0/],
  [{ draws: 1.5 }, /draws is 1.5/],
  [{ pagesPerConnection: -1 }, /pagesPerConnection is -1/],
  [{ waitMs: Infinity }, /waitMs is Infinity/],
  [{ latencyFactor: -1 }, /latencyFactor is -1/],
  [{ bandwidthFactor: 0 }, /bandwidthFactor is 0/],
  [{ topic: ' ' }, /the topic is empty/],
]
for (const [given, expected] of refusals) {
  test(`${JSON.stringify(given)} is refused`, () => {
    assert.throws(() => liveSettings(100, given), { name: 'RangeError', message: expected })
  })
}
