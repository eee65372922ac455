import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { processorMs } from '@comity/protocol/testing'
import { Vocabulary } from './vocabulary.ts'
import { HASH_FACTOR, HASH_SEED } from './word-key.ts'

test('terms are numbered from 0 on, each once, and found again', () => {
  const terms = fc.array(fc.string({ unit: 'binary', maxLength: 30 }))
  const property = fc.property(terms, (texts) => {
    const vocabulary = new Vocabulary()
    const numbers = texts.map((text) => vocabulary.numberOf(text))
    assert.equal(vocabulary.size, new Set(texts).size)
    assert.deepEqual(
      numbers.map((number) => vocabulary.textOf(number)),
      texts,
    )
    assert.ok(numbers.every((number) => number < vocabulary.size))
  })
  fc.assert(property)
})

test('a hundred thousand terms are found again, in the order they came', () => {
  const vocabulary = new Vocabulary()
  const terms = Array.from({ length: 100_000 }, (_, number) => `term${number}`)
  for (const round of [1, 2])
    for (const [number, term] of terms.entries()) assert.equal(vocabulary.numberOf(term), number, `round ${round}`)
  assert.equal(vocabulary.size, terms.length)
})

test('terms that were made to collide are told apart, in no more time', () => {
  const blocks = collidingBlocks(15)
  const terms = Array.from({ length: 1 << blocks.length }, (_, number) =>
    blocks.map((pair, bit) => pair[(number >> bit) & 1]).join(''),
  )
  const vocabulary = new Vocabulary()
  const start = processorMs()
  for (const round of [1, 2])
    for (const [number, term] of terms.entries()) assert.equal(vocabulary.numberOf(term), number, `round ${round}`)
  assert.ok(processorMs() - start < 5_000)
})

/** Pairs of texts that bring FNV-1a from the state before them to the same one: any choice of them has the same hash. */
function collidingBlocks(count: number): [string, string][] {
  let state = HASH_SEED
  return Array.from({ length: count }, () => {
    const seen = new Map<number, number>()
    for (let first = 0x4e00; ; first++) {
      const product = Math.imul(state ^ first, HASH_FACTOR)
      const other = seen.get(product >>> 16)
      seen.set(product >>> 16, first)
      if (other === undefined) continue
      // The second units make up for how the lower halves differ.
      const difference = (product ^ Math.imul(state ^ other, HASH_FACTOR)) & 0xffff
      state = Math.imul(product ^ 0x5000, HASH_FACTOR)
      return [String.fromCharCode(first, 0x5000), String.fromCharCode(other, 0x5000 ^ difference)]
    }
  })
}

test('a vocabulary that was cleared knows nothing and begins at 0', () => {
  const vocabulary = new Vocabulary()
  vocabulary.numberOf('old')
  vocabulary.numberOf('older')
  assert.ok(vocabulary.bytes > 200)
  vocabulary.clear()
  assert.equal(vocabulary.bytes, 0)
  assert.throws(() => vocabulary.textOf(0), RangeError)
  assert.equal(vocabulary.numberOf('new'), 0)
})
