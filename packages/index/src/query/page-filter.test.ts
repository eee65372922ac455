import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageFilter } from './page-filter.ts'
import type { FilteredPage } from './page-filter.ts'

const NOW = Date.UTC(2026, 2, 31)
const page: FilteredPage = {
  url: 'https://docs.example.org/guide/x',
  type: 'text/html',
  language: 'de-AT',
  firstSeenAt: NOW - 2 * 86_400_000,
}

const cases: readonly [query: string, isThere: boolean][] = [
  ['', true],
  ['site:example.org', true],
  ['site:example.org/guide', true],
  ['site:example.org/other', false],
  ['-site:docs.example.org', false],
  ['site:example.org -site:other.example', true],
  ['type:html', true],
  ['type:pdf,html', true],
  ['-type:html', false],
  ['lang:de', true],
  ['lang:en', false],
  ['-lang:en -type:pdf', true],
  ['-lang:en -type:html', false],
  ['since:7d', true],
  ['since:1d', false],
  ['since:7d type:html site:example.org lang:de', true],
]
for (const [query, isThere] of cases) {
  test(`a page is ${isThere ? '' : 'not '}among ${query === '' ? 'all' : query}`, () => {
    const isWanted = pageFilter(query, NOW)
    assert.ok(typeof isWanted === 'function', String(isWanted))
    assert.equal(isWanted(page), isThere)
  })
}

for (const query of ['words', '-words', 'site:example.org words', 'title:x', '"a phrase"']) {
  test(`${query} is no filter, and a sentence says what is`, () => {
    assert.match(String(pageFilter(query, NOW)), /site: type: lang: since:/)
  })
}

test('a filter that cannot be read is told as search tells it', () =>
  assert.match(String(pageFilter('since:yesterday', NOW)), /as in since:/))
