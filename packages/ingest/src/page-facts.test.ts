import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PageRow } from '@comity/collection'
import { pageFacts } from './page-facts.ts'
import type { PageFact } from './page-facts.ts'

const URL_OF = 'https://a.example/'
const row = (more: Partial<PageRow> = {}): PageRow => ({
  site: 0,
  outcome: 'ok',
  status: 200,
  visitedAt: 1_000,
  visits: 1,
  changes: 0,
  bytes: 12,
  timings: {},
  ...more,
})
const namesOf = (more: Partial<PageRow>): string[] => pageFacts({ url: URL_OF, row: row(more) }).map(({ name }) => name)

const cases: [sentence: string, more: Partial<PageRow>, name: string, value: string | number | undefined][] = [
  ['how the last visit ended', {}, 'Last outcome', 'ok'],
  ['what went wrong', { problem: 'it broke off' }, 'Problem', 'it broke off'],
  ['no status of a page that never answered', { status: 0 }, 'Status', undefined],
  ['no size of what has none', { bytes: 0 }, 'Size', undefined],
  ['both validators', { etag: '"1"', lastModified: 'then' }, 'Validators', '"1", then'],
  ['what it asks robots for', { noindex: true, nofollow: true }, 'Asks for', 'noindex, nofollow'],
  ['nothing where it asks for nothing', {}, 'Asks for', undefined],
  [
    'a canonical address that is another',
    { canonical: 'https://a.example/b' },
    'Canonical address',
    'https://a.example/b',
  ],
  ['that it needs scripts', { needsScripts: true }, 'Without scripts', 'shows next to nothing: its words are not held'],
  ['none that is its own', { canonical: URL_OF }, 'Canonical address', undefined],
  ['how near it is to the topic', { similarity: 0.5, isHot: true }, 'Topic', 'hot, similarity 0.500'],
  ['how many redirects led on from it, as a number', { hops: 2 }, 'Redirects in a row', 2],
  ['a time of nothing too, as it was measured', { timings: { connectMs: 0 } }, 'Time to connect', 0],
]
for (const [sentence, more, name, value] of cases)
  test(`a page's facts tell ${sentence}`, () => {
    assert.equal(pageFacts({ url: URL_OF, row: row(more) }).find((fact) => fact.name === name)?.value, value)
  })

test('a page that was never visited has no facts, and a fact that is not known takes no room', () => {
  assert.deepEqual(pageFacts({ url: URL_OF, row: undefined }), [])
  assert.deepEqual(namesOf({}), ['Last outcome', 'Status', 'Size', 'Last visited'])
})

test('the compiler holds each kind of fact to the type of its value', () => {
  // @ts-expect-error -- a number that nobody said how to show.
  const number: PageFact = { name: 'A number', kind: 'text', value: 1 }
  // @ts-expect-error -- words that would be shown as a time.
  const words: PageFact = { name: 'Words', kind: 'duration', value: 'long' }
  const count: PageFact = { name: 'A count', kind: 'count', value: 1 }
  assert.deepEqual([number.kind, words.kind, count.kind], ['text', 'duration', 'count'])
})
