import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { editDistance } from '../testing/edit-distance.ts'
import { Speller } from './spelling.ts'

const pairs: [term: string, frequency: number][] = [
  ['crawl', 400],
  ['crawler', 300],
  ['crawlers', 120],
  ['from', 20_000],
  ['form', 3_000],
  ['frontier', 90],
  ['häuser', 50],
  ['html5', 800],
  ['once', 2],
  ['politeness', 60],
  ['robot', 500],
  ['robots', 900],
  ['the', 50_000],
  ['typo', 1],
  ['паук', 40],
  ['поиск', 70],
]
const speller = new Speller(pairs)

const found: [sentence: string, word: string, first: string | undefined][] = [
  ['a swap is one slip', 'crawelr', 'crawler'],
  ['a missing letter', 'politness', 'politeness'],
  ['a letter too many', 'fronttier', 'frontier'],
  ['two slips in a long word', 'poletenes', 'politeness'],
  ['a wrong first letter', 'drawler', 'crawler'],
  ['the nearer word comes before the more frequent', 'robotz', 'robots'],
  ['of equally near words the most frequent comes first', 'robos', 'robots'],
  ['one slip in a word of three letters', 'teh', 'the'],
  ['but not two', 'txx', undefined],
  ['nor two in a word of four', 'fmor', undefined],
  ['a word of two letters has no spelling', 'th', undefined],
  ['nor a word with a digit', 'html6', undefined],
  ['nor does a word that stands in one page only help', 'typp', undefined],
  ['letters with marks are letters', 'hauser', 'häuser'],
  ['other alphabets', 'пуак', 'паук'],
  ['the empty word', '', undefined],
  ['an endless word', 'x'.repeat(5_000), undefined],
  ['the word itself is no suggestion', 'frontier', undefined],
]
for (const [sentence, word, first] of found) {
  test(`${sentence}: ${word.slice(0, 20)}`, () => assert.equal(speller.suggest(word)[0]?.term, first))
}

test('suggestions say how far and how frequent', () => {
  assert.deepEqual(speller.suggest('crawlerz', 2), [
    { term: 'crawler', distance: 1, frequency: 300 },
    { term: 'crawlers', distance: 1, frequency: 120 },
  ])
})

const known = new Map(pairs)
const misspelt: [sentence: string, word: string, corrected: string | undefined][] = [
  ['an unknown word is replaced', 'crawelr', 'crawler'],
  ['a short one too', 'teh', 'the'],
  ['a frequent word is never replaced, however near a more frequent one', 'form', undefined],
  ['a right word stays', 'crawler', undefined],
]
for (const [sentence, word, corrected] of misspelt) {
  test(`${sentence}: ${word}`, () => assert.equal(speller.correction(word, known.get(word) ?? 0), corrected))
}

test('a rare word gives way to one ten times as frequent, or a hundred times for two slips', () => {
  const small = new Speller([
    ['abandon', 29],
    ['elephant', 30],
    ['zeppelin', 300],
  ])
  assert.equal(small.correction('abandin', 3), undefined)
  assert.equal(small.correction('elephent', 3), 'elephant')
  assert.equal(small.correction('elophent', 3), undefined)
  assert.equal(small.correction('zoppelen', 3), 'zeppelin')
  assert.equal(small.correction('elephent', 4), undefined)
})

test('of more words than it may keep, the most frequent stay, and of equals the first', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), minLength: 3, maxLength: 6 })),
      fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 40, maxLength: 40 }),
      fc.integer({ min: 1, max: 5 }),
      (terms, frequencies, most) => {
        const all = terms.map((term, at) => [term, frequencies[at % 40]!] as const)
        const kept = all
          .filter(([, count]) => count >= 2)
          .toSorted((a, b) => b[1] - a[1])
          .slice(0, most)
        const small = new Speller(all, most)
        assert.equal(small.size, kept.length)
        // Whatever is kept is suggested for itself with one letter more.
        for (const [term] of all) {
          const isKnown = small.suggest(`${term}x`, 50).some((one) => one.term === term)
          assert.equal(
            isKnown,
            kept.some(([one]) => one === term),
          )
        }
      },
    ),
  )
})

test('suggestions are those of measuring every word', () => {
  const letters = fc.constantFrom('a', 'b', 'e', 'r', 'ä', 'ж')
  const words = fc.string({ unit: letters, minLength: 3, maxLength: 8 })
  fc.assert(
    fc.property(fc.uniqueArray(words, { maxLength: 60 }), words, (terms, word) => {
      const limit = word.length <= 4 ? 1 : 2
      const expected = terms
        .map((term, at) => ({ term, distance: editDistance(word, term), frequency: 2 + (at % 7) }))
        .filter(({ distance }) => distance > 0 && distance <= limit)
        .toSorted((a, b) => a.distance - b.distance || b.frequency - a.frequency || (a.term < b.term ? -1 : 1))
      const all = new Speller(terms.map((term, at) => [term, 2 + (at % 7)]))
      assert.deepEqual(all.suggest(word, 100), expected)
    }),
  )
})

test('a speller without words knows nothing and says so', () => {
  const empty = new Speller([])
  assert.deepEqual([empty.size, empty.suggest('crawler'), empty.correction('crawler', 0)], [0, [], undefined])
})
