import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { gzipRecord, payloadDigest, responseHead, responseRecord } from '@comity/protocol'
import { Collection } from '../collection.ts'
import type { WarcPosition } from '../rows/rows.ts'
import { SampleCrawl, testFolder } from '../testing/sample-crawl.ts'
import { readableContent, storedContent } from './stored-content.ts'

const AT = Date.UTC(2026, 10, 14)
const url = 'https://a.example/page'

interface Stored {
  readonly collection: Collection
  readonly position: WarcPosition
}

/** One answer with these headers, stored and committed. */
async function store(t: TestContext, body: Uint8Array, headers: [string, string][]): Promise<Stored> {
  const collection = await Collection.open(testFolder(t), AT)
  t.after(() => collection.close())
  const httpHead = responseHead({ status: 200, statusText: 'OK', headers })
  const record = responseRecord({ url, at: AT, httpHead, body, payloadDigest: payloadDigest(body) })
  const position = collection.appendRecord(gzipRecord(record), AT)
  await new SampleCrawl(collection).commit()
  return { collection, position }
}

const html = '<!doctype html><html lang=de><title>Größe</title><h1>Über</h1><p>Wörter'
const pages: [sentence: string, body: Uint8Array, headers: [string, string][]][] = [
  ['a page is read as it came', Buffer.from(html), [['Content-Type', 'text/html; charset=utf-8']]],
  ['so is one in another charset', Buffer.from(html, 'latin1'), [['Content-Type', 'text/html; charset=iso-8859-1']]],
  [
    'one that was packed is unpacked',
    gzipSync(html),
    [
      ['Content-Type', 'text/html; charset=utf-8'],
      ['Content-Encoding', 'gzip'],
    ],
  ],
  [
    'also one that was packed otherwise',
    brotliCompressSync(html),
    [
      ['Content-Type', 'text/html; charset=utf-8'],
      ['Content-Encoding', 'br'],
    ],
  ],
]
for (const [sentence, body, headers] of pages) {
  test(sentence, async (t) => {
    const { collection, position } = await store(t, body, headers)
    const read = readableContent(collection, position, url)
    assert.ok(read.kind === 'page')
    const { title, lang, text, headings } = read.page
    assert.deepEqual([title, lang, headings.map((heading) => heading.text)], ['Größe', 'de', ['Über']])
    assert.match(text, /Wörter/)
  })
}

test('the beginning of a page is read as the whole is, whatever says how, and wherever', async (t) => {
  const start = Buffer.from('<title>Größe</title><p>Wörter für alle', 'latin1')
  const ends = ['<meta charset=koi8-r>', 'Все люди рождаются', '']
  for (const end of ends) {
    const body = Buffer.concat([start, Buffer.from(`<!-- ${'x'.repeat(1_100)} -->${end}`)])
    const { collection, position } = await store(t, body, [['Content-Type', 'text/html']])
    const [whole, beginning] = [undefined, start.length].map((most) => readableContent(collection, position, url, most))
    assert.ok(whole?.kind === 'page' && beginning?.kind === 'page')
    assert.equal(beginning.page.title, whole.page.title)
    assert.ok(whole.page.text.startsWith(beginning.page.text), `${beginning.page.text} | ${whole.page.text}`)
  }
})

test('plain text is text, and what has no words is handed on as it is', async (t) => {
  const { collection, position } = await store(t, Buffer.from('plain <b>words'), [['Content-Type', 'text/plain']])
  assert.deepEqual(readableContent(collection, position, url), { kind: 'text', text: 'plain <b>words' })
  const pdf = await store(t, Buffer.from('%PDF-1.4'), [['Content-Type', 'application/pdf']])
  const read = readableContent(pdf.collection, pdf.position, url)
  assert.ok(read.kind === 'other' && read.content.kind === 'ok')
  assert.deepEqual([read.media, String(Buffer.from(read.content.bytes))], ['document', '%PDF-1.4'])
})

test('of a body that is cut, what came before still counts', async (t) => {
  const long = `<title>Cut</title>${Array.from({ length: 2_000 }, (_, i) => `word${i}`).join(' ')}`
  const packed = gzipSync(long)
  const { collection, position } = await store(t, packed.subarray(0, packed.length / 2), [
    ['Content-Type', 'text/html'],
    ['Content-Encoding', 'gzip'],
  ])
  const read = readableContent(collection, position, url)
  assert.ok(read.kind === 'page' && read.page.title === 'Cut')
  assert.match(read.page.text, /word1 word2/)
})

const unreadable: [sentence: string, body: Uint8Array, coding: string, message: RegExp][] = [
  ['a coding that nobody knows is named', Buffer.from('?'), 'x-unheard-of', /its content coding is unknown/],
  ['a bomb is not unpacked', gzipSync(Buffer.alloc(21 << 20)), 'gzip', /more than 20 MB/],
]
for (const [sentence, body, coding, message] of unreadable) {
  test(sentence, async (t) => {
    const { collection, position } = await store(t, body, [
      ['Content-Type', 'text/html'],
      ['Content-Encoding', coding],
    ])
    const content = storedContent(collection, position)
    assert.ok(content.kind === 'unreadable')
    assert.match(content.message, message)
    assert.equal(readableContent(collection, position, url).kind, 'other')
  })
}
