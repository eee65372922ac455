import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  averagePrecision,
  measuresOf,
  ndcgAt,
  precisionAt,
  precisionCurve,
  recallOf,
  type JudgedRanking,
} from './measures.ts'

const judged = (ranking: readonly number[], relevant: readonly number[]): JudgedRanking => ({
  ranking,
  relevant: new Set(relevant),
})
const near = (actual: number, expected: number): void => assert.ok(Math.abs(actual - expected) < 1e-12, `${actual}`)

// By hand: relevant pages at places 1, 3 and 6, and one that was not found.
const some = judged([1, 9, 2, 8, 7, 3], [1, 2, 3, 4])

test('average precision is the mean of the precisions at relevant pages, those not found counting nothing', () => {
  near(averagePrecision(some), (1 / 1 + 2 / 3 + 3 / 6 + 0) / 4)
  assert.equal(averagePrecision(judged([4, 5], [4, 5])), 1)
  assert.equal(averagePrecision(judged([], [4])), 0)
})

test('nDCG discounts by the logarithm of the place, and is 1 for the best list there can be', () => {
  const most = 1 + 1 / Math.log2(3) + 1 / Math.log2(4) + 1 / Math.log2(5)
  near(ndcgAt(10, some), (1 + 1 / Math.log2(4) + 1 / Math.log2(7)) / most)
  near(ndcgAt(2, some), 1 / (1 + 1 / Math.log2(3)))
  near(ndcgAt(10, judged([7, 6], [6, 7])), 1)
})

test('precision counts places that a short list lacks', () => {
  near(precisionAt(10, some), 0.3)
  near(precisionAt(3, some), 2 / 3)
})

test('recall is what was found of all that is relevant', () => near(recallOf(some), 3 / 4))

test('the curve has at each recall the best precision there or further on', () => {
  // A quarter of recall is reached at precision 1, a half at 2/3, three quarters at 1/2, the rest never.
  const quarter = [1, 1, 1]
  const half = [2 / 3, 2 / 3, 2 / 3]
  assert.deepEqual(precisionCurve([some]), [...quarter, ...half, 1 / 2, 1 / 2, 0, 0, 0])
  // The third page comes sooner than its place in the curve before would say, so it lifts what lies before it.
  assert.equal(precisionCurve([judged([9, 1, 2], [1, 2])])[0], 2 / 3)
})

test('measures are means over questions', () => {
  const { map, p10, recall } = measuresOf([some, judged([], [4])])
  near(map, averagePrecision(some) / 2)
  near(p10, 0.15)
  near(recall, 3 / 8)
})

test('no measure leaves 0 to 1, and a relevant page further up never makes one worse', () => {
  const ranking = fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { minLength: 2, maxLength: 40 })
  const relevant = fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(ranking, relevant, fc.nat(), (pages, good, n) => {
      const one = judged(pages, good)
      const before = measuresOf([one])
      for (const value of Object.values(before)) assert.ok(value >= 0 && value <= 1 + 1e-12)
      const i = n % (pages.length - 1)
      if (one.relevant.has(pages[i]!) || !one.relevant.has(pages[i + 1]!)) return
      const after = measuresOf([judged(pages.with(i, pages[i + 1]!).with(i + 1, pages[i]!), good)])
      for (const key of ['map', 'ndcg10', 'p10', 'p30', 'recall'] as const)
        assert.ok(after[key] >= before[key] - 1e-12, key)
    }),
  )
})
