import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { canonicalUrl, headerOf, readRecordAt, parseHttpBlock, warcField, writeUrlKey } from '@comity/protocol'
import { LINK_WORDS, NOFOLLOW, UNWANTED_KIND, read } from './reading.ts'
import { answerOf, readingOptions } from '../testing/reading-fixture.ts'
import type { Answered, LinkTable, ReadingOptions } from './reading.ts'

const options: ReadingOptions = readingOptions
const answer = (html: string | Uint8Array, more: Partial<Answered> = {}): Answered =>
  answerOf(html, {
    url: 'http://a.example/dir/page.html',
    at: Date.parse('2026-11-15T08:00:00Z'),
    headers: [['Content-Type', 'text/html; charset=utf-8']],
    origin: { requestHeaders: [['user-agent', 'comity']] },
    ...more,
  })

/** The table as objects, the way a person would write it. */
function linksOf({ sites, rows, texts }: LinkTable): { url: string; flags: number }[] {
  const text = Buffer.from(texts)
  const links: { url: string; flags: number }[] = []
  for (let at = 0, start = 0; at < rows.length; at += LINK_WORDS) {
    links.push({ url: sites[rows[at]!]! + text.toString('latin1', start, rows[at + 4]), flags: rows[at + 3]! })
    start = rows[at + 4]!
  }
  return links
}

test('a page says in its title what it says in its own charset, whoever names that, and wherever', () => {
  // "Привет, мир" in KOI8-R.
  const title = Buffer.from('f0d2c9d7c5d42c20cdc9d2', 'hex')
  const page = (head: string): Uint8Array =>
    Buffer.concat([Buffer.from(`${head}<title>`), title, Buffer.from('</title>')])
  const late = `<!-- ${'x'.repeat(1_100)} --><meta charset=koi8-r>`
  for (const [head, type] of [
    ['', 'text/html; charset=koi8-r'],
    ['<meta charset=koi8-r>', 'text/html'],
    [late, 'text/html'],
    ['', 'text/html'],
  ] as const) {
    const { sense } = read(answer(page(head), { headers: [['Content-Type', type]] }), options)
    assert.deepEqual([sense.title, sense.charset], ['Привет, мир', 'koi8-r'])
  }
})

const pages: [sentence: string, html: string, urls: string[]][] = [
  ['links are resolved against the page', '<a href="b.html">', ['http://a.example/dir/b.html']],
  ['a base element moves them', '<base href="/other/"><a href="b">', ['http://a.example/other/b']],
  ['a base element that is no URL is ignored', '<base href="http://["><a href="b">', ['http://a.example/dir/b']],
  ['a link to the page itself is none', '<a href="#top"><a href="page.html">', []],
  ['each target counts once', '<a href="/x">1</a><a href="http://A.example:80/x#y">2</a>', ['http://a.example/x']],
  [
    'targets on two sites are told apart',
    '<a href="/x"><a href="//b.example/x">',
    ['http://a.example/x', 'http://b.example/x'],
  ],
  ['what is no web address is left out', '<a href="mailto:x@y"><a href="javascript:1"><a href="tel:1">', []],
]
for (const [sentence, html, urls] of pages) {
  test(sentence, () =>
    assert.deepEqual(
      linksOf(read(answer(html), options).links).map((link) => link.url),
      urls,
    ),
  )
}

const flagged: [sentence: string, html: string, flags: number][] = [
  ['a plain link is followed', '<a href="/x">', 0],
  ['rel=nofollow asks not to', '<a href="/x" rel="nofollow">', NOFOLLOW],
  ['one link without nofollow is enough', '<a href="/x" rel="nofollow"><a href="/x">', 0],
  ['meta nofollow counts for every link', '<meta name="robots" content="nofollow"><a href="/x">', NOFOLLOW],
  ['meta for another robot does not count', '<meta name="otherbot" content="nofollow"><a href="/x">', 0],
  ['a picture is not a page', '<img src="/x">', UNWANTED_KIND],
  ['nor is what ends like one', '<a href="/x.png">', UNWANTED_KIND],
  ['nor is what its link says to be something else', '<a href="/x" type="application/zip">', UNWANTED_KIND],
  ['nor is a feed that a page names', '<link rel=alternate type="application/rss+xml" href="/x">', UNWANTED_KIND],
  ['what its link says to be a page is one, whatever it is called', '<a href="/x.png" type="text/html; a=b">', 0],
  ['a type that is none says nothing', '<a href="/x" type="button">', 0],
  ['one link that says nothing of a type is enough', '<a href="/x" type="image/png"><a href="/x">', 0],
]
for (const [sentence, html, flags] of flagged) {
  test(sentence, () =>
    assert.deepEqual(
      linksOf(read(answer(html), options).links).map((link) => link.flags),
      [flags],
    ),
  )
}

