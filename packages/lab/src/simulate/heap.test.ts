import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { SlotHeap } from './heap.ts'

const anyKeys = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 40 })

for (const first of ['smallest', 'largest'] as const) {
  test(`slots come out ${first} first, equals by their numbers, and none that was removed`, () => {
    fc.assert(
      fc.property(anyKeys, fc.array(fc.nat()), (keys, gone) => {
        const heap = new SlotHeap(Float64Array.from(keys), first)
        for (const slot of keys.keys()) heap.push(slot)
        const removed = new Set(gone.map((slot) => slot % keys.length))
        for (const slot of removed) heap.remove(slot)
        const sign = first === 'smallest' ? 1 : -1
        const left = [...keys.keys()].filter((slot) => !removed.has(slot))
        for (const slot of left.toSorted((a, b) => sign * (keys[a]! - keys[b]!) || a - b)) {
          assert.equal(heap.peek(), slot)
          heap.remove(slot)
        }
        assert.equal(heap.peek(), -1)
        assert.equal(heap.size, 0)
      }),
    )
  })
}

test('a heap knows whom it holds', () => {
  const heap = new SlotHeap(Float64Array.of(3, 1))
  heap.push(1)
  assert.deepEqual([heap.has(0), heap.has(1)], [false, true])
})
