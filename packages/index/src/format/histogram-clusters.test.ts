import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { clusterHistograms } from './histogram-clusters.ts'

const kinds = [
  [90, 5, 3, 2],
  [5, 90, 3, 2],
  [1, 1, 49, 49],
]

test('histograms of a kind come together', () => {
  const histograms = Array.from({ length: 30 }, (_, i) => (kinds[i % 3] as number[]).map((count) => count * (1 + i)))
  const clusters = clusterHistograms(histograms, 3)
  assert.deepEqual(
    clusters.map((cluster) => new Set(cluster.map((i) => i % 3)).size),
    [1, 1, 1],
  )
})

test('each histogram is in one cluster, and there are no more than asked for', () => {
  const some = fc.array(fc.array(fc.nat({ max: 100 }), { minLength: 5, maxLength: 5 }), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(some, fc.integer({ min: 1, max: 8 }), (histograms, most) => {
      const clusters = clusterHistograms(histograms, most)
      assert.ok(clusters.length <= most)
      assert.deepEqual(
        clusters.flat().toSorted((a, b) => a - b),
        [...histograms.keys()],
      )
    }),
  )
})
