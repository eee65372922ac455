import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { PageEntry } from './page-entry.ts'
import { createRobotsRdfReader, readRobotsRdf } from './robots-rdf-reader.ts'

const url = 'http://www.example.com/robots.rdf'
const page = (path: string): string => `http://www.example.com/${path}`

/** As printed: root in lower case, a namespace without its `#`, the second page missing and the first told twice. */
const figure = `<?xml version="1.0"?>
<rdf:rdf
  xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns"
  xmlns:dc="http://purl.org/dc/elements/1.1/"
  xmlns="http://purl.org/rss/1.0/">
  <channel rdf:about="http://www.example.com/">
    <items><rdf:Seq>
      <rdf:li rdf:resource="http://www.example.com/one.html"/>
      <rdf:li rdf:resource="http://www.example.com/two.html"/>
    </rdf:Seq></items>
  </channel>
  <item rdf:about="http://www.example.com/one.html">
    <dc:modified>2004-10-01T12:05+02:00</dc:modified>
  </item>
  <item rdf:about="http://www.example.com/one.html">
    <dc:modified>2004-11-21T09:01+02:00</dc:modified>
  </item>
</rdf:rdf>
`

test('the example of Figure 6.5 is read as it was meant', () => {
  assert.deepEqual(readRobotsRdf(Buffer.from(figure), url), {
    pages: [{ url: page('one.html'), modifiedAt: Date.UTC(2004, 10, 21, 7, 1) }, { url: page('two.html') }],
    parts: [],
    complete: true,
    problems: { repeated: 1 },
  })
})

function within(items: string): string {
  return `<rdf:RDF xmlns:rdf="x">${items}</rdf:RDF>`
}

const at = Date.UTC(2004, 9, 1, 10, 5)
const cases: [sentence: string, text: string, pages: PageEntry[], problems: object][] = [
  [
    'RSS 1.0 with all extras',
    within(
      '<item rdf:about="/x"><title>x</title><link>/y</link><dcterms:modified>2004-10-01T10:05:00Z</dcterms:modified>' +
        '<dcterms:extent>5120 bytes</dcterms:extent><dc:format>Text/HTML; charset=x</dc:format><c:accesses>7</c:accesses></item>',
    ),
    [{ url: page('x'), modifiedAt: at, bytes: 5_120, type: 'text/html', accesses: 7 }],
    {},
  ],
  [
    'a date for want of a modification',
    within('<item about="/x"><dc:date>2004-10-01T12:05+02:00</dc:date></item>'),
    [{ url: page('x'), modifiedAt: at }],
    {},
  ],
  ['a link for want of an identity', within('<item><link> /x </link></item>'), [{ url: page('x') }], {}],
  ['another prefix', '<r:RDF><item r:about="/x"/></r:RDF>', [{ url: page('x') }], {}],
  ['no prefix at all', '<RDF><item about="/x"/></RDF>', [{ url: page('x') }], {}],
  ['a blank line first', `\n\n<?xml version="1.0"?>${within('<item rdf:about="/x"/>')}`, [{ url: page('x') }], {}],
  [
    'a date that is none',
    within('<item rdf:about="/x"><modified>soon</modified></item>'),
    [{ url: page('x') }],
    { 'bad-date': 1 },
  ],
  ['a page of no Web', within('<item rdf:about="mailto:a"/><rdf:li/>'), [], { 'bad-url': 2 }],
  [
    'what is not XML',
    within('<item rdf:about="/x"><title>a & b < c<modified>2004-10-01T10:05Z</item><item rdf:about="/y">'),
    [{ url: page('x'), modifiedAt: at }, { url: page('y') }],
    { 'malformed-xml': 1 },
  ],
  ['another root', '<rss><item about="/x"/></rss>', [{ url: page('x') }], { 'unknown-root': 1, torn: 1 }],
  ['a cut item', '<rdf:RDF><item rdf:about="/x"><modified>2004', [{ url: page('x') }], { 'malformed-xml': 1, torn: 1 }],
  ['nothing', '', [], { torn: 1, 'malformed-xml': 1 }],
]
for (const [sentence, text, pages, problems] of cases) {
  test(`reading ${sentence}`, () => {
    const read = readRobotsRdf(Buffer.from(text), url)
    assert.deepEqual([read.pages, read.problems], [pages, problems])
    assert.equal(read.complete, !('torn' in problems))
  })
}

test('parts are told, with their URLs', () => {
  const { parts } = readRobotsRdf(
    Buffer.from(within('<channel><rdfs:seeAlso rdf:resource="robots.2.rdf"/></channel>')),
    url,
  )
  assert.deepEqual(parts, [page('robots.2.rdf')])
})

test('other encodings are read by what the document says of them', () => {
  const text = `<?xml version="1.0" encoding="ISO-8859-1"?>${within('<item rdf:about="/\xfc"/>')}`
  assert.equal(readRobotsRdf(Buffer.from(text, 'latin1'), url).pages[0]?.url, page('%C3%BC'))
  assert.equal(
    readRobotsRdf(Buffer.from(`\ufeff${within('<item rdf:about="/ü"/>')}`, 'utf16le'), url).pages[0]?.url,
    page('%C3%BC'),
  )
})

test('limits hold, and are told', () => {
  const items = Array.from({ length: 9 }, (_, i) => `<rdf:li rdf:resource="/${i}"/><seeAlso rdf:resource="/p${i}"/>`)
  const text = Buffer.from(within(items.join('')))
  const few = readRobotsRdf(text, url, { maxPages: 3, maxParts: 2 })
  assert.deepEqual([few.pages.length, few.parts.length, few.complete, few.problems], [3, 2, false, { 'too-many': 13 }])
  const short = readRobotsRdf(text, url, { maxBytes: 120 })
  assert.ok(!short.complete && short.problems['too-large'] === 1 && short.pages.length < 4)
  const long = readRobotsRdf(text, url, { maxUrlChars: 1 })
  assert.equal(long.problems['bad-url'], 18)
})

test('any pieces give the same pages', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(figure.length), { maxLength: 8 }), (cuts) => {
      const reader = createRobotsRdfReader(url)
      const bytes = Buffer.from(figure)
      const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length]
      for (const [i, place] of places.entries()) reader.write(bytes.subarray(place, places[i + 1]))
      assert.deepEqual(reader.end(), readRobotsRdf(bytes, url))
    }),
  )
})

test('whatever the bytes, the reader gives pages of the Web, within limits, and does not throw', () => {
  const bits = fc.constantFrom(
    '<item ',
    'rdf:about="',
    '">',
    '<modified>',
    '2004',
    '</item>',
    '<rdf:RDF>',
    '&amp;',
    '<![CDATA[',
    '/x',
  )
  const texts = fc.oneof(
    fc.uint8Array({ maxLength: 2_000 }),
    fc.array(fc.oneof(bits, fc.string({ unit: 'binary' }))).map((parts) => Buffer.from(parts.join(''))),
  )
  fc.assert(
    fc.property(texts, (bytes) => {
      const { pages } = readRobotsRdf(bytes, url, { maxPages: 2 })
      assert.ok(pages.length <= 2)
      for (const entry of pages) assert.match(entry.url, /^https?:/)
    }),
  )
})
