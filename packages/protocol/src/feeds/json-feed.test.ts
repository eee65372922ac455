import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readSitemap } from './sitemap.ts'

const AT = 'https://a.example/feed.json'
const VERSION = 'https://jsonfeed.org/version/1.1'
const at = Date.UTC(2026, 0, 2)
const feedOf = (items: unknown, version: unknown = VERSION): string => JSON.stringify({ version, title: 'News', items })
const item = { id: '1', url: 'https://a.example/1' }
const page = { kind: 'page', loc: 'https://a.example/1' }

const cases: [sentence: string, text: string, entries: object[], format: string, problems?: object][] = [
  ['a page with no date', feedOf([item]), [page], 'json-feed'],
  [
    'the later of two dates is the one of its change',
    feedOf([{ ...item, date_published: '2025-01-01T00:00:00Z', date_modified: '2026-01-02T01:00:00+01:00' }]),
    [{ ...page, lastmod: at }],
    'json-feed',
  ],
  [
    'one that never changed is as old as it is',
    feedOf([{ ...item, date_published: '2026-01-02' }]),
    [{ ...page, lastmod: at }],
    'json-feed',
  ],
  [
    'a date that is none is counted',
    feedOf([{ ...item, date_modified: 'soon' }]),
    [page],
    'json-feed',
    { 'bad-date': 1 },
  ],
  ['a relative address is resolved', feedOf([{ id: 'x', url: '1' }]), [page], 'json-feed'],
  ['an id may be the address', feedOf([{ id: 'https://a.example/1' }]), [page], 'json-feed'],
  [
    'an id that is none, what it links to elsewhere, and what is no item are not',
    feedOf([{ id: '7', external_url: 'https://b.example/' }, null, 7, ['x'], { url: 7 }]),
    [],
    'json-feed',
    { 'missing-loc': 5 },
  ],
  ['version 1, with www and without TLS', feedOf([item], 'http://www.jsonfeed.org/version/1'), [page], 'json-feed'],
  ['another version', feedOf([item], 'https://jsonfeed.org/version/2'), [], 'unknown', { 'unknown-version': 1 }],
  ['other JSON', '{"a":1}', [], 'unknown', { 'unknown-version': 1 }],
  ['items that are none', feedOf({ 0: item }), [], 'unknown', { 'unknown-version': 1 }],
  ['what breaks off', feedOf([item]).slice(0, -3), [], 'unknown', { 'malformed-json': 1 }],
  ['behind blanks and a byte order mark', `\uFEFF \n${feedOf([item])}`, [page], 'json-feed'],
  ['one that is too large', feedOf([item, { id: 'x'.repeat(5 << 20) }]), [], 'unknown', { 'too-large': 1 }],
]
for (const [sentence, text, entries, format, problems = {}] of cases) {
  test(`JSON Feed: ${sentence}`, () => {
    const read = readSitemap(Buffer.from(text), AT)
    assert.deepEqual(read.entries, entries)
    assert.deepEqual(
      [read.summary.format, read.summary.problems, read.summary.isWhole, read.summary.entries],
      [format, problems, false, entries.length],
    )
  })
}

test('whatever the values, each item is a page or is counted', () => {
  const anything = fc.dictionary(fc.constantFrom('id', 'url', 'date_modified', '__proto__', 'x'), fc.jsonValue())
  fc.assert(
    fc.property(fc.array(fc.oneof(anything, fc.jsonValue())), (items) => {
      const { entries, summary } = readSitemap(Buffer.from(feedOf(items)), AT)
      const { 'missing-loc': none = 0, 'bad-loc': bad = 0, 'loc-too-long': long = 0 } = summary.problems
      assert.equal(entries.length + none + bad + long, items.length)
      assert.equal(summary.isWhole, false)
    }),
  )
})
