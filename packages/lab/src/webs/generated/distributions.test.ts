import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { lognormal, normal, powerLawSizes, rounded } from './distributions.ts'
import { createRandom } from '@comity/testbed'

const draws = (count: number, draw: () => number): number[] => Array.from({ length: count }, draw)
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

test('sizes add up to the total, and none is empty or too large', () => {
  const cases = fc.record({
    count: fc.integer({ min: 1, max: 200 }),
    most: fc.integer({ min: 1, max: 5_000 }),
    u: fc.nat(),
  })
  fc.assert(
    fc.property(cases, ({ count, most, u }) => {
      const total = count + (u % (count * (most - 1) + 1))
      const { sizes } = powerLawSizes(count, total, most)
      assert.equal(
        sizes.reduce((sum, size) => sum + size, 0),
        total,
      )
      assert.ok(sizes.every((size) => size >= 1 && size <= most))
    }),
  )
})

test('the sites of 004 §4 come out with an exponent of 1.63', () => {
  const { exponent, sizes } = powerLawSizes(50_000, 3_500_000, 25_000)
  assert.ok(Math.abs(exponent - 1.63) < 0.01, String(exponent))
  assert.ok(sizes[0]! > 20_000)
})

test('the median of a lognormal law is the one asked for', () => {
  const random = createRandom(1)
  const below = draws(20_000, () => lognormal(random, 200, 0.8)).filter((value) => value < 200).length
  assert.ok(Math.abs(below / 20_000 - 0.5) < 0.02)
})

test('normal numbers have mean 0 and variance 1', () => {
  const random = createRandom(2)
  const values = draws(50_000, () => normal(random))
  assert.ok(Math.abs(mean(values)) < 0.02)
  assert.ok(Math.abs(mean(values.map((value) => value ** 2)) - 1) < 0.03)
})

test('rounding keeps the mean', () => {
  const random = createRandom(3)
  assert.ok(Math.abs(mean(draws(50_000, () => rounded(random, 0.3))) - 0.3) < 0.01)
})
