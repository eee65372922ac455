/**
 * VCDIFF decoder (RFC 3284): the target that a delta makes out of a source.
 *
 * Reads what the RFC defines with its default code table, and xdelta3's application header and Adler-32. Sections that
 * were compressed once more, and code tables of the sender's own, are refused by name. A few bytes can stand for gigabytes, so the sizes
 * that windows claim are added up before anything is made, and windows are counted; every instruction takes a byte of the
 * delta and none may pass its window, so time is bounded by delta and cap. All outcomes are values.
 */
import { TOO_MUCH_WORK, WorkBudget, type TooMuchWork } from '../work-budget.ts'
import { AddressCache } from './vcdiff-addresses.ts'
import {
  ADD,
  CODE_TABLE,
  MAGIC,
  NOOP,
  RUN,
  adler32,
  VCD_ADLER32,
  VCD_APPHEADER,
  VCD_CODETABLE,
  VCD_DECOMPRESS,
  VCD_SOURCE,
  VCD_TARGET,
} from './vcdiff-format.ts'

export interface VcdiffLimits {
  /** Of the target. */
  readonly maxBytes: number
  /** What its windows may cost; that of one difference when not given. */
  readonly work?: WorkBudget | undefined
}

export type DecodedVcdiff = { readonly kind: 'ok'; readonly body: Uint8Array } | { readonly kind: VcdiffFault }

export type VcdiffFault =
  | TooMuchWork
  /** It ends before it should, or a part of it does. */
  | 'truncated'
  | 'bad-magic'
  /** Another version, such as the `S` of SDCH. */
  | 'unknown-version'
  | 'secondary-compressor'
  | 'custom-code-table'
  /** Bits are set that nobody defined, or that exclude each other. */
  | 'bad-indicator'
  | 'bad-integer'
  /** The target would pass the cap. */
  | 'too-large'
  /** A window's lengths contradict each other, or it says more or less than it holds. */
  | 'bad-length'
  /** A window copies from a part of the source that is not there: this delta is for another source. */
  | 'bad-source-segment'
  | 'bad-address'
  /** Decoded, but not to what the sender had: this delta is for another source. */
  | 'checksum'

/** The target, or why there is none. Never throws. */
export function decodeVcdiff(source: Uint8Array, delta: Uint8Array, limits: VcdiffLimits): DecodedVcdiff {
  try {
    const reader = new Reader(delta, 0, delta.length)
    readHeader(reader)
    const body = new Uint8Array(claimedLength(delta, reader.at, limits))
    let made = 0
    while (!reader.isAtEnd) made = decodeWindow(readWindow(reader), source, body, made)
    return { kind: 'ok', body }
  } catch (error) {
    if (error instanceof Fault) return { kind: error.kind }
    throw error
  }
}

/** The way out of the depths; it never leaves this file. */
class Fault extends Error {
  readonly kind: VcdiffFault
  constructor(kind: VcdiffFault) {
    super(kind)
    this.kind = kind
  }
}

function readHeader(reader: Reader): void {
  for (let at = 0; at < 3; at++) if (reader.byte() !== MAGIC[at]) throw new Fault('bad-magic')
  if (reader.byte() !== MAGIC[3]) throw new Fault('unknown-version')
  const indicator = reader.byte()
  if ((indicator & VCD_CODETABLE) !== 0) throw new Fault('custom-code-table')
  if ((indicator & ~(VCD_APPHEADER | VCD_DECOMPRESS)) !== 0) throw new Fault('bad-indicator')
  // Which compressor may be used: Debian's xdelta3 names one unless told `-S none`, and spares the tiniest sections.
  if ((indicator & VCD_DECOMPRESS) !== 0) reader.byte()
  // File names, mostly, for xdelta3's own use.
  if ((indicator & VCD_APPHEADER) !== 0) reader.skip(reader.integer())
}

/** What the windows claim together, before a byte of it is made. */
function claimedLength(
  delta: Uint8Array,
  at: number,
  { maxBytes, work = WorkBudget.of('difference') }: VcdiffLimits,
): number {
  const reader = new Reader(delta, at, delta.length)
  let length = 0
  while (!reader.isAtEnd) {
    length += readWindow(reader).targetLength
    if (length > maxBytes) throw new Fault('too-large')
    // A window of a few bytes may make nothing at all, and there is no end to those.
    if (!work.spend('window')) throw new Fault(TOO_MUCH_WORK)
  }
  return length
}

interface Window {
  readonly indicator: number
  readonly segmentLength: number
  readonly segmentStart: number
  readonly targetLength: number
  readonly checksum: number | undefined
  readonly data: Reader
  readonly instructions: Reader
  readonly addresses: Reader
}

function readWindow(reader: Reader): Window {
  const indicator = reader.byte()
  const both = VCD_SOURCE | VCD_TARGET
  if ((indicator & ~(both | VCD_ADLER32)) !== 0 || (indicator & both) === both) throw new Fault('bad-indicator')
  const hasSegment = (indicator & both) !== 0
  const segmentLength = hasSegment ? reader.integer() : 0
  const segmentStart = hasSegment ? reader.integer() : 0
  const rest = reader.part(reader.integer())
  const targetLength = rest.integer()
  // Each of its three bits says that a section is compressed once more (§4.3).
  if (rest.byte() !== 0) throw new Fault('secondary-compressor')
  const lengths = [rest.integer(), rest.integer(), rest.integer()] as const
  const checksum = (indicator & VCD_ADLER32) === 0 ? undefined : rest.word()
  const [data, instructions, addresses] = [rest.part(lengths[0]), rest.part(lengths[1]), rest.part(lengths[2])]
  if (!rest.isAtEnd) throw new Fault('bad-length')
  return { indicator, segmentLength, segmentStart, targetLength, checksum, data, instructions, addresses }
}

