import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { editDistance } from '../testing/edit-distance.ts'
import { distanceWithin, unitsOf } from './edit-distance.ts'

const cases: [left: string, right: string, distance: number][] = [
  ['', '', 0],
  ['', 'abc', 3],
  ['crawler', 'crawler', 0],
  ['crawler', 'crawlers', 1],
  ['crawler', 'crawer', 1],
  ['crawler', 'drawler', 1],
  ['crawler', 'crawlre', 1],
  ['teh', 'the', 1],
  ['kitten', 'sitting', 3],
  // No letter is touched twice: ca → ac → abc would be two slips, but the second falls between the swapped ones.
  ['ca', 'abc', 3],
]
for (const [left, right, distance] of cases) {
  test(`"${left}" and "${right}" are ${distance} slips apart`, () => {
    assert.equal(editDistance(left, right), distance)
    assert.equal(editDistance(right, left), distance)
  })
}

const words = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 9 })

test('the distance is the one of the definition', () => {
  fc.assert(
    fc.property(words, words, (a, b) => assert.equal(editDistance(a, b), byDefinition(a, b))),
    { numRuns: 2_000 },
  )
})

test('with a limit, it is the same up to the limit, and one more beyond', () => {
  fc.assert(
    fc.property(words, words, fc.nat({ max: 4 }), (a, b, limit) =>
      assert.equal(editDistance(a, b, limit), Math.min(byDefinition(a, b), limit + 1)),
    ),
    { numRuns: 3_000 },
  )
})

test('a word in the middle of a pool has the distance it has alone', () => {
  fc.assert(
    fc.property(words, words, words, words, (a, before, b, after) => {
      const pool = unitsOf(before + b + after)
      const start = before.length
      assert.equal(distanceWithin(unitsOf(a), pool, start, start + b.length, 2), editDistance(a, b, 2))
    }),
  )
})

test('long words are no exception', () => {
  const long = 'x'.repeat(3_000)
  assert.equal(editDistance(`a${long}b`, `c${long}d`), 2)
  assert.equal(editDistance(`ab${long.slice(0, 200)}`, `${long.slice(0, 200)}ba`, 6), 4)
})

/** The whole table, as the definition has it. */
function byDefinition(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (__, j) => (i === 0 ? j : j === 0 ? i : 0)),
  )
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      let cost = Math.min(table[i - 1]![j]! + 1, table[i]![j - 1]! + 1, table[i - 1]![j - 1]! + same)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, table[i - 2]![j - 2]! + 1)
      table[i]![j] = cost
    }
  }
  return table[a.length]![b.length]!
}
