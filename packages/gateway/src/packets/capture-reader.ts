/**
 * CaptureReader: packets out of a capture file, or out of a capture that is still being written. Classic pcap in both byte
 * orders, with micro- and nanoseconds, and pcapng with all its sections and interfaces. Bytes come in pieces of any size;
 * packets go out while they come.
 *
 * A file that is cut off, damaged or none at all gives what could be read before that, and says what was wrong.
 */
import { PcapNgSection } from './pcapng-section.ts'

export interface PacketSink {
  /**
   * One packet as it was captured. `bytes` is good during the call alone; `wireLength` is how long it was before it was cut.
   * `at` is in milliseconds, with their fraction.
   */
  packet(at: number, linkType: number, bytes: Uint8Array, wireLength: number, iface: number): void
}

export interface CaptureEnd {
  readonly packets: number
  /** Why it was not read to its end, or that it ended in the middle; undefined when all was well. */
  readonly problem?: string | undefined
}

/** No link carries a packet this long: whatever says so is damaged. */
const MAX_PACKET_BYTES = 1 << 20
/** Room for a packet and its options; other blocks of pcapng are passed over without being kept. */
const MAX_BLOCK_BYTES = MAX_PACKET_BYTES + (64 << 10)

const FILE_HEADER = 24
const RECORD_HEADER = 16
/** While not even a header is there. */
const AT_LEAST = 32
const SECTION_HEADER = 0x0a0d0d0a

interface Classic {
  readonly littleEndian: boolean
  /** Fractions in a millisecond. */
  readonly perMs: number
  readonly linkType: number
}

export class CaptureReader {
  readonly #sink: PacketSink
  /** What came and is not used yet, in the pieces it came in; it is joined when enough is there. */
  #rest: Uint8Array[] = []
  #restBytes = 0
  #needed = 0
  #format: Classic | PcapNgSection | undefined
  /** Bytes of a block that nobody wants, still to come. */
  #skip = 0
  #packets = 0
  #problem: string | undefined

