import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scaledTo, schedulingDefaults, schedulingSettings } from './settings.ts'
import type { SchedulingSettings } from './settings.ts'

test('on a web as large as the paper has, batches are those of the paper', () => {
  const { batchSizes, orders, crawlBatch, tailBatch } = scaledTo(3_500_000, schedulingDefaults)
  assert.deepEqual(batchSizes, [10_000, 50_000, 100_000])
  assert.deepEqual([crawlBatch, tailBatch], [100_000, 10_000])
  assert.ok(orders.includes('partial:50000') && !orders.includes('batch'))
})

test('on a smaller web they shrink in proportion, and those that become equal are one', () => {
  assert.deepEqual(scaledTo(350_000, schedulingDefaults).batchSizes, [1_000, 5_000, 10_000])
  const tiny = scaledTo(40, schedulingDefaults)
  assert.deepEqual(tiny.batchSizes, [1])
  assert.equal(tiny.tailBatch, 10)
  assert.equal(tiny.orders.filter((order) => order.startsWith('batch')).length, 1)
})

test('an order with a size of its own keeps it', () => {
  const settings = schedulingSettings({ orders: ['batch:7', 'depth'], paperPages: 0 })
  assert.deepEqual(scaledTo(100, settings).orders, ['batch:7', 'depth'])
})

const bad: [given: Partial<SchedulingSettings>, problem: RegExp][] = [
  [{ orders: ['lenght'] }, /there is no order "lenght"/],
  [{ orders: [] }, /orders is empty/],
  [{ robots: [1, 0] }, /robots: 0 must be a whole number/],
  [{ bandwidths: [-1] }, /-1 bytes a second is no link/],
  [{ batchSizes: [1.5] }, /batches: 1.5 must be/],
  [{ waitMs: NaN }, /waitMs is NaN/],
  [{ maxPages: 0 }, /maxPages is 0/],
]
for (const [given, problem] of bad) {
  test(`${JSON.stringify(given)} is refused`, () => assert.throws(() => schedulingSettings(given), problem))
}
