import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changedADay, classOf, drawIntervals, measuredShares, shrunkTo } from './change-classes.ts'
import {
  changedByDay,
  daysChanged,
  lastChangeDay,
  poissonChanges,
  processOf,
  regularChanges,
} from './change-process.ts'
import { createRandom } from '@comity/testbed'

const mix = { shares: [0.23, 0.15, 0.16, 0.15, 0.31], longestDays: Infinity }
const near = (actual: number, expected: number, tolerance: number): void =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected}`)

test('an interval belongs to the bar it ends in', () => {
  const intervals = [0.1, 1, 1.1, 7, 8, 30, 31, 120, 121, Infinity]
  assert.deepEqual(intervals.map(classOf), [0, 0, 1, 1, 2, 2, 3, 3, 4, 4])
})

test('drawn intervals fall into the bars as asked, and change as often as expected', () => {
  const intervals = drawIntervals(50_000, mix, createRandom(1))
  for (const [index, share] of mix.shares.entries())
    near(intervals.filter((interval) => classOf(interval) === index).length / intervals.length, share, 0.01)
  const process = regularChanges(intervals, 100, createRandom(2))
  near(process.instants.length / (100 * 50_000), changedADay(mix), 0.005)
})

test('shrunk bars change as asked, and the last takes what the others lose', () => {
  const { shares, longestDays } = shrunkTo(0.22, mix)
  near(changedADay({ shares, longestDays }), 0.22, 1e-9)
  near(
    shares.reduce((sum, share) => sum + share, 0),
    1,
    1e-9,
  )
  assert.ok(shares[4]! > mix.shares[4]!)
  near(shares[0]! / shares[1]!, 0.23 / 0.15, 1e-9)
  assert.deepEqual(shrunkTo(0.9, mix).shares.slice(0, 4), mix.shares.slice(0, 4))
})

test('daily visits tell the bars that pages were drawn from', () => {
  const process = regularChanges(drawIntervals(20_000, mix, createRandom(3)), 120, createRandom(4))
  const shares = measuredShares(daysChanged(process), 120)
  near(shares[0]!, 0.23, 0.01)
  near(shares[4]!, 0.31, 0.02)
})

test('Poisson changes are as many on average, and several may fall on a day', () => {
  const intervals = new Float64Array(2_000).fill(0.5)
  const process = poissonChanges(intervals, 100, createRandom(5))
  near(process.instants.length / (2_000 * 100), 2, 0.02)
  near(daysChanged(process).reduce((sum, days) => sum + days, 0) / (2_000 * 100), 1 - Math.exp(-2), 0.01)
})

test('days are told from instants', () => {
  const instants = [[0.2, 0.9, 2.5], [], [1]]
  const process = processOf(3, 3, (page, add) => {
    for (const at of instants[page]!) add(at)
  })
  assert.deepEqual([...daysChanged(process)], [2, 0, 1])
  assert.deepEqual([...lastChangeDay(process)], [2, -1, 1])
  assert.deepEqual(
    changedByDay(process).map((pages) => Array.from(pages)),
    [[0], [2], [0]],
  )
})
