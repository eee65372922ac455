import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bandwidthFor, curveOf, gains, intervalOf, savedAt } from './curve.ts'

const bandwidths = [0, 0.5, 1]

test('the bandwidth for a freshness lies between the points, and past the last dip below it', () => {
  assert.equal(bandwidthFor(bandwidths, [0.25, 0.75, 1], 0.5), 0.25)
  assert.equal(bandwidthFor(bandwidths, [0.2, 0.6, 1], 1), 1)
  assert.equal(bandwidthFor(bandwidths, [0.2, 0.6, 1], 0.1), 0)
  assert.equal(bandwidthFor([0, 1, 2, 3], [0, 1, 0.5, 1], 0.75), 2.5)
  assert.ok(Number.isNaN(bandwidthFor(bandwidths, [0.2, 0.6, 0.9], 1)))
})

test('gain and saving are told of what it takes without metadata', () => {
  const [plain, better] = [curveOf(bandwidths, [[0.2, 0.6, 1]]), curveOf(bandwidths, [[0.2, 1, 1]])]
  assert.deepEqual(
    gains(plain.mean, better.mean).map((gain) => Math.round(gain * 100)),
    [0, 67, 0],
  )
  assert.equal(savedAt(plain, better, 1), 0.5)
  assert.ok(Number.isNaN(savedAt(plain, better, 0.2)))
})

test('an interval is that of Student, and of one value it is the value', () => {
  const { mean, low, high } = intervalOf([1, 2, 3, 4, 5])
  assert.equal(mean, 3)
  // s = 1.5811, t(4) = 2.776
  assert.ok(Math.abs(high - 4.963) < 0.001 && Math.abs(low - 1.037) < 0.001)
  assert.deepEqual(intervalOf([7]), { mean: 7, low: 7, high: 7 })
})

test('an interval of shares stays within them', () => {
  const { low, high } = curveOf([0], [[0], [1]])
  assert.deepEqual([low, high], [[0], [1]])
})
