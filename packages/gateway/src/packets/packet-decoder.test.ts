import fc from 'fast-check'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { missing, sharedData } from '@comity/protocol/testing'
import { CaptureReader } from './capture-reader.ts'
import { ethernetFrame, fragmentsOf, ipPacket, tcpPacket } from '../testing/packet-sample.ts'
import type { IpDecoderOptions } from './ip-decoder.ts'
import { PacketDecoder } from './packet-decoder.ts'
import type { PacketCounters } from './packet-counters.ts'
import { SUM_RIGHT, SUM_UNKNOWN, SUM_WRONG } from './tcp-segment.ts'

const v4 = { from: { address: [10, 0, 0, 1], port: 40_000 }, to: { address: [10, 0, 0, 2], port: 80 } }
const six = (last: number): number[] => [0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, last]
const v6 = { from: { address: six(1), port: 40_000 }, to: { address: six(2), port: 80 } }
const said = Buffer.from('GET / HTTP/1.1\r\n\r\n')
const segment = { seq: 1, ack: 2, flags: 16, payload: said }
const packet = tcpPacket({ ...v4, ...segment })
const packet6 = tcpPacket({ ...v6, ...segment })

interface Decoded {
  /** Payloads, with what is missing behind them. */
  readonly said: string[]
  readonly networks: number[]
  readonly sums: number[]
  readonly counters: PacketCounters
}

function decode(
  packets: readonly (readonly [linkType: number, bytes: Uint8Array, wireLength?: number])[],
  options: Partial<IpDecoderOptions> = {},
): Decoded {
  const decoded: Omit<Decoded, 'counters'> = { said: [], networks: [], sums: [] }
  const decoder = new PacketDecoder(
    {
      segment({ bytes, payloadAt, payloadLength, missing: cut, vlan, sum, sourcePort, targetPort }) {
        assert.deepEqual([Math.max(sourcePort, targetPort), Math.min(sourcePort, targetPort)], [40_000, 80])
        const text = Buffer.from(bytes.subarray(payloadAt, payloadAt + payloadLength)).toString('latin1')
        decoded.said.push(cut === 0 ? text : `${text}+${cut}`)
        decoded.networks.push(vlan)
        decoded.sums.push(sum)
      },
    },
    options,
  )
  for (const [at, [linkType, bytes, wireLength]] of packets.entries())
    decoder.packet(at, linkType, bytes, wireLength ?? bytes.length)
  return { ...decoded, counters: decoder.counters }
}

const bytes = (...hex: string[]): Buffer => Buffer.from(hex.join('').replaceAll(' ', ''), 'hex')
const after = (head: Uint8Array, rest: Uint8Array = packet): Buffer => Buffer.concat([head, rest])
const macs = bytes('020202020202 030303030303')
/** Attributes of nfnetlink: a length, a kind, and the packet as kind 9. */
const nflog = (little: boolean): Buffer => {
  const attribute = Buffer.alloc(4)
  new DataView(attribute.buffer, attribute.byteOffset).setUint16(0, packet.length + 4, little)
  new DataView(attribute.buffer, attribute.byteOffset).setUint16(2, 9, little)
  const other = little ? bytes('0800 0100 00080000') : bytes('0008 0001 00080000')
  return Buffer.concat([bytes('02000000'), other, attribute, packet])
}

