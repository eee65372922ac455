import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { TextUnits } from './text-units.ts'
import { HASHED, MAX_SHORT, WordKey } from './word-key.ts'

function keyOf(word: string): [low: number, high: number] {
  const { low, high } = new WordKey().read(new TextUnits().load(word).units, 0, word.length)
  return [low, high]
}

const short = fc.string({ unit: fc.constantFrom(...'abcxyzABCXYZ0189'.split('')), minLength: 1, maxLength: MAX_SHORT })

test('short words have one key if and only if they are the same but for case', () => {
  const property = fc.property(short, short, (a, b) => {
    const isSame = a.toLowerCase() === b.toLowerCase()
    assert.equal(String(keyOf(a)) === String(keyOf(b)), isSame)
    assert.deepEqual(keyOf(a), keyOf(a.toUpperCase()))
    assert.ok(keyOf(a)[1] >= 0)
  })
  fc.assert(property, { numRuns: 1_000 })
})

const hashed: [sentence: string, word: string][] = [
  ['one letter more than a key has room for', 'a'.repeat(MAX_SHORT + 1)],
  ['another letter than those of ASCII', 'é'],
  ['a sign', 'c++'],
]
for (const [sentence, word] of hashed) {
  test(`a word of ${sentence} is hashed`, () => assert.equal(keyOf(word)[1], HASHED))
}

test('the longest word is told from its neighbours', () => {
  assert.notDeepEqual(keyOf('9999999999'), keyOf('9999999998'))
  assert.notDeepEqual(keyOf('zzzzzzzzzz'), keyOf('azzzzzzzzz'))
  assert.ok(keyOf('zzzzzzzzzz')[1] > 0)
})
