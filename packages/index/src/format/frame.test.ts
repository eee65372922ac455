import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ByteReader } from './byte-reader.ts'
import { ByteWriter } from './byte-writer.ts'
import { DENSE, packFrame, QUICK, readFrameRef, unpackFrame, writeFrameRef } from './frame.ts'
import type { FrameRef } from './frame.ts'

const contents = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc.tuple(fc.nat({ max: 255 }), fc.nat({ max: 5_000 })).map(([byte, count]) => new Uint8Array(count).fill(byte)),
)

function packed(bytes: Uint8Array, level: number): [bytes: Uint8Array, ref: FrameRef] {
  const { bytes: stored, raw, sum } = packFrame(bytes, level)
  return [stored, { offset: 0, packed: stored.length, raw, sum }]
}

test('bytes come back as they were, and never take more room than they are', () => {
  fc.assert(
    fc.property(contents, fc.constantFrom(QUICK, DENSE), (bytes, level) => {
      const [stored, ref] = packed(bytes, level)
      assert.ok(stored.length <= bytes.length)
      assert.deepEqual(Buffer.from(unpackFrame(stored, ref) ?? []), Buffer.from(bytes))
    }),
  )
})

test('a flipped bit is noticed', () => {
  fc.assert(
    fc.property(contents, fc.nat(), (bytes, place) => {
      const [stored, ref] = packed(bytes, QUICK)
      if (stored.length === 0) return
      const damaged = Uint8Array.from(stored)
      const bit = place % (8 * stored.length)
      damaged[bit >> 3]! ^= 1 << (bit & 7)
      assert.equal(unpackFrame(damaged, ref), undefined)
    }),
  )
})

test('a frame that is cut off is noticed', () => {
  const [stored, ref] = packed(new Uint8Array(1_000).fill(7), QUICK)
  assert.equal(unpackFrame(stored.subarray(1), ref), undefined)
})

test('places of frames are read back', () => {
  const places = fc.record({ offset: fc.nat(), packed: fc.nat(), raw: fc.nat(), sum: fc.nat({ max: 2 ** 32 - 1 }) })
  fc.assert(
    fc.property(places, fc.nat(), (ref, before) => {
      const out = new ByteWriter()
      writeFrameRef(out, { ...ref, offset: before + ref.offset }, before)
      assert.deepEqual(readFrameRef(new ByteReader(out.bytes), before), { ...ref, offset: before + ref.offset })
    }),
  )
})
