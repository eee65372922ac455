import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leftOf, spentOf, useOfDay, withRun } from './day-use.ts'

const DAY = 86_400_000
const caps = { runs: 2, cpuMs: 1_000, readBytes: 500, outputBytes: 100 }
const use = { cpuMs: 300, wallMs: 400, memoryBytes: 1, reads: 1, readBytes: 50, records: 1, outputBytes: 10 }

test('runs of a day add up, and the next day begins anew', () => {
  const first = withRun(useOfDay(undefined, 5), use)
  assert.deepEqual(first, { day: 0, runs: 1, cpuMs: 300, readBytes: 50, outputBytes: 10 })
  assert.equal(useOfDay(first, DAY - 1), first)
  assert.equal(useOfDay(first, DAY).runs, 0)
})

test('what is used up is named', () => {
  const one = withRun(useOfDay(undefined, 0), use)
  assert.equal(spentOf(one, caps), undefined)
  assert.equal(spentOf(withRun(one, use), caps), 'runs: 2 of 2')
  assert.equal(spentOf({ ...one, outputBytes: 100 }, caps), 'outputBytes: 100 of 100')
})

test('a run has what is left of the day', () => {
  const one = withRun(useOfDay(undefined, 0), use)
  assert.deepEqual(leftOf(one, caps), { cpuMs: 700, readBytes: 450, outputBytes: 90 })
  assert.equal(leftOf({ ...one, cpuMs: 2_000 }, caps).cpuMs, 0)
})
