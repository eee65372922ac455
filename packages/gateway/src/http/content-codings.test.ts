import { decodeBody, decodeText, headerOf } from '@comity/protocol'
import type { DecodedBody } from '@comity/protocol'
import assert from 'node:assert/strict'
import test from 'node:test'
import * as zlib from 'node:zlib'
import { Dialogue, get, rebuilt } from '../testing/dialogue-sample.ts'
import { codingOf } from './observed-exchange.ts'

const page = Buffer.from('<html>a page that was coded on its way</html>'.repeat(20))
const [GZIP, DEFLATE] = [zlib.gzipSync(page), zlib.deflateSync(page)]
const spoilt = Buffer.from(GZIP)
spoilt[spoilt.length - 6]! ^= 1
const bomb = zlib.gzipSync(Buffer.alloc(4 << 20))

/** A body as it was sent, rebuilt from packets and decoded: the whole way. */
function received(fields: string, body: Uint8Array): DecodedBody {
  const head = `HTTP/1.1 200 OK\r\n${fields}Content-Length: ${body.length}\r\n\r\n`
  const answer = Buffer.concat([Buffer.from(head), body])
  const talk = new Dialogue().open().say(0, get('/')).say(1, answer).close()
  const [observed] = rebuilt(talk.packets).exchanges
  assert.equal(observed!.verdict, 'whole')
  return decodeBody(observed!.body, codingOf(observed!.response!), { maxBytes: 1 << 20 })
}

const coded: [sentence: string, coding: string, body: Uint8Array][] = [
  ['gzip', 'gzip', GZIP],
  ['x-gzip', 'x-gzip', GZIP],
  [
    'gzip in several members',
    'gzip',
    Buffer.concat([zlib.gzipSync(page.subarray(0, 100)), zlib.gzipSync(page.subarray(100))]),
  ],
  ['deflate with zlib’s envelope', 'deflate', DEFLATE],
  ['deflate without it', 'deflate', zlib.deflateRawSync(page)],
  ['brotli', 'br', zlib.brotliCompressSync(page)],
  ['zstd', 'zstd', zlib.zstdCompressSync(page)],
  ['identity', 'identity', page],
  ['one coding in another', 'deflate, gzip', zlib.gzipSync(DEFLATE)],
  ['codings in any letters', 'GZip', GZIP],
]
for (const [sentence, coding, body] of coded) {
  test(`62: ${sentence} is decoded`, () => {
    assert.deepEqual(received(`Content-Encoding: ${coding}\r\n`, body), { kind: 'ok', body: page })
  })
}

test('62: codings in two fields are one list', () => {
  const fields = 'Content-Encoding: deflate\r\nContent-Encoding: gzip\r\n'
  assert.deepEqual(received(fields, zlib.gzipSync(DEFLATE)), { kind: 'ok', body: page })
})

const faults: [sentence: string, coding: string, body: Uint8Array, kind: DecodedBody['kind']][] = [
  ['what is not coded though it says so', 'gzip', page, 'corrupt'],
  ['one coding under the name of another', 'br', GZIP, 'corrupt'],
  ['a wrong sum', 'gzip', spoilt, 'corrupt'],
  ['what is cut', 'gzip', GZIP.subarray(0, -20), 'truncated'],
  ['compress, which nobody sends any more', 'compress', page, 'unknown-coding'],
  ['what needs a dictionary', 'dcb', page, 'unknown-coding'],
  ['what needs a dictionary, of zstd', 'dcz', page, 'unknown-coding'],
  ['more than there may be', 'gzip', bomb, 'too-large'],
]
for (const [sentence, coding, body, kind] of faults) {
  test(`62: ${sentence} is told as ${kind}`, () => {
    assert.equal(received(`Content-Encoding: ${coding}\r\n`, body).kind, kind)
  })
}

const UMLAUT = 'Grüße'
const letters: [sentence: string, type: string, body: Uint8Array][] = [
  ['the type says so', 'text/html; charset=iso-8859-1', Buffer.from(UMLAUT, 'latin1')],
  ['a byte order mark says so, whatever the type', 'text/html; charset=iso-8859-1', Buffer.from(`\ufeff${UMLAUT}`)],
  ['of UTF-16', 'text/html', Buffer.from(`\ufeff${UMLAUT}`, 'utf16le')],
  ['the page says so', 'text/html', Buffer.from(`<meta charset=windows-1252>${UMLAUT}`, 'latin1')],
  ['nobody says so', '', Buffer.from(UMLAUT)],
]
for (const [sentence, type, body] of letters) {
  test(`65: the letters of a page are read as they were meant: ${sentence}`, () => {
    const field = type === '' ? '' : `Content-Type: ${type}\r\n`
    const head = Buffer.from(`HTTP/1.1 200 OK\r\n${field}Content-Length: ${body.length}\r\n\r\n`)
    const talk = new Dialogue()
      .open()
      .say(0, get('/'))
      .say(1, Buffer.concat([head, body]))
      .close()
    const [observed] = rebuilt(talk.packets).exchanges
    const { text } = decodeText(observed!.body, headerOf(observed!.response!.headers, 'content-type'))
    assert.ok(text.endsWith(UMLAUT), text)
  })
}
