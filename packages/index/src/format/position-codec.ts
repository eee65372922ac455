/**
 * Positions of a term in pages, as bits: each gap is the code of its bucket, or that it is as foreseen, and then its
 * place in the bucket. `format/position-model.ts` has the buckets and says which of the codes in `format/position-codes.ts` is used for
 * which gap. Bits are taken from the highest of each byte on.
 *
 *   gap 1, which is bucket 1              01          its code
 *   gap 21, of bucket 8 (16 to 23)        110 101     its code, then 21 − 16 in three bits
 *   any gap as foreseen                   00
 *
 * Codes are built in: they take no room in a file, and what is written depends on nothing but the postings, so that a
 * merge writes what indexing at once would. In percent of HTML, varints packed by zstd took 6.18 for SQLite's manual,
 * 8.33 for PostgreSQL's, 4.27 for OpenJDK's; these take 5.55, 7.31, 3.95. A manual from which the codes were not made
 * takes half a percent of that more, arithmetic coding would take half a percent less. Where whole sites are copied,
 * as in a book of 26 languages that are translated in part, zstd, which looks farther back than a block, took a tenth
 * less.
 */
import { CODE_LENGTHS, CODES_BY_CONTEXT } from './position-codes.ts'
import * as positionModel from './position-model.ts'

// Constants of this file are compiled into its loops, those of others read from memory.
const { BUCKETS, FORESEEN, SYMBOL_BITS, bucketOf } = positionModel

/** The longest code, in bits: what the table to read by is addressed with. */
export const MAX_CODE_BITS = 11
/** Bytes that must follow the last one written, for a reader that takes four at a time. */
export const PADDING_BYTES = 3

const SYMBOL_MASK = (1 << SYMBOL_BITS) - 1
const LENGTH_BITS = 4
const LENGTH_MASK = (1 << LENGTH_BITS) - 1
/** Bits of a word that hold for any place in a byte it is taken from, less those of a code. */
const BITS_AT_HAND = 32 - 7 - MAX_CODE_BITS
/** Bits that are put at once: with seven that wait they must not be more than 31. */
const MAX_PUT = 24
const BYTES_A_GAP = 4

/** For each symbol its lowest gap, and how many bits tell the place in the bucket. */
const LOWEST = Int32Array.from({ length: BUCKETS + 1 }, (_, bucket) => (bucket === FORESEEN ? 0 : lowestOf(bucket)))
const PLACE_BITS = Int32Array.from({ length: BUCKETS + 1 }, (_, bucket) =>
  bucket === FORESEEN ? 0 : Math.max(0, (bucket >>> 1) - 1),
)

function lowestOf(bucket: number): number {
  return bucket < 4 ? bucket : (2 + (bucket & 1)) << ((bucket >>> 1) - 1)
}

/** Which code each context has. */
const CODE_OF: Uint8Array = Uint8Array.from(CODES_BY_CONTEXT)
/** By code and symbol: the bits, shifted over their number. */
const WRITE: Uint16Array = writingTable()
/** By code and the next bits: symbol, shifted over the number of bits it takes. */
const READ: Uint16Array = readingTable()

/** Canonical codes: shorter ones first, those of a length in the order of symbols (RFC 1951 §3.2.2). */
function writingTable(): Uint16Array {
  const table = new Uint16Array(CODE_LENGTHS.length << SYMBOL_BITS)
  for (const [code, lengths] of CODE_LENGTHS.entries()) {
    const next = firstCodes(lengths)
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      const length = lengths[symbol]!
      table[(code << SYMBOL_BITS) | symbol] = (next[length]! << LENGTH_BITS) | length
      next[length]!++
    }
  }
  return table
}

/** By length, the first of its codes. */
function firstCodes(lengths: readonly number[]): number[] {
  const counts = Array<number>(MAX_CODE_BITS + 1).fill(0)
  for (const length of lengths) counts[length]!++
  const first = [0]
  for (let length = 1, bits = 0; length <= MAX_CODE_BITS; length++) {
    first.push(bits)
    bits = (bits + counts[length]!) << 1
  }
  return first
}

function readingTable(): Uint16Array {
  const table = new Uint16Array(CODE_LENGTHS.length << MAX_CODE_BITS)
  for (const [code, lengths] of CODE_LENGTHS.entries())
    for (const [symbol, length] of lengths.entries()) {
      const free = MAX_CODE_BITS - length
      const bits = (WRITE[(code << SYMBOL_BITS) | symbol] as number) >>> LENGTH_BITS
      const from = (code << MAX_CODE_BITS) | (bits << free)
      table.fill((symbol << LENGTH_BITS) | length, from, from + (1 << free))
    }
  return table
}

export class PositionEncoder {
  readonly #model = new positionModel.PositionModel()
  #bytes: Uint8Array = new Uint8Array(1 << 12)
  #length = 0
  /** Bits that do not fill a byte yet, from the highest of `#rest` on; the others of it are 0. */
  #rest = 0
  #bits = 0
  #steps = new Int32Array(1 << 8)

