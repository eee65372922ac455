/**
 * PostingCursor: walks a term's postings in a segment, a block at a time. It stands before the first page until it is
 * moved, and on `END` after the last. Blocks that end before the page asked for are passed over undecoded.
 */
import { PositionDecoder } from '../format/position-codec.ts'
import { BLOCK } from '../format/posting.ts'
import { passLead } from './run-reader.ts'
import type { Lead } from './run-reader.ts'
import type { SearchWork } from '../query/search-work.ts'
import type { TermPostings } from './term-postings.ts'

/** After the last page. */
export const END = 0x7fffffff

/** What a cursor reads from. */
interface ValueSource {
  /** The length byte of every document. */
  readonly lengths: Uint8Array
  documentsOf(chunk: number): Uint8Array
  positionsOf(chunk: number): Uint8Array
  /** Decoded positions of a block that begins at a place of the chunk's positions; kept for those who ask again. */
  gapsAt(chunk: number, placeAt: number, decode: () => Uint32Array): Uint32Array
}

const NOTHING = new Uint32Array(0)

/** One for all cursors: it keeps nothing from one block to the next. */
const decoder = new PositionDecoder()

export class PostingCursor {
  readonly postings: TermPostings
  /** The block that is decoded: pages, counts, zones. */
  readonly docs: Int32Array
  readonly counts: Int32Array
  readonly zoneSets: Uint8Array
  doc = -1
  block = -1
  readonly #source: ValueSource
  readonly #work: SearchWork | undefined
  #size = 0
  #at = 0
  #chunk = -1
  /** The block that was asked for last; see `blockOf`. */
  #reached = 0
  #bytes: Uint8Array = new Uint8Array(0)
  /** The block whose positions were asked for: their gaps, and where those of each posting begin. */
  #gapsOf = -1
  #gaps: Uint32Array = NOTHING
  #starts: Uint32Array = NOTHING

  /** `work`: on whose account blocks are read. */
  constructor(source: ValueSource, postings: TermPostings, work?: SearchWork) {
    this.#source = source
    this.#work = work
    this.postings = postings
    // A segment of a few pages has a few postings a term, and such segments are many.
    const room = postings.blocks === 1 ? (postings.sizes[0] as number) : BLOCK
    this.docs = new Int32Array(room)
    this.counts = new Int32Array(room)
    this.zoneSets = new Uint8Array(room)
  }

  get count(): number {
    return this.counts[this.#at] as number
  }
  get zones(): number {
    return this.zoneSets[this.#at] as number
  }

  next(): number {
    if (this.#at + 1 < this.#size) return (this.doc = this.docs[++this.#at] as number)
    return this.#enter(this.block + 1)
  }

  /** Go to the first page that is not before `target`; stays when it is there already. */
  seek(target: number): number {
    if (this.doc >= target) return this.doc
    const { last } = this.postings
    let block = Math.max(0, this.block)
    while (block < this.postings.blocks && (last[block] as number) < target) block++
    if (block !== this.block && this.#enter(block) >= target) return this.doc
    if (this.doc === END) return END
    const { docs } = this
    let at = this.#at
    while ((docs[at] as number) < target) at++
    this.#at = at
    return (this.doc = docs[at] as number)
  }

  /**
   * The block in which `target` would stand, without decoding it; the number of blocks when it is after the last. Targets
   * rise from call to call.
   */
  blockOf(target: number): number {
    const { last, blocks } = this.postings
    let block = Math.max(this.#reached, this.block)
    while (block < blocks && (last[block] as number) < target) block++
    return (this.#reached = block)
  }

  /** Where the term stands in the page the cursor is on, in order; `into` must have room for `count`. */
  positions(into: Int32Array): number {
    const { count } = this
    if (this.#gapsOf !== this.block) this.#decodeGaps()
    const from = this.#starts[this.#at] as number
    let position = -1
    for (let i = 0; i < count; i++) into[i] = position += (this.#gaps[from + i] as number) + 1
    return count
  }

  /** Decode a block; the cursor's own place is not moved. */
  decode(block: number): void {
    const { postings, docs, counts, zoneSets } = this
    const chunk = postings.chunks[block] as number
    if (chunk !== this.#chunk) {
      this.#bytes = this.#source.documentsOf(chunk)
      this.#chunk = chunk
    }
    const bytes = this.#bytes
    const size = postings.sizes[block] as number
    let at = postings.gapAt[block] as number
    let doc = postings.before[block] as number
    for (let i = 0; i < size; i++) {
      let byte = bytes[at++] as number
      let gap = byte
      if (byte >= 0x80) {
        gap &= 0x7f
        for (let shift = 7; byte >= 0x80; shift += 7) {
          byte = bytes[at++] as number
          gap |= (byte & 0x7f) << shift
        }
      }
      docs[i] = doc += gap + 1
    }
    at = postings.countAt[block] as number
    for (let i = 0; i < size; i++) {
      let byte = bytes[at++] as number
      let code = byte
      if (byte >= 0x80) {
        code &= 0x7f
        for (let shift = 7; byte >= 0x80; shift += 7) {
          byte = bytes[at++] as number
          code |= (byte & 0x7f) << shift
        }
      }
      counts[i] = (code >>> 1) + 1
      zoneSets[i] = (code & 1) === 0 ? 0 : (bytes[at++] as number)
    }
  }

  #enter(block: number): number {
    if (block >= this.postings.blocks) {
      this.block = this.postings.blocks
      this.#size = 0
      return (this.doc = END)
    }
    this.#work?.spend(this.postings.sizes[block] as number)
    this.decode(block)
    this.block = block
    this.#size = this.postings.sizes[block] as number
    this.#at = 0
    return (this.doc = this.docs[0] as number)
  }

  /** Positions of all of the block, at once: they are not to be had one by one. */
  #decodeGaps(): void {
    const { counts, block, postings } = this
    let total = 0
    if (this.#starts.length === 0) this.#starts = new Uint32Array(counts.length)
    for (let i = 0; i < this.#size; i++) {
      this.#starts[i] = total
      total += counts[i] as number
    }
    this.#work?.spend(total)
    const lead = postings.leads.get(block)
    const decode = (): Uint32Array => this.#decodedGaps(total, lead)
    const [chunk, placeAt] = [postings.chunks[block] as number, postings.placeAt[block] as number]
    // What has runs before it in its group does not begin where it says, and is short.
    this.#gaps = lead === undefined ? this.#source.gapsAt(chunk, placeAt, decode) : decode()
    this.#gapsOf = block
  }

  #decodedGaps(total: number, lead: Lead | undefined): Uint32Array {
    const { docs, counts, zoneSets, block, postings } = this
    const { lengths } = this.#source
    const gaps = new Uint32Array(total)
    decoder.open(this.#source.positionsOf(postings.chunks[block] as number), postings.placeAt[block] as number)
    if (lead !== undefined) passLead(decoder, lead, this.#bytes, lengths)
    decoder.startBlock()
    for (let i = 0; i < this.#size; i++)
      decoder.read(
        lengths[docs[i] as number] as number,
        counts[i] as number,
        zoneSets[i] as number,
        gaps,
        this.#starts[i],
      )
    return gaps
  }
}
