import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hotCount, randomStopCurve, stopCurve, thresholdCurve, worthOfBest } from './crawl-models.ts'

/** Five pages, two of them worth 3. */
const importance = Float64Array.of(1, 3, 2, 3, 0)
const visits = Uint32Array.of(0, 1, 4, 3, 2)

test('a threshold curve is the part of the hot pages found so far', () => {
  assert.deepEqual([...thresholdCurve(visits, importance, 3)], [0, 0, 0.5, 0.5, 1, 1])
  assert.deepEqual([...thresholdCurve(visits, importance, 4)], [0, 0, 0, 0, 0, 0])
})

test('a stop curve counts what is worth as much as the Kth best or more', () => {
  // The Kth best is worth 3, 3, 2, 1, 0.
  assert.deepEqual([...stopCurve(visits, importance)], [0, 0, 1 / 2, 1 / 3, 3 / 4, 1])
})

/** P_ST of the crawler that knows all: K / H, then 1. */
function idealThresholdCurve(worths: Float64Array, target: number): Float64Array {
  const hot = hotCount(worths, target)
  return Float64Array.from({ length: worths.length + 1 }, (_, k) => (hot === 0 ? 0 : Math.min(1, k / hot)))
}

test('the ideal crawler has K / H until it has all', () => {
  assert.deepEqual([...idealThresholdCurve(importance, 2)], [0, 1 / 3, 2 / 3, 1, 1, 1])
  assert.deepEqual([...idealThresholdCurve(importance, 9)], [0, 0, 0, 0, 0, 0])
})

test('pages at random belong to the K best in K of T cases, more where some are equal', () => {
  assert.deepEqual([...randomStopCurve(Float64Array.of(4, 3, 2, 1))], [0, 1 / 4, 2 / 4, 3 / 4, 1])
  assert.deepEqual([...randomStopCurve(importance)], [0, 2 / 5, 2 / 5, 3 / 5, 4 / 5, 1])
})

test('what the Kth best is worth', () => {
  assert.deepEqual(
    [0, 1, 2, 3, 5, 9].map((k) => worthOfBest(importance, k)),
    [Infinity, 3, 3, 2, 0, 0],
  )
})

const anyCrawl = fc.array(fc.nat(6), { minLength: 1, maxLength: 40 }).chain((worths) =>
  fc.tuple(
    fc.constant(Float64Array.from(worths)),
    fc.shuffledSubarray([...worths.keys()], { minLength: worths.length }).map((order) => Uint32Array.from(order)),
  ),
)

test('every value of both curves is what counting again from the start gives', () => {
  fc.assert(
    fc.property(anyCrawl, fc.nat(7), ([worths, order], target) => {
      const threshold = thresholdCurve(order, worths, target)
      const stop = stopCurve(order, worths)
      const best = [...worths].toSorted((a, b) => b - a)
      for (let k = 1; k <= order.length; k++) {
        const seen = [...order.subarray(0, k)].map((page) => worths[page]!)
        const hot = best.filter((worth) => worth >= target).length
        assert.equal(threshold[k], hot === 0 ? 0 : seen.filter((worth) => worth >= target).length / hot)
        assert.equal(stop[k], seen.filter((worth) => worth >= best[k - 1]!).length / k)
      }
    }),
  )
})

test('nobody is better than the ideal crawler, and everybody has all in the end', () => {
  fc.assert(
    fc.property(anyCrawl, fc.nat(6), ([worths, order], target) => {
      const ideal = idealThresholdCurve(worths, target)
      const curve = thresholdCurve(order, worths, target)
      assert.ok(curve.every((value, k) => value <= ideal[k]!))
      assert.equal(curve.at(-1), hotCount(worths, target) === 0 ? 0 : 1)
      assert.equal(stopCurve(order, worths).at(-1), 1)
      const perfect = order.toSorted((a, b) => worths[b]! - worths[a]!)
      assert.ok(
        stopCurve(perfect, worths)
          .subarray(1)
          .every((value) => value === 1),
      )
    }),
  )
})
