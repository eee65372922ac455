import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DemoStalls } from './stalls.ts'

test('only a stall that was under way or just over can have made something late', () => {
  using stalls = new DemoStalls(() => 0)
  stalls.note(10_000, 80)
  stalls.note(20_000, 5)
  const cases: [at: number, expected: number][] = [
    [9_900, 0],
    [9_930, 80],
    [10_500, 80],
    [12_001, 0],
    [20_000, 0],
  ]
  for (const [at, expected] of cases) assert.equal(stalls.before(at), expected, `${at}`)
})

test('of several the longest counts', () => {
  using stalls = new DemoStalls(() => 0)
  stalls.note(10_000, 80)
  stalls.note(10_100, 30)
  assert.equal(stalls.before(10_200), 80)
})
