import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sharedPriorities } from './site-order.ts'

test('the first page gets the largest part of what the pages are worth', () => {
  const worths = new Map([
    [1, 0.5],
    [2, 4],
    [3, 1],
  ])
  assert.deepEqual(
    sharedPriorities([3, 1, 2], (page) => worths.get(page)!),
    [
      [3, 4],
      [1, 1],
      [2, 0.5],
    ],
  )
})

test('whatever a site says, its pages are worth together what they were, and follow its order', () => {
  const page = fc.record({ page: fc.nat(50), worth: fc.float({ min: 0, noNaN: true }) })
  fc.assert(
    fc.property(fc.uniqueArray(page, { selector: (one) => one.page }), fc.nat(), (pages, turn) => {
      const worths = new Map(pages.map((one) => [one.page, one.worth]))
      const order = [...worths.keys()].toSorted((a, b) => ((a * 31 + turn) % 17) - ((b * 31 + turn) % 17))
      const shared = sharedPriorities([...order, ...order], (one) => worths.get(one)!)
      assert.deepEqual(
        shared.map(([one]) => one),
        order,
      )
      const given = shared.map(([, worth]) => worth)
      assert.deepEqual(
        given,
        [...worths.values()].toSorted((a, b) => b - a),
      )
    }),
  )
})
