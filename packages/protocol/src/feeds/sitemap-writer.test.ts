import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { PageEntry } from './page-entry.ts'
import { readSitemap } from './sitemap.ts'
import type { SitemapFile } from './sitemap-files.ts'
import { writeSitemaps } from './sitemap-writer.ts'

const url = 'https://a.example/sitemap.xml'
const place = { url, partUrl: (number: number) => `https://a.example/sitemap-${number}.xml` }
const text = ({ chunks }: SitemapFile): string => chunks.join('')
const pages = (count: number): PageEntry[] =>
  Array.from({ length: count }, (_, i) => ({ url: `https://a.example/${i}`, modifiedAt: Date.UTC(2026, 0, 1) }))

test('a sitemap says where pages are and when they changed', () => {
  const [file, ...more] = writeSitemaps(
    [{ url: 'https://a.example/ü?a&b', modifiedAt: 1_000, bytes: 7 }, { url }],
    place,
  )
  assert.deepEqual(more, [])
  assert.equal(
    file && text(file),
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
      '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n' +
      '<url><loc>https://a.example/%C3%BC?a&amp;b</loc><lastmod>1970-01-01T00:00:01Z</lastmod></url>\n' +
      '<url><loc>https://a.example/sitemap.xml</loc></url>\n' +
      '</urlset>\n',
  )
})

test('120,000 pages are three parts and an index, each within the limits of the protocol', () => {
  const files = [...writeSitemaps(pages(120_000), { ...place, partModifiedAt: (number) => number * 1_000 })]
  assert.deepEqual(
    files.map((file) => [file.url, file.number, file.entries]),
    [
      [place.partUrl(1), 1, 50_000],
      [place.partUrl(2), 2, 50_000],
      [place.partUrl(3), 3, 20_000],
      [url, 0, 3],
    ],
  )
  const read = files.map((file) => readSitemap(Buffer.from(text(file)), file.url))
  for (const { summary } of read) assert.deepEqual([summary.problems, summary.dropped], [{}, 0])
  assert.deepEqual(read[3]?.entries[1], { kind: 'sitemap', loc: place.partUrl(2), lastmod: 2_000 })
  assert.equal(read[2]?.entries.at(-1)?.loc, 'https://a.example/119999')
})

test('a part is asked for its age only after it was given out', () => {
  const seen: number[] = []
  const partModifiedAt = (number: number): number => {
    assert.equal(seen.at(-1), number)
    return 0
  }
  for (const file of writeSitemaps(pages(3), { ...place, partModifiedAt }, { maxBytes: 9_999, maxEntries: 1 })) {
    seen.push(file.number)
  }
  assert.deepEqual(seen, [1, 2, 3, 0])
})

test('files are split by bytes too, and none is larger than allowed', () => {
  const long = pages(500).map((page) => ({ url: `${page.url}?${'&'.repeat(300)}` }))
  const files = [...writeSitemaps(long, place, { maxBytes: 20_000, maxEntries: 50_000 })]
  const parts = files.slice(0, -1)
  for (const { bytes } of parts.slice(0, -1)) assert.ok(bytes <= 20_000 && bytes > 16_000)
  assert.deepEqual(
    parts.flatMap((file) => readSitemap(Buffer.from(text(file)), file.url).entries.map(({ loc }) => loc)),
    long.map((page) => page.url),
  )
})

test('what a sitemap may not list is left out and counted', () => {
  const bad = ['ftp://a.example/', 'nonsense', `https://a.example/${'x'.repeat(2_048)}`].map((one) => ({ url: one }))
  const [file] = writeSitemaps([...bad, { url }], place)
  assert.deepEqual([file?.entries, file?.skipped], [1, 3])
})

test('a site without pages has an empty sitemap', () => {
  const [file] = writeSitemaps([], place)
  assert.deepEqual(readSitemap(Buffer.from(file ? text(file) : ''), url).summary, {
    format: 'urlset',
    entries: 0,
    dropped: 0,
    problems: {},
  })
})

test('more parts than an index may have, and parts without a URL, are errors', () => {
  const tiny = { maxBytes: 9_999, maxEntries: 1 }
  const write = (): number => [...writeSitemaps(pages(50_001), place, tiny)].length
  assert.throws(write, /RangeError: an index of 50001 parts/)
  assert.throws(() => [...writeSitemaps(pages(4), { ...place, partUrl: () => 'x' }, tiny)], /cannot stand at "x"/)
})

test('pages that were written are read as they were', () => {
  const page = fc.record(
    {
      url: fc.webUrl({ withQueryParameters: true, withFragments: true }).map((raw) => new URL(raw).href),
      modifiedAt: fc.integer({ min: Date.UTC(1_000, 0), max: Date.UTC(9_999, 0) }),
    },
    { requiredKeys: ['url'], noNullPrototype: true },
  )
  const property = fc.property(fc.array(page), fc.integer({ min: 4, max: 9 }), (list, maxEntries) => {
    const files = [...writeSitemaps(list, place, { maxBytes: 9_999, maxEntries })]
    const parts = files.length === 1 ? files : files.slice(0, -1)
    const read = parts.flatMap((file) => readSitemap(Buffer.from(text(file)), file.url).entries)
    const expected = list.map(({ url: loc, modifiedAt }) => ({
      kind: 'page',
      loc,
      ...(modifiedAt === undefined ? {} : { lastmod: modifiedAt }),
    }))
    assert.deepEqual(read, expected)
  })
  fc.assert(property)
})
