import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { overlaps, placeInside, spreadLabels } from './label.ts'
import type { Curve } from './label.ts'

const frame = { x: 40, y: 20, width: 600, height: 320 }

test('labels that do not meet stay where they wish to be', () => {
  assert.deepEqual(spreadLabels([200, 50, 100], 16, 0, 300), [200, 50, 100])
})

test('labels that meet part evenly around their middle', () => {
  assert.deepEqual(spreadLabels([100, 100], 16, 0, 300), [92, 108])
})

test('labels that cannot fit are refused', () => {
  assert.equal(spreadLabels([1, 2, 3], 16, 0, 40), undefined)
})

test('whatever the wishes, labels never overlap, keep their order and stay inside', () => {
  const wishes = fc.array(fc.double({ min: -500, max: 900, noNaN: true }), { maxLength: 18 })
  fc.assert(
    fc.property(wishes, (list) => {
      const middles = spreadLabels(list, 16, 0, 300)
      assert.ok(middles)
      const sorted = middles.toSorted((a, b) => a - b)
      assert.ok(sorted.every((y, i) => i === 0 || y - sorted[i - 1]! >= 16 - 1e-9))
      assert.ok(sorted.every((y) => y >= 8 - 1e-9 && y <= 292 + 1e-9))
      for (const [i, a] of list.entries()) {
        for (const [j, b] of list.entries()) if (a < b) assert.ok(middles[i]! < middles[j]!)
      }
    }),
  )
})

const curve = (power: number): Curve => ({
  spots: Array.from({ length: 101 }, (_, i) => ({ x: 40 + 6 * i, y: 340 - 320 * (1 - (1 - i / 100) ** power) })),
  width: 80,
  height: 16,
})

test('curves that meet at both ends are named beside their middles', () => {
  assert.equal(placeInside([curve(1), curve(2.5), curve(8)], frame)?.length, 3)
  assert.equal(placeInside([curve(2), curve(2)], frame), undefined, 'one on top of the other cannot be told apart')
})

test('names inside never overlap each other, a curve, or the frame', () => {
  const spot = fc.record({ x: fc.integer({ min: 40, max: 640 }), y: fc.integer({ min: 20, max: 340 }) })
  const curves = fc.array(
    fc.record({
      spots: fc.array(spot, { maxLength: 5 }).map((spots) => spots.toSorted((a, b) => a.x - b.x)),
      width: fc.integer({ min: 10, max: 160 }),
      height: fc.constant(16),
    }),
    { maxLength: 5 },
  )
  fc.assert(
    fc.property(curves, (list) => {
      const boxes = placeInside(list, frame)?.map(({ box }) => box) ?? []
      for (const [i, box] of boxes.entries()) {
        assert.ok(boxes.every((other, j) => i === j || !overlaps(box, other)))
        assert.ok(box.x >= frame.x && box.x + box.width <= frame.x + frame.width)
        for (const { x, y } of list.flatMap(({ spots }) => spots)) {
          assert.ok(!overlaps(box, { x, y, width: 0.01, height: 0.01 }))
        }
      }
    }),
  )
})
