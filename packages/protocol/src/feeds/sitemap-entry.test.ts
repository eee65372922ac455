import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SitemapEntry } from './sitemap-entry.ts'
import { readSitemap, type SitemapSummary } from './sitemap.ts'

type Problems = SitemapSummary['problems']
const at = Date.UTC(2026, 0, 2)
const page = (loc: string, facts: Partial<SitemapEntry> = {}): SitemapEntry => ({ kind: 'page', loc, ...facts })

const cases: [sentence: string, xml: string, entries: SitemapEntry[], problems?: Problems][] = [
  [
    'a page with all that can be said of it',
    '<urlset><url><loc> https://a.example/ </loc><lastmod>2026-01-02</lastmod><changefreq>Daily</changefreq><priority>0.5</priority></url></urlset>',
    [page('https://a.example/', { lastmod: at, changefreq: 'daily', priority: 0.5 })],
  ],
  [
    'a frequency or priority that is none is left out',
    '<urlset><url><loc>https://a.example/</loc><changefreq>often</changefreq><priority>9</priority></url></urlset>',
    [page('https://a.example/')],
  ],
  [
    'a date that is none is counted',
    '<urlset><url><loc>https://a.example/</loc><lastmod>soon</lastmod></url></urlset>',
    [page('https://a.example/')],
    { 'bad-date': 1 },
  ],
  [
    'sitemaps in an index, and among pages',
    '<urlset><sitemap><loc>https://a.example/s</loc></sitemap><url><loc>https://a.example/p</loc></url></urlset>',
    [{ kind: 'sitemap', loc: 'https://a.example/s' }, page('https://a.example/p')],
  ],
  [
    'locs of images, videos and nested elements are not pages',
    '<urlset><url><image:image><image:loc>https://a.example/i</image:loc></image:image><x><loc>https://a.example/x</loc></x><loc>https://a.example/p</loc></url></urlset>',
    [page('https://a.example/p')],
  ],
  ['a relative loc is resolved', '<urlset><url><loc>/p</loc></url></urlset>', [page('https://a.example/p')]],
  [
    'a loc of another scheme is counted',
    '<urlset><url><loc>ftp://a.example/</loc></url></urlset>',
    [],
    { 'bad-loc': 1 },
  ],
  [
    'an entry without a loc is counted',
    '<urlset><url><lastmod>2026</lastmod></url></urlset>',
    [],
    { 'missing-loc': 1 },
  ],
  [
    'a loc that is too long is counted',
    `<urlset><url><loc>https://a.example/${'x'.repeat(5_000)}</loc></url></urlset>`,
    [],
    { 'loc-too-long': 1 },
  ],
  [
    'fields and entries that are never closed',
    '<urlset><url><loc>https://a.example/1<lastmod>2026-01-02</lastmod><url><loc>https://a.example/2</loc>',
    [page('https://a.example/1', { lastmod: at }), page('https://a.example/2')],
    { 'malformed-xml': 1 },
  ],
  [
    'a loc cut by the end of the document is not trusted',
    '<urlset><url><loc>https://a.example/1</loc></url><url><loc>https://a.exam',
    [page('https://a.example/1')],
    { 'malformed-xml': 1 },
  ],
  [
    'RSS 2.0: items, not the channel or its image',
    '<rss><channel><link>https://a.example/</link><image><url>https://a.example/i</url></image><item><link>https://a.example/p</link><pubDate>Fri, 02 Jan 2026 00:00:00 GMT</pubDate></item></channel></rss>',
    [page('https://a.example/p', { lastmod: at })],
  ],
  [
    'RSS 1.0: items dated by Dublin Core',
    '<rdf:RDF><item rdf:about="x"><link>https://a.example/p</link><dc:date>2026-01-02</dc:date></item></rdf:RDF>',
    [page('https://a.example/p', { lastmod: at })],
  ],
  [
    'RSS 2.0: a guid that is a whole address where no link is, whatever it says of itself, as other readers take it',
    '<rss><channel><item><guid>https://a.example/p</guid></item><item><guid isPermaLink="false">https://a.example/?id=1</guid></item><item><guid isPermaLink="false">7bd204c6</guid></item></channel></rss>',
    [page('https://a.example/p'), page('https://a.example/?id=1')],
    { 'missing-loc': 1 },
  ],
  [
    'Atom: a relation in capitals, or by its address (RFC 4287 §4.2.7.2)',
    '<feed><entry><link rel="Alternate" href="/p"/></entry><entry><link rel="http://www.iana.org/assignments/relation/alternate" href="/q"/></entry></feed>',
    [page('https://a.example/p'), page('https://a.example/q')],
  ],
  [
    'Atom: the link that is the page, the last update',
    '<feed><entry><link rel="edit" href="/e"/><link href="/p?a=1&amp;b=2"/><published>2020</published><updated>2026-01-02</updated></entry></feed>',
    [page('https://a.example/p?a=1&b=2', { lastmod: at })],
  ],
  [
    'Atom: addresses are resolved against the nearest base (RFC 4287 §2)',
    '<feed xml:base="/blog/"><entry xml:base="2026/"><link href="x.html"/></entry><entry><link xml:base="https://a.example/y/" href="z"/></entry><entry><link href="w"/></entry></feed>',
    [page('https://a.example/blog/2026/x.html'), page('https://a.example/y/z'), page('https://a.example/blog/w')],
  ],
  ['Atom with a prefix', '<a:feed><a:entry><a:link href="/p"/></a:entry></a:feed>', [page('https://a.example/p')]],
  [
    'a web page is no sitemap',
    '<!doctype html><html><p>Hello</p></html>',
    [],
    { 'malformed-xml': 1, 'unknown-root': 1 },
  ],
  [
    'an unknown root may hold entries',
    '<x><url><loc>/p</loc></url></x>',
    [page('https://a.example/p')],
    { 'unknown-root': 1 },
  ],
]
for (const [sentence, xml, entries, problems = {}] of cases) {
  test(sentence, () => {
    const read = readSitemap(Buffer.from(xml), 'https://a.example/sitemap.xml')
    assert.deepEqual(read.entries, entries)
    assert.deepEqual(read.summary.problems, problems)
  })
}
