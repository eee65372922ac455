import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Capture } from '@comity/protocol'
import { seenCapture } from './seen-capture.ts'

const captureOf = (body: Uint8Array, type: string, more: Capture['headers'] = []): Capture => ({
  url: 'https://a.example/x',
  at: 0,
  source: 'crawl',
  status: 200,
  headers: [['Content-Type', type], ...more],
  body,
  digest: 'sha1:',
})
const packed = (text: string, type: string): Capture =>
  captureOf(gzipSync(Buffer.from(text, 'latin1')), type, [['content-encoding', 'gzip']])

test('a page is there as characters and as it was read, whatever its codings', () => {
  const seen = seenCapture(
    packed('<title>Caf\xe9</title><h1>Menu</h1><a href="/tea">Tea</a>', 'text/html; charset=iso-8859-1'),
  )
  assert.match(seen.text() ?? '', /^<title>Café/)
  const { title, headings, links } = seen.page()!
  assert.deepEqual([title, headings[0]?.text, links[0]?.href, links[0]?.anchor], ['Café', 'Menu', '/tea', 'Tea'])
  assert.equal(seen.header('CONTENT-encoding'), 'gzip')
})

test('it needs no object to be called on', () => {
  const { page, text, header } = seenCapture(captureOf(Buffer.from('<title>A'), 'text/html'))
  assert.deepEqual([page()?.title, text(), header('x')], ['A', '<title>A', undefined])
})

const others: [sentence: string, capture: Capture, text: string | undefined][] = [
  ['plain text is text and no page', captureOf(Buffer.from('a <b>'), 'text/plain'), 'a <b>'],
  ['JSON is text', captureOf(Buffer.from('{}'), 'application/json'), '{}'],
  ['a picture is neither', captureOf(Buffer.from('\x89PNG'), 'image/png'), undefined],
  [
    'nor is what cannot be unpacked',
    captureOf(Buffer.from('x'), 'text/plain', [['content-encoding', 'x-own']]),
    undefined,
  ],
  ['nor what would fill the memory', packed('a'.repeat(21 << 20), 'text/plain'), undefined],
]
for (const [sentence, capture, text] of others) {
  test(`a capture that is seen: ${sentence}`, () => {
    const seen = seenCapture(capture)
    assert.deepEqual([seen.text(), seen.page()], [text, undefined])
  })
}

test('a body that nobody asks for is not looked at, and one that somebody asks for is read once', () => {
  const bytes = Buffer.from('<title>A')
  let looks = 0
  const watched = new Proxy(bytes, {
    get: (target, name) => {
      looks++
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const headers: Capture['headers'] = Object.freeze([])
  const seen = seenCapture({ ...captureOf(bytes, 'text/html'), headers, body: watched })
  assert.equal(seen.url, 'https://a.example/x')
  assert.equal(looks, 0)
  const capture = seenCapture(packed('<title>A', 'text/html'))
  assert.equal(capture.page(), capture.page(), 'the same object')
})
