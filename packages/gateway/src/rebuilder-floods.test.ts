/**
 * Floods against the rebuilder: openings, fragments, tiny segments, connections and heads without end, at a rate that nobody reads
 * along with. Memory stays within what the settings say, however long it lasts, and the last packet costs what the first did.
 */
import assert from 'node:assert/strict'
import test from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { amount } from '@comity/protocol/testing'
import { Dialogue, get, ok } from './testing/dialogue-sample.ts'
import { fragmentsOf, pcapFile, tcpPacket } from './testing/packet-sample.ts'
import type { SampleSegment, Wire } from './testing/packet-sample.ts'
import { Rebuilder } from './rebuilder.ts'
import { ACK, SYN } from './packets/tcp-segment.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Of what the layers count themselves. */
const FLOWS = 500
const BYTES = 1 << 20
/** What a packet may cost in the end, beside what it costs in the beginning; and what no packet may cost at all. */
const SLOWER = 200
const MOST_MS = 60_000

const START = 1_700_000_000_000
const SERVER = { address: [192, 0, 2, 80], port: 80 }
const clientOf = (each: number): SampleSegment['from'] => ({
  address: [10, (each >> 16) & 255, (each >> 8) & 255, each & 255],
  port: 1_024 + (each % 60_000),
})
const wire = (each: number, segment: Partial<SampleSegment>, at = START + each / 100): Wire => ({
  at,
  bytes: tcpPacket({ from: clientOf(each), to: SERVER, seq: 1, ack: 1, flags: ACK, ...segment }),
})
/** Not two of them alike. */
const scattered = (each: number): number => Math.imul(each, 0x9e3779b1) >>> 0
const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')

const ONE = { from: clientOf(1), to: SERVER }
const opening = (): Wire[] => [
  wire(1, { seq: 0, ack: 0, flags: SYN }),
  wire(1, { from: SERVER, to: clientOf(1), seq: 0, flags: SYN | ACK }),
]

// oxfmt-ignore
const floods: [what: string, packet: (each: number) => readonly Wire[]][] = [
  ['openings of clients that are not there',     (each) => [wire(each, { seq: scattered(each), ack: 0, flags: SYN })]],
  ['openings of one client, each another one',   (each) => [wire(each, { ...ONE, seq: scattered(each), ack: 0, flags: SYN })]],
  ['openings of one client, all at one moment',  (each) => [wire(each, { ...ONE, seq: scattered(each), ack: 0, flags: SYN }, START)]],
  ['words of nobody who opened',                 (each) => [wire(each, { seq: scattered(each), payload: bytes('GET / HT') })]],
  ['first fragments alone',                      (each) => fragmentsOf(tcpPacket({ from: clientOf(each), to: SERVER, seq: 1, flags: ACK, payload: Buffer.alloc(100) }), 24, each & 0xffff).slice(0, 1).map((packet) => ({ at: START + each / 100, bytes: packet }))],
  ['last fragments alone, far behind',           (each) => fragmentsOf(tcpPacket({ from: clientOf(each), to: SERVER, seq: 1, flags: ACK, payload: Buffer.alloc(40_000) }), 39_992, each & 0xffff).slice(1).map((packet) => ({ at: START + each / 100, bytes: packet }))],
  ['a byte at a time, with holes between',       (each) => [...(each === 0 ? opening() : []), wire(each, { ...ONE, seq: 1 + 2 * each, payload: bytes('x') })]],
  ['a byte at a time, backwards',                (each) => [...(each === 0 ? opening() : []), wire(each, { ...ONE, seq: 60_000 - (each % 50_000), payload: bytes('x') })]],
  ['bytes that overlap and differ',              (each) => [...(each === 0 ? opening() : []), wire(each, { ...ONE, seq: 1 + ((7 * each) % 3_000), payload: bytes(String(each).padEnd(40, 'x')) })]],
  ['a head without end, a byte at a time',       (each) => [...(each === 0 ? opening() : []), wire(each, { ...ONE, seq: 1 + each, payload: bytes(each < 14 ? 'GET / HTTP/1.1'[each]! : each === 14 ? '\n' : 'x') })]],
  ['a line without end, a byte at a time',       (each) => [...(each === 0 ? opening() : []), wire(each, { ...ONE, seq: 1 + each, payload: bytes(each < 4 ? 'GET '[each]! : 'x') })]],
  ['fields without end',                         (each) => [...(each === 0 ? opening() : []), wire(each, { ...ONE, seq: 1 + 40 * each, payload: bytes(each === 0 ? 'GET / HTTP/1.1\r\n'.padEnd(38, 'a') + '\r\n' : `a${each}: `.padEnd(38, 'b') + '\r\n') })]],
  ['requests that nobody answers',               (each) => [...(each === 0 ? opening() : []), wire(each, { ...ONE, seq: 1 + 40 * each, payload: bytes(`GET /${String(each).padStart(17, '0')} HTTP/1.1\r\n\r\n\r\n`) })]],
  ['connections with half a head each',          (each) => new Dialogue({ client: clientOf(each), server: SERVER, startAt: START + each / 100 }).open().say(0, get('/').slice(0, -4)).packets],
  ['exchanges all at one moment',                (each) => new Dialogue({ client: clientOf(each), server: SERVER, startAt: START }).open().exchange(get('/'), ok('')).packets.map(({ bytes: said }) => ({ at: START, bytes: said }))],
  ['bodies that never end',                      (each) => new Dialogue({ client: clientOf(each), server: SERVER, startAt: START + each / 100 }).open().exchange(get('/'), 'HTTP/1.1 200 OK\r\nContent-Length: 900000000\r\n\r\nabc').packets],
]

const ROUNDS = 10
/** Many times what may be held; a flood that lasts longer is asked for. */
const PER_ROUND = amount(400, 10_000)

for (const [what, packet] of floods) {
  test(`flood: ${what}`, { timeout: 4 * MOST_MS }, (t) => {
    let told = 0
    const rebuilder = new Rebuilder(
      { observed: () => void told++ },
      {
        flows: { flows: FLOWS, bytes: BYTES, flowBytes: BYTES },
        messages: { bytes: BYTES, settleBytes: BYTES },
        packets: { fragments: { packets: 100, bytes: BYTES } },
      },
    )
    const [used, took]: [number[], number[]] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      const packets = Array.from({ length: PER_ROUND }, (_, each) => packet(round * PER_ROUND + each)).flat()
      const file = pcapFile(packets)
      const from = performance.now()
      rebuilder.write(file)
      took.push(performance.now() - from)
      const { flows, bytes: held } = rebuilder.memory
      assert.ok(flows <= FLOWS, `${flows} connections`)
      assert.ok(held <= 3 * BYTES, `${held} bytes`)
      collect()
      const { heapUsed, arrayBuffers } = process.memoryUsage()
      used.push(heapUsed + arrayBuffers)
    }
    const [early, late] = [Math.max(...used.slice(0, 4)), Math.min(...used.slice(-4))]
    const figures = `${told} told; ${(early / 1e6).toFixed(1)} MB early, ${(late / 1e6).toFixed(1)} MB late; ${took.map((ms) => ms.toFixed(0)).join(' ')} ms`
    t.diagnostic(figures)
    assert.ok(late < early + 3e6, figures)
    const all = took.reduce((sum, ms) => sum + ms, 0)
    assert.ok(all < MOST_MS, figures)
    assert.ok(took.at(-1)! < SLOWER * Math.max(50, took[0]!), figures)
    rebuilder.end()
    assert.deepEqual(rebuilder.memory, { flows: 0, bytes: 0 })
  })
}
