/**
 * IpDecoder: IPv4 and IPv6 with their options, fragments and tunnels, down to the TCP segment. A length that IP states counts,
 * not that of the frame, which may be padded (RFC 894); one of zero means that a network card cuts the packet later.
 *
 * Sums are looked at: a damaged packet never reached its reader. But many captures have none to look at: a network card was to
 * fill them in, addresses were replaced later, the packet was cut. So a segment only says what its sums are; whether a wrong
 * one means damage is decided where its sender's others are known (`flows/flow-table.ts`).
 */
import { Fragments } from './fragments.ts'
import type { FragmentLimits } from './fragments.ts'
import { UnfilledSums, addressSum, sumOf, tcpSum } from './internet-checksum.ts'
import { packetCounters } from './packet-counters.ts'
import type { PacketCounters } from './packet-counters.ts'
import { SUM_RIGHT, SUM_UNKNOWN, SUM_WRONG, emptySegment } from './tcp-segment.ts'
import type { SegmentSink } from './tcp-segment.ts'

export interface IpDecoderOptions {
  /** Look at IP's and TCP's sums. */
  readonly checksums: boolean
  /** Tunnels in tunnels that are followed. */
  readonly maxDepth: number
  readonly fragments: Partial<FragmentLimits>
}

/** Decode Ethernet inside a tunnel. */
type EthernetDecoder = (bytes: Uint8Array, at: number, cut: number, vlan: number, depth: number) => void

const TCP = 6
const UDP = 17
const IP_IN_IP = 4
const IPV6_IN_IP = 41
const GRE = 47
const FRAGMENT = 44
const AUTHENTICATION = 51
/** Headers of IPv6 that stand before what it carries, all with their length in their second byte. */
const EXTENSIONS: ReadonlySet<number> = new Set([0, 43, 60, 135, 139, 140])
const MOST_EXTENSIONS = 16

/** Tunnels over UDP, by port. */
const VXLAN: ReadonlySet<number> = new Set([4_789, 8_472])
const GENEVE = 6_081
const TEREDO = 3_544
const GTP = 2_152

/** Longer than ordinary links carry: most likely a network card put several together, and their sum is none of theirs. */
const LONGEST_FRAME = 1_600

export class IpDecoder {
  readonly counters: PacketCounters = packetCounters()
  readonly #sink: SegmentSink
  readonly #ethernet: EthernetDecoder
  readonly #options: Omit<IpDecoderOptions, 'fragments'>
  readonly #fragments: Fragments
  readonly #segment = emptySegment()
  readonly #cards = new UnfilledSums()
  #at = 0
  /** A header of IP around the segment has a wrong sum. */
  #hasWrongHeader = false
  /** It came in fragments. */
  #isJoined = false

  constructor(sink: SegmentSink, ethernet: EthernetDecoder, options: Partial<IpDecoderOptions>) {
    this.#sink = sink
    this.#ethernet = ethernet
    this.#options = { checksums: true, maxDepth: 4, ...options }
    this.#fragments = new Fragments(this.counters, options.fragments)
  }

  /** A packet follows; when it was captured. */
  begin(at: number): void {
    this.#at = at
    this.#hasWrongHeader = this.#isJoined = false
  }

  /** What stands at `at` should be IP. `cut`: bytes of it that were not captured. */
  decode(bytes: Uint8Array, at: number, cut: number, vlan: number, depth: number): void {
    if (depth > this.#options.maxDepth) return void this.counters.tooDeep++
    const version = at < bytes.length ? bytes[at]! >> 4 : 0
    if (version === 4) this.#v4(bytes, at, cut, vlan, depth)
    else if (version === 6) this.#v6(bytes, at, cut, vlan, depth)
    else this.counters.notIp++
  }

  #v4(bytes: Uint8Array, at: number, cut: number, vlan: number, depth: number): void {
    const header = (bytes[at]! & 15) * 4
    if (header < 20 || at + header > bytes.length) return void this.counters.badHeader++
    // None at all: left to the network card.
    if (this.#options.checksums && two(bytes, at + 10) !== 0 && sumOf(bytes, at, at + header) !== 0xffff) {
      this.#hasWrongHeader = true
    }
    const there = bytes.length - at + cut
    const stated = two(bytes, at + 2)
    const total = stated === 0 ? there : stated
    if (total < header || total > there) return void this.counters.badHeader++
    const place = two(bytes, at + 6)
    const from = at + header
    const end = at + total
    if ((place & 0x3fff) === 0) {
      return this.#carried(bytes, from, end, bytes[at + 9]!, at + 12, at + 16, false, vlan, depth)
    }
    if (end > bytes.length) return void this.counters.lostFragments++
    const id = two(bytes, at + 4)
    const where = { offset: (place & 0x1fff) * 8, isLast: (place & 0x2000) === 0 }
    const whole = this.#fragments.add(bytes, at + 12, 8, id, bytes[at + 9]!, vlan, where, from, end, this.#at)
    if (whole !== undefined) this.#whole(whole, 8, bytes[at + 9]!, vlan, depth)
  }

