import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Vocabulary } from './vocabulary.ts'

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
