/**
 * PacketDecoder: from a packet as it was captured to the TCP segment in it. Here is what stands before IP: the link types,
 * virtual networks, labels; `packets/ip-decoder.ts` goes on from there, and comes back for tunnels that carry Ethernet.
 *
 * Whatever is in a packet, it is either handed on or counted under a name: nothing throws, nothing is guessed.
 */
import type { PacketSink } from './capture-reader.ts'
import { IpDecoder } from './ip-decoder.ts'
import type { IpDecoderOptions } from './ip-decoder.ts'
import type { PacketCounters } from './packet-counters.ts'
import type { SegmentSink } from './tcp-segment.ts'

/** Link types by number (https://www.tcpdump.org/linktypes.html). */
const NULL_LOOPBACK = 0
const ETHERNET = 1
const PPP = 9
const PPP_HDLC = 50
const OPEN_LOOPBACK = 108
const LINUX_COOKED = 113
const IPV4 = 228
const IPV6 = 229
const NFLOG = 239
const LINUX_COOKED_2 = 276
/** Plain IP has different numbers on different systems. */
const RAW: ReadonlySet<number> = new Set([12, 14, 101])

/** Kinds of frames by their number in Ethernet. */
const IS_IPV4 = 0x0800
const IS_IPV6 = 0x86dd
const MPLS = 0x8847
const MPLS_MULTICAST = 0x8848
const PPPOE = 0x8864
const PROVIDER_BACKBONE = 0x88e7
const VN_TAG = 0x8926
const TRANSPARENT_ETHERNET = 0x6558
const VLAN: ReadonlySet<number> = new Set([0x8100, 0x88a8, 0x9100, 0x9200])
const LONGEST_LLC = 1_500
const MOST_TAGS = 8

export class PacketDecoder implements PacketSink {
  readonly #ip: IpDecoder
  readonly counters: PacketCounters

  constructor(sink: SegmentSink, options: Partial<IpDecoderOptions> = {}) {
    this.#ip = new IpDecoder(
      sink,
      (bytes, at, wire, vlan, depth) => this.#ethernet(bytes, at, wire, vlan, depth),
      options,
    )
    this.counters = this.#ip.counters
  }

  packet(at: number, linkType: number, bytes: Uint8Array, wireLength: number): void {
    this.counters.packets++
    this.#ip.begin(at)
    const cut = wireLength - bytes.length
    if (linkType === ETHERNET) return this.#ethernet(bytes, 0, cut, 0, 0)
    if (RAW.has(linkType) || linkType === IPV4 || linkType === IPV6) return this.#ip.decode(bytes, 0, cut, 0, 0)
    if (linkType === LINUX_COOKED) return this.#kind(bytes, 16, cut, 0, 0, this.#number(bytes, 14))
    if (linkType === LINUX_COOKED_2) return this.#kind(bytes, 20, cut, 0, 0, this.#number(bytes, 0))
    // An address family comes first, in the byte order of who captured it; they differ between systems, so IP itself tells.
    if (linkType === NULL_LOOPBACK || linkType === OPEN_LOOPBACK) return this.#ip.decode(bytes, 4, cut, 0, 0)
    if (linkType === PPP || linkType === PPP_HDLC) return this.#ppp(bytes, 0, cut, 0, 0)
    if (linkType === NFLOG) return this.#nflog(bytes, cut)
    this.counters.unknownLink++
  }

  /** `cut`: bytes of the packet that were sent and not captured. */
  #ethernet(bytes: Uint8Array, at: number, cut: number, vlan: number, depth: number): void {
    this.#kind(bytes, at + 14, cut, vlan, depth, this.#number(bytes, at + 12))
  }

  #kind(bytes: Uint8Array, begin: number, cut: number, vlan: number, depth: number, kind: number): void {
    let [at, tags] = [begin, vlan]
    for (let tag = 0; tag < MOST_TAGS; tag++) {
      if (kind === IS_IPV4 || kind === IS_IPV6) return this.#ip.decode(bytes, at, cut, tags, depth)
      if (VLAN.has(kind)) {
        tags = tags * 4_096 + (this.#number(bytes, at) & 0xfff) + 1
        kind = this.#number(bytes, at + 2)
        at += 4
      } else if (kind === VN_TAG) {
        kind = this.#number(bytes, at + 4)
        at += 6
      } else if (kind === PROVIDER_BACKBONE) return this.#ethernet(bytes, at + 4, cut, tags, depth)
      else if (kind === TRANSPARENT_ETHERNET) return this.#ethernet(bytes, at, cut, tags, depth)
      else if (kind === MPLS || kind === MPLS_MULTICAST) return this.#labels(bytes, at, cut, tags, depth)
      else if (kind === PPPOE) return this.#ppp(bytes, at + 6, cut, tags, depth)
      else if (kind <= LONGEST_LLC && this.#number(bytes, at) === 0xaaaa) {
        kind = this.#number(bytes, at + 6)
        at += 8
      } else break
    }
    this.counters.notIp++
  }

  /** Labels until the last, which says so (RFC 3032 §2.1); what comes then is not said: IP, or Ethernet after four zero bytes. */
  #labels(bytes: Uint8Array, begin: number, cut: number, vlan: number, depth: number): void {
    let at = begin
    while (at + 4 <= bytes.length && (bytes[at + 2]! & 1) === 0) at += 4
    at += 4
    const version = (bytes[at] ?? 0) >> 4
    if (version === 0) this.#ethernet(bytes, at + 4, cut, vlan, depth)
    else this.#ip.decode(bytes, at, cut, vlan, depth)
  }

  #ppp(bytes: Uint8Array, begin: number, cut: number, vlan: number, depth: number): void {
    const hasAddress = this.#number(bytes, begin) === 0xff03
    const at = hasAddress ? begin + 2 : begin
    // The first byte of the protocol is left out where both sides agreed to (RFC 1661 §6.5).
    const isShort = ((bytes[at] ?? 0) & 1) === 1
    const protocol = isShort ? bytes[at]! : this.#number(bytes, at)
    if (protocol === 0x21 || protocol === 0x57) this.#ip.decode(bytes, at + (isShort ? 1 : 2), cut, vlan, depth)
    else this.counters.notIp++
  }

  /** Fields with lengths in the byte order of who captured it; the ninth is the packet. */
  #nflog(bytes: Uint8Array, cut: number): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    for (const little of [true, false]) {
      for (let at = 4; at + 4 <= bytes.length;) {
        const length = view.getUint16(at, little)
        if (length < 4) break
        if (view.getUint16(at + 2, little) === 9) return this.#ip.decode(bytes, at + 4, cut, 0, 0)
        at += (length + 3) & ~3
      }
    }
    this.counters.notIp++
  }

  #number(bytes: Uint8Array, at: number): number {
    return at + 2 <= bytes.length ? bytes[at]! * 256 + bytes[at + 1]! : -1
  }
}
