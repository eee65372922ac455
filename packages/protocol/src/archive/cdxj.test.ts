import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { getSurt } from 'warcio'
import { cdxjLine, cdxjPrefix, idxHeader, idxLine, parseCdxjLine, surtOf } from './cdxj.ts'
import type { CdxjEntry } from './cdxj.ts'

const sample: CdxjEntry = {
  url: 'https://www.Example.org/a?b=2&a=1',
  at: Date.UTC(2026, 10, 14, 9, 30),
  mime: 'text/html',
  status: 200,
  digest: 'sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ',
  filename: 'comity-20261114093000-00000.warc.gz',
  offset: 512,
  length: 900,
}

test('a line is the key, the moment, and where the record is', () => {
  const [key, stamp, json = ''] = cdxjLine(sample).split(' ')
  assert.deepEqual([key, stamp], ['org,example)/a?a=1&b=2', '20261114093000'])
  assert.deepEqual(JSON.parse(json), {
    url: sample.url,
    mime: 'text/html',
    status: '200',
    digest: sample.digest,
    length: '900',
    offset: '512',
    filename: sample.filename,
  })
  assert.equal(cdxjPrefix(cdxjLine(sample)), 'org,example)/a?a=1&b=2 20261114093000')
})

const urls: readonly string[] = [
  'http://example.org/',
  'https://www2.sub.EXAMPLE.co.uk:8443/Path/X.html?z=1&y=%20a&y=b',
  'http://127.0.0.1:3000/a//b',
  'https://example.org/%C3%A9?q=a+b%2Bc',
  'https://xn--mnchen-3ya.example/?',
  'urn:pageinfo:x',
]
for (const url of urls)
  test(`the key of ${url} is the one that warcio makes`, () => assert.equal(surtOf(url), getSurt(url)))

test('the key of any URL is the one that warcio makes', () => {
  fc.assert(fc.property(fc.webUrl({ withQueryParameters: true }), (url) => assert.equal(surtOf(url), getSurt(url))))
})

test('reading gives back what was written, to the second', () => {
  const entries = fc.record(
    {
      url: fc.webUrl({ withQueryParameters: true }),
      at: fc.integer({ min: 0, max: 4e9 }).map((seconds) => seconds * 1_000),
      mime: fc.constantFrom('text/html', 'warc/revisit', 'unk'),
      status: fc.integer({ min: 0, max: 599 }),
      digest: fc.option(fc.stringMatching(/^sha1:[A-Z2-7]{32}$/), { nil: undefined }),
      filename: fc.string({ minLength: 1 }),
      offset: fc.maxSafeNat(),
      length: fc.maxSafeNat(),
    },
    { noNullPrototype: true },
  )
  fc.assert(fc.property(entries, (entry) => assert.deepEqual(parseCdxjLine(cdxjLine(entry)), entry)))
})

test('a second index says where each block is', () => {
  const block = { first: 'org,example)/ 20261114093000', offset: 10, length: 20, digest: 'sha256:00' }
  assert.equal(idxLine(block), 'org,example)/ 20261114093000 {"offset":10,"length":20,"digest":"sha256:00"}')
  assert.equal(idxHeader('index.cdx.gz'), '!meta 0 {"format":"cdxj-gzip-1.0","filename":"index.cdx.gz"}')
})

const badLines: readonly string[] = [
  '',
  'org,example)/',
  'org,example)/ 2026 {}',
  'org,example)/ 20269914093000 {"url":"http://example.org/","filename":"a","offset":1}',
  'org,example)/ 20261114093000 {"url":"http://example.org/","filename":"a","offset":-1}',
  'org,example)/ 20261114093000 {"url":"http://example.org/","offset":1}',
  'org,example)/ 20261114093000 {"url":',
  'org,example)/ 20261114093000 null',
  `${'a'.repeat(70_000)} 20261114093000 {"url":"http://example.org/","filename":"a","offset":1}`,
]
for (const line of badLines) {
  test(`the line ${JSON.stringify(line.slice(0, 80))} has no entry`, () => {
    assert.equal(parseCdxjLine(line), undefined)
  })
}

test('numbers may stand as numbers, and what is not known may be missing', () => {
  const line = 'org,example)/ 20261114093000 {"url":"http://example.org/","filename":"a.warc","offset":7,"status":404}'
  const { status, offset, length, mime, digest } = parseCdxjLine(line) ?? sample
  assert.deepEqual([status, offset, length, mime, digest], [404, 7, 0, 'unk', undefined])
})

test('whatever a line holds, reading it gives an entry or none', () => {
  const json = fc.json().map((text) => `org,example)/ 20261114093000 ${text}`)
  const cut = fc.tuple(fc.nat(400), fc.string()).map(([at, text]) => cdxjLine(sample).slice(0, at) + text)
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), json, cut), (line) => {
      const entry = parseCdxjLine(line)
      assert.ok(entry === undefined || entry.offset >= 0)
      assert.ok(!/\s/.test(surtOf(line)))
    }),
    { numRuns: 2_000 },
  )
})
