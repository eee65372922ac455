import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ByteReader } from './byte-reader.ts'

const cases: [sentence: string, bytes: number[], read: (from: ByteReader) => unknown][] = [
  ['a byte behind the end', [], (from) => from.byte()],
  ['a number that is cut off', [0x80, 0x80], (from) => from.varint()],
  ['a long number that is cut off', [0x80, 0x80, 0x80, 0x80, 0x80], (from) => from.varint()],
  ['a number that does not end', Array.from({ length: 20 }, () => 0xff), (from) => from.varint()],
  ['more bytes than there are', [1, 2], (from) => from.take(3)],
  ['a text that is cut off', [5, 0x61], (from) => from.text()],
]
for (const [sentence, bytes, read] of cases) {
  test(`${sentence} is refused`, () => {
    assert.throws(() => read(new ByteReader(Uint8Array.from(bytes))), RangeError)
  })
}

test('whatever the bytes, reading them ends at the end or throws, and reads nothing behind it', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat({ max: 60 }), (bytes, cut) => {
      const end = Math.min(cut, bytes.length)
      const from = new ByteReader(bytes, 0, end)
      try {
        while (!from.isAtEnd) from.varint()
      } catch (error) {
        assert.ok(error instanceof RangeError)
      }
      assert.ok(from.at <= end)
    }),
  )
})
