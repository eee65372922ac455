import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { compareTerms } from './posting.ts'
import { inOrderOfTerms } from './term-order.ts'
import { Vocabulary } from '../text/vocabulary.ts'

test('terms of any letters come in the order of their bytes', () => {
  const term = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1 }),
    fc.string({ unit: fc.constantFrom('a', 'b', '0', 'é', 'ж', '中', '\uffdc', '😀'), minLength: 1, maxLength: 8 }),
  )
  const property = fc.property(fc.uniqueArray(term, { maxLength: 200 }), (terms) => {
    const vocabulary = new Vocabulary()
    const sorted = inOrderOfTerms(
      terms.map((text) => vocabulary.numberOf(text)),
      vocabulary,
    )
    assert.deepEqual(
      Array.from(sorted, (number) => vocabulary.textOf(number)),
      terms.toSorted(compareTerms),
    )
    assert.deepEqual(
      terms.toSorted(compareTerms),
      terms.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
    )
  })
  fc.assert(property)
})

test('only the terms asked for are there', () => {
  const vocabulary = new Vocabulary()
  for (const text of ['zebra', 'ape', 'apes', 'bee']) vocabulary.numberOf(text)
  assert.deepEqual([...inOrderOfTerms([0, 2, 1], vocabulary)], [1, 2, 0])
})
