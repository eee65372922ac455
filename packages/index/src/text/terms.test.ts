import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { STEMMERS } from './stems.ts'
import { TermCache } from './term-cache.ts'
import { TextUnits } from './text-units.ts'
import { queryTerms, termOf, termRulesOf } from './terms.ts'

const cases: [sentence: string, surface: string, language: string, term: string][] = [
  ['English is stemmed', 'Generalizations', 'en', 'general'],
  ['so is an unknown language', 'Generalizations', 'und', 'general'],
  ['one without a stemmer is not', 'Книгата', 'bg', 'книгата'],
  ['a possessive is its noun', 'John’s', 'en', 'john'],
  ["don't is dont", 'Don’t', 'en', 'dont'],
  ['the stemmer sees accents, the term has none', 'généralités', 'fr', 'general'],
  ['words with digits keep their form', 'x86s', 'en', 'x86s'],
  ['C++ keeps its form', 'C++', 'en', 'c++'],
  ['thousands are a number', '1,000', 'en', '1000'],
  ['Romanian with a comma below is Romanian', 'națiunilor', 'ro', termOf('naţiunilor', 'ro')],
  ['Serbian has two alphabets and one term', 'књигама', 'sr', 'knjig'],
  ['Turkish has its own small letters', 'IŞIK', 'tr', 'isik'],
]
for (const [sentence, surface, language, term] of cases) {
  test(sentence, () => assert.equal(termOf(surface, language), term))
}

test('a query asks for the word under each language, once, and as it stands where a language has no rules', () => {
  assert.deepEqual(queryTerms('running', ['en', 'de', 'xx']), ['run', 'running'])
  assert.deepEqual(queryTerms('running', ['und', 'en']), ['run'])
  assert.deepEqual(queryTerms('running', []), ['running'])
  assert.deepEqual(queryTerms('linux', ['en', 'fr']), ['linux'])
})

const someWord = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 100 }),
  fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)), minLength: 1 }),
  fc.string({ unit: fc.constantFrom(...'aeiouylstrngdкиемаяسةός'.split('')), minLength: 1, maxLength: 20 }),
)
const someLanguage = fc.constantFrom('und', 'az', 'zh', ...STEMMERS.keys())

test('no word in any language throws, has an empty term, or a term that folds further', () => {
  const property = fc.property(someWord, someLanguage, (word, language) => {
    const term = termOf(word, language)
    assert.notEqual(term, '')
    assert.ok(term.isWellFormed())
    assert.equal(termOf(term, 'zh'), term)
  })
  fc.assert(property, { numRuns: 1_000 })
})

test('the cache says what termOf says, also when it is too small and in any order of words', () => {
  const cache = new TermCache(2)
  const units = new TextUnits()
  const words = fc.array(
    fc.tuple(
      fc.oneof(someWord, fc.constantFrom('Run', 'runs', 'Running', 'IS', 'is', 'Is', 'ABCDEFGHIJ', 'abcdefghijk')),
      someLanguage,
    ),
  )
  const property = fc.property(words, (pairs) => {
    for (const [word, language] of pairs) {
      const rules = termRulesOf(language)
      assert.equal(cache.termAt(units.load(`(${word})`), 1, 1 + word.length, rules), termOf(word, language))
      assert.equal(cache.termAt(`(${word})`, 1, 1 + word.length, rules), termOf(word, language))
    }
  })
  fc.assert(property)
})

test('words longer than a term may be are cut alike in text and query', () => {
  const word = 'a'.repeat(63) + '😀tail'
  assert.equal(new TermCache().termAt(new TextUnits().load(word), 0, word.length, 'en'), termOf(word, 'en'))
  assert.equal(termOf('x'.repeat(100_000), 'und'), 'x'.repeat(64))
})