/** Makes a window's bytes in `body` from `start` on, and returns where they end. */
function decodeWindow(window: Window, source: Uint8Array, body: Uint8Array, start: number): number {
  const { data, instructions, addresses, segmentLength, segmentStart } = window
  const isFromTarget = (window.indicator & VCD_TARGET) !== 0
  const segment = isFromTarget ? body.subarray(0, start) : source
  if (segmentStart + segmentLength > segment.length) throw new Fault('bad-source-segment')
  const cache = new AddressCache()
  const end = start + window.targetLength
  let at = start
  while (!instructions.isAtEnd) {
    const row = instructions.byte() * 6
    for (let column = row; column < row + 6; column += 3) {
      const type = CODE_TABLE[column]!
      if (type === NOOP) continue
      const size = CODE_TABLE[column + 1] || instructions.integer()
      if (size > end - at) throw new Fault('bad-length')
      if (type === ADD) data.copyTo(body, at, size)
      else if (type === RUN) body.fill(data.byte(), at, at + size)
      else {
        const here = segmentLength + at - start
        const address = readAddress(addresses, cache, CODE_TABLE[column + 2]!, here)
        copy(body, at, size, segment, segmentStart, segmentLength, address, start)
      }
      at += size
    }
  }
  if (at !== end || !data.isAtEnd || !addresses.isAtEnd) throw new Fault('bad-length')
  if (window.checksum !== undefined && adler32(body, start, end) !== window.checksum) throw new Fault('checksum')
  return end
}

function readAddress(addresses: Reader, cache: AddressCache, mode: number, here: number): number {
  const value = cache.isSame(mode) ? addresses.byte() : addresses.integer()
  const address = cache.resolve(mode, value, here)
  if (address < 0 || address >= here) throw new Fault('bad-address')
  cache.note(address)
  return address
}

/** Copies from the segment, from this window's own bytes, or over the border between them (§3: they are one string). */
function copy(
  body: Uint8Array,
  at: number,
  size: number,
  segment: Uint8Array,
  segmentStart: number,
  segmentLength: number,
  address: number,
  windowStart: number,
): void {
  const ofSegment = Math.max(0, Math.min(size, segmentLength - address))
  if (ofSegment > 0) copyBytes(segment, segmentStart + address, body, at, ofSegment)
  if (ofSegment === size) return
  const from = windowStart + Math.max(0, address - segmentLength)
  const into = at + ofSegment
  // Where it overlaps what it makes, it repeats it: copyWithin would not.
  if (from + size - ofSegment <= into) body.copyWithin(into, from, from + size - ofSegment)
  else for (let step = 0; step < size - ofSegment; step++) body[into + step] = body[from + step]!
}

function copyBytes(bytes: Uint8Array, from: number, into: Uint8Array, at: number, size: number): void {
  // A call into memcpy costs as much as some forty bytes copied here.
  if (size > 40) into.set(bytes.subarray(from, from + size), at)
  else for (let step = 0; step < size; step++) into[at + step] = bytes[from + step]!
}

/** A part of the delta, read from its start to its end and not beyond. */
class Reader {
  readonly #bytes: Uint8Array
  readonly #end: number
  at: number

  constructor(bytes: Uint8Array, at: number, end: number) {
    this.#bytes = bytes
    this.at = at
    this.#end = end
  }

  get isAtEnd(): boolean {
    return this.at >= this.#end
  }

  byte(): number {
    if (this.at >= this.#end) throw new Fault('truncated')
    return this.#bytes[this.at++]!
  }

  /** An integer of RFC 3284 §2; no sender has use for more than the 32 bits that most readers take. */
  integer(): number {
    let value = 0
    for (let digits = 0; digits < 5; digits++) {
      const byte = this.byte()
      value = value * 128 + (byte & 127)
      if (byte < 128) return value <= MAX_INTEGER ? value : fail('bad-integer')
    }
    return fail('bad-integer')
  }

  /** Four bytes, the highest first. */
  word(): number {
    return this.byte() * 2 ** 24 + ((this.byte() << 16) | (this.byte() << 8) | this.byte())
  }

  skip(length: number): void {
    if (length > this.#end - this.at) throw new Fault('truncated')
    this.at += length
  }

  /** The next bytes as a part of their own; reading goes on behind them. */
  part(length: number): Reader {
    const start = this.at
    this.skip(length)
    return new Reader(this.#bytes, start, this.at)
  }

  copyTo(into: Uint8Array, at: number, size: number): void {
    const from = this.at
    this.skip(size)
    copyBytes(this.#bytes, from, into, at, size)
  }
}

/** Addresses are kept in signed words. */
const MAX_INTEGER = 2 ** 31 - 1

function fail(kind: VcdiffFault): never {
  throw new Fault(kind)
}
