import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BOUNDS, Histogram } from './histogram.ts'

test('each bucket counts all that took at most so long, and the last one everything', () => {
  const histogram = new Histogram()
  for (const seconds of [0.0005, 0.001, 0.003, 60]) histogram.add(seconds)
  const lines = histogram.lines('x', 'route="/"')
  assert.equal(lines.length, BOUNDS.length + 3)
  assert.deepEqual(lines.slice(0, 3), [
    'x_bucket{route="/",le="0.001"} 2',
    'x_bucket{route="/",le="0.0025"} 2',
    'x_bucket{route="/",le="0.005"} 3',
  ])
  assert.deepEqual(lines.slice(-3), [
    'x_bucket{route="/",le="+Inf"} 4',
    'x_sum{route="/"} 60.0045',
    'x_count{route="/"} 4',
  ])
})
