import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isPlain, matchCandidates } from './match-candidates.ts'
import { termOf } from '../text/terms.ts'
import { eachWord } from '../text/words.ts'

const pieces = (text: string, beginnings: readonly string[]): string[] =>
  Array.from(matchCandidates(text, beginnings, text.length), ([start, end]) => text.slice(start, end))

const cases: [sentence: string, text: string, beginnings: string[], pieces: string[]][] = [
  ['a word by its first letters, in either case', 'A Crawler crawls.', ['crawl'], ['Crawler', 'crawls.']],
  ['not in the middle of a word', 'a scrawl, recrawled', ['crawl'], []],
  ['a compound whole', 'see java.util.HashMap here', ['util'], ['java.util.HashMap']],
  ['a compound once', 'a-b a-b-a', ['a-'.slice(0, 1)], ['a-b', 'a-b-a']],
  ['endings that stemming changed', 'happy happiness', ['happi'], ['happy', 'happiness']],
  ['words with letters that fold', 'die Häuser am Ort', ['haus'], ['Häuser']],
  ['nothing', '', ['word'], []],
]
for (const [sentence, text, beginnings, expected] of cases)
  test(`finds ${sentence}`, () => assert.deepEqual(pieces(text, beginnings), expected))

test('a long run without a space is cut', () => {
  const text = 'x'.repeat(500) + '-word-' + 'y'.repeat(500)
  assert.ok(pieces(text, ['word']).every((piece) => piece.length <= 200 && piece.includes('word')))
})

test('only plain beginnings can be looked for', () => {
  assert.deepEqual(
    [isPlain(['word', 'x86']), isPlain(['文']), isPlain(['']), isPlain(['c++'])],
    [true, false, false, false],
  )
})

test('pieces are in order, apart from each other, and hold every word that has become the term', () => {
  const words = fc.constantFrom(
    'crawl',
    'Crawler',
    'crawling',
    'CRAWLS',
    'café',
    'Cafés',
    'dog-house',
    'x.y',
    'İstanbul',
  )
  fc.assert(
    fc.property(fc.array(words), fc.constantFrom('crawl', 'cafe', 'dog'), (list, term) => {
      const text = list.join(' ')
      let before = 0
      const found = [...matchCandidates(text, [term], text.length)]
      for (const [start, end] of found) {
        assert.ok(start >= before && end > start && end <= text.length)
        before = end
      }
      eachWord(text, (start, end) => {
        if (termOf(text.slice(start, end), 'en') === term)
          assert.ok(found.some((piece) => piece[0] <= start && end <= piece[1]))
      })
    }),
  )
})
