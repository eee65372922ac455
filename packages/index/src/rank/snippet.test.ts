import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { processorMs } from '@comity/protocol/testing'
import type { Snippet } from '../search-types.ts'
import { makeSnippet, SNIPPET_LENGTH, type TextMatch } from './snippet.ts'

const page = [
  'Home',
  'Crawler',
  'Polite robots',
  'Contact',
  'Comity is a crawler that asks before it comes. It reads robots.txt first, and rests between two visits in ' +
    'proportion to how slow the answer was. A polite crawler is a welcome guest. Its frontier holds every URL it ever ' +
    'heard of, and hands out one lease for each address at a time, so that a farm of a thousand names on one machine ' +
    'still meets one visitor.',
  'See also',
  'The index keeps the words. Every segment is immutable and checked.',
  'Copyright',
].join('\n')

const cases: [sentence: string, text: string, terms: string[], expected: string][] = [
  [
    'words near each other in a sentence come before the menu, and a heading behind is left out',
    page,
    ['polite', 'crawler'],
    'A [polite] [crawler] is a welcome guest. Its frontier holds every URL it ever heard of, and hands out one lease ' +
      'for each address at a time, so that a farm of a thousand names on one machine still meets one visitor.',
  ],
  [
    'a sentence too long is cut between words',
    page,
    ['robots', 'frontier'],
    'It reads [robots].txt first, and rests between two visits in proportion to how slow the answer was. A polite ' +
      'crawler is a welcome guest. Its [frontier] holds every URL it ever heard of, and hands out one lease for each ' +
      'address at a time, so …',
  ],
  [
    'at the end of a page, sentences before fill the room',
    page,
    ['segment'],
    'See also The index keeps the words. Every [segment] is immutable and checked. Copyright',
  ],
  [
    'without matches, a page is shown from its first prose on',
    page,
    [],
    'Comity is a crawler that asks before it comes. It reads robots.txt first, and rests between two visits in ' +
      'proportion to how slow the answer was. A polite crawler is a welcome guest.',
  ],
  ['without prose, from its longest line', 'Home\nA table of many numbers\nx', [], 'A table of many numbers x'],
  ['a match in the menu is shown when there is no other', 'Home\nContact', ['contact'], 'Home [Contact]'],
  ['an empty page has an empty snippet', '', [], ''],
  ['blanks and control characters fold', 'a  \u0000 needle\n\nb', ['needle'], 'a [needle] b'],
  ['what turns the writing is gone', 'a \u202Eneedle\u202C b', ['needle'], 'a [needle] b'],
  ['overlapping matches are one mark', 'a needlework b', ['needle', 'lework'], 'a [needlework] b'],
]
for (const [sentence, text, terms, expected] of cases) {
  test(sentence, () => assert.equal(marked(makeSnippet(text, matchesOf(text, terms))), expected))
}

test('a long sentence is cut on both sides', () => {
  const text = `${'left '.repeat(100)}needle${' right'.repeat(100)}`
  const snippet = marked(makeSnippet(text, matchesOf(text, ['needle'])))
  assert.match(snippet, /^… (left )+\[needle\]( right)+ …$/)
})

test('text without blanks is cut between its words', () => {
  const text = '検索エンジンはウェブページを集める'.repeat(40)
  const { text: shown } = makeSnippet(text, matchesOf(text, ['集める']).slice(20, 21))
  assert.match(shown, /^… (?:検索|エンジン|は|ウェブ|ページ|を|集める)+ …$/)
})

test('a phrase is not cut, and more terms outweigh fewer', () => {
  const text = `one two three. ${'filler words go here. '.repeat(30)}one. ${'more filler. '.repeat(30)}one two three four.`
  const matches = matchesOf(text, ['one two three', 'four'])
  assert.match(marked(makeSnippet(text, matches)), /\[one two three\] \[four\]/)
})

