import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cutTo, foldWord, MAX_TERM_UNITS, plainTerm } from './term-fold.ts'

const folded: [sentence: string, surface: string, word: string, language?: string][] = [
  ['capitals are small', 'HashMap', 'hashmap'],
  ['accents stay for the stemmer', 'ÉTÉ', 'été'],
  ['a letter and its accent are one', 'e\u0301', 'é'],
  ['sharp s is two', 'Straße', 'strasse'],
  ['capital sharp s is two', 'STRAẞE', 'strasse'],
  ['long s is s', 'ſo', 'so'],
  ['final sigma is sigma', 'ΟΔΟΣ οδός', 'οδοσ οδόσ'],
  ['dotted İ is i', 'İstanbul', 'istanbul'],
  ['dotless ı is kept from Turkish', 'IĞDIR', 'ığdır', 'tr'],
  ['a ligature is its letters', 'ﬁle', 'file'],
  ['wide letters are letters', 'Ｗｉｄｅ１', 'wide1'],
  ['half-wide kana are kana', 'ｶﾞ', 'ガ'],
  ['invisible characters go', 'zero\u200bwid\u00adth', 'zerowidth'],
  ['apostrophes are alike', 'don’t', "don't"],
]
for (const [sentence, surface, word, language] of folded) {
  test(`folding: ${sentence}`, () => assert.equal(foldWord(surface, language), word))
}

const plain: [sentence: string, word: string, term: string][] = [
  ['Latin accents go', 'été', 'ete'],
  ['several accents go', 'việt', 'viet'],
  ['strokes go', 'łódź', 'lodz'],
  ['tied letters part', 'cæsar', 'caesar'],
  ['Greek accents go', 'άνθρωποι', 'ανθρωποι'],
  ['short i stays itself', 'мой', 'мой'],
  ['yo is ye', 'ещё', 'еще'],
  ['stress goes', 'за\u0301мок', 'замок'],
  ['Macedonian ќ stays itself', 'куќа', 'куќа'],
  ['Hebrew points go', 'שָׁלוֹם', 'שלום'],
  ['Arabic points and stretches go', 'مُحَمَّـد', 'محمد'],
  ['Devanagari stays', 'हिन्दी', 'हिन्दी'],
  ['kana stay', 'ガ', 'ガ'],
  ['Hangul stays', '한국어', '한국어'],
  ['apostrophes go', "don't", 'dont'],
  ['thousands lose their commas', '1,000.5', '1000.5'],
  ['C++ stays', 'c++', 'c++'],
]
for (const [sentence, word, term] of plain) test(`plain terms: ${sentence}`, () => assert.equal(plainTerm(word), term))

test('folding any text twice changes nothing more, and no term is longer than a term may be', () => {
  const units = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)), maxLength: 200 }),
  )
  const property = fc.property(units, fc.constantFrom('und', 'tr', 'en'), (text, language) => {
    const term = plainTerm(foldWord(text, language))
    assert.equal(plainTerm(foldWord(term)), term)
    assert.ok(term.length <= MAX_TERM_UNITS && term.isWellFormed())
  })
  fc.assert(property, { numRuns: 500 })
})

test('a cut leaves no half of a pair', () => {
  assert.equal(cutTo('ab😀', 3), 'ab')
  assert.equal(cutTo('ab😀', 4), 'ab😀')
})
