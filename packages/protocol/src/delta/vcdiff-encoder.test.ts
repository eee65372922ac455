import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import fc from 'fast-check'
import { editedPairs } from '../testing/edited-pair-fixture.ts'
import { decodeVcdiff } from './vcdiff-decoder.ts'
import { encodeVcdiff } from './vcdiff-encoder.ts'

// A CommonJS bundle whose names Node does not see from an import.
const ably: { decode(delta: Uint8Array, source: Uint8Array): Uint8Array } = createRequire(import.meta.url)(
  '@ably/vcdiff-decoder',
)

const page = Buffer.from(Array.from({ length: 800 }, (_, line) => `<li>${(line * 7_919) % 10_007} of it\n`).join(''))

function checkBothWays(source: Uint8Array, target: Uint8Array): Uint8Array {
  const delta = encodeVcdiff(source, target)
  const decoded = decodeVcdiff(source, delta, { maxBytes: target.length })
  assert.ok(decoded.kind === 'ok', decoded.kind)
  assert.ok(Buffer.from(target).equals(decoded.body), 'our decoder gives other bytes')
  assert.ok(Buffer.from(target).equals(ably.decode(delta, source)), 'the other decoder gives other bytes')
  return delta
}

const swapped = Buffer.concat([page.subarray(9_000), page.subarray(0, 9_000)])
const changed = Buffer.from(page.toString().replace('<li>9', '<li>new 9').replace('0 of it', '1 of it'))
const cases: [sentence: string, source: Uint8Array, target: Uint8Array, mostBytes: number][] = [
  ['an unchanged page', page, page, 20],
  ['two small edits', page, changed, 45],
  ['two halves that changed places', page, swapped, 30],
  ['an appended line', page, Buffer.concat([page, Buffer.from('<li>a last line, quite new')]), 50],
  ['a line put in front', page, Buffer.concat([Buffer.from('<li>a first line, quite new'), page]), 50],
  ['a page cut short', page, page.subarray(0, 5_000), 20],
  ['nothing from nothing', new Uint8Array(0), new Uint8Array(0), 12],
  ['nothing from a page', page, new Uint8Array(0), 15],
  ['a page from nothing, which still copies from itself', new Uint8Array(0), page, page.length * 0.75],
  ['a long run from nothing', new Uint8Array(0), Buffer.alloc(300_000, 'a'), 25],
  ['a single byte', Uint8Array.of(1), Uint8Array.of(2), 16],
  ['a repeated pattern that the source has once', Buffer.from('abcdefgh'), Buffer.from('abcdefgh'.repeat(500)), 30],
]
for (const [sentence, source, target, mostBytes] of cases) {
  test(`${sentence} takes at most ${Math.round(mostBytes)} bytes`, () => {
    const delta = checkBothWays(source, target)
    assert.ok(delta.length <= mostBytes, `${delta.length} bytes`)
  })
}

test('any edited text comes back, also through another decoder', () => {
  fc.assert(
    fc.property(editedPairs, ({ source, target }) => void checkBothWays(source, target)),
    { numRuns: 500 },
  )
})

test('a delta is never much longer than its target', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3_000 }), fc.uint8Array({ maxLength: 3_000 }), (source, target) => {
      assert.ok(encodeVcdiff(source, target).length <= target.length + 40)
    }),
  )
})

/** Bytes without a pattern, the same for the same seed. */
function noise(length: number, seed: number): Buffer {
  const bytes = Buffer.alloc(length)
  let state = seed
  for (let at = 0; at + 4 <= length; at += 4) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    bytes.writeInt32LE(Math.imul(state ^ (state >>> 15), 0x2c1b3c6d), at)
  }
  return bytes
}

test('a target of several windows may copy from all of the source, and from far away', () => {
  const source = noise(10_000_000, 1)
  const target = Buffer.concat([source.subarray(6_000_000), noise(5_000, 2), source.subarray(0, 9_000_000)])
  const delta = encodeVcdiff(source, target)
  const decoded = decodeVcdiff(source, delta, { maxBytes: target.length })
  assert.ok(decoded.kind === 'ok' && target.equals(decoded.body))
  assert.ok(delta.length < 5_200, `${delta.length} bytes`)
})

test('large noise is not searched byte by byte', () => {
  const target = noise(4_000_000, 3)
  const began = process.cpuUsage()
  const delta = encodeVcdiff(noise(4_000_000, 4), target)
  // A quarter of a second where byte by byte takes three; of processor time, as tests run beside each other.
  assert.ok(process.cpuUsage(began).user < 1_200_000)
  assert.ok(delta.length <= target.length + 100)
})

test('what cannot be addressed is refused with what to do', () => {
  const huge = { length: 2 ** 31 } as Uint8Array
  assert.throws(() => encodeVcdiff(huge, new Uint8Array(0)), /cut what is near 2 GB into parts/)
})

test('a place that was noted by looking ahead is never copied from before it is there', () => {
  const [source, target] = [Buffer.from('sent'), Buffer.from("sente l'ente d'en")]
  const decoded = decodeVcdiff(source, encodeVcdiff(source, target), { maxBytes: 100 })
  assert.ok(decoded.kind === 'ok')
  assert.deepEqual(Buffer.from(decoded.body), target)
})

test('texts of few letters, where every place has its like, come back as they were', () => {
  const text = fc.string({ unit: fc.constantFrom('s', 'e', 'n', 't', ' ', "'", 'l', 'd'), maxLength: 60 })
  fc.assert(
    fc.property(text, text, (one, other) => {
      const [source, target] = [Buffer.from(one), Buffer.from(other)]
      const decoded = decodeVcdiff(source, encodeVcdiff(source, target), { maxBytes: 100 })
      assert.ok(decoded.kind === 'ok')
      assert.deepEqual(Buffer.from(decoded.body), target)
    }),
    { numRuns: 2_000 },
  )
})
