import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ByteReader } from './byte-reader.ts'
import { ByteWriter } from './byte-writer.ts'

const sizes: [value: number, bytes: number][] = [
  [0, 1],
  [127, 1],
  [128, 2],
  [16_383, 2],
  [16_384, 3],
  [2 ** 28 - 1, 4],
  [2 ** 28, 5],
  [2 ** 31, 5],
  [2 ** 32, 5],
  [Number.MAX_SAFE_INTEGER, 8],
]
for (const [value, bytes] of sizes) {
  test(`${value} takes ${bytes} bytes and is read back`, () => {
    const out = new ByteWriter(0)
    out.varint(value)
    assert.equal(out.length, bytes)
    assert.equal(new ByteReader(out.bytes).varint(), value)
  })
}

type Piece =
  | { readonly kind: 'varint' | 'zigzag' | 'byte'; readonly value: number }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'bytes'; readonly value: Uint8Array }

const pieces = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('varint' as const), value: fc.maxSafeNat() }),
    fc.record({ kind: fc.constant('zigzag' as const), value: fc.integer({ min: -(2 ** 51), max: 2 ** 51 }) }),
    fc.record({ kind: fc.constant('byte' as const), value: fc.nat({ max: 255 }) }),
    fc.record({ kind: fc.constant('text' as const), value: fc.string({ unit: 'binary' }) }),
    fc.record({ kind: fc.constant('bytes' as const), value: fc.uint8Array({ maxLength: 40 }) }),
  ),
)

test('what is written in any order is read back in that order, however small the room was at first', () => {
  fc.assert(
    fc.property(pieces, fc.nat({ max: 20 }), (all, capacity) => {
      const out = new ByteWriter(capacity)
      for (const piece of all) write(out, piece)
      const from = new ByteReader(out.bytes)
      for (const piece of all) assert.deepEqual(read(from, piece), piece.value)
      assert.equal(from.isAtEnd, true)
    }),
  )
})

test('a cleared writer begins anew', () => {
  const out = new ByteWriter(2)
  out.text('gone')
  out.clear()
  out.byte(7)
  assert.deepEqual([...out.bytes], [7])
})

function write(out: ByteWriter, piece: Piece): void {
  if (piece.kind === 'text') out.text(piece.value)
  else if (piece.kind === 'bytes') out.append(piece.value)
  else out[piece.kind](piece.value)
}

function read(from: ByteReader, piece: Piece): unknown {
  return piece.kind === 'bytes' ? from.take(piece.value.length) : from[piece.kind]()
}
