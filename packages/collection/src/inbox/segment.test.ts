import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { itemOf } from '../testing/inbox.suite.ts'
import { logSourceOf, readLog } from '@comity/disk'
import type { LogReading } from '@comity/disk'
import { encodeRecord } from './record.ts'
import { decodeSegmentHeader, encodeSegmentHeader, SEGMENT_HEADER_BYTES, segmentTerms } from './segment.ts'

const header = { mark: Uint8Array.from([9, 8, 7, 6, 5, 4, 3, 2]), first: 5 }
const record = (number: number): Buffer => encodeRecord({ ...itemOf(number), number }, header.mark)
const numbersIn = (bytes: Buffer): readonly number[] => readSegment(bytes).numbers
const segment = (...parts: Buffer[]): Buffer => Buffer.concat([encodeSegmentHeader(header), ...parts])

function readSegment(bytes: Buffer): LogReading & { readonly numbers: readonly number[] } {
  const numbers: number[] = []
  const reading = readLog(
    logSourceOf(bytes),
    segmentTerms(header, ({ number }) => numbers.push(number)),
  )
  return { ...reading, numbers }
}

test('a header is read as it was written', () => {
  assert.deepEqual(decodeSegmentHeader(encodeSegmentHeader(header)), { kind: 'header', header })
})

test('any changed byte of a header is noticed, and none makes it throw', () => {
  fc.assert(
    fc.property(fc.nat(SEGMENT_HEADER_BYTES - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
      const bytes = encodeSegmentHeader(header)
      bytes[at]! ^= flip
      assert.equal(decodeSegmentHeader(bytes).kind, 'damaged')
    }),
  )
  fc.assert(fc.property(fc.uint8Array(), (bytes) => decodeSegmentHeader(Buffer.from(bytes)).kind === 'damaged'))
})

test('records are found behind whatever stands between them, and what is lost is counted', () => {
  const noise = Buffer.from('noise between records')
  const bytes = segment(record(5), noise, record(6), record(8), noise)
  const { numbers, end, cutBytes, lostBytes } = readSegment(bytes)
  assert.deepEqual(numbers, [5, 6, 8])
  assert.deepEqual([end, cutBytes, lostBytes], [bytes.length - noise.length, noise.length, noise.length])
})

test('a number that does not grow, or is below the first, is not ours', () => {
  assert.deepEqual(numbersIn(segment(record(5), record(5), record(4), record(7))), [5, 7])
  assert.deepEqual(numbersIn(segment(record(1), record(6))), [6])
})

test('a mark without a record behind it is passed over', () => {
  assert.deepEqual(numbersIn(segment(Buffer.from(header.mark), Buffer.from(header.mark), record(5))), [5])
})
