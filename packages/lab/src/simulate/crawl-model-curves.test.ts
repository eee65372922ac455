import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  STEPS,
  areaUnder,
  gapsToDiagonal,
  overShare,
  pointsOf,
  slopeBetween,
  spreadOf,
  valueAt,
} from './crawl-model-curves.ts'

const near = (actual: number, expected: number): void => assert.ok(Math.abs(actual - expected) < 1e-9, `${actual}`)
const diagonal = overShare(Float64Array.from({ length: 401 }, (_, k) => k / 400))

test('a diagonal has half of the area, slope 1, and no gap to itself', () => {
  near(areaUnder(diagonal), 0.5)
  near(areaUnder(diagonal, 0.2, 0.5), 0.35)
  near(slopeBetween(diagonal, 0.8, 1), 1)
  near(valueAt(diagonal, 0.123), 0.123)
  const { above, below } = gapsToDiagonal(diagonal)
  near(above + below, 0)
})

test('values between two steps lie on a straight line, and outside at the ends', () => {
  const two = overShare(Float64Array.of(0, 1))
  assert.deepEqual([valueAt(two, -1), valueAt(two, 2)], [0, 1])
  near(valueAt(two, 0.5 - 1 / STEPS / 2), 0.5)
})

test('a curve that is all above, or all below, says by how much', () => {
  const gaps = gapsToDiagonal(diagonal.map((value) => value ** 2))
  near(gaps.below, 0.25)
  assert.equal(gaps.above, 0)
})

test('a spread has the mean, the least and the most of its runs', () => {
  const spread = spreadOf([diagonal, diagonal.map((value) => value / 2)])
  assert.deepEqual([spread.mean.at(-1), spread.low.at(-1), spread.high.at(-1)], [0.75, 0.5, 1])
  assert.deepEqual(pointsOf(spread).at(-1), { x: 1, y: 0.75, low: 0.5, high: 1 })
  assert.equal(pointsOf(spread, 1)[0]!.x, 1 / STEPS)
})
