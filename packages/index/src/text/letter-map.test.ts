import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LetterMap } from './letter-map.ts'
import { foldWord, plainTerm } from './term-fold.ts'

test('letters are changed one by one, and each is asked for once', () => {
  const asked: string[] = []
  const map = new LetterMap((text) => {
    asked.push(text)
    return text.toUpperCase()
  })
  assert.equal(map.apply('straße'), 'STRASSE')
  assert.equal(map.apply('ress'), 'RESS')
  assert.deepEqual(asked, ['s', 't', 'r', 'a', 'ß', 'e'])
})

const refused: [sentence: string, text: string][] = [
  ['a mark, which belongs to the letter before', 'e\u0301'],
  ['half of a pair', 'a\ud83d\ude00'],
  ['a sign', "don't"],
  ['Hangul in parts', '\u1112\u1161'],
  ['a letter that becomes a mark', 'か\uff9e'],
]
for (const [sentence, text] of refused) {
  test(`${sentence} is not simple`, () =>
    assert.equal(new LetterMap((each) => each.normalize('NFKC')).apply(text), undefined))
}

const letters = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)), maxLength: 4 }),
  fc.string({ unit: fc.constantFrom(...'AéßΣςİıйЁأىｱﾞ한ﬁǅ½ẞøЖا中び'.split('')), maxLength: 12 }),
)

test('folding letter by letter is folding', () => {
  // What is not seen is left out, and is not simple.
  const property = fc.property(letters, (word) => assert.equal(foldWord(word), foldWord(`${word}\u00ad`)))
  fc.assert(property, { numRuns: 2_000 })
})

test('accents go letter by letter as they go from a word', () => {
  const property = fc.property(letters, (word) => assert.equal(plainTerm(word), plainTerm(`${word}!`)))
  fc.assert(property, { numRuns: 2_000 })
})

test('so it is for any two letters of the basic plane, where the second is simple', () => {
  for (let code = 0; code < 0x1_0000; code++) {
    const word = `É${String.fromCharCode(code)}ж`
    assert.equal(foldWord(word), foldWord(`${word}\u00ad`))
    assert.equal(plainTerm(word), plainTerm(`${word}!`))
  }
})
