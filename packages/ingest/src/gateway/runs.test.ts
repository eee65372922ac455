import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isTaken, withBatch } from './runs.ts'
import type { GatewayRun } from './runs.ts'

const after = (numbers: readonly number[], run = 'run-1'): GatewayRun[] =>
  numbers.reduce<GatewayRun[]>((runs, number) => withBatch(runs, run, number, number), [])

test('numbers in order are one number, and a gap that closes leaves nothing behind', () => {
  assert.deepEqual(after([1, 2, 3]), [{ run: 'run-1', upTo: 3, above: [], lastAt: 3 }])
  assert.deepEqual(after([1, 4, 3])[0], { run: 'run-1', upTo: 1, above: [3, 4], lastAt: 4 })
  assert.deepEqual(after([1, 4, 3, 2])[0], { run: 'run-1', upTo: 4, above: [], lastAt: 4 })
})

test('whatever order they come in, what was taken is taken and nothing else', () => {
  const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 40 })
  fc.assert(
    fc.property(numbers, (taken) => {
      const runs = after(taken)
      for (let number = 1; number <= 61; number++)
        assert.equal(isTaken(runs, 'run-1', number), taken.includes(number), String(number))
    }),
  )
})

test('another run begins anew, and only the last few are remembered', () => {
  let runs = after([1, 2])
  assert.equal(isTaken(runs, 'run-2', 1), false)
  for (let i = 2; i < 20; i++) runs = withBatch(runs, `run-${i}`, 1, 100 + i)
  assert.equal(runs.length, 8)
  assert.equal(isTaken(runs, 'run-19', 1), true)
  assert.equal(isTaken(runs, 'run-1', 1), false)
})

test('gaps without end take no more room than they may, and nothing that was taken is taken again', () => {
  const odd = Array.from({ length: 1_500 }, (_, i) => 2 * i + 3)
  const [run] = after(odd)
  assert.equal(run!.above.length, 1_000)
  for (const number of odd) assert.equal(isTaken([run!], 'run-1', number), true)
})
