import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { codeLengths } from './prefix-code.ts'

const weights = fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 2, maxLength: 40 })
const costOf = (counts: readonly number[], lengths: readonly number[]): number =>
  counts.reduce((sum, count, symbol) => sum + count * (lengths[symbol] as number), 0)

/** Bits of Huffman's code, which has no bound: each step joins the two lightest, and all in them take a bit more. */
function unboundedCost(counts: readonly number[]): number {
  const nodes = [...counts]
  let cost = 0
  while (nodes.length > 1) {
    nodes.sort((a, b) => b - a)
    const joined = (nodes.pop() as number) + (nodes.pop() as number)
    cost += joined
    nodes.push(joined)
  }
  return cost
}

test('codes are complete and none is too long', () => {
  fc.assert(
    fc.property(weights, fc.integer({ min: 6, max: 12 }), (counts, maxBits) => {
      const lengths = codeLengths(counts, maxBits)
      assert.ok(lengths.every((length) => length >= 1 && length <= maxBits))
      assert.equal(
        lengths.reduce((sum, length) => sum + 2 ** -length, 0),
        1,
      )
    }),
  )
})

test('with room enough they are as good as any', () => {
  fc.assert(
    fc.property(weights, (counts) => assert.equal(costOf(counts, codeLengths(counts, 40)), unboundedCost(counts))),
  )
})

const cases: [weights: number[], maxBits: number, expected: number[]][] = [
  [[1, 1], 5, [1, 1]],
  [[8, 4, 2, 1, 1], 5, [1, 2, 3, 4, 4]],
  [[8, 4, 2, 1, 1], 3, [1, 3, 3, 3, 3]],
  [[1, 1, 1, 100], 2, [2, 2, 2, 2]],
]
for (const [counts, maxBits, expected] of cases)
  test(`${counts.join(', ')} in at most ${maxBits} bits are ${expected.join(', ')}`, () =>
    assert.deepEqual(codeLengths(counts, maxBits), expected))
