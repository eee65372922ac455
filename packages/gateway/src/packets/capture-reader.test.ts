import fc from 'fast-check'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { missing, sharedData } from '@comity/protocol/testing'
import { CaptureReader } from './capture-reader.ts'
import { pcapFile } from '../testing/packet-sample.ts'
import { ngWriter } from '../testing/pcapng-sample.ts'

interface Seen {
  readonly packets: string[]
  readonly problem: string | undefined
}

/** Each packet as `time link iface text(/length on the wire)`. */
function read(pieces: readonly Uint8Array[]): Seen {
  const packets: string[] = []
  const reader = new CaptureReader({
    packet(at, linkType, bytes, wireLength, iface) {
      const cut = wireLength === bytes.length ? '' : `/${wireLength}`
      packets.push(`${at} ${linkType} ${iface} ${Buffer.from(bytes).toString('latin1')}${cut}`)
    },
  })
  for (const piece of pieces) reader.write(piece)
  return { packets, problem: reader.end().problem }
}

const wires = [
  { at: 1_500.25, bytes: Buffer.from('one') },
  { at: 2_000, bytes: Buffer.from('two'), length: 10 },
]
const expected = ['1500.25 101 0 one', '2000 101 0 two/10']

const classics: [sentence: string, options: object][] = [
  ['1: a pcap file is read in the order of bytes of most machines, with microseconds', {}],
  ['2: a pcap file is read in the other order of bytes', { isBigEndian: true }],
  ['3: a pcap file with nanoseconds is read', { isNano: true }],
  ['3: a pcap file with nanoseconds is read in the other order of bytes', { isNano: true, isBigEndian: true }],
]
for (const [sentence, options] of classics) {
  test(sentence, () => assert.deepEqual(read([pcapFile(wires, options)]), { packets: expected, problem: undefined }))
}

test('4: what is no capture, or one of a kind nobody writes any more, is refused with its first bytes', () => {
  const cases: [bytes: Uint8Array, shown: RegExp][] = [
    [Buffer.from('34cdb2a100020004', 'hex'), /begins with a1b2cd34/],
    [Buffer.from('GIF89a, and more'), /begins with 38464947; pcap or pcapng is needed/],
  ]
  for (const [bytes, shown] of cases) assert.match(read([bytes]).problem ?? '', shown)
})

const ng = ngWriter(false)
const gn = ngWriter(true)

test('5: a pcapng file is read with all its kinds of packets; other blocks and options are passed over', () => {
  const file = [
    ng.section(),
    ng.iface(1, [
      [2, Buffer.from('eth0')],
      [1, Buffer.from('an odd length')],
    ]),
    ng.block(4, Buffer.alloc(8)),
    ng.packet(0, 1_500_000n, Buffer.from('enhanced'), 99),
    ng.block(5, Buffer.alloc(12)),
    ng.oldPacket(0, 1_600_000n, Buffer.from('obsolete')),
    ng.block(0x0000000a, Buffer.from('keys of TLS, which nobody reads')),
    ng.simplePacket(Buffer.from('simple')),
    ng.block(0x40000bad, Buffer.from('somebody else’s')),
  ]
  assert.deepEqual(read([Buffer.concat(file)]), {
    packets: ['1500 1 0 enhanced/99', '1600 1 0 obsolete', '1600 1 0 simple'],
    problem: undefined,
  })
})

test('5: sections of a pcapng file have their own order of bytes, interfaces, link types and clocks', () => {
  const offset = Buffer.alloc(8)
  offset.writeBigInt64BE(100n)
  const file = [
    ng.section(),
    ng.iface(1),
    ng.iface(101, [[9, Buffer.from([9])]]),
    ng.packet(1, 2_000_000_000n, Buffer.from('nanoseconds')),
    ng.packet(0, 2_000_000n, Buffer.from('microseconds')),
    gn.section(),
    gn.iface(113, [
      [9, Buffer.from([0x80 | 10])],
      [14, offset],
    ]),
    gn.packet(0, 512n, Buffer.from('parts of 1024, from another beginning')),
  ]
  assert.deepEqual(read([Buffer.concat(file)]), {
    packets: ['2000 101 1 nanoseconds', '2000 1 0 microseconds', '100500 113 0 parts of 1024, from another beginning'],
    problem: undefined,
  })
})

