import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { PACKING_BYTES, packingOf } from './packing.ts'
import type { Packing } from './packing.ts'

const XZ = Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 0x00, 0x04])

const cases: [sentence: string, bytes: Uint8Array, packing: Packing | undefined][] = [
  ['a gzip file', gzipSync('words'), 'gzip'],
  ['gzip that breaks off after its first two bytes', gzipSync('words').subarray(0, 2), 'gzip'],
  ['gzip by a method that nobody knows', Buffer.from([0x1f, 0x8b, 9]), 'gzip'],
  ['one byte, which could be anything', Buffer.from([0x1f]), undefined],
  ['Zstandard', zstdCompressSync('words'), 'zstd'],
  ['Zstandard that breaks off in its magic', zstdCompressSync('words').subarray(0, 3), undefined],
  ['xz', XZ, 'xz'],
  ['deflate, which begins as anything may', deflateSync('words'), undefined],
  ['plain text', Buffer.from('<urlset>'), undefined],
  ['nothing', Buffer.alloc(0), undefined],
]
for (const [sentence, bytes, packing] of cases)
  test(`told by how it begins: ${sentence}`, () => {
    assert.equal(packingOf(bytes), packing)
    assert.equal(packingOf(bytes.subarray(0, PACKING_BYTES)), packing)
  })

test('what begins inside of other bytes is told as if it stood alone', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 20 }), fc.constantFrom(...cases), (before, [, bytes, packing]) => {
      assert.equal(packingOf(Buffer.concat([before, bytes]), before.length), packing)
    }),
  )
})