  constructor(sink: PacketSink) {
    this.#sink = {
      packet: (at, linkType, bytes, wireLength, iface) => {
        this.#packets++
        sink.packet(at, linkType, bytes, wireLength, iface)
      },
    }
  }

  get packets(): number {
    return this.#packets
  }
  /** Nothing more will be read. */
  get isOver(): boolean {
    return this.#problem !== undefined
  }

  write(bytes: Uint8Array): void {
    let fresh = bytes
    while (fresh.length > 0 && !this.isOver) {
      if (this.#skip > 0) {
        const skipped = Math.min(this.#skip, fresh.length)
        this.#skip -= skipped
        fresh = fresh.subarray(skipped)
      } else if (this.#restBytes === 0) {
        this.#read(fresh)
        return
      } else fresh = this.#complete(fresh)
    }
  }

  /** What was begun is made whole with as little as it takes: all behind that is read where it is. Returns what is left. */
  #complete(fresh: Uint8Array): Uint8Array {
    const lacking = Math.max(this.#needed - this.#restBytes, AT_LEAST)
    const part = fresh.subarray(0, lacking)
    this.#keep(part)
    if (this.#restBytes >= this.#needed) {
      const joined = Buffer.concat(this.#rest)
      this.#drop()
      this.#read(joined)
    }
    return fresh.subarray(part.length)
  }

  /** Another capture comes, in the middle of whatever. Returns what was wrong with the one before. */
  restart(): string | undefined {
    const { problem } = this.end()
    this.#drop()
    this.#skip = 0
    this.#format = undefined
    this.#problem = undefined
    return problem
  }

  end(): CaptureEnd {
    const isCut = this.#restBytes > 0 || this.#skip > 0
    const isNothing = this.#format === undefined && this.#restBytes === 0
    const cut = isNothing ? 'the capture is empty' : 'the capture ends in the middle of a packet'
    const problem = this.#problem ?? (isCut || isNothing ? cut : undefined)
    return { packets: this.#packets, problem }
  }

  #read(data: Uint8Array): void {
    const view = new DataView(data.buffer, data.byteOffset, data.length)
    let at = 0
    while (this.#problem === undefined) {
      this.#needed = 0
      const used = this.#one(data, view, at)
      if (used === 0) break
      at += used
      if (at > data.length) {
        this.#skip = at - data.length
        at = data.length
      }
    }
    if (at < data.length && !this.isOver) this.#keep(data.subarray(at))
  }

  #keep(bytes: Uint8Array): void {
    this.#rest.push(new Uint8Array(bytes))
    this.#restBytes += bytes.length
  }

  #drop(): void {
    this.#rest = []
    this.#restBytes = 0
  }

  /** Bytes that the next header, record or block takes; 0 while it is not whole. More than there are: they are passed over. */
  #one(data: Uint8Array, view: DataView, at: number): number {
    if (this.#format === undefined) return this.#begin(data, view, at)
    if (this.#format instanceof PcapNgSection) return this.#block(data, view, at, this.#format)
    return this.#record(data, view, at, this.#format)
  }

  #begin(data: Uint8Array, view: DataView, at: number): number {
    if (view.byteLength - at < 4) return 0
    const magic = view.getUint32(at, true)
    if (magic === SECTION_HEADER) {
      this.#format = new PcapNgSection(this.#sink)
      // The section's own header is a block like all others.
      return this.#block(data, view, at, this.#format)
    }
    const kind = CLASSIC.find(([number]) => number === magic)
    if (kind === undefined) {
      const shown = magic.toString(16).padStart(8, '0')
      this.#problem = `this is no capture that can be read: it begins with ${shown}; pcap or pcapng is needed`
      return 0
    }
    if (view.byteLength - at < FILE_HEADER) return 0
    const [, littleEndian, perMs] = kind
    // The upper bits tell of checksums of frames (draft-ietf-opsawg-pcap §4).
    this.#format = { littleEndian, perMs, linkType: view.getUint32(at + 20, littleEndian) & 0xffff }
    return FILE_HEADER
  }

  #record(data: Uint8Array, view: DataView, at: number, format: Classic): number {
    const { littleEndian, perMs, linkType } = format
    if (view.byteLength - at < RECORD_HEADER) return 0
    if (isFileHeader(view, at)) {
      // One capture behind another: whoever writes into the pipe began anew.
      this.#format = undefined
      return this.#begin(data, view, at)
    }
    const captured = view.getUint32(at + 8, littleEndian)
    if (captured > MAX_PACKET_BYTES) {
      this.#problem = `a packet of ${captured} bytes: the capture is damaged here`
      return 0
    }
    const end = at + RECORD_HEADER + captured
    this.#needed = end - at
    if (end > view.byteLength) return 0
    const ms = view.getUint32(at, littleEndian) * 1_000 + view.getUint32(at + 4, littleEndian) / perMs
    const wireLength = view.getUint32(at + 12, littleEndian)
    this.#sink.packet(ms, linkType, data.subarray(at + RECORD_HEADER, end), Math.max(wireLength, captured), 0)
    return end - at
  }

  #block(data: Uint8Array, view: DataView, at: number, section: PcapNgSection): number {
    if (view.byteLength - at < 12) return 0
    const block = section.head(view, at)
    if (typeof block === 'string') {
      this.#problem = block
      return 0
    }
    const { length, isWanted } = block
    if (!isWanted) return length
    if (length > MAX_BLOCK_BYTES) {
      this.#problem = `a block of ${length} bytes: the capture is damaged here`
      return 0
    }
    this.#needed = length
    if (at + length > view.byteLength) return 0
    this.#problem = section.read(data, view, at, length)
    return this.#problem === undefined ? length : 0
  }
}

/** The first bytes of a file, where a record should be: as a time it would be one in 2055, and with this very fraction. */
function isFileHeader(view: DataView, at: number): boolean {
  const first = view.getUint8(at)
  // Looked at for every packet: nearly always the first byte says no.
  if (first !== 0xd4 && first !== 0x4d && first !== 0xa1) return false
  const magic = view.getUint32(at, true)
  const kind = CLASSIC.find(([number]) => number === magic)
  return kind !== undefined && view.getUint16(at + 4, kind[1]) === 2 && view.getUint16(at + 6, kind[1]) === 4
}

/** First four bytes, read little-endian. `a1b2cd34`, of a kernel patch of 1999, has other records and is refused. */
const CLASSIC: readonly (readonly [magic: number, littleEndian: boolean, perMs: number])[] = [
  [0xa1b2c3d4, true, 1e3],
  [0xd4c3b2a1, false, 1e3],
  [0xa1b23c4d, true, 1e6],
  [0x4d3cb2a1, false, 1e6],
]