  #v6(bytes: Uint8Array, at: number, cut: number, vlan: number, depth: number): void {
    if (at + 40 > bytes.length) return void this.counters.badHeader++
    const there = bytes.length - at + cut
    const stated = two(bytes, at + 4)
    // Zero: a jumbogram, or a network card that cuts later.
    const end = at + (stated === 0 ? there : stated + 40)
    if (end - at > there) return void this.counters.badHeader++
    let [next, from] = [bytes[at + 6]!, at + 40]
    for (let header = 0; header < MOST_EXTENSIONS; header++) {
      if (next === FRAGMENT) return this.#fragmentV6(bytes, at, from, end, vlan, depth)
      const isExtension = EXTENSIONS.has(next)
      if (!isExtension && next !== AUTHENTICATION)
        return this.#carried(bytes, from, end, next, at + 8, at + 24, true, vlan, depth)
      if (from + 8 > bytes.length) break
      const length = isExtension ? (bytes[from + 1]! + 1) * 8 : (bytes[from + 1]! + 2) * 4
      next = bytes[from]!
      from += length
    }
    this.counters.badHeader++
  }

  #fragmentV6(bytes: Uint8Array, at: number, from: number, end: number, vlan: number, depth: number): void {
    if (from + 8 > bytes.length || end > bytes.length) return void this.counters.lostFragments++
    const next = bytes[from]!
    const place = two(bytes, from + 2)
    const [offset, isLast] = [place & 0xfff8, (place & 1) === 0]
    // All of it in one fragment (RFC 6946).
    if (offset === 0 && isLast) return this.#carried(bytes, from + 8, end, next, at + 8, at + 24, true, vlan, depth)
    const id = two(bytes, from + 4) * 65_536 + two(bytes, from + 6)
    const whole = this.#fragments.add(bytes, at + 8, 32, id, next, vlan, { offset, isLast }, from + 8, end, this.#at)
    if (whole !== undefined) this.#whole(whole, 32, next, vlan, depth)
  }

  /** Put together again: the addresses stand before it. */
  #whole(bytes: Uint8Array, addresses: number, protocol: number, vlan: number, depth: number): void {
    this.#isJoined = true
    this.#carried(bytes, addresses, bytes.length, protocol, 0, addresses / 2, addresses === 32, vlan, depth)
  }

  /** What IP carries: from `from` to `end`, which may be past what was captured. */
  #carried(
    bytes: Uint8Array,
    from: number,
    end: number,
    protocol: number,
    sourceAt: number,
    targetAt: number,
    isV6: boolean,
    vlan: number,
    depth: number,
  ): void {
    if (protocol === TCP) return this.#tcp(bytes, from, end, sourceAt, targetAt, isV6, vlan)
    const inner = this.#innerOf(bytes, from, protocol)
    if (inner === undefined) return void this.counters.notTcp++
    this.counters.tunnels++
    const captured = bytes.length > end ? bytes.subarray(0, end) : bytes
    const cut = Math.max(0, end - captured.length)
    if (inner.isEthernet) this.#ethernet(captured, inner.at, cut, vlan, depth + 1)
    else this.decode(captured, inner.at, cut, vlan, depth + 1)
  }

  #innerOf(bytes: Uint8Array, at: number, protocol: number): { at: number; isEthernet: boolean } | undefined {
    if (protocol === IP_IN_IP || protocol === IPV6_IN_IP) return { at, isEthernet: false }
    if (protocol === GRE) return greInner(bytes, at)
    return protocol === UDP ? udpInner(bytes, at) : undefined
  }

  #tcp(
    bytes: Uint8Array,
    at: number,
    end: number,
    sourceAt: number,
    targetAt: number,
    isV6: boolean,
    vlan: number,
  ): void {
    if (at + 20 > bytes.length) return void this.counters.badHeader++
    const payloadAt = at + (bytes[at + 12]! >> 4) * 4
    if (payloadAt < at + 20 || payloadAt > end) return void this.counters.badHeader++
    const segment = this.#segment
    segment.sum = this.#options.checksums
      ? this.#sumOf(bytes, at, payloadAt, end, sourceAt, targetAt, isV6)
      : SUM_UNKNOWN
    if (segment.sum === SUM_WRONG) this.counters.wrongSums++
    segment.at = this.#at
    segment.vlan = vlan
    segment.bytes = bytes
    segment.isV6 = isV6
    segment.sourceAt = sourceAt
    segment.targetAt = targetAt
    segment.sourcePort = two(bytes, at)
    segment.targetPort = two(bytes, at + 2)
    segment.seq = four(bytes, at + 4)
    segment.ack = four(bytes, at + 8)
    segment.flags = bytes[at + 13]!
    segment.window = two(bytes, at + 14)
    segment.stamp = stampOf(bytes, at + 20, Math.min(payloadAt, bytes.length))
    segment.payloadAt = Math.min(payloadAt, bytes.length)
    segment.payloadLength = Math.max(0, Math.min(end, bytes.length) - payloadAt)
    segment.missing = end - payloadAt - segment.payloadLength
    this.counters.segments++
    this.#sink.segment(segment)
  }

  #sumOf(
    bytes: Uint8Array,
    at: number,
    payloadAt: number,
    end: number,
    sourceAt: number,
    targetAt: number,
    isV6: boolean,
  ): number {
    if (this.#hasWrongHeader) return SUM_WRONG
    if (end > bytes.length) return SUM_UNKNOWN
    const isRight = tcpSum(bytes, at, end, sourceAt, targetAt, isV6) === 0xffff
    const isEmpty = end === payloadAt
    if (isRight && !isEmpty) this.#cards.right(bytes, sourceAt, isV6)
    if (isRight) return SUM_RIGHT
    if (end - at > LONGEST_FRAME && !this.#isJoined) return SUM_UNKNOWN
    const stated = two(bytes, at + 16)
    const isLeft = stated === 0 || [end - at, 0].some((n) => stated === addressSum(bytes, sourceAt, targetAt, n, isV6))
    return isLeft && this.#cards.left(bytes, sourceAt, isV6) ? SUM_UNKNOWN : SUM_WRONG
  }
}

/** The sender's clock among the options (RFC 7323 §3.2); nearly always it is the only one, after two that do nothing. */
function stampOf(bytes: Uint8Array, begin: number, end: number): number {
  for (let at = begin; at < end;) {
    const kind = bytes[at]!
    if (kind === 1) at++
    else if (kind === 8 && bytes[at + 1] === 10 && at + 10 <= end) return four(bytes, at + 2)
    else {
      const length = bytes[at + 1] ?? 0
      if (kind === 0 || length < 2) return -1
      at += length
    }
  }
  return -1
}

/** RFC 2784, 2890; with sequence numbers for Ethernet from a mirror port (ERSPAN types I to III). */
function greInner(bytes: Uint8Array, at: number): { at: number; isEthernet: boolean } | undefined {
  if (at + 4 > bytes.length) return undefined
  const flags = bytes[at]!
  const kind = two(bytes, at + 2)
  let inner = at + 4
  for (const flag of [0x80, 0x20, 0x10]) if (flags & flag) inner += 4
  // PPTP's own form has an acknowledgement (RFC 2637 §4.1).
  if ((bytes[at + 1]! & 7) === 1 && bytes[at + 1]! & 0x80) inner += 4
  if (kind === 0x88be) return { at: flags & 0x10 ? inner + 8 : inner, isEthernet: true }
  if (kind === 0x22eb) return { at: inner + 12 + (((bytes[inner + 11] ?? 0) & 1) === 1 ? 8 : 0), isEthernet: true }
  if (kind === 0x6558) return { at: inner, isEthernet: true }
  if (kind === 0x0800 || kind === 0x86dd) return { at: inner, isEthernet: false }
  if (kind === 0x8847) {
    while (inner + 4 <= bytes.length && (bytes[inner + 2]! & 1) === 0) inner += 4
    return { at: inner + 4, isEthernet: false }
  }
  if (kind !== 0x880b) return undefined
  // PPP in it: protocol of one or two bytes, after address and control where they are.
  if (two(bytes, inner) === 0xff03) inner += 2
  return { at: inner + ((bytes[inner] ?? 0) & 1 ? 1 : 2), isEthernet: false }
}

function udpInner(bytes: Uint8Array, at: number): { at: number; isEthernet: boolean } | undefined {
  if (at + 16 > bytes.length) return undefined
  const [source, target] = [two(bytes, at), two(bytes, at + 2)]
  const inner = at + 8
  if (VXLAN.has(target) && bytes[inner]! & 8) return { at: inner + 8, isEthernet: true }
  if (target === GENEVE) {
    const kind = two(bytes, inner + 2)
    const after = inner + 8 + (bytes[inner]! & 63) * 4
    return kind === 0x6558 ? { at: after, isEthernet: true } : { at: after, isEthernet: false }
  }
  if (source === TEREDO || target === TEREDO) return teredoInner(bytes, inner)
  if ((source === GTP || target === GTP) && bytes[inner + 1] === 0xff) {
    const hasMore = bytes[inner]! & 7
    return { at: inner + 8 + (hasMore ? 4 : 0), isEthernet: false }
  }
  return undefined
}

/** An origin and an authentication may stand before the packet (RFC 4380 §5.1.1). */
function teredoInner(bytes: Uint8Array, begin: number): { at: number; isEthernet: boolean } | undefined {
  let at = begin
  if (two(bytes, at) === 1) at += 13 + bytes[at + 2]! + bytes[at + 3]!
  if (two(bytes, at) === 0) at += 8
  return (bytes[at] ?? 0) >> 4 === 6 ? { at, isEthernet: false } : undefined
}

const two = (bytes: Uint8Array, at: number): number => (bytes[at]! << 8) | bytes[at + 1]!
const four = (bytes: Uint8Array, at: number): number => two(bytes, at) * 65_536 + two(bytes, at + 2)
