import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { documentFilter } from './document-filter.ts'
import { FrameCache } from '../format/frame-cache.ts'
import { parseQuery } from './parser.ts'
import { sampleSegment, testFolder } from '../testing/sample-index.ts'
import type { SampleDocument } from '../testing/sample-index.ts'

const NOW = Date.UTC(2026, 10, 15)
const DAY = 86_400_000

const pages: Record<string, { url: string; type?: string; language?: string; daysAgo?: number }> = {
  home: { url: 'https://example.org/' },
  docs: { url: 'https://example.org/docs/a', language: 'de', daysAgo: 3 },
  docsNot: { url: 'https://example.org/docsnot', type: 'application/pdf' },
  below: { url: 'https://www.example.org/docs', language: 'de-AT', daysAgo: 9 },
  port: { url: 'http://example.org:8080/docs/b', type: 'text/plain' },
  other: { url: 'https://notexample.org/docs', language: 'en', type: 'image/png', daysAgo: 30 },
}

const cases: [query: string, found: string][] = [
  ['', 'home docs docsNot below port other'],
  ['site:example.org', 'home docs docsNot below port'],
  ['site:example.org/docs', 'docs below port'],
  ['site:example.org:8080', 'port'],
  ['site:www.example.org,notexample.org', 'below other'],
  ['-site:example.org', 'other'],
  ['-site:example.org/docs', 'home docsNot other'],
  ['site:example.org -site:www.example.org', 'home docs docsNot port'],
  ['site:notexample.org/docs site:www.example.org', 'below other'],
  ['type:html', 'home docs below'],
  ['type:pdf,text', 'docsNot port'],
  ['-type:image', 'home docs docsNot below port'],
  ['lang:de', 'docs below'],
  ['-lang:de', 'home docsNot port other'],
  ['since:1w', 'home docs docsNot port'],
  ['since:2026-11-12', 'home docs docsNot port'],
  ['lang:de since:7d site:example.org type:html', 'docs'],
  ['site:nowhere.example', ''],
]

test('each filter lets through the pages it names', async (t) => {
  const documents = Object.values(pages).map(({ url, type, language, daysAgo }, key): SampleDocument => {
    const [site, at] = [new URL(url).origin, NOW - (daysAgo ?? 0) * DAY]
    const entry = { key, url, group: key, length: 0, site, type: type ?? 'text/html', language: language ?? 'und', at }
    return { entry, words: [] }
  })
  using segment = sampleSegment(join(testFolder(t), 's1.seg'), documents, new FrameCache(1 << 20))
  for (const [query, found] of cases) {
    await t.test(`${query || 'no filter'} finds ${found || 'nothing'}`, () => {
      const passes = documentFilter(parseQuery(query, NOW).filters, segment)
      const names = Object.keys(pages).filter((_, key) => passes(segment.columns.find(key)))
      assert.equal(names.join(' '), found)
    })
  }
})
