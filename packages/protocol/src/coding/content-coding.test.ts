import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as zlib from 'node:zlib'
import fc from 'fast-check'
import { processorMs } from '../testing/processor-time.ts'
import { decodeBody } from './content-coding.ts'

const page = Buffer.from(Array.from({ length: 5_000 }, (_, line) => `line ${(line * 7_919) % 1_000}\n`).join(''))
const limits = { maxBytes: 1_000_000 }
const encoders: [coding: string, encode: (input: Uint8Array) => Buffer][] = [
  ['gzip', zlib.gzipSync],
  ['X-Gzip', zlib.gzipSync],
  ['deflate', zlib.deflateSync],
  ['deflate', zlib.deflateRawSync],
  ['br', zlib.brotliCompressSync],
  ['zstd', zlib.zstdCompressSync],
]

for (const [coding, encode] of encoders) {
  const coded = encode(page)
  test(`${coding} (${encode.name}) is undone`, () => {
    assert.deepEqual(decodeBody(coded, coding, limits), { kind: 'ok', body: page })
  })
  test(`${coding} (${encode.name}) that was cut gives what there is`, () => {
    const result = decodeBody(coded.subarray(0, coded.length - 20), coding, limits)
    assert.ok(result.kind === 'truncated')
    assert.deepEqual(Buffer.from(result.body), page.subarray(0, result.body.length))
  })
  test(`${coding} (${encode.name}) beyond the cap is too large`, () => {
    assert.deepEqual(decodeBody(coded, coding, { maxBytes: page.length - 1 }), { kind: 'too-large' })
    assert.equal(decodeBody(coded, coding, { maxBytes: page.length }).kind, 'ok')
  })
  test(`${coding} (${encode.name}) comes back from any bytes, and any bytes are survived`, () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(), fc.nat(255), (bytes, place, flip) => {
        const whole = encode(bytes)
        assert.deepEqual(decodeBody(whole, coding, limits), { kind: 'ok', body: Buffer.from(bytes) })
        whole[place % whole.length]! ^= flip
        decodeBody(whole, coding, limits)
        decodeBody(bytes, coding, limits)
      }),
      { numRuns: 50 },
    )
  })
}

test('a gzip body may have several members', () => {
  const result = decodeBody(Buffer.concat([zlib.gzipSync('one '), zlib.gzipSync('two')]), 'gzip', limits)
  assert.deepEqual(result, { kind: 'ok', body: Buffer.from('one two') })
})

test('codings are undone from the last to the first', () => {
  const body = zlib.brotliCompressSync(zlib.gzipSync(page))
  assert.deepEqual(decodeBody(body, 'gzip, identity , BR,', limits), { kind: 'ok', body: page })
})

test('no coding leaves the body alone, up to the cap', () => {
  for (const none of [undefined, '', 'identity']) assert.equal(decodeBody(page, none, limits).kind, 'ok')
  assert.equal(decodeBody(page, undefined, { maxBytes: 10 }).kind, 'too-large')
})

test('an answer without content has nothing to undo', () => {
  assert.deepEqual(decodeBody(new Uint8Array(0), 'gzip', limits), { kind: 'ok', body: new Uint8Array(0) })
})

test('an unknown coding is named, and so are too many', () => {
  assert.deepEqual(decodeBody(page, 'gzip, compress', limits), { kind: 'unknown-coding', coding: 'compress' })
  assert.equal(decodeBody(page, 'gzip,'.repeat(6), limits).kind, 'unknown-coding')
})

test('a wrong checksum loses nothing of the body', () => {
  const body = zlib.gzipSync(page)
  body[body.length - 5]! ^= 1
  const result = decodeBody(body, 'gzip', limits)
  assert.ok(result.kind === 'corrupt')
  assert.match(result.message, /incorrect/)
  assert.deepEqual(result.body, page)
})

test('a fault in the middle keeps what came before it', () => {
  const body = zlib.gzipSync(page, { level: 1 })
  body.fill(0xff, body.length >> 1, (body.length >> 1) + 9)
  const result = decodeBody(body, 'gzip', limits)
  assert.ok(result.kind === 'corrupt' && result.body.length > 1_000)
  assert.deepEqual(Buffer.from(result.body).subarray(0, 1_000), page.subarray(0, 1_000))
})

test('a body that is not in its coding is corrupt', () => {
  const result = decodeBody(Buffer.from('<html>plain'), 'gzip', limits)
  assert.ok(result.kind === 'corrupt' && result.body.length === 0)
})

test('a bomb is stopped at the cap, or by its ratio', () => {
  const bomb = zlib.gzipSync(Buffer.alloc(50_000_000))
  const start = processorMs()
  assert.equal(decodeBody(bomb, 'gzip', limits).kind, 'too-large')
  assert.equal(decodeBody(bomb, 'gzip', { maxBytes: 1e9, maxRatio: 100 }).kind, 'too-large')
  assert.equal(decodeBody(zlib.gzipSync(bomb), 'gzip, gzip', limits).kind, 'too-large')
  assert.ok(processorMs() - start < 1_000)
})
