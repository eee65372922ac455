/** Fuzz targets: captures as strangers send them past a gateway, and what is said in them. */
import { PASSING_VERDICTS, RangeJoin, Rebuilder } from '@comity/gateway'
import type { ObservedExchange } from '@comity/gateway'
import assert from 'node:assert/strict'
import { Dialogue, get, ok } from '../../packages/gateway/src/testing/dialogue-sample.ts'
import { ethernetFrame, fragmentsOf, ipPacket, pcapFile } from '../../packages/gateway/src/testing/packet-sample.ts'
import type { Wire } from '../../packages/gateway/src/testing/packet-sample.ts'
import { ngWriter } from '../../packages/gateway/src/testing/pcapng-sample.ts'
import type { FuzzTarget } from './fuzz-target.ts'

const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n0\r\n\r\n'
const talk = (): readonly Wire[] =>
  new Dialogue({ segment: 100 }).open().exchange(get('/1'), CHUNKED).exchange(get('/2'), ok('two')).close().packets
const withBytes = (packets: readonly Wire[], change: (bytes: Uint8Array) => Uint8Array): Wire[] =>
  packets.map(({ at, bytes }) => ({ at, bytes: change(bytes) }))
const inTunnel = (bytes: Uint8Array): Uint8Array =>
  ipPacket([10, 3, 0, 3], [10, 4, 0, 4], Buffer.concat([Buffer.from('00000800', 'hex'), bytes]), { protocol: 47 })
const ng = ngWriter(false)
const blocks = talk().map(({ at, bytes }) => ng.packet(0, BigInt(Math.floor(at * 1_000)), bytes))

/** What may be held at once, of all layers: the settings below, and one packet more. */
const MOST_BYTES = 400_000

interface Outcome {
  readonly told: readonly string[]
  readonly counters: string
}

function rebuild(bytes: Uint8Array, size: number): Outcome {
  const told: string[] = []
  const sink = { observed: (observed: ObservedExchange) => void told.push(shown(observed)) }
  const rebuilder = new Rebuilder(new RangeJoin(sink, { bytes: 10_000 }), {
    packets: { checksums: false, fragments: { packets: 20, bytes: 50_000 } },
    flows: { flows: 20, bytes: 100_000 },
    messages: { bytes: 100_000, settleBytes: 50_000 },
  })
  for (let at = 0; at < bytes.length; at += size) {
    rebuilder.write(bytes.subarray(at, at + size))
    assert.ok(rebuilder.memory.flows <= 20 && rebuilder.memory.bytes < MOST_BYTES, 'memory is bounded')
  }
  rebuilder.end()
  assert.deepEqual(rebuilder.memory, { flows: 0, bytes: 0 }, 'nothing is held at the end')
  return { told, counters: JSON.stringify(rebuilder.counters) }
}

function shown({ verdict, request, response, body, url }: ObservedExchange): string {
  assert.ok(PASSING_VERDICTS.includes(verdict))
  if (verdict === 'whole') assert.ok(url !== undefined && response !== undefined && request!.doubts.length === 0)
  return JSON.stringify([verdict, request, response, Buffer.from(body).toString('latin1')])
}

function checkCapture(bytes: Buffer): void {
  assert.deepEqual(rebuild(bytes, 1 + (bytes.length % 97)), rebuild(bytes, bytes.length + 1), 'the same in any pieces')
}

export const packetsTarget: FuzzTarget = {
  name: 'packets',
  samples: [
    pcapFile(talk()),
    pcapFile(
      withBytes(talk(), (bytes) => ethernetFrame(bytes, [7, 8])),
      { linkType: 1, isBigEndian: true },
    ),
    pcapFile(withBytes(talk(), inTunnel)),
    pcapFile(talk().flatMap(({ at, bytes }, id) => fragmentsOf(bytes, 48, id).map((piece) => ({ at, bytes: piece })))),
    Buffer.concat([ng.section(), ng.iface(101), ...blocks]),
  ],
  words: [
    '\xd4\xc3\xb2\xa1',
    '\x0a\x0d\x0d\x0a',
    '\x45\x00',
    '\x60\x00',
    '\x81\x00',
    'HTTP/1.1 ',
    '\r\n\r\n',
    '\0\0\0\x02',
  ],
  check: checkCapture,
}

/** Everything before the mark is what the client says, everything behind it the answers; a dot makes packets of it. */
const MARK = '\n====\n'

function checkTalk(bytes: Buffer): void {
  const [asked = '', answered = ''] = bytes.toString('latin1').split(MARK)
  const dialogue = new Dialogue({ segment: 1 + (bytes.length % 700) }).open()
  const [ask, answer] = [asked.split('\f'), answered.split('\f')]
  for (let turn = 0; turn < Math.min(50, Math.max(ask.length, answer.length)); turn++) {
    dialogue.say(0, ask[turn] ?? '').say(1, answer[turn] ?? '')
    // Now and then something is lost.
    if (bytes[turn]! % 13 === 7) dialogue.lose(bytes[turn]! & 16 ? 0 : 1, bytes[turn]!)
  }
  rebuild(pcapFile(dialogue.close().packets), 10_000)
}

export const talkTarget: FuzzTarget = {
  name: 'talk',
  samples: [
    `${get('/1')}\f${get('/2')}${MARK}${ok('one')}\f${ok('two')}`,
    `${get('/1')}${get('/2')}${MARK}\f${CHUNKED}${ok('two')}`,
    `POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n\fa=1${MARK}HTTP/1.1 100 Continue\r\n\r\n\f${ok('done')}`,
    `${get('/', 'Range: bytes=0-1\r\n')}${MARK}HTTP/1.1 206 Partial\r\nETag: "1"\r\nContent-Range: bytes 0-1/4\r\nContent-Length: 2\r\n\r\nab`,
    `CONNECT b:443 HTTP/1.1\r\nHost: b\r\n\r\n${MARK}HTTP/1.1 200 OK\r\n\r\n\x16\x03`,
  ],
  words: [
    'HTTP/1.1 200 OK\r\n',
    'GET / HTTP/1.1\r\n',
    'Content-Length: ',
    'Transfer-Encoding: chunked\r\n',
    '\r\n\r\n',
    '\n\n',
    '\r\n0\r\n\r\n',
    '\f',
    MARK,
    'HEAD / HTTP/1.1\r\n',
    '\r\n ',
    'ffffffff\r\n',
  ],
  check: checkTalk,
}
