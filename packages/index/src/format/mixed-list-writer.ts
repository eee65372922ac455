/**
 * The mixed list: every posting of a segment in the order of terms, then pages, cut into chunks of about equal length
 * (001 §IV; Melnik et al. 2001). A chunk holds successive postings, of many rare terms or of a part of a
 * frequent one. Terms are front-coded, locations are differences; a chunk's key is its first term and page, and all
 * keys together fit in memory, so a term is found by one search among keys and one short scan.
 *
 *   chunk = three frames:  terms      who stands in it, and bounds for skipping
 *                          documents  which pages, how often, in which zones
 *                          positions  where in the page; absent in an index without positions
 *
 *   terms       varint runs · varint bytes of words and of each column of numbers · words · numbers · bounds
 *     words     per run: u8 shared · varint more · more bytes; every 32nd run shares nothing, so that a search can start
 *     numbers   five columns, a number per run: postings, and how many more than one a posting there are of gap bytes,
 *               count bytes, positions; and per group of runs: position bytes
 *     bounds    per block of 128 postings, in runs that have as many: last page (difference), gap bytes more, count bytes
 *               more, position bytes, highest count, lowest length byte, zones
 *   documents   gaps column · counts column; a gap is the difference to the page before, less one; a count is
 *               2 (n − 1) + z, followed by the zones when z is 1
 *   positions   per posting n differences to the position before, less one, as bits: see `format/position-codec.ts`; and some
 *               zeros at the end
 *
 * The first block of a group of runs begins with a byte, and so does each further block of a run. Most terms are rare,
 * and to fill up a byte for each of them, and say how many there are, would take a fortieth of the positions; so a
 * group ends where it has 128 positions or more, or with the 32nd run. To read one of its runs, those before are read
 * too: less than 128 positions.
 *
 * Columns of like numbers are packed by zstd to about what entropy coding by model would give, at a tenth of its
 * cost to read: measured on three manuals, gaps 0.23 to 0.95 % of HTML against 0.22 to 0.81 for the model. Positions
 * are too unlike each other for zstd, and most of the file.
 */
import { ByteWriter } from './byte-writer.ts'
import { PositionEncoder } from './position-codec.ts'
import { BLOCK } from './posting.ts'
import type { PostingStream, TermStream } from './posting.ts'
import { MAX_TERM_UNITS } from '../text/term-fold.ts'

/** A chunk before it is packed. */
export interface RawChunk {
  readonly firstTerm: string
  /** The first page of its first run, for a term that spans several chunks. */
  readonly firstDoc: number
  readonly terms: Uint8Array
  readonly documents: Uint8Array
  readonly positions: Uint8Array
}

export interface ListTotals {
  terms: number
  postings: number
  positions: number
}

/** Raw bytes at which a chunk is closed: large enough to pack well, small enough to be read for one word. */
const MAX_DOCUMENT_BYTES = 24 << 10
const MAX_TERM_BYTES = 16 << 10
const MAX_POSITION_BYTES = 96 << 10
/** A term has at most `MAX_TERM_UNITS` units, each of three bytes at the most. */
const MAX_WORD_BYTES: number = 3 * MAX_TERM_UNITS
/** Columns of numbers about runs. */
export const NUMBERS = 5
/** Runs between two that share nothing with the one before. */
export const RESTART = 32
/** Positions with which a group of runs ends: with a block's, so that no block but the first of a run follows others. */
export const GROUP: number = BLOCK

/** Write all terms, a chunk at a step. `put` must be done with a chunk's bytes when it returns. */
export function* writeMixedList(
  terms: TermStream,
  lengths: Uint8Array,
  put: (chunk: RawChunk) => void,
): Generator<void, ListTotals> {
  let isPut = false
  const writer = new MixedListWriter(lengths, (chunk) => {
    put(chunk)
    isPut = true
  })
  while (terms.next()) {
    writer.term(terms.term, terms.postings)
    if (isPut) yield
    isPut = false
  }
  writer.end()
  return writer.totals
}

class MixedListWriter {
  readonly totals: ListTotals = { terms: 0, postings: 0, positions: 0 }
  readonly #lengths: Uint8Array
  readonly #put: (chunk: RawChunk) => void
  readonly #words = new ByteWriter()
  readonly #numbers = Array.from({ length: NUMBERS }, () => new ByteWriter())
  readonly #bounds = new ByteWriter()
  readonly #gaps = new ByteWriter()
  readonly #counts = new ByteWriter()
  readonly #positions = new PositionEncoder()
  readonly #block = new BlockBounds(this.#bounds)
  #runs = 0
  /** Where the group of runs begins, and its positions so far. */
  #groupAt = 0
  #grouped = 0
  #firstTerm = ''
  #firstDoc = 0
  #lastWord: Buffer = Buffer.alloc(MAX_WORD_BYTES)
  #lastLength = 0
  #spareWord: Buffer = Buffer.alloc(MAX_WORD_BYTES)

  constructor(lengths: Uint8Array, put: (chunk: RawChunk) => void) {
    this.#lengths = lengths
    this.#put = put
  }

