/**
 * PcapNgSection: the blocks of a pcapng file (draft-ietf-opsawg-pcapng). A file has sections, each with its own byte order and
 * its own interfaces, and an interface has its own link type and its own clock. Blocks that carry no packets, and options
 * that say nothing about time, are passed over.
 */
import type { PacketSink } from './capture-reader.ts'

interface Interface {
  readonly linkType: number
  readonly snapLength: number
  /** Ticks of its clock in a millisecond. */
  readonly perMs: number
  readonly offsetMs: number
}

const SECTION = 0x0a0d0d0a
const INTERFACE = 1
const OLD_PACKET = 2
const SIMPLE_PACKET = 3
const ENHANCED_PACKET = 6
const WANTED: ReadonlySet<number> = new Set([SECTION, INTERFACE, OLD_PACKET, SIMPLE_PACKET, ENHANCED_PACKET])

const ORDER_MAGIC = 0x1a2b3c4d
const MAX_INTERFACES = 10_000
const TICK_RESOLUTION = 9
const TICK_OFFSET = 14

export class PcapNgSection {
  readonly #sink: PacketSink
  #littleEndian = true
  #interfaces: Interface[] = []
  #lastMs = 0

  constructor(sink: PacketSink) {
    this.#sink = sink
  }

  /** Length of the block that begins here, and whether it says anything we want; or what is wrong with it. */
  head(view: DataView, at: number): { readonly length: number; readonly isWanted: boolean } | string {
    // The type of a section's header reads the same in both orders; the order itself stands behind its length.
    const isSection = view.getUint32(at, true) === SECTION
    if (isSection) {
      const isLittle = view.getUint32(at + 8, true) === ORDER_MAGIC
      if (!isLittle && view.getUint32(at + 8, false) !== ORDER_MAGIC) return 'a section without a byte order'
      this.#littleEndian = isLittle
      this.#interfaces = []
    }
    const length = view.getUint32(at + 4, this.#littleEndian)
    if (length < 12 || length % 4 !== 0) return `a block of ${length} bytes: the capture is damaged here`
    return { length, isWanted: WANTED.has(isSection ? SECTION : view.getUint32(at, this.#littleEndian)) }
  }

  /** A block that is there as a whole. Returns what is wrong with it. */
  read(data: Uint8Array, view: DataView, at: number, length: number): string | undefined {
    const little = this.#littleEndian
    if (view.getUint32(at + length - 4, little) !== length)
      return 'a block with two lengths: the capture is damaged here'
    const type = view.getUint32(at, little)
    const body = at + 8
    const end = at + length - 4
    if (type === INTERFACE) return this.#interface(view, body, end)
    if (type === ENHANCED_PACKET) return this.#packet(data, view, view.getUint32(body, little), body + 4, end)
    if (type === OLD_PACKET) return this.#packet(data, view, view.getUint16(body, little), body + 4, end)
    if (type === SIMPLE_PACKET) return this.#simple(data, view, body, end)
    return undefined
  }

  #interface(view: DataView, body: number, end: number): string | undefined {
    const little = this.#littleEndian
    if (end - body < 8) return 'an interface that is cut short'
    if (this.#interfaces.length >= MAX_INTERFACES) return 'too many interfaces'
    let [perMs, offsetMs] = [1e3, 0]
    for (let at = body + 8; at + 4 <= end;) {
      const [code, bytes] = [view.getUint16(at, little), view.getUint16(at + 2, little)]
      if (code === 0 || at + 4 + bytes > end) break
      if (code === TICK_RESOLUTION && bytes >= 1) perMs = ticksPerMs(view.getUint8(at + 4))
      if (code === TICK_OFFSET && bytes >= 8) offsetMs = Number(view.getBigInt64(at + 4, little)) * 1_000
      at += 4 + ((bytes + 3) & ~3)
    }
    const linkType = view.getUint16(body, little)
    this.#interfaces.push({ linkType, snapLength: view.getUint32(body + 4, little), perMs, offsetMs })
    return undefined
  }

  #packet(data: Uint8Array, view: DataView, iface: number, at: number, end: number): string | undefined {
    const little = this.#littleEndian
    const from = this.#interfaces[iface]
    if (from === undefined) return `a packet of interface ${iface}, which was not described`
    if (end - at < 16) return 'a packet that is cut short'
    const captured = view.getUint32(at + 8, little)
    const wireLength = view.getUint32(at + 12, little)
    const begin = at + 16
    if (begin + captured > end) return 'a packet that is longer than its block'
    const ticks = view.getUint32(at, little) * 2 ** 32 + view.getUint32(at + 4, little)
    const bytes = data.subarray(begin, begin + captured)
    this.#lastMs = from.offsetMs + ticks / from.perMs
    this.#sink.packet(this.#lastMs, from.linkType, bytes, Math.max(wireLength, captured), iface)
    return undefined
  }

  /** It has no time of its own but that of the one before, and is of the first interface. */
  #simple(data: Uint8Array, view: DataView, body: number, end: number): string | undefined {
    const from = this.#interfaces[0]
    if (from === undefined) return 'a packet before any interface was described'
    if (end - body < 4) return 'a packet that is cut short'
    const wireLength = view.getUint32(body, this.#littleEndian)
    const captured = Math.min(wireLength, from.snapLength === 0 ? wireLength : from.snapLength, end - body - 4)
    this.#sink.packet(this.#lastMs, from.linkType, data.subarray(body + 4, body + 4 + captured), wireLength, 0)
    return undefined
  }
}

/** The upper bit: a power of two instead of ten. */
function ticksPerMs(resolution: number): number {
  const exponent = resolution & 0x7f
  return (resolution & 0x80 ? 2 ** exponent : 10 ** exponent) / 1_000
}
