import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { processorMs } from '../testing/processor-time.ts'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { missing, sharedData } from '../testing/shared-data.ts'
import type { SitemapFormat } from './list-formats.ts'
import { createSitemapReader, readSitemap, type SitemapSummary } from './sitemap.ts'

const url = 'https://a.example/sitemap.xml'
type Problems = SitemapSummary['problems']

test('a line of a plain list is too long in one piece as in many', { timeout: 10_000 }, () => {
  const line = `http://a.example/${'a'.repeat(500)}${' '.repeat(1_700)}b${' '.repeat(100)}c`
  const pagesBy = (size: number): unknown => {
    const found: string[] = []
    const reader = createSitemapReader({ url, onEntry: ({ loc }) => found.push(loc) })
    const bytes = Buffer.from(`http://a.example/1\n${line}\nhttp://a.example/2\n`)
    for (let at = 0; at < bytes.length; at += size) reader.write(bytes.subarray(at, at + size))
    return [found, reader.end().problems]
  }
  assert.deepEqual(pagesBy(7), [['http://a.example/1', 'http://a.example/2'], { 'loc-too-long': 1 }])
  assert.deepEqual(pagesBy(10_000), pagesBy(7))
})

// oxfmt-ignore
const files: [file: string, format: SitemapFormat, entries: number, dated: number, problems?: Problems][] = [
  ['rss/feed.rss', 'rss', 4, 1],
  ['rss/xmlRss_pubDate.xml', 'rss', 7, 4, { 'bad-date': 1 }],
  ['sitemaps/atom.xml', 'atom', 1, 1],
  ['sitemaps/do-not-visit.txt', 'text', 1, 0],
  ['sitemaps/extension/hebdenbridgetimes-articles-sitemap.xml', 'urlset', 74, 74],
  ['sitemaps/extension/pagemaps-sitemap.xml', 'urlset', 2, 0],
  ['sitemaps/extension/shinpaideshou-news-sitemap.xml', 'urlset', 3, 0],
  ['sitemaps/extension/sitemap-images.xml', 'urlset', 1, 0],
  ['sitemaps/extension/sitemap-links.xml', 'urlset', 3, 0],
  ['sitemaps/extension/sitemap-mobile.xml', 'urlset', 3, 0],
  ['sitemaps/extension/sitemap-news.xml', 'urlset', 2, 0],
  ['sitemaps/extension/sitemap-videos-tvshow.xml', 'urlset', 1, 0],
  ['sitemaps/extension/sitemap-videos.xml', 'urlset', 3, 0],
  ['sitemaps/sitemap-with-bom.txt', 'text', 2, 0],
  ['sitemaps/sitemap.badns.xml', 'urlset', 2, 0],
  ['sitemaps/sitemap.index.xml', 'sitemapindex', 15, 0],
  ['sitemaps/sitemap.ns.xml', 'urlset', 2, 0],
  ['sitemaps/sitemap.txt', 'text', 2, 0],
  ['sitemaps/sitemap.txt.gz', 'text', 5, 0],
  ['sitemaps/xmlSitemap.gz', 'urlset', 5, 4],
]
for (const [file, format, count, dated, problems = {}] of files) {
  test(`${file} is ${format} with ${count} entries, ${dated} of them dated`, (t) => {
    const path = sharedData(`conformance/crawler-commons/${file}`)
    if (path === undefined) return missing(t, 'sitemaps')
    const { entries, summary } = readSitemap(readFileSync(path), url)
    const { isWhole, ...said } = summary
    assert.deepEqual(said, { format, entries: count, dropped: 0, problems })
    const isLost = problems['missing-loc'] !== undefined || problems['loc-too-long'] !== undefined
    // A sitemap of news has the last two days.
    assert.equal(isWhole, !isLost && !file.includes('news') && !['rss', 'atom', 'unknown'].includes(format))
    assert.equal(entries.filter((entry) => entry.lastmod !== undefined).length, dated)
    assert.ok(entries.every((entry) => entry.kind === (format === 'sitemapindex' ? 'sitemap' : 'page')))
  })
}