test('5: a block of pcapng with two lengths stops the reading, with what was read before', () => {
  const file = Buffer.concat([
    ng.section(),
    ng.iface(1),
    ng.packet(0, 0n, Buffer.from('good')),
    ng.packet(0, 0n, Buffer.from('bad!')),
  ])
  file.writeUInt32LE(99, file.length - 4)
  const { packets, problem } = read([file])
  assert.deepEqual(packets, ['0 1 0 good'])
  assert.match(problem ?? '', /two lengths/)
})

const cuts: [sentence: string, bytes: Uint8Array, packets: number, problem: RegExp][] = [
  ['6: an empty capture says so', new Uint8Array(0), 0, /empty/],
  ['6: a capture that is cut in its header says so', pcapFile(wires).subarray(0, 20), 0, /middle/],
  ['6: a capture that is cut in a packet gives those before', pcapFile(wires).subarray(0, -1), 1, /middle of a packet/],
  ['6: a packet of more bytes than any has is damage', damaged(), 1, /damaged/],
]
for (const [sentence, bytes, packets, problem] of cuts) {
  test(sentence, () => {
    const seen = read([bytes])
    assert.equal(seen.packets.length, packets)
    assert.match(seen.problem ?? '', problem)
  })
}

function damaged(): Uint8Array {
  const file = pcapFile(wires)
  file.writeUInt32LE(0x7fffffff, 24 + 16 + 3 + 8)
  return file
}

test('7: a pipe whose writer begins anew goes on with the next capture', () => {
  const both = Buffer.concat([pcapFile(wires), pcapFile(wires, { isBigEndian: true, linkType: 1 })])
  assert.deepEqual(read([both]).packets, [...expected, '1500.25 1 0 one', '2000 1 0 two/10'])
})

test('9: a length on the wire that is shorter than what was captured counts as that much', () => {
  assert.deepEqual(read([pcapFile([{ at: 0, bytes: Buffer.from('long'), length: 2 }])]).packets, ['0 101 0 long'])
})

test('a capture is the same in whatever pieces it comes', () => {
  const files = [
    pcapFile(wires),
    Buffer.concat([ng.section(), ng.iface(1), ng.block(4, Buffer.alloc(100)), ng.packet(0, 7n, Buffer.from('seven'))]),
  ]
  const sizes = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 })
  fc.assert(
    fc.property(fc.constantFrom(...files), sizes, (file, chosen) => {
      const pieces: Uint8Array[] = []
      for (let at = 0, each = 0; at < file.length; each++) {
        const size = chosen[each % chosen.length]!
        pieces.push(file.subarray(at, at + size))
        at += size
      }
      assert.deepEqual(read(pieces), read([file]))
    }),
  )
})

test('what was written may be written over at once', () => {
  const file = pcapFile(wires)
  const packets: string[] = []
  const reader = new CaptureReader({
    packet: (_at, _type, bytes) => void packets.push(Buffer.from(bytes).toString('hex')),
  })
  const room = Buffer.alloc(7)
  for (let at = 0; at < file.length; at += 7) reader.write(room.subarray(0, file.copy(room, 0, at, at + 7)))
  assert.equal(reader.end().problem, undefined)
  assert.deepEqual(
    packets,
    wires.map(({ bytes }) => Buffer.from(bytes).toString('hex')),
  )
})

test('whatever bytes come, packets or a problem come out, and nothing else', () => {
  const magic = fc.constantFrom('d4c3b2a1', 'a1b2c3d4', '4d3cb2a1', '0a0d0d0a1c0000004d3c2b1a', '')
  fc.assert(
    fc.property(magic, fc.uint8Array({ maxLength: 300 }), (first, rest) => {
      const seen = read([Buffer.from(first, 'hex'), rest])
      assert.ok(seen.packets.length <= 20)
    }),
  )
})

test('5: captures of others in pcapng are read to their end', (t) => {
  const folder = sharedData('captures/zeek+zeek')
  if (folder === undefined) return missing(t, 'captures of others')
  const files: [file: string, packets: number][] = [
    ['testing__btest__Traces__http__cooper-grill-dvwa.pcapng', 64],
    ['testing__btest__Traces__http__zeek-image-1080-80-x.pcapng', 17],
  ]
  for (const [file, packets] of files) {
    const seen = read([readFileSync(`${folder}/${file}`)])
    assert.equal(seen.problem, undefined)
    assert.equal(seen.packets.length, packets, file)
  }
})