  /** All postings of one term, in as many chunks as they need. */
  term(term: string, postings: PostingStream): void {
    let more = postings.next()
    if (more) this.totals.terms++
    while (more) {
      if (this.#isFull) this.#close()
      if (this.#runs === 0) [this.#firstTerm, this.#firstDoc] = [term, postings.doc]
      more = this.#run(term, postings)
    }
  }

  end(): void {
    if (this.#runs > 0) this.#close()
  }

  get #isFull(): boolean {
    return (
      this.#gaps.length + this.#counts.length >= MAX_DOCUMENT_BYTES ||
      this.#words.length >= MAX_TERM_BYTES ||
      this.#positions.length >= MAX_POSITION_BYTES
    )
  }

  /** Postings of the term until it ends or, at the end of a block, the chunk is full; whether there are more. */
  #run(term: string, postings: PostingStream): boolean {
    const [gaps, counts, places, block] = [this.#gaps, this.#counts, this.#positions, this.#block]
    const gapsBefore = gaps.length
    const countsBefore = counts.length
    block.start(gapsBefore, countsBefore, this.#groupAt)
    places.startBlock()
    let [docs, positions] = [0, 0]
    let last = -1
    let more = true
    while (more) {
      const { doc, count, zones } = postings
      gaps.varint(doc - last - 1)
      last = doc
      counts.varint(2 * (count - 1) + (zones === 0 ? 0 : 1))
      if (zones !== 0) counts.byte(zones)
      const length = this.#lengths[doc] as number
      if (postings.gaps.length > 0) places.add(length, count, zones, postings.gaps)
      block.add(count, length, zones)
      docs++
      positions += count
      more = postings.next()
      if (docs % BLOCK !== 0) continue
      places.align()
      places.startBlock()
      block.close(last, gaps.length, counts.length, places.length)
      if (this.#isFull) break
    }
    if (docs > BLOCK && docs % BLOCK !== 0) {
      places.align()
      block.close(last, gaps.length, counts.length, places.length)
    }
    this.#word(term)
    this.#number(0, docs)
    this.#number(1, gaps.length - gapsBefore - docs)
    this.#number(2, counts.length - countsBefore - docs)
    this.#number(3, positions - docs)
    this.#runs++
    this.#grouped += positions
    this.totals.postings += docs
    this.totals.positions += positions
    if (endsGroup(this.#runs, this.#grouped)) this.#closeGroup()
    return more
  }

  #number(column: number, value: number): void {
    this.#numbers[column]?.varint(value)
  }

  #word(term: string): void {
    const last = this.#lastWord
    const lastLength = this.#lastLength
    // The buffer of the word before the last is free.
    const bytes = (this.#lastWord = this.#spareWord)
    this.#spareWord = last
    const length = (this.#lastLength = bytes.write(term))
    const shared = this.#runs % RESTART === 0 ? 0 : sharedPrefix(bytes, last, Math.min(length, lastLength))
    this.#words.byte(shared)
    this.#words.varint(length - shared)
    this.#words.append(bytes, shared, length)
  }

  #closeGroup(): void {
    this.#positions.align()
    this.#number(4, this.#positions.length - this.#groupAt)
    this.#groupAt = this.#positions.length
    this.#grouped = 0
  }

  #close(): void {
    if (this.#grouped > 0) this.#closeGroup()
    if (this.#positions.length > 0) this.#positions.pad()
    const head = new ByteWriter(16)
    const [words, numbers, bounds] = [this.#words, this.#numbers, this.#bounds]
    const [gaps, counts, positions] = [this.#gaps, this.#counts, this.#positions]
    head.varint(this.#runs)
    for (const column of [words, ...numbers]) head.varint(column.length)
    this.#put({
      firstTerm: this.#firstTerm,
      firstDoc: this.#firstDoc,
      terms: Buffer.concat([head, words, ...numbers, bounds].map(({ bytes }) => bytes)),
      documents: Buffer.concat([gaps.bytes, counts.bytes]),
      positions: positions.bytes,
    })
    for (const column of [words, ...numbers, bounds, gaps, counts, positions]) column.clear()
    this.#runs = this.#groupAt = 0
  }
}

/** Whether a group of runs ends here: after so many runs of the chunk, with so many positions in it. */
export function endsGroup(runs: number, positions: number): boolean {
  return positions >= GROUP || runs % RESTART === 0
}

/** Gathers the bounds of a block and writes them when it is full. */
class BlockBounds {
  readonly #out: ByteWriter
  #gaps = 0
  #counts = 0
  #places = 0
  #lastDoc = -1
  #docs = 0
  #highest = 0
  #shortest = 255
  #zones = 0

  constructor(out: ByteWriter) {
    this.#out = out
  }

  /** A run begins: where its columns stand, of its positions those of its group. */
  start(gaps: number, counts: number, places: number): void {
    this.#begin(-1, gaps, counts, places)
  }

  add(count: number, length: number, zones: number): void {
    this.#docs++
    if (count > this.#highest) this.#highest = count
    if (length < this.#shortest) this.#shortest = length
    this.#zones |= zones
  }

  close(last: number, gaps: number, counts: number, places: number): void {
    const out = this.#out
    out.varint(last - this.#lastDoc - this.#docs)
    out.varint(gaps - this.#gaps - this.#docs)
    out.varint(counts - this.#counts - this.#docs)
    out.varint(places - this.#places)
    out.varint(this.#highest - 1)
    out.byte(this.#shortest)
    out.byte(this.#zones)
    this.#begin(last, gaps, counts, places)
  }

  #begin(last: number, gaps: number, counts: number, places: number): void {
    this.#lastDoc = last
    this.#gaps = gaps
    this.#counts = counts
    this.#places = places
    this.#docs = this.#highest = this.#zones = 0
    this.#shortest = 255
  }
}

function sharedPrefix(a: Uint8Array, b: Uint8Array, length: number): number {
  const most = Math.min(length, 255)
  let shared = 0
  while (shared < most && a[shared] === b[shared]) shared++
  return shared
}
