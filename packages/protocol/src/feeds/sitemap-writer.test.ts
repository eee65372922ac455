import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { PageEntry } from './page-entry.ts'
import { readSitemap } from './sitemap.ts'
import { writeSitemap, writeSitemapIndex } from './sitemap-writer.ts'

const url = 'https://a.example/sitemap.xml'
const pages = (count: number): PageEntry[] =>
  Array.from({ length: count }, (_, i) => ({ url: `https://a.example/${i}`, modifiedAt: Date.UTC(2026, 0, 1) }))

test('a sitemap says where pages are and when they changed', () => {
  assert.equal(
    writeSitemap([{ url: 'https://a.example/ü?a&b', modifiedAt: 1_000, bytes: 7 } as PageEntry, { url }]),
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
      '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n' +
      '<url><loc>https://a.example/%C3%BC?a&amp;b</loc><lastmod>1970-01-01T00:00:01Z</lastmod></url>\n' +
      '<url><loc>https://a.example/sitemap.xml</loc></url>\n' +
      '</urlset>\n',
  )
})

test('an index says where the parts are and when they changed', () => {
  const parts = [{ url: 'https://a.example/1.xml', modifiedAt: 2_000 }, { url: 'https://a.example/2.xml' }]
  assert.deepEqual(readSitemap(Buffer.from(writeSitemapIndex(parts)), url).entries, [
    { kind: 'sitemap', loc: 'https://a.example/1.xml', lastmod: 2_000 },
    { kind: 'sitemap', loc: 'https://a.example/2.xml' },
  ])
})

test('more entries or bytes than one file may have are an error that says so', () => {
  assert.throws(() => writeSitemap(pages(50_001)), /RangeError: 50001 entries are more/)
  assert.throws(
    () => writeSitemap(pages(500), { maxBytes: 9_999, maxEntries: 500 }),
    /RangeError: a sitemap of \d+ bytes/,
  )
  const read = readSitemap(Buffer.from(writeSitemap(pages(50_000))), url)
  assert.deepEqual([read.entries.length, read.summary.problems, read.summary.dropped], [50_000, {}, 0])
})

test('what a sitemap may not list is left out', () => {
  const bad = ['ftp://a.example/', 'nonsense', `https://a.example/${'x'.repeat(2_048)}`].map((one) => ({ url: one }))
  assert.equal(writeSitemap([...bad, { url }]), writeSitemap([{ url }]))
})

test('a site without pages has an empty sitemap', () => {
  assert.deepEqual(readSitemap(Buffer.from(writeSitemap([])), url).summary, {
    format: 'urlset',
    entries: 0,
    dropped: 0,
    isWhole: true,
    problems: {},
  })
})

test('pages that were written are read as they were', () => {
  const page = fc.record(
    {
      url: fc.webUrl({ withQueryParameters: true, withFragments: true }).map((raw) => new URL(raw).href),
      modifiedAt: fc.integer({ min: Date.UTC(1_000, 0), max: Date.UTC(9_999, 0) }),
    },
    { requiredKeys: ['url'], noNullPrototype: true },
  )
  const property = fc.property(fc.array(page), (list) => {
    const read = readSitemap(Buffer.from(writeSitemap(list)), url).entries
    const expected = list.map(({ url: loc, modifiedAt }) => ({
      kind: 'page',
      loc,
      ...(modifiedAt === undefined ? {} : { lastmod: modifiedAt }),
    }))
    assert.deepEqual(read, expected)
  })
  fc.assert(property)
})