test('a rare term is worth more than two frequent ones', () => {
  const text = `alpha beta stand here. ${'Filler words go here. '.repeat(30)}gamma stands here.`
  const matches = matchesOf(text, ['alpha', 'beta', 'gamma'])
  assert.match(marked(makeSnippet(text, matches)), /\[alpha\] \[beta\]/)
  assert.match(marked(makeSnippet(text, matches, { weights: [1, 1, 5] })), /\[gamma\]/)
})

test('a match longer than a snippet is cut', () => {
  const text = 'x'.repeat(1_000)
  const { text: shown, marks } = makeSnippet(text, [{ start: 100, end: 900, term: 0 }])
  assert.ok(shown.length <= SNIPPET_LENGTH)
  assert.equal(marks.length, 1)
})

test('matches may come in any order, and those that are none are passed over', () => {
  const odd = [
    { start: 5, end: 9, term: 1 },
    { start: 0, end: 4, term: 0 },
    { start: -3, end: 2, term: 2 },
    { start: 3, end: 3, term: 2 },
    { start: 8, end: 99, term: 2 },
  ]
  assert.equal(marked(makeSnippet('some text', odd)), '[some] [text]')
})

test('a text of millions is looked at in its beginning only', () => {
  const text = `${'word '.repeat(60_000)}needle`.repeat(10)
  const started = processorMs()
  const { marks } = makeSnippet(text, matchesOf(text, ['needle']))
  assert.deepEqual(marks, [])
  assert.ok(processorMs() - started < 500)
})

test('whatever the text, a snippet is short, clean and well marked', () => {
  const pieces = fc.constantFrom(
    'a',
    'word',
    'needle',
    ' ',
    ' ',
    '. ',
    '\n',
    '😀',
    '👩\u200d🚀',
    '検索。',
    '\u202E',
    '\u0007',
    '\ud83d',
    'e\u0301',
  )
  const texts = fc.array(pieces, { maxLength: 150 }).map((parts) => parts.join(''))
  const runs = fc.array(fc.record({ start: fc.nat(600), length: fc.integer({ min: 1, max: 60 }), term: fc.nat(4) }), {
    maxLength: 12,
  })
  fc.assert(
    fc.property(texts, runs, fc.integer({ min: 40, max: 260 }), (text, lengths, length) => {
      const matches = lengths.map(({ start, length: size, term }) => ({ start, end: start + size, term }))
      const snippet = makeSnippet(text, matches, { length })
      assert.ok(snippet.text.length <= length, `${snippet.text.length} of ${length}`)
      assert.doesNotMatch(snippet.text, /\p{Cc}|[\u202a-\u202e]| {2}|^ | $/u)
      let end = 0
      for (const [from, to] of snippet.marks) {
        assert.ok((from > end || (from === 0 && end === 0)) && to > from && to <= snippet.text.length)
        for (const cut of [snippet.text.slice(end, from), snippet.text.slice(from, to)]) assert.ok(cut.isWellFormed())
        end = to
      }
      const isVisible = matches.some(({ start, end: to }) => to <= text.length && /[a-z]/.test(text.slice(start, to)))
      if (isVisible && matches.every(({ start, end: to }) => /^[a-z]/.test(text.slice(start, to))))
        assert.ok(snippet.marks.length > 0)
    }),
    { numRuns: 1_000 },
  )
})

function matchesOf(text: string, terms: readonly string[]): TextMatch[] {
  return terms
    .flatMap((term, number) =>
      Array.from(text.matchAll(new RegExp(term, 'gi')), ({ index }) => ({
        start: index,
        end: index + term.length,
        term: number,
      })),
    )
    .toSorted((a, b) => a.start - b.start)
}

function marked({ text, marks }: Snippet): string {
  let at = 0
  let out = ''
  for (const [start, end] of marks) {
    out += `${text.slice(at, start)}[${text.slice(start, end)}]`
    at = end
  }
  return out + text.slice(at)
}
