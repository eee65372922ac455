import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FrameCache } from './frame-cache.ts'
import type { Weighed } from './frame-cache.ts'

test('what is held never weighs more than the bound and one thing together', () => {
  const asked = fc.array(fc.record({ key: fc.nat({ max: 30 }), weight: fc.nat({ max: 400 }) }), { maxLength: 200 })
  fc.assert(
    fc.property(asked, fc.nat({ max: 1_000 }), (all, bound) => {
      const cache = new FrameCache(bound)
      const weights = new Map<number, number>()
      for (const { key, weight } of all) {
        const thing = cache.get(key, () => ({ weight: weights.set(key, weight).get(key) as number }))
        assert.equal(thing.weight, weights.get(key))
        assert.ok(cache.bytes <= Math.max(bound, thing.weight))
      }
      cache.drop(0, 31)
      assert.equal(cache.bytes, 0)
    }),
  )
})

test('a thing is made once as long as it is held, and what was not asked for longest goes first', () => {
  const cache = new FrameCache(30)
  const made: number[] = []
  const ask = (key: number): Weighed => cache.get(key, () => ({ weight: 10, key: made.push(key) }))
  for (const key of [1, 2, 3, 1, 4, 1, 3, 2]) ask(key)
  assert.deepEqual(made, [1, 2, 3, 4, 2])
})

test('a range of keys is let go of, and the others stay', () => {
  const cache = new FrameCache(1_000)
  for (const key of [9, 10, 19, 20]) cache.get(key, () => ({ weight: key }))
  cache.drop(10, 20)
  assert.equal(cache.bytes, 29)
})

test('what cannot be made is not held', () => {
  const cache = new FrameCache(10)
  assert.throws(() => cache.get(1, () => assert.fail('unreadable')), /unreadable/)
  assert.equal(cache.get(1, () => ({ weight: 3 })).weight, 3)
})
