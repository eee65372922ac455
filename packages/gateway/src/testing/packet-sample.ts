/**
 * Packet sample: packets and captures made by hand, for tests: TCP in IPv4 or IPv6, Ethernet with its tags, fragments, and the
 * file around them. Sums are right unless somebody wants them otherwise.
 */
import { sumOf } from '../packets/internet-checksum.ts'

export interface Endpoint {
  /** 4 bytes or 16. */
  readonly address: readonly number[]
  readonly port: number
}

export interface SampleSegment {
  readonly from: Endpoint
  readonly to: Endpoint
  readonly seq: number
  readonly ack?: number | undefined
  readonly flags: number
  readonly payload?: Uint8Array | undefined
  /** The sender's clock. */
  readonly stamp?: number | undefined
  readonly urgent?: number | undefined
  /** Identifies fragments. */
  readonly id?: number | undefined
}

/**
 * `left`: for the network card to fill in. `left-data`: those of packets that carry something alone; `left-length`: the same by cards that
 * cut packets and put in their length too; `none-data`: nothing is there.
 */
export type Sums = 'right' | 'wrong' | 'left' | 'left-data' | 'left-length' | 'none-data'

export interface Wire {
  /** Milliseconds. */
  readonly at: number
  /** What was captured, and how long it was. */
  readonly bytes: Uint8Array
  readonly length?: number | undefined
}

const TCP = 6

export function tcpPacket(segment: SampleSegment, sums: Sums = 'right'): Uint8Array {
  const { from, to, seq, ack = 0, flags, payload = new Uint8Array(0), stamp, urgent = 0 } = segment
  const options = stamp === undefined ? Buffer.alloc(0) : Buffer.from([1, 1, 8, 10, 0, 0, 0, 0, 0, 0, 0, 0])
  if (stamp !== undefined) options.writeUInt32BE(stamp, 4)
  const header = Buffer.alloc(20)
  header.writeUInt16BE(from.port, 0)
  header.writeUInt16BE(to.port, 2)
  header.writeUInt32BE(seq, 4)
  header.writeUInt32BE(ack, 8)
  header[12] = ((20 + options.length) / 4) << 4
  header[13] = flags
  header.writeUInt16BE(65_535, 14)
  header.writeUInt16BE(urgent, 18)
  const tcp = Buffer.concat([header, options, payload])
  const pseudo = Buffer.from([...from.address, ...to.address, 0, TCP, tcp.length >> 8, tcp.length & 255])
  const before = sumOf(pseudo, 0, pseudo.length)
  const whole = ~sumOf(tcp, 0, tcp.length, before) & 0xffff
  const withoutLength = sumOf(pseudo, 0, pseudo.length - 2)
  const written = { right: whole, wrong: whole ^ 0x5a5a, left: before }
  const ofData = { 'left-data': before, 'left-length': withoutLength, 'none-data': 0 }
  const sum = sums in written ? written[sums as 'right'] : payload.length === 0 ? whole : ofData[sums as 'left-data']
  tcp.writeUInt16BE(sum, 16)
  return ipPacket(from.address, to.address, tcp, { id: segment.id ?? 0 })
}

interface IpFields {
  readonly id?: number
  readonly protocol?: number
  /** The field with the flags and the offset of a fragment. */
  readonly place?: number
  /** Of IPv6: headers before what it carries; the first one's kind is `next`. */
  readonly extensions?: Uint8Array
  readonly next?: number
}

export function ipPacket(
  source: readonly number[],
  target: readonly number[],
  payload: Uint8Array,
  { id = 0, protocol = TCP, place = 0, extensions = new Uint8Array(0), next = protocol }: IpFields = {},
): Uint8Array {
  if (source.length === 16) {
    const header = Buffer.alloc(8)
    header[0] = 0x60
    header.writeUInt16BE(extensions.length + payload.length, 4)
    header[6] = next
    header[7] = 64
    return Buffer.concat([header, Buffer.from([...source, ...target]), extensions, payload])
  }
  const header = Buffer.alloc(20)
  header[0] = 0x45
  header.writeUInt16BE(20 + payload.length, 2)
  header.writeUInt16BE(id, 4)
  header.writeUInt16BE(place, 6)
  header[8] = 64
  header[9] = protocol
  header.set([...source, ...target], 12)
  header.writeUInt16BE(~sumOf(header, 0, 20) & 0xffff, 10)
  return Buffer.concat([header, payload])
}

/** A packet in pieces of so many bytes, a multiple of eight. */
export function fragmentsOf(packet: Uint8Array, size: number, id: number): Uint8Array[] {
  const isV6 = packet[0]! >> 4 === 6
  const begin = isV6 ? 40 : 20
  const payload = packet.subarray(begin)
  if (payload.length <= size) return [packet]
  const source = [...packet.subarray(isV6 ? 8 : 12, isV6 ? 24 : 16)]
  const target = [...packet.subarray(isV6 ? 24 : 16, isV6 ? 40 : 20)]
  const pieces: Uint8Array[] = []
  for (let at = 0; at < payload.length; at += size) {
    const isLast = at + size >= payload.length
    const piece = payload.subarray(at, at + size)
    if (isV6) {
      const extensions = Buffer.alloc(8)
      extensions[0] = packet[6]!
      extensions.writeUInt16BE(at | (isLast ? 0 : 1), 2)
      extensions.writeUInt32BE(id, 4)
      pieces.push(ipPacket(source, target, piece, { extensions, next: 44 }))
    } else pieces.push(ipPacket(source, target, piece, { id, place: (isLast ? 0 : 0x2000) | (at / 8) }))
  }
  return pieces
}

/** An Ethernet frame; each tag is a number of a virtual network, the outermost first. */
export function ethernetFrame(packet: Uint8Array, tags: readonly number[] = [], kind?: number): Uint8Array {
  const inner = kind ?? (packet[0]! >> 4 === 6 ? 0x86dd : 0x0800)
  const kinds = tags.flatMap((tag) => [0x81, 0x00, tag >> 8, tag & 255])
  return Buffer.concat([Buffer.alloc(12, 2), Buffer.from([...kinds, inner >> 8, inner & 255]), packet])
}

interface PcapOptions {
  readonly linkType?: number
  readonly isBigEndian?: boolean
  readonly isNano?: boolean
}

export function pcapFile(packets: readonly Wire[], options: PcapOptions = {}): Buffer {
  const { linkType = 101, isBigEndian = false, isNano = false } = options
  const numbers = (...values: number[]): Buffer => {
    const bytes = Buffer.alloc(4 * values.length)
    for (const [at, value] of values.entries()) {
      if (isBigEndian) bytes.writeUInt32BE(value, 4 * at)
      else bytes.writeUInt32LE(value, 4 * at)
    }
    return bytes
  }
  const version = isBigEndian ? 0x0002_0004 : 0x0004_0002
  const header = numbers(isNano ? 0xa1b23c4d : 0xa1b2c3d4, version, 0, 0, 262_144, linkType)
  const records = packets.flatMap(({ at, bytes, length = bytes.length }) => {
    const seconds = Math.floor(at / 1_000)
    const fraction = Math.floor((at - seconds * 1_000) * (isNano ? 1e6 : 1e3))
    return [numbers(seconds, fraction, bytes.length, length), bytes]
  })
  return Buffer.concat([header, ...records])
}
