import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { PageIds } from './graph-ids.ts'

test('numbers become pages in the order of first appearance, whatever their size', () => {
  const number = fc.oneof(fc.nat(20), fc.nat(), fc.nat({ max: Number.MAX_SAFE_INTEGER }))
  const counted = fc.nat(30).map((count) => Array.from({ length: count }, (_, i) => i))
  fc.assert(
    fc.property(counted, fc.array(number, { maxLength: 200 }), (first, rest) => {
      const ids = new PageIds()
      const model = new Map<number, number>()
      for (const value of [...first, ...rest]) {
        if (!model.has(value)) {
          assert.equal(ids.find(value), -1)
          model.set(value, model.size)
        }
        assert.equal(ids.add(value), model.get(value))
      }
      assert.equal(ids.count, model.size)
      for (const [value, page] of model) {
        assert.equal(ids.find(value), page)
        assert.equal(ids.numberOf(page), value)
      }
    }),
  )
})