  /** Whole bytes written. */
  get length(): number {
    return this.#length
  }
  /** What was written, but for bits that do not fill a byte; valid until the next write. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  clear(): void {
    this.#length = this.#rest = this.#bits = 0
  }

  /** A block of postings begins: it can be read without what was written before. */
  startBlock(): void {
    this.#model.startBlock()
  }

  /** Fill the last byte. */
  align(): void {
    if (this.#bits === 0) return
    this.#makeRoom(1)
    this.#bytes[this.#length++] = this.#rest >>> 24
    this.#rest = this.#bits = 0
  }

  /** Zeros after the last byte, for the reader's sake. */
  pad(): void {
    this.align()
    this.#makeRoom(PADDING_BYTES)
    for (let i = 0; i < PADDING_BYTES; i++) this.#bytes[this.#length++] = 0
  }

  /** A page: its length byte, number of positions, zones; and the first `count` of `gaps`. */
  add(length: number, count: number, zones: number, gaps: Uint32Array): void {
    this.#makeRoom((count + 1) * BYTES_A_GAP)
    if (count > this.#steps.length) this.#steps = new Int32Array(2 * count)
    const steps = this.#steps
    this.#model.walkPage(length, count, zones, gaps, steps)
    const bytes = this.#bytes
    let at = this.#length
    let rest = this.#rest
    let bits = this.#bits
    for (let i = 0; i < count; i++) {
      const step = steps[i]!
      const symbol = step & SYMBOL_MASK
      const code = WRITE[(CODE_OF[step >>> SYMBOL_BITS]! << SYMBOL_BITS) | symbol]!
      const placeBits = PLACE_BITS[symbol]!
      let value = code >>> LENGTH_BITS
      let size = code & LENGTH_MASK
      if (size + placeBits > MAX_PUT) {
        rest |= value << (32 - bits - size)
        bits += size
        bytes[at] = rest >>> 24
        bytes[at + 1] = rest >>> 16
        at += bits >>> 3
        rest <<= bits & 24
        bits &= 7
        value = size = 0
      }
      // Of a gap as foreseen no place is told, in no bits.
      value = (value << placeBits) | (((gaps[i]! | 0) - LOWEST[symbol]!) & ((1 << placeBits) - 1))
      size += placeBits
      // All four bytes, though few of them are full: quicker than to ask which.
      rest |= value << (32 - bits - size)
      bits += size
      bytes[at] = rest >>> 24
      bytes[at + 1] = rest >>> 16
      bytes[at + 2] = rest >>> 8
      bytes[at + 3] = rest
      at += bits >>> 3
      rest <<= bits & 24
      bits &= 7
    }
    this.#length = at
    this.#rest = rest
    this.#bits = bits
  }

  #makeRoom(more: number): void {
    if (this.#length + more <= this.#bytes.length) return
    const larger = new Uint8Array((this.#length + more) * 2)
    larger.set(this.bytes)
    this.#bytes = larger
  }
}

export class PositionDecoder {
  readonly #model = new positionModel.PositionModel()
  #bytes: Uint8Array = new Uint8Array(0)
  /** The next bit. */
  #at = 0

  /** Go to a byte; it needs `PADDING_BYTES` after what is read. */
  open(bytes: Uint8Array, at: number): void {
    this.#bytes = bytes
    this.#at = at * 8
  }

  startBlock(): void {
    this.#model.startBlock()
  }

  /** Go to the beginning of the next byte, unless at one. */
  align(): void {
    this.#at = (this.#at + 7) & ~7
  }

  /** The page that was written here, of the same length byte, count and zones: its gaps come to `into`, from `to` on. */
  read(length: number, count: number, zones: number, into: Uint32Array, to = 0): void {
    const model = this.#model
    const bytes = this.#bytes
    let at = this.#at
    model.startPage(length, count, zones)
    for (let i = to; i < to + count; i++) {
      let word = wordAt(bytes, at)
      const entry = READ[
        ((CODE_OF[model.context] as number) << MAX_CODE_BITS) | (word >>> (32 - MAX_CODE_BITS))
      ] as number
      const codeBits = entry & LENGTH_MASK
      const symbol = entry >>> LENGTH_BITS
      at += codeBits
      let gap = model.foreseen
      let bucket = symbol
      if (symbol === FORESEEN) bucket = bucketOf(gap)
      else {
        gap = LOWEST[symbol] as number
        const placeBits = PLACE_BITS[symbol] as number
        if (placeBits > 0) {
          word = placeBits > BITS_AT_HAND ? wordAt(bytes, at) : word << codeBits
          gap += word >>> (32 - placeBits)
          at += placeBits
        }
      }
      into[i] = gap
      model.learn(gap, bucket)
    }
    this.#at = at
  }
}

/** The bits from one on, 25 of them at the least. */
function wordAt(bytes: Uint8Array, bit: number): number {
  const at = bit >>> 3
  const word =
    ((bytes[at] as number) << 24) |
    ((bytes[at + 1] as number) << 16) |
    ((bytes[at + 2] as number) << 8) |
    (bytes[at + 3] as number)
  return word << (bit & 7)
}
