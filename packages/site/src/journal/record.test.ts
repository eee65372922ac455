import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { logSuite } from '@comity/disk/testing'
import type { Change } from './journal.ts'
import { decodeHeader, encodeHeader } from './header.ts'
import { decodeFrame, encodeFrame, frameBytes, journalFraming } from './record.ts'

const text = (units: string, limits: fc.StringConstraints): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...units.split('')), ...limits })
const word = text('abcxyz0189.+-', { minLength: 1, maxLength: 20 })
const changes: fc.Arbitrary<Change> = fc.record(
  {
    number: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    change: fc.constantFrom('created' as const, 'updated' as const, 'deleted' as const),
    at: fc.integer(),
    path: text("abc/%20?=&;~'C", { maxLength: 300 }).map((rest) => `/${rest}`),
    modifiedAt: fc.double({ noNaN: true, noDefaultInfinity: true }),
    digest: text('0123456789abcdef', { minLength: 64, maxLength: 64 }).map((hex) => `sha-256:${hex}`),
    bytes: fc.nat(),
    type: fc.tuple(word, word).map(([kind, sub]) => `${kind}/${sub}`),
    importance: fc.double({ min: 0, max: 1, noNaN: true }),
    masked: fc.constant(true),
  },
  { requiredKeys: ['number', 'change', 'at', 'path', 'modifiedAt', 'digest', 'bytes', 'type'], noNullPrototype: true },
)

/** The first place behind the start of these bytes where a sealed frame is whole. */
function sealedBehind(bytes: Buffer): number | undefined {
  const padded = Buffer.concat([Buffer.of(0), bytes])
  for (let at = journalFraming.next(padded, 0); at < padded.length; at = journalFraming.next(padded, at)) {
    const frame = decodeFrame(padded, at)
    if (frame.kind === 'entry' && frame.isSealed) return at - 1
  }
  return undefined
}

test('a frame reads back as the change it was made from, wherever it stands', () => {
  fc.assert(
    fc.property(changes, fc.boolean(), fc.uint8Array({ maxLength: 20 }), (change, isSealed, before) => {
      const frame = encodeFrame(change, isSealed)
      assert.equal(frame.length, frameBytes(change))
      const bytes = Buffer.concat([before, frame, before])
      const end = before.length + frame.length
      assert.deepEqual(decodeFrame(bytes, before.length), { kind: 'entry', entry: change, isSealed, end })
      if (isSealed) assert.equal(sealedBehind(bytes), before.length)
    }),
  )
})

test('half a frame is short, a frame with a bit flipped is bad or short, and neither is ever a change', () => {
  fc.assert(
    fc.property(changes, fc.nat(), fc.nat(7), (change, at, bit) => {
      const frame = encodeFrame(change, true)
      assert.equal(decodeFrame(frame.subarray(0, at % frame.length), 0).kind, 'short')
      frame[at % frame.length]! ^= 1 << bit
      const decoded = decodeFrame(frame, 0)
      // The two markers differ in several bits, so no flip makes one of the other.
      assert.notEqual(decoded.kind, 'entry')
    }),
  )
})

test('no bytes whatever make the reader throw', () => {
  const markers = fc.constantFrom('CJs\n', 'CJj\n').map((marker) => Buffer.from(marker))
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), markers, (noise, marker) => {
      const bytes = Buffer.concat([marker, noise])
      assert.notEqual(decodeFrame(bytes, 0).kind, 'entry')
      assert.equal(sealedBehind(bytes), undefined)
    }),
  )
})

/** Version 1 as it stands on disks: these bytes must be readable for as long as that version is. */
const VERSION_1 = {
  frame:
    '434a730a59000000bf5c88d00000000000001c400000807e46197a420040356646197a420000000000489340000000000000d03f' +
    '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0509746578742f68746d6c2f613f623d63',
  header:
    '636f6d6974796a0a01000000b36b0c2bf3b6a7f254c74f0e8a551d4a0d8f7c11' +
    '00000000000014400000000000001c400000807e46197a420000000000405940',
}

test('a record and a header of version 1 are written and read as they always were', () => {
  const change: Change = {
    number: 7,
    change: 'updated',
    at: 1_793_491_200_000,
    path: '/a?b=c',
    modifiedAt: 1_793_491_100_500,
    digest: `sha-256:${'0123456789abcdef'.repeat(4)}`,
    bytes: 1_234,
    type: 'text/html',
    importance: 0.25,
    masked: true,
  }
  const frame = Buffer.from(VERSION_1.frame, 'hex')
  assert.deepEqual(encodeFrame(change, true), frame)
  assert.deepEqual(decodeFrame(frame, 0), { kind: 'entry', entry: change, isSealed: true, end: frame.length })
  const id = 'f3b6a7f2-54c7-4f0e-8a55-1d4a0d8f7c11'
  const header = { id, since: 5, last: 7, lastAt: 1_793_491_200_000, snapshotBytes: 101 }
  assert.deepEqual(encodeHeader(header), Buffer.from(VERSION_1.header, 'hex'))
  assert.deepEqual(decodeHeader(Buffer.from(VERSION_1.header, 'hex'), 'journal.log'), header)
})

const numbered = (n: number): Change => ({
  number: n + 1,
  change: 'updated',
  at: 1_793_491_200_000,
  path: `/${n}`,
  modifiedAt: 0,
  digest: `sha-256:${'0123456789abcdef'.repeat(4)}`,
  bytes: n,
  type: 'text/html',
})
logSuite('journal', { framing: journalFraming, entry: numbered, holesAre: 'torn' })