const links: [sentence: string, linkType: number, frame: Uint8Array][] = [
  ['10: Ethernet carries IPv4', 1, ethernetFrame(packet)],
  ['10: Ethernet carries IPv6', 1, ethernetFrame(packet6)],
  ['10: the loopback of BSD carries IP, in the one order of bytes', 0, after(bytes('02000000'))],
  ['10: the loopback of BSD carries IP, in the other order of bytes', 0, after(bytes('0000001e'), packet6)],
  ['10: the loopback of OpenBSD carries IP', 108, after(bytes('00000002'))],
  ['10: plain IP is read under the number 12', 12, packet],
  ['10: plain IP is read under the number 14', 14, packet],
  ['10: plain IP is read under the number 101', 101, packet6],
  ['10: plain IPv4 is read', 228, packet],
  ['10: plain IPv6 is read', 229, packet6],
  ['10: the cooked capture of Linux is read', 113, after(bytes('0000 0001 0006 020202020202 0000 0800'))],
  [
    '10: the second cooked capture of Linux is read',
    276,
    after(bytes('86dd 0000 00000002 0001 00 06 0202020202020000'), packet6),
  ],
  ['10: PPP is read', 9, after(bytes('ff03 0021'))],
  ['10: PPP is read with its protocol shortened', 9, after(bytes('21'))],
  ['10: PPP over Ethernet is read', 1, after(Buffer.concat([macs, bytes('8864 11 00 0001 00fc 0021')]))],
  ['10: the log of Linux’s filter is read, in the one order of bytes', 239, nflog(true)],
  ['10: the log of Linux’s filter is read, in the other order of bytes', 239, nflog(false)],
  ['11: a tag of a virtual network is passed', 1, ethernetFrame(packet, [7])],
  ['11: three tags are passed', 1, after(Buffer.concat([macs, bytes('88a8 0001 9100 0002 8100 0003 0800')]))],
  ['12: labels of MPLS are passed', 1, after(Buffer.concat([macs, bytes('8847 00001040 00002140')]))],
  [
    '12: Ethernet behind labels of MPLS is read',
    1,
    after(Buffer.concat([macs, bytes('8847 00002140 00000000')]), ethernetFrame(packet)),
  ],
  [
    '12: a provider’s backbone is passed',
    1,
    after(Buffer.concat([macs, bytes('88e7 00000001')]), ethernetFrame(packet)),
  ],
  ['12: a tag of a virtual port is passed', 1, after(Buffer.concat([macs, bytes('8926 00000000 0800')]))],
  ['15: an envelope of LLC and SNAP is opened', 1, after(Buffer.concat([macs, bytes('0100 aaaa03 000000 0800')]))],
]
for (const [sentence, linkType, frame] of links) {
  test(sentence, () => assert.deepEqual(decode([[linkType, frame]]).said, [said.toString()]))
}

test('10: links that carry no IP that we know are counted', () => {
  const { counters } = decode([
    [105, packet],
    [127, packet],
    [1, after(Buffer.concat([macs, bytes('0806')]), Buffer.alloc(28))],
  ])
  assert.deepEqual([counters.unknownLink, counters.notIp, counters.segments], [2, 1, 0])
})

test('11: the same addresses in two virtual networks are told apart, and tags in another order too', () => {
  const { networks } = decode([
    [1, ethernetFrame(packet)],
    [1, ethernetFrame(packet, [5])],
    [1, ethernetFrame(packet, [6])],
    [1, ethernetFrame(packet, [5, 6])],
    [1, ethernetFrame(packet, [6, 5])],
  ])
  assert.equal(new Set(networks).size, 5)
})

test('13: padding behind a short packet is none of it', () => {
  const padded = Buffer.concat([
    ethernetFrame(tcpPacket({ ...v4, ...segment, payload: Buffer.from('hi') })),
    Buffer.alloc(6, 0xaa),
  ])
  assert.deepEqual(decode([[1, padded]]).said, ['hi'])
})

test('14: a frame that a network card cuts later is taken whole: of 60 KB, or without a length of IP', () => {
  const large = tcpPacket({ ...v4, ...segment, payload: Buffer.alloc(60_000, 120) }, 'left')
  const without = Buffer.from(tcpPacket({ ...v4, ...segment, payload: Buffer.alloc(3_000, 121) }, 'left'))
  without.writeUInt16BE(0, 2)
  without.writeUInt16BE(0, 10)
  const jumbo = Buffer.from(packet6)
  jumbo.writeUInt16BE(0, 4)
  assert.deepEqual(
    decode([
      [101, large],
      [101, without],
      [101, jumbo],
    ]).said,
    ['x'.repeat(60_000), 'y'.repeat(3_000), said.toString()],
  )
})

test('9: what the capture cut off is missing, and nothing is put in its place', () => {
  const cut = ethernetFrame(packet)
  assert.deepEqual(decode([[1, cut.subarray(0, cut.length - 10), cut.length]]).said, ['GET / HT+10'])
  const { said: none, counters } = decode([[1, cut.subarray(0, 40), cut.length]])
  assert.deepEqual([none, counters.badHeader], [[], 1])
})

const extensions: [sentence: string, next: number, headers: Uint8Array, isRead: boolean][] = [
  ['options for every hop are passed', 0, bytes('06 00 010400000000'), true],
  ['a routing header is passed', 43, bytes('06 00 00 00 00000000'), true],
  ['options for the target are passed', 60, bytes('06 00 010400000000'), true],
  ['an authentication header is passed', 51, bytes('06 04 0000 00000001 00000001 000000000000000000000000'), true],
  ['a mobility header is passed', 135, bytes('06 00 0500 00000000'), true],
  ['several of them in a row are passed', 0, bytes('2b 00 010400000000 3c 00 000000000000 06 00 010400000000'), true],
  ['a fragment that is the whole is no fragment', 44, bytes('06 00 0000 00000007'), true],
  [
    'more of them than anybody means are not followed',
    0,
    Buffer.concat(Array.from({ length: 20 }, () => bytes('00 00 010400000000'))),
    false,
  ],
  ['one that is longer than its packet is damage', 0, bytes('06 ff 010400000000'), false],
]
for (const [sentence, next, headers, isRead] of extensions) {
  test(`20: IPv6: ${sentence}`, () => {
    const tcp = packet6.subarray(40)
    const { said: read, counters } = decode([
      [101, ipPacket(v6.from.address, v6.to.address, tcp, { extensions: headers, next })],
    ])
    assert.deepEqual(read, isRead ? [said.toString()] : [])
    if (!isRead) assert.equal(counters.badHeader, 1)
  })
}