test('keys in the table are those of the texts', () => {
  const { links } = read(answer('<a href="/x?y=z"><a href="/later">'), options)
  const key = new Uint32Array(2)
  writeUrlKey('/x?y=z', key, 0)
  assert.deepEqual([...links.rows.subarray(1, 3)], [...key])
})

test('whatever the hrefs, the table holds each canonical URL once and in order', () => {
  fc.assert(
    fc.property(fc.array(fc.webPath(), { maxLength: 60 }), (paths) => {
      const html = paths.map((path) => `<a href="${path.replaceAll('&', '&amp;')}">x</a>`).join('')
      const urls = linksOf(read(answer(html), options).links).map((link) => link.url)
      const page = 'http://a.example/dir/page.html'
      const expected = new Set(
        paths.map((path) => canonicalUrl(path, page)).filter((url) => url !== undefined && url !== page),
      )
      assert.deepEqual(urls, [...expected])
    }),
  )
})

test('the response record holds what was sent, and the request record what was asked', () => {
  const reading = read(answer('<p>hello'), options)
  const response = readRecordAt(reading.record)
  const request = readRecordAt(reading.beside)
  assert.ok(response.kind === 'record' && request.kind === 'record')
  assert.equal(warcField(response.record, 'WARC-Payload-Digest'), reading.digest)
  assert.equal(warcField(response.record, 'WARC-Target-URI'), 'http://a.example/dir/page.html')
  assert.equal(warcField(request.record, 'WARC-Concurrent-To'), `<urn:uuid:${reading.recordId}>`)
  const message = parseHttpBlock(response.record.block)
  assert.equal(Buffer.from(message.body).toString(), '<p>hello')
  assert.equal(headerOf(message.headers, 'content-type'), 'text/html; charset=utf-8')
})

const coded: [coding: string, body: Uint8Array][] = [
  ['gzip', gzipSync('<title>t</title>')],
  ['br', brotliCompressSync('<title>t</title>')],
]
for (const [coding, body] of coded) {
  test(`a page sent as ${coding} is read, and stored as it was sent`, () => {
    const headers = [
      ['Content-Type', 'text/html'],
      ['Content-Encoding', coding],
    ] as const
    const reading = read(answer(body, { headers }), options)
    assert.equal(reading.sense.title, 't')
    const record = readRecordAt(reading.record)
    assert.ok(record.kind === 'record')
    assert.deepEqual(new Uint8Array(parseHttpBlock(record.record.block).body), new Uint8Array(body))
  })
}

const bad: [sentence: string, more: Partial<Answered>, outcome: string | undefined][] = [
  [
    'an unknown coding is named',
    {
      headers: [
        ['Content-Type', 'text/html'],
        ['Content-Encoding', 'rot13'],
      ],
    },
    'bad-coding',
  ],
  [
    'a corrupt coding is named',
    {
      headers: [
        ['Content-Type', 'text/html'],
        ['Content-Encoding', 'gzip'],
      ],
    },
    'bad-coding',
  ],
  [
    'a bomb is named',
    {
      headers: [
        ['Content-Type', 'text/html'],
        ['Content-Encoding', 'gzip'],
      ],
      body: new Uint8Array(gzipSync(Buffer.alloc(4 << 20))),
    },
    'decoded-too-large',
  ],
  ['a cut body is kept but not believed', { truncated: 'disconnect' }, undefined],
]
for (const [sentence, more, outcome] of bad) {
  test(sentence, () => {
    const reading = read(answer('<title>t</title><a href="/x">', more), options)
    assert.equal(reading.problem?.outcome, outcome)
    assert.equal(reading.links.rows.length, 0)
    assert.equal(reading.sense.title, undefined)
  })
}

test('a few words have no simhash: every empty page would be a near duplicate of every other', () => {
  assert.equal(read(answer('<p>few words'), options).sense.simhash, undefined)
  assert.ok(read(answer(`<p>${'many different words here '.repeat(20)}`), options).sense.simhash)
})
