import fc from 'fast-check'
import assert from 'node:assert/strict'
import test from 'node:test'
import { VarintReader, VarintWriter } from './varint-bytes.ts'

test('what was written is read, whatever the numbers, texts and bytes', () => {
  const part = fc.oneof(
    fc.record({ kind: fc.constant('number' as const), value: fc.maxSafeNat() }),
    fc.record({ kind: fc.constant('signed' as const), value: fc.integer({ min: -(2 ** 50), max: 2 ** 50 }) }),
    fc.record({ kind: fc.constant('text' as const), value: fc.string({ unit: 'grapheme' }) }),
    fc.record({ kind: fc.constant('bytes' as const), value: fc.uint8Array({ maxLength: 20_000 }) }),
  )
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const out = new VarintWriter()
      for (const { kind, value } of parts) {
        if (kind === 'number') out.number(value)
        else if (kind === 'signed') out.signed(value)
        else if (kind === 'text') out.text(value)
        else out.bytes(value)
      }
      const read = new VarintReader(out.end())
      for (const { kind, value } of parts) {
        if (kind === 'number') assert.equal(read.number(), value)
        else if (kind === 'signed') assert.equal(read.signed(), value)
        else if (kind === 'text') assert.equal(read.text(Infinity), value)
        else assert.deepEqual(new Uint8Array(read.bytes()), value)
      }
      assert.equal(read.left, 0)
    }),
  )
})

test('parts larger than what is copied keep their place', () => {
  const large = new Uint8Array(50_000).fill(7)
  const out = new VarintWriter()
  out.number(1)
  out.bytes(large)
  out.number(2)
  const read = new VarintReader(out.end())
  assert.equal(read.number(), 1)
  assert.deepEqual(new Uint8Array(read.bytes()), large)
  assert.equal(read.number(), 2)
})

const faults: [what: string, bytes: number[], read: (from: VarintReader) => unknown, problem: RegExp][] = [
  ['a number that does not end', [0x80], (from) => from.number(), /middle of a number/],
  ['a number too large', Array<number>(9).fill(0xff), (from) => from.number(), /too large/],
  ['a number just too large', [...Array<number>(7).fill(0xff), 0x7f], (from) => from.number(), /too large/],
  ['a text longer than there is', [9, 65], (from) => from.text(100), /too soon/],
  ['a text longer than it may be', [3, 65, 65, 65], (from) => from.text(2), /more than 2/],
  ['a count that promises too much', [100, 1, 1], (from) => from.count(1_000, 'things'), /too many things/],
]
for (const [what, bytes, read, problem] of faults) {
  test(`${what} is said`, () => {
    assert.throws(() => read(new VarintReader(Uint8Array.from(bytes))), problem)
  })
}
