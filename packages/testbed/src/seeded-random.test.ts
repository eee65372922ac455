import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createRandom, seedOf } from './seeded-random.ts'

const sort = (numbers: number[]): number[] => numbers.toSorted((a, b) => a - b)
const take = (seed: number, count: number): number[] => {
  const random = createRandom(seed)
  return Array.from({ length: count }, () => random.next())
}

test('the same seed gives the same numbers', () => {
  fc.assert(fc.property(fc.nat(), (seed) => assert.deepEqual(take(seed, 20), take(seed, 20))))
})

test('neighbouring seeds give other numbers', () => {
  fc.assert(fc.property(fc.nat(), (seed) => assert.notDeepEqual(take(seed, 4), take(seed + 1, 4))))
})

test('every number stays inside its bounds', () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 1, max: 1_000 }), (seed, n) => {
      const random = createRandom(seed)
      const [whole, share, between] = [random.int(n), random.next(), random.between(3, 3 + n)]
      assert.ok(Number.isInteger(whole) && whole >= 0 && whole < n)
      assert.ok(share >= 0 && share < 1)
      assert.ok(between >= 3 && between <= 3 + n)
    }),
  )
})

test('numbers are spread evenly enough: ten bins of 100,000 differ by less than five per cent', () => {
  const bins = Array.from({ length: 10 }, () => 0)
  for (const number of take(7, 100_000)) {
    const bin = Math.floor(number * 10)
    bins[bin] = (bins[bin] ?? 0) + 1
  }
  for (const count of bins) assert.ok(Math.abs(count - 10_000) < 500, String(count))
})

test('a shuffle keeps every element', () => {
  fc.assert(
    fc.property(fc.nat(), fc.array(fc.nat()), (seed, list) => {
      assert.deepEqual(sort(createRandom(seed).shuffle(list)), sort(list))
    }),
  )
})

test('picking from nothing is an error', () => {
  assert.throws(() => createRandom(1).pick([]), RangeError)
})

test('a seed made of parts tells the parts apart', () => {
  assert.notEqual(seedOf('a', 'bc'), seedOf('ab', 'c'))
  assert.equal(seedOf('a', 1), seedOf('a', 1))
})
