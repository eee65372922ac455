import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LENGTHS, lengthByte } from '../format/length-byte.ts'
import { Bm25, idfOf, rankDefaults, RANKINGS, saturated, UNIT } from './ranking.ts'

const totals = { documents: 1_000, meanLength: 200 }

test('a score is the formula, rounded up to a unit', () => {
  const bm25 = new Bm25({ ...rankDefaults, k1: 1.2, k1Growth: 0 }, totals)
  const idf = idfOf(10, totals)
  const length = lengthByte(100)
  const x = 3 / (1 - 0.75 + (0.75 * (LENGTHS[length] as number)) / 200) + 3 + 1
  const expected = (idf * 2.2 * x) / (1.2 + x)
  const score = bm25.score(bm25.weightOf({ documents: 10, places: 70 }, 1), 3, length, 1 | 8) / UNIT
  assert.ok(Math.abs(score - expected) < 2 / UNIT)
})

test('k1 grows with how often a word stands in the pages that have it, up to a bound, and is no less for a word of links alone', () => {
  const bm25 = new Bm25({ ...rankDefaults, k1: 2, k1Growth: 0.5 }, totals)
  const k1s = [0, 10, 40, 50, 1e6].map((places) => bm25.weightOf({ documents: 10, places }, 1).k1)
  assert.deepEqual(k1s, [2, 2, 4, 2 * Math.sqrt(5), 2 * Math.sqrt(5)])
})

test('what a page says once is worth the same of a word that others say often, and said again it is worth more', () => {
  const bm25 = new Bm25({ ...rankDefaults, b: 0 }, totals)
  const [once, often] = [10, 60].map((places) => bm25.weightOf({ documents: 10, places }, 1))
  assert.ok(Math.abs(bm25.score(once!, 1, 0, 0) - bm25.score(often!, 1, 0, 0)) <= 1)
  assert.ok(bm25.score(once!, 5, 0, 0) < 0.8 * bm25.score(often!, 5, 0, 0))
})

test('a rarer word is worth more, and no word is worth nothing or less, not even one that only gone pages have', () => {
  const idfs = [1, 10, 500, 1_000, 5_000].map((documents) => idfOf(documents, totals))
  assert.deepEqual(
    idfs,
    idfs.toSorted((a, b) => b - a),
  )
  assert.ok(idfs.every((idf) => idf > 0))
  assert.ok(idfOf(3, { documents: 0, meanLength: 0 }) > 0)
})

test('no posting within the bounds of a block scores more than its bound', () => {
  const weights = fc.record({
    k1: fc.double({ min: 0.1, max: 3, noNaN: true }),
    k1Growth: fc.double({ min: 0, max: 2, noNaN: true }),
    b: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  const posting = fc.record({
    count: fc.integer({ min: 1, max: 500 }),
    length: fc.nat({ max: 255 }),
    zones: fc.nat({ max: 15 }),
  })
  fc.assert(
    fc.property(weights, fc.array(posting, { minLength: 1 }), fc.integer({ min: 1, max: 1_000 }), (some, all, df) => {
      const bm25 = new Bm25({ ...rankDefaults, ...some }, totals)
      const places = all.reduce((sum, { count }) => sum + count, 0)
      const weight = bm25.weightOf({ documents: df, places }, 1)
      const highest = Math.max(...all.map(({ count }) => count))
      const shortest = Math.min(...all.map(({ length }) => length))
      const zones = all.reduce((union, one) => union | one.zones, 0)
      const bound = bm25.bound(weight, highest, shortest, zones)
      for (const one of all) {
        const score = bm25.score(weight, one.count, one.length, one.zones)
        assert.ok(Number.isInteger(score) && score > 0 && score <= bound)
      }
    }),
    { numRuns: 500 },
  )
})

test('a static value adds half of its most at the pivot, never more than its most, and nothing when there is none', () => {
  assert.equal(saturated(4, 2, 4), UNIT)
  assert.equal(saturated(0, 2, 4), 0)
  assert.equal(saturated(-3, 2, 4), 0)
  assert.equal(saturated(Number.NaN, 2, 4), 0)
  assert.ok(saturated(1e30, 2, 4) <= 2 * UNIT)
})

test('every ranking says what it does', () => {
  for (const [name, text] of Object.entries(RANKINGS)) assert.ok(text.length > 5, name)
})
