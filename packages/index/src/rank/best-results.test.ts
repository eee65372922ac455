import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BestResults } from './best-results.ts'
import type { Hit } from './best-results.ts'

test('the best are kept, whatever the order in which they come; of equals the lower key', () => {
  const offers = fc.uniqueArray(fc.record({ score: fc.nat({ max: 9 }), key: fc.nat({ max: 200 }) }), {
    selector: ({ key }) => key,
  })
  fc.assert(
    fc.property(offers, fc.nat({ max: 12 }), (all, most) => {
      const best = new BestResults(most)
      for (const { score, key } of all) {
        // What is below the threshold may be left out by whoever offers.
        if (score >= best.threshold) best.offer(score, key, 0, key)
      }
      const expected = all
        .toSorted((a, b) => b.score - a.score || a.key - b.key)
        .slice(0, most)
        .map(({ score, key }): Hit => ({ score, key, segment: 0, doc: key }))
      assert.deepEqual(best.ranked(), expected)
    }),
    { numRuns: 500 },
  )
})

test('the threshold is the worst of those kept, once there are enough', () => {
  const best = new BestResults(2)
  const thresholds = [5, 3, 4, 9].map((score, key) => {
    best.offer(score, key, 0, 0)
    return best.threshold
  })
  assert.deepEqual(thresholds, [0, 3, 4, 5])
})

test('where none are wanted, nothing gets in', () => {
  const best = new BestResults(0)
  best.offer(5, 1, 0, 0)
  assert.deepEqual([best.threshold, best.ranked()], [Infinity, []])
})