test('21: IPv4 with options is read; with lengths that cannot be it is counted', () => {
  const withOptions = Buffer.concat([packet.subarray(0, 20), bytes('01010100'), packet.subarray(20)])
  withOptions[0] = 0x46
  withOptions.writeUInt16BE(withOptions.length, 2)
  withOptions.writeUInt16BE(0, 10)
  assert.deepEqual(decode([[101, withOptions]]).said, [said.toString()])
  const bad = [
    [0, 0x44],
    [0, 0x4f],
    [3, 10],
    [2, 0xff],
  ].map(([at, value]) => {
    const spoilt = Buffer.from(packet)
    spoilt[at!] = value!
    return [101, spoilt] as const
  })
  assert.deepEqual([decode(bad).said, decode(bad).counters.badHeader], [[], 4])
})

test('22: a segment says what its sums are: right, wrong, or left to the network card', () => {
  const whole = { ...v4, ...segment }
  const wrongIp = Buffer.from(packet)
  wrongIp[8]! ^= 1
  const noIp = Buffer.from(packet)
  noIp.writeUInt16BE(0, 10)
  const cut = packet.subarray(0, -2)
  const { sums } = decode([
    [101, packet],
    [101, tcpPacket(whole, 'wrong')],
    [101, tcpPacket(whole, 'left')],
    [101, wrongIp],
    [101, noIp],
    [101, cut, packet.length],
  ])
  assert.deepEqual(sums, [SUM_RIGHT, SUM_WRONG, SUM_UNKNOWN, SUM_WRONG, SUM_RIGHT, SUM_UNKNOWN])
  assert.deepEqual(decode([[101, tcpPacket(whole, 'wrong')]], { checksums: false }).sums, [SUM_UNKNOWN])
})

const ends = [v4.from.address, v4.to.address] as const
const udp = (port: number, inside: Uint8Array): Uint8Array => {
  const header = Buffer.alloc(8)
  header.writeUInt16BE(50_000, 0)
  header.writeUInt16BE(port, 2)
  header.writeUInt16BE(8 + inside.length, 4)
  return ipPacket(...ends, Buffer.concat([header, inside]), { protocol: 17 })
}
const gre = (head: string, inside: Uint8Array): Uint8Array =>
  ipPacket(...ends, after(bytes(head), inside), { protocol: 47 })
const frame = ethernetFrame(packet)

const tunnels: [sentence: string, packet: Uint8Array][] = [
  ['IP in IP', ipPacket(...ends, packet, { protocol: 4 })],
  ['IPv6 in IPv4', ipPacket(...ends, packet6, { protocol: 41 })],
  ['IPv4 in IPv6', ipPacket(six(1), six(2), packet, { protocol: 4 })],
  ['GRE', gre('0000 0800', packet)],
  ['GRE with a sum, a key and a number', gre('b000 86dd 00000000 00000001 00000002', packet6)],
  ['GRE with Ethernet', gre('0000 6558', frame)],
  ['GRE with labels of MPLS', gre('0000 8847 00002140', packet)],
  ['PPTP', gre('3081 880b 00200001 00000001 00000001 ff03 0021', packet)],
  ['a mirror port’s ERSPAN of type I', gre('0000 88be', frame)],
  ['a mirror port’s ERSPAN of type II', gre('1000 88be 00000001 1001000000000000', frame)],
  ['a mirror port’s ERSPAN of type III', gre('1000 22eb 00000001 200100000000000000000000', frame)],
  [
    'a mirror port’s ERSPAN of type III with a header of its platform',
    gre('1000 22eb 00000001 200100000000000000000001 0000000000000000', frame),
  ],
  ['VXLAN', udp(4_789, after(bytes('08000000 00000100'), frame))],
  ['Geneve with Ethernet, behind options', udp(6_081, after(bytes('01006558 00000100 00000000'), frame))],
  ['Geneve with IP', udp(6_081, after(bytes('00000800 00000100'), packet))],
  ['Teredo', udp(3_544, packet6)],
  [
    'Teredo behind an authentication and an origin',
    udp(3_544, after(bytes('0001 00 00 0000000000000000 00 0000 0000 00000000'), packet6)),
  ],
  ['the tunnel of mobile networks', udp(2_152, after(bytes('30ff 0000 00000001'), packet))],
  ['the tunnel of mobile networks, with a number', udp(2_152, after(bytes('32ff 0000 00000001 00010000'), packet))],
]
for (const [sentence, outer] of tunnels) {
  test(`23: tunnels: ${sentence} is followed`, () => {
    const { said: read, counters } = decode([[101, outer]])
    assert.deepEqual([read, counters.tunnels], [[said.toString()], 1])
  })
}

