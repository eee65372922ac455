import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { DOCUMENT_WORK, isLight, withOwnBytes } from './work.ts'

const maxBytes = 1 << 20
const light: [sentence: string, body: Uint8Array, coding: string | undefined, isSo: boolean][] = [
  ['a small plain document is read where it is', Buffer.from('User-agent: *'), undefined, true],
  ['so is one whose coding is none', Buffer.from('a'), 'identity', true],
  ['one in a coding is not', Buffer.from('a'), 'gzip', false],
  ['nor is one that is packed and does not say so', gzipSync('a'), undefined, false],
  ['nor is a large one', Buffer.alloc(40_000), undefined, false],
]
for (const [sentence, body, coding, isSo] of light) {
  test(sentence, () => assert.equal(isLight('rules', { body, coding, maxBytes, productToken: 'a' }), isSo))
}

test('a difference, a batch or an index is never read on the main thread, however small', () => {
  const body = Buffer.from('a')
  assert.equal(isLight('batch', { body, coding: undefined, maxBytes }), false)
  assert.equal(isLight('captures', { body, isPacked: false }), false)
  assert.equal(isLight('delta', { headers: [], body, baseName: '', base: body, maxBytes }), false)
})

test('a part of a large buffer is sent alone', () => {
  const large = new Uint8Array(1_000)
  const { body, exchange } = withOwnBytes({
    body: large.subarray(10, 20),
    exchange: { body: large.subarray(0, 5), status: 1 },
  })
  assert.deepEqual([body.buffer.byteLength, exchange.body.buffer.byteLength, exchange.status], [10, 5, 1])
})

test('an index of a web archive is read line by line, and what is no capture is left out', () => {
  const line = 'org,a)/ 20260101000000 {"url":"https://a.org/","filename":"a.warc.gz","offset":"0","length":"9"}'
  const captures = DOCUMENT_WORK.captures({ body: gzipSync(`${line}\nnone\n\n${line}`), isPacked: true })
  assert.ok(typeof captures !== 'string')
  assert.deepEqual(
    captures.map(({ url }) => url),
    ['https://a.org/', 'https://a.org/'],
  )
  assert.equal(DOCUMENT_WORK.captures({ body: Buffer.from('no gzip'), isPacked: true }), 'its index is damaged')
})

test('a manifest that unpacks to much is none that is read at once, however small it is packed', () => {
  const entry = { name: 'manifest.xml', method: 8, isEncrypted: false, crc32: 0, packedBytes: 9, bytes: 100, offset: 0 }
  const body = new Uint8Array(100)
  assert.equal(isLight('manifest', { body, entry, url: 'https://a.example/' }), true)
  assert.equal(isLight('manifest', { body, entry: { ...entry, bytes: 60 << 20 }, url: 'https://a.example/' }), false)
})

test('a manifest that is not what its directory says is damaged', async () => {
  const entry = { name: 'manifest.xml', method: 0, isEncrypted: false, crc32: 0, packedBytes: 9, bytes: 9, offset: 0 }
  const read = await DOCUMENT_WORK.manifest({ body: new Uint8Array(60), entry, url: 'https://a.example/' })
  assert.equal(read, 'damaged')
})
