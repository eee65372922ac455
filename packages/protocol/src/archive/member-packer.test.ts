import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { gzipMember, isReused } from './member-packer.ts'

test('the compressor of this Node is used again', () => {
  assert.equal(isReused(2), true)
})

test('whatever is packed, one after the other, the bytes are those of gzipSync', () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 2_000 }),
    fc.string({ maxLength: 500 }).map((text) => Buffer.from(text)),
  )
  const repeated = fc
    .tuple(piece, fc.integer({ min: 1, max: 200 }))
    .map(([one, times]) => Buffer.concat(Array(times).fill(one)))
  fc.assert(
    fc.property(fc.array(repeated, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 9 }), (list, level) => {
      for (const bytes of list) assert.deepEqual(Buffer.from(gzipMember(bytes, level)), gzipSync(bytes, { level }))
    }),
    { numRuns: 60 },
  )
})

test('what packs to more than the room is whole, and its buffer is its own', () => {
  const bytes = Buffer.from(Array.from({ length: 3_000_000 }, (_, n) => (n * 2_654_435_761) >>> 24))
  const [first, second] = [gzipMember(bytes, 1), gzipMember(Buffer.from('b'), 1)]
  assert.equal(bytes.equals(gunzipSync(first)), true)
  assert.deepEqual([first.buffer.byteLength, second.buffer.byteLength], [first.length, second.length])
})
