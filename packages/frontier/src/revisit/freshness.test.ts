import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '@comity/testbed'
import fc from 'fast-check'
import { VISIT_PATTERNS, ageOf, freshnessOf } from './freshness.ts'
import type { VisitPattern } from './freshness.ts'

/** Instants of visits at one a day, and what a page with this rate looks like between them. */
function simulate(pattern: VisitPattern, rate: number, seed: number): { freshness: number; age: number } {
  const random = createRandom(seed)
  const rounds = 60_000
  const visits = Array.from({ length: rounds }, (_, round) => {
    if (pattern === 'fixed order') return round
    return pattern === 'random order' ? round + random.next() : rounds * random.next()
  }).toSorted((a, b) => a - b)
  let [fresh, aged] = [0, 0]
  for (let i = 1; i < rounds; i++) {
    const gap = visits[i]! - visits[i - 1]!
    const changed = Math.min(gap, -Math.log(1 - random.next()) / rate)
    fresh += changed
    aged += (gap - changed) ** 2 / 2
  }
  const days = visits.at(-1)! - visits[0]!
  return { freshness: fresh / days, age: aged / days }
}

for (const pattern of VISIT_PATTERNS) {
  for (const rate of [0.3, 1, 4]) {
    test(`visits in ${pattern}, ${rate} changes between two: freshness and age are what a simulation shows`, () => {
      const { freshness, age } = simulate(pattern, rate, 3)
      assert.ok(Math.abs(freshnessOf(pattern, rate, 1) / freshness - 1) < 0.02, `${freshness}`)
      assert.ok(Math.abs(ageOf(pattern, rate, 1) / age - 1) < 0.04, `${age}`)
    })
  }
}

test('fixed order is freshest, then random order, then random visits; ages the other way round', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 1e3, noNaN: true }), (rate) => {
      const [fixed, shuffled, random] = VISIT_PATTERNS.map((pattern) => freshnessOf(pattern, rate, 1))
      assert.ok(fixed! >= shuffled! - 1e-9 && shuffled! >= random! - 1e-9)
      const [fixedAge, shuffledAge, randomAge] = VISIT_PATTERNS.map((pattern) => ageOf(pattern, rate, 1))
      assert.ok(fixedAge! <= shuffledAge! + 1e-6 && shuffledAge! <= randomAge! + 1e-6)
    }),
  )
})

test('the series near zero meet the formulas they stand for', () => {
  for (const pattern of VISIT_PATTERNS) {
    assert.ok(Math.abs(freshnessOf(pattern, 0.000_999, 1) - freshnessOf(pattern, 0.001_001, 1)) < 2e-6)
    assert.ok(Math.abs(ageOf(pattern, 0.000_999, 1) / ageOf(pattern, 0.001_001, 1) - 1) < 0.004)
  }
})

test('a page that never changes is always fresh, and one that is never visited never is', () => {
  for (const pattern of VISIT_PATTERNS) {
    assert.deepEqual([freshnessOf(pattern, 0, 0), ageOf(pattern, 0, 0)], [1, 0])
    assert.deepEqual([freshnessOf(pattern, 1, 0), ageOf(pattern, 1, 0)], [0, Infinity])
  }
})