const urlset = (count: number): string =>
  `<?xml version="1.0"?><urlset>${Array.from({ length: count }, (_, i) => `<url><loc>https://a.example/ü?${i}</loc></url>`).join('')}</urlset>`

const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le')

const bytes: [sentence: string, bytes: Uint8Array, entries: number, problems?: Problems][] = [
  ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${urlset(3)}`), 3],
  ['UTF-16, little end first', utf16(urlset(3)), 3],
  ['UTF-16, big end first', utf16(urlset(3)).swap16(), 3],
  ['Latin-1 by its declaration', Buffer.from(urlset(3).replace('?>', ' encoding="ISO-8859-1"?>'), 'latin1'), 3],
  [
    'an encoding nobody knows',
    Buffer.from(urlset(3).replace('?>', ' encoding="x-none"?>')),
    3,
    { 'unknown-encoding': 1 },
  ],
  ['UTF-8 that calls itself UTF-16', Buffer.from(urlset(3).replace('?>', ' encoding="utf-16"?>')), 3],
  ['blank lines before the declaration', Buffer.from(`\n\n${urlset(3)}`), 3],
  ['gzip', gzipSync(urlset(3)), 3],
  [
    'a list with blank and odd lines',
    Buffer.from('https://a.example/1\r\n\r\nnonsense\nhttp://b.example/'),
    2,
    { 'bad-loc': 1 },
  ],
  ['nothing', new Uint8Array(), 0],
]
for (const [sentence, data, count, problems = {}] of bytes) {
  test(`reads ${sentence}`, () => {
    const { entries, summary } = readSitemap(data, url)
    assert.deepEqual([summary.entries, summary.problems], [count, problems])
    if (count === 3) assert.equal(entries[2]?.loc, 'https://a.example/%C3%BC?2')
    assert.deepEqual(inPieces(data, 1), summary)
  })
}

// oxfmt-ignore
const PARTIAL: [sentence: string, text: string, format: SitemapFormat, isWhole: boolean][] = [
  ['a sitemap', '<urlset><url><loc>/1</loc></url></urlset>', 'urlset', true],
  ['one with a tag that is not closed', '<urlset><url><loc>/1</loc</url><url><loc>/2</loc></url></urlset>', 'urlset', false],
  ['one with a comment that is not closed', '<urlset><url><loc>/1</loc></url><!-- <url><loc>/2</loc></url></urlset>', 'urlset', false],
  ['one with a misspelt address', '<urlset><url><loc>https://a.example:x/1</loc></url><url><loc>/2</loc></url></urlset>', 'urlset', false],
  ['one in letters that cannot be read', '<urlset><url><loc>/\ufffd</loc></url><url><loc>/2</loc></url></urlset>', 'urlset', false],
  ['one with an address that is no page', '<urlset><url><loc>ftp://a.example/</loc></url><url><loc>/2</loc></url></urlset>', 'urlset', true],
  ['one whose encoding nobody needs to know', '<?xml version="1.0" encoding="x-none"?><urlset><url><loc>/1</loc></url></urlset>', 'urlset', true],
  ['a plain list', 'https://a.example/1\n\nhttps://a.example/2\n', 'text', true],
  ['one with a line that is no address', 'https://a.example/1\nand more\n', 'text', false],
  ['an excuse in plain text', 'Service unavailable\n', 'unknown', false],
  ['an excuse in JSON', '["busy"]', 'unknown', false],
  ['nothing', '', 'unknown', false],
]
for (const [sentence, text, format, isWhole] of PARTIAL) {
  test(`${sentence}: ${isWhole ? 'can' : 'cannot'} stand for all pages`, () => {
    const { summary } = readSitemap(Buffer.from(text), url)
    assert.deepEqual([summary.format, summary.isWhole], [format, isWhole])
  })
}

test('gzip that was cut or damaged gives what can be read', () => {
  const zipped = gzipSync(urlset(2_000))
  const cut = readSitemap(zipped.subarray(0, -50), url).summary
  assert.deepEqual(cut.problems, { 'bad-gzip': 1, 'malformed-xml': 1 })
  assert.ok(cut.entries > 1_500)
  const broken = Buffer.from(zipped)
  broken.fill(0xff, Math.floor(zipped.length * 0.8), Math.floor(zipped.length * 0.8) + 40)
  const read = readSitemap(broken, url).summary
  assert.ok(read.entries > 500 && read.problems['bad-gzip'] === 1)
})

test('entries beyond the limit are counted, not given out', () => {
  const { entries, summary } = readSitemap(Buffer.from(urlset(10)), url, { maxEntries: 4 })
  assert.deepEqual([entries.length, summary.entries, summary.dropped], [4, 4, 6])
})

test('bytes beyond the limit are not read, compressed or not', () => {
  const text = urlset(1_000)
  const plain = readSitemap(Buffer.from(text), url, { maxBytes: text.length / 2 }).summary
  assert.ok(plain.entries > 400 && plain.entries < 600)
  const zipped = readSitemap(gzipSync(text), url, { maxBytes: text.length / 2 }).summary
  assert.ok(zipped.entries > 100 && zipped.entries < 600)
  for (const { problems } of [plain, zipped]) assert.equal(problems['too-large'], 1)
})

test('a gzip bomb costs no more than its limit', () => {
  const bomb = gzipSync(Buffer.alloc(200 << 20, ' '))
  assert.equal(readSitemap(bomb, url).summary.problems['too-large'], 1)
})

const tenMegabytes = 10_000_000
const hostile: [name: string, text: string][] = [
  ['nothing but <', '<'.repeat(tenMegabytes)],
  [
    'entities within entities',
    `<!DOCTYPE a [${'<!ENTITY a "&b;&b;&b;">'.repeat(1_000)}]><urlset>${'&a;'.repeat(3_000_000)}`,
  ],
  ['tags without end', '<a>'.repeat(tenMegabytes / 4)],
  ['attributes without end', `<a ${'b="" '.repeat(tenMegabytes / 5)}`],
  ['comments without end', '<!--'.repeat(tenMegabytes / 4)],
  ['CDATA without end', `<urlset><url><loc>${'<![CDATA['.repeat(tenMegabytes / 10)}`],
  ['ampersands', `<urlset><url><loc>${'&'.repeat(tenMegabytes)}`],
  ['one long line', 'a'.repeat(tenMegabytes)],
]
for (const [name, text] of hostile) {
  test(`ten megabytes of ${name} are read in good time`, () => {
    const data = Buffer.from(text)
    const started = processorMs()
    assert.equal(readSitemap(data, url).summary.entries, 0)
    assert.ok(processorMs() - started < 10_000)
  })
}

test('damaged sitemaps never throw, and pieces read the same as the whole', () => {
  const sample = Buffer.from(
    `${urlset(2)}<rss><item><link>x</link><guid>https://a.example</guid></item></rss><feed><entry><link href="/y"/></entry>`,
  )
  const edits = fc.array(fc.tuple(fc.nat(sample.length - 1), fc.constantFrom('<', '>', '&', '"', '/', '\0', 'é')), {
    maxLength: 6,
  })
  const property = fc.property(edits, fc.integer({ min: 1, max: 200 }), fc.boolean(), (list, size, zipped) => {
    let text = sample.toString()
    for (const [place, character] of list) text = text.slice(0, place) + character + text.slice(place + 1)
    const data = zipped ? gzipSync(text) : Buffer.from(text)
    assert.deepEqual(inPieces(data, size), readSitemap(data, url).summary)
  })
  fc.assert(property, {
    interruptAfterTimeLimit: Number(process.env['COMITY_FUZZ_MS'] ?? 150),
    markInterruptAsFailure: false,
    numRuns: 1_000_000,
  })
})

function inPieces(data: Uint8Array, size: number): SitemapSummary {
  const reader = createSitemapReader({ url, onEntry: () => {} })
  for (let at = 0; at < data.length; at += size) reader.write(data.subarray(at, at + size))
  return reader.end()
}
