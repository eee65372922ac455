import fc from 'fast-check'
import assert from 'node:assert/strict'
import test from 'node:test'
import { PacketDecoder } from './packet-decoder.ts'
import type { IpDecoderOptions } from './ip-decoder.ts'
import type { PacketCounters } from './packet-counters.ts'
import { ethernetFrame, fragmentsOf, tcpPacket } from '../testing/packet-sample.ts'

const ends = { from: { address: [10, 0, 0, 1], port: 40_000 }, to: { address: [10, 0, 0, 2], port: 80 } }
const segment = (payload: string): Uint8Array =>
  tcpPacket({ ...ends, seq: 1, ack: 1, flags: 16, payload: Buffer.from(payload) })

function join(
  frames: readonly (readonly [at: number, bytes: Uint8Array])[],
  options: Partial<IpDecoderOptions> = {},
): { said: string[]; counters: PacketCounters } {
  const said: string[] = []
  const sink = {
    segment: ({ bytes, payloadAt, payloadLength }: { bytes: Uint8Array; payloadAt: number; payloadLength: number }) =>
      void said.push(Buffer.from(bytes.subarray(payloadAt, payloadAt + payloadLength)).toString('latin1')),
  }
  const decoder = new PacketDecoder(sink, options)
  for (const [at, bytes] of frames) decoder.packet(at, 101, bytes, bytes.length)
  return { said, counters: decoder.counters }
}

const now = (frames: readonly Uint8Array[]): [number, Uint8Array][] => frames.map((frame) => [0, frame])
const text = 'a packet that is much too long for this link, and comes in pieces'
const pieces = fragmentsOf(segment(text), 24, 7)

test('18: fragments make their packet in whatever order they come, doubled or not', () => {
  const order = fc.shuffledSubarray(pieces, { minLength: pieces.length })
  fc.assert(
    fc.property(order, fc.array(fc.nat(pieces.length - 2)), (shuffled, doubled) => {
      const frames = [...doubled.map((at) => shuffled[at]!), ...shuffled]
      assert.deepEqual(join(now(frames)).said, [text])
    }),
  )
})

test('fragments of any size make the packet they were made of', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 3_000 }), fc.integer({ min: 1, max: 200 }), (payload, eighths) => {
      const whole = Buffer.from(payload, 'latin1').toString('latin1')
      assert.deepEqual(join(now(fragmentsOf(segment(whole), 8 * eighths, 1))).said, [whole])
    }),
  )
})

test('18: fragments that overlap with the same bytes make their packet', () => {
  const [first, second, ...rest] = pieces
  const wide = fragmentsOf(segment(text), 48, 7)
  assert.deepEqual(join(now([first!, second!, wide[0]!, ...rest])).said, [text])
})

test('18: fragments that contradict each other are dropped: readers would take different ones', () => {
  const other = fragmentsOf(segment(text.toUpperCase()), 24, 7)
  const { said, counters } = join(now([pieces[0]!, pieces[1]!, other[1]!, ...pieces.slice(2)]))
  assert.deepEqual(said, [])
  assert.ok(counters.lostFragments >= 3)
})

test('18: a packet of which one fragment is missing never comes, and is forgotten in time', () => {
  const late = [...now(pieces.slice(1)), [60_000, pieces[0]!]] as [number, Uint8Array][]
  const { said, counters } = join(late)
  assert.deepEqual(said, [])
  assert.equal(counters.lostFragments, pieces.length - 1)
})

test('18: fragments with the same number in two virtual networks are of two packets', () => {
  const said: string[] = []
  const decoder = new PacketDecoder({
    segment: ({ bytes, payloadAt }) => void said.push(Buffer.from(bytes.subarray(payloadAt)).toString('latin1')),
  })
  const other = fragmentsOf(segment('another packet, of another network, that is longer'), 24, 7)
  for (const [tag, frames] of [
    [1, [pieces[0]!]],
    [2, other],
    [1, pieces.slice(1)],
  ] as const) {
    for (const frame of frames) {
      const bytes = ethernetFrame(frame, [tag])
      decoder.packet(0, 1, bytes, bytes.length)
    }
  }
  assert.deepEqual(said, ['another packet, of another network, that is longer', text])
})

test('19: fragments that never make a packet take no more room than they may', () => {
  const frames = Array.from({ length: 500 }, (_, id) => fragmentsOf(segment(text), 24, id)[0]!)
  const { counters } = join(now(frames), { fragments: { packets: 100, bytes: 100_000, waitMs: 30_000 } })
  assert.ok(counters.lostFragments >= 399, `${counters.lostFragments}`)
})

test('18: a fragment that is cut, misplaced or too long is lost, and harms nothing', () => {
  const odd = fragmentsOf(segment(text), 24, 9)[0]!
  const tooFar = Buffer.from(odd)
  tooFar.writeUInt16BE(0x3fff, 6)
  const uneven = Buffer.from(odd.subarray(0, -3))
  uneven.writeUInt16BE(uneven.length, 2)
  const { said, counters } = join(now([tooFar, uneven, ...pieces]))
  assert.deepEqual([said, counters.lostFragments], [[text], 2])
})
