import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseQuery } from '../query/parser.ts'
import { wantedLeaves } from '../query/query.ts'
import { textMatches } from './text-matches.ts'

/** The text with its matches in brackets, overlapping ones together. */
function marked(text: string, query: string, language: string): string {
  const matches = textMatches(text, wantedLeaves(parseQuery(query, 0).tree), language)
  const isIn = (at: number): boolean => matches.some(({ start, end }) => start <= at && at < end)
  let shown = ''
  for (let at = 0; at <= text.length; at++) {
    if (isIn(at) && !isIn(at - 1)) shown += '['
    if (!isIn(at) && isIn(at - 1)) shown += ']'
    shown += text.charAt(at)
  }
  return shown
}

const cases: [sentence: string, text: string, query: string, marked: string, language?: string][] = [
  ['a word wherever it stands', 'The cat and the Cat.', 'cat', 'The [cat] and the [Cat].'],
  ['other forms of a word', 'She runs, he was running.', 'run', 'She [runs], he was [running].'],
  ['words of a language by its rules', 'Die Häuser am Haus', 'haus', 'Die [Häuser] am [Haus]', 'de'],
  ['a phrase as one', 'black dog, black cat, cat', '"black cat"', 'black dog, [black cat], cat'],
  ['a phrase that begins again within itself', 'a a a b', '"a a b"', 'a [a a b]'],
  ['phrases that overlap', 'a b a b a', '"a b a"', '[a b a b a]'],
  ['a compound as a phrase', 'java util java.util.HashMap', 'java.util.HashMap', 'java util [java.util.HashMap]'],
  ['a prefix', 'crawler crawling craw', 'crawl*', '[crawler] [crawling] craw'],
  ['a prefix with accents that the text has not', 'cafeteria', 'café*', '[cafeteria]'],
  ['a whole word with a star', 'running runs', 'running*', '[running] [runs]'],
  ['nothing that must not be there', 'cat dog', 'cat -dog', '[cat] dog'],
  ['words in a zone, too', 'cat dog', 'title:dog', 'cat [dog]'],
  ['characters beyond the first plane', '😀 𝒜bc 文字', '文字', '😀 𝒜bc [文字]', 'zh'],
  ['nothing for a query without words', 'cat', '"..."', 'cat'],
]
for (const [sentence, text, query, expected, language = 'en'] of cases) {
  test(`marks ${sentence}`, () => assert.equal(marked(text, query, language), expected))
}

test('matches name the leaf they match', () => {
  const leaves = wantedLeaves(parseQuery('cat dog', 0).tree)
  assert.deepEqual(textMatches('dog cat', leaves, 'en'), [
    { start: 0, end: 3, term: 1 },
    { start: 4, end: 7, term: 0 },
  ])
})

test('a page of nothing but matches gives no more than are needed, and its end is not looked at', () => {
  const leaves = wantedLeaves(parseQuery('a', 0).tree)
  const found = textMatches('a '.repeat(500_000), leaves, 'en')
  assert.ok(found.length >= 8 && found.length < 5_000, String(found.length))
  assert.deepEqual(textMatches(`${'b '.repeat(150_000)}a`, leaves, 'en'), [])
})
