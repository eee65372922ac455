import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Point } from './model.ts'
import { plottedPoints, sample } from './sample.ts'

const points = fc.array(fc.double({ noNaN: true }), { maxLength: 2_000 }).map((ys) => ys.map((y, x) => ({ x, y })))

const ys = (list: readonly Point[]): number[] => list.map(({ y }) => y)

test('a short series is left as it is', () => {
  const short = [{ x: 1, y: 2 }]
  assert.equal(sample(short, 400), short)
})

test('a long series keeps its ends, its extremes and its order, and no more points than asked for', () => {
  fc.assert(
    fc.property(points, fc.integer({ min: 4, max: 50 }), (all, most) => {
      const kept = sample(all, most)
      assert.ok(kept.length <= Math.max(most, 0) || kept === all)
      assert.equal(kept[0], all[0])
      assert.equal(kept.at(-1), all.at(-1))
      assert.ok(kept.every(({ x }, i) => i === 0 || x > kept[i - 1]!.x))
      assert.equal(Math.max(...ys(kept)), Math.max(...ys(all)))
      assert.equal(Math.min(...ys(kept)), Math.min(...ys(all)))
    }),
  )
})

test('a cloud of dots is thinned evenly, to its ends', () => {
  const cloud = Array.from({ length: 9_001 }, (_, x) => ({ x, y: x % 7 }))
  const kept = plottedPoints(cloud, 'dots')
  assert.equal(kept.length, 1_500)
  assert.deepEqual([kept[0], kept.at(-1)], [cloud[0], cloud.at(-1)])
  assert.ok(kept.every(({ x }, i) => i === 0 || [6, 7].includes(x - kept[i - 1]!.x)))
})
