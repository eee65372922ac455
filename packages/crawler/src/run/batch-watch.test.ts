import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BatchWatch } from './batch-watch.ts'

const batch = (number: number): { number: number; pages: number; sites: number } => ({ number, pages: 10, sites: 3 })

test('idle visits are counted by how many and how long, and the tail from when the first was idle to the end', () => {
  const watch = new BatchWatch(4)
  watch.look(batch(1), 4, 1_000)
  watch.look(batch(1), 2, 5_000)
  watch.look(batch(1), 1, 6_000)
  watch.look(batch(2), 4, 8_000)
  watch.look(batch(2), 4, 9_000)
  assert.deepEqual(watch.reports(9_000), [
    { ...batch(1), seconds: 7, tailSeconds: 3, idleVisitSeconds: 2 * 1 + 3 * 2 },
    { ...batch(2), seconds: 1, tailSeconds: 0, idleVisitSeconds: 0 },
  ])
})

test('a visit that finds work again ends the tail', () => {
  const watch = new BatchWatch(1)
  watch.look(batch(1), 1, 0)
  watch.look(batch(1), 0, 1_000)
  watch.look(batch(1), 1, 2_000)
  watch.look(batch(1), 0, 9_000)
  assert.deepEqual(watch.reports(10_000)[0]?.tailSeconds, 1)
})

test('without batches there is nothing to report', () => {
  const watch = new BatchWatch(1)
  watch.look(undefined, 1, 0)
  assert.deepEqual(watch.reports(10), [])
})