test('23: tunnels in tunnels are followed four deep, and no deeper', () => {
  let outer: Uint8Array = packet
  const counts = Array.from({ length: 6 }, () => {
    outer = ipPacket(...ends, outer, { protocol: 4 })
    const { said: read, counters } = decode([[101, outer]])
    return [read.length, counters.tooDeep]
  })
  assert.deepEqual(counts, [
    [1, 0],
    [1, 0],
    [1, 0],
    [1, 0],
    [0, 1],
    [0, 1],
  ])
})

test('UDP and ICMP are counted and left alone', () => {
  const { counters } = decode([
    [101, udp(53, Buffer.alloc(20))],
    [101, ipPacket(...ends, Buffer.alloc(20), { protocol: 1 })],
  ])
  assert.equal(counters.notTcp, 2)
})

test('whatever is in a packet, it is handed on or counted', () => {
  const samples = [
    ...links.map(([, link, sample]) => [link, sample] as const),
    ...tunnels.map(([, sample]) => [101, sample] as const),
  ]
  const spoilt = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 6 })
  const kinds = fc.oneof(
    fc.constantFrom(...samples),
    fc.tuple(fc.constantFrom(0, 1, 9, 101, 113, 239, 276, 999), fc.uint8Array({ maxLength: 200 })),
  )
  fc.assert(
    fc.property(kinds, spoilt, fc.nat(300), ([link, sample], changes, length) => {
      const changed = Uint8Array.from(sample)
      for (const [at, value] of changes) if (changed.length > 0) changed[at % changed.length] = value
      const decoder = new PacketDecoder({ segment: (seen) => assert.ok(seen.payloadLength >= 0 && seen.missing >= 0) })
      decoder.packet(0, link, changed.subarray(0, length), sample.length)
      const { packets: _, segments, wrongSums: __, fragments, tunnels: ___, ...left } = decoder.counters
      const counted = Object.values(left).reduce((sum, count) => sum + count, segments + fragments)
      assert.ok(counted >= 1, JSON.stringify(decoder.counters))
    }),
  )
})

const others: [sentence: string, file: string, segments: number][] = [
  ['11: a capture of others with a tag', 'zeek+zeek/testing__btest__Traces__http-vlan-0.pcap', 14],
  ['11: a capture of others with two tags', 'zeek+zeek/testing__btest__Traces__http-qinq-0.pcap', 14],
  ['11: a capture of others with three tags', 'zeek+zeek/testing__btest__Traces__vlan-qinqinq.pcap', 14],
  [
    '12: a capture of others with labels in a virtual network',
    'zeek+zeek/testing__btest__Traces__mpls-in-vlan.pcap',
    3,
  ],
  ['13: a capture of others with padding', 'zeek+zeek/testing__btest__Traces__tcp-http-with-padding.pcap', 25],
  ['10: a capture of others on all interfaces of Linux', 'suricata/decode-sll2-01__input.pcap', 5],
  ['23: a capture of others through Teredo', 'suricata/decode-teredo-01__input.pcap', 33],
]
for (const [sentence, file, expected] of others) {
  test(`${sentence} gives its segments`, (t) => {
    const path = sharedData(`captures/${file}`)
    if (path === undefined) return missing(t, 'captures of others')
    let segments = 0
    const decoder = new PacketDecoder({ segment: () => void segments++ })
    new CaptureReader(decoder).write(readFileSync(path))
    assert.equal(segments, expected, JSON.stringify(decoder.counters))
  })
}

test('18, 19: fragments with their whole in an Ethernet frame are put together, of IPv4 and of IPv6', () => {
  for (const whole of [packet, packet6]) {
    const pieces = fragmentsOf(whole, 16, 77)
    assert.deepEqual(decode(pieces.map((piece) => [1, ethernetFrame(piece)])).said, [said.toString()])
  }
})
