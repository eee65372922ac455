/**
 * Inversion: documents come in word by word, terms go out with their pages. A word is kept as one number, in the order
 * it came; at the end one stable counting sort by term, taking documents in the order of their URLs, leaves every term's
 * postings in the order a segment wants. No lists grow, nothing is sorted but the terms, and the memory is known
 * beforehand: some 4 bytes a word, while a segment is written 12, and what the tables of terms and documents take.
 *
 *   word   u4 zone · u24 number of the term; it stands one position behind the word before
 *   jump   the sign bit · position of the next word, where it stands elsewhere; a document begins at 0
 */
import type { DocumentEntry } from './document-table.ts'
import { compareTerms } from './posting.ts'
import type { PostingStream, TermStream } from './posting.ts'
import type { SegmentSource } from './segment-writer.ts'
import { Vocabulary } from './vocabulary.ts'

/** Bits of a position; `MAX_POSITION` is below their power. In a place the zones stand above them. */
const POSITION_BITS = 20
const POSITION_MASK = (1 << POSITION_BITS) - 1
const TERM_BITS = 24
const TERM_MASK = (1 << TERM_BITS) - 1
const JUMP = 1 << 31

/** Bytes that a word costs until it is written, and a document beside its URL. */
const BYTES_A_WORD = 12
const BYTES_A_DOCUMENT = 300
/** What is taken at the least, or a page would be a segment. */
const LEAST_BYTES = 2 << 20
/** No page has as many terms as there are numbers left above this. */
const MANY_TERMS = 1 << (TERM_BITS - 1)

export class Inversion {
  readonly vocabulary: Vocabulary
  readonly #maxBytes: number
  #words = new Int32Array(1 << 8)
  #count = 0
  /** Where the next word stands unless it jumps. */
  #position = 0
  /** What documents take, less what the vocabulary held before. */
  #bytes: number
  readonly #documents: DocumentEntry[] = []
  /** Where the words of each document begin. */
  readonly #starts: number[] = [0]

  /** Terms come as numbers of the vocabulary, which must not be cleared before the inversion is used up. */
  constructor(maxBytes: number, vocabulary: Vocabulary = new Vocabulary()) {
    this.#maxBytes = Math.max(LEAST_BYTES, maxBytes)
    this.vocabulary = vocabulary
    this.#bytes = -vocabulary.bytes
  }

  get documents(): number {
    return this.#documents.length
  }
  /** No room for another long document: time to write a segment. */
  get isFull(): boolean {
    const bytes = this.#bytes + this.vocabulary.bytes + this.#count * BYTES_A_WORD
    return bytes >= this.#maxBytes || this.vocabulary.size >= MANY_TERMS
  }

  /** A word of the document that is coming in. */
  add(term: number, position: number, zone: number): void {
    if (this.#count + 2 > this.#words.length) this.#grow()
    if (position !== this.#position) this.#words[this.#count++] = JUMP | position
    this.#words[this.#count++] = (zone << TERM_BITS) | term
    this.#position = position + 1
  }

  /** The document is complete. */
  close(entry: DocumentEntry): void {
    this.#documents.push(entry)
    this.#starts.push(this.#count)
    this.#position = 0
    this.#bytes += BYTES_A_DOCUMENT + entry.url.length
  }

  /** Everything as a segment wants it. The inversion is used up. */
  source(hasPositions: boolean): SegmentSource {
    const order = [...this.#documents.keys()].toSorted((a, b) => compareTerms(this.#url(a), this.#url(b)))
    const documents = order.map((i) => this.#documents[i] as DocumentEntry)
    return { documents, terms: this.#invert(order, hasPositions), hasPositions }
  }

  #url(document: number): string {
    return (this.#documents[document] as DocumentEntry).url
  }

  #invert(order: readonly number[], hasPositions: boolean): TermStream {
    const ends = this.#countTerms()
    let total = 0
    const used: string[] = []
    for (let term = 0; term < ends.length; term++) {
      const count = ends[term] as number
      if (count > 0) used.push(this.vocabulary.textOf(term))
      ends[term] = total
      total += count
    }
    const starts = ends.slice()
    const docs = new Uint32Array(total)
    const places = new Uint32Array(total)
    for (const [doc, document] of order.entries()) this.#sortWords(document, doc, ends, docs, places)
    this.#words = new Int32Array(0)
    // JavaScript's own order is found ten times as fast and is right but for rare letters, and what is in order already
    // costs the second sort next to nothing.
    const terms = used.toSorted().toSorted(compareTerms)
    return new InvertedTerms(terms, this.vocabulary, starts, ends, new InvertedPostings(docs, places, hasPositions))
  }

  #countTerms(): Uint32Array {
    const counts = new Uint32Array(this.vocabulary.size)
    const words = this.#words
    for (let i = 0; i < this.#count; i++) {
      const word = words[i] as number
      if (word >= 0) counts[word & TERM_MASK]!++
    }
    return counts
  }

  /** The words of one document to where those of their terms end. */
  #sortWords(document: number, doc: number, ends: Uint32Array, docs: Uint32Array, places: Uint32Array): void {
    const words = this.#words
    const end = this.#starts[document + 1] as number
    let position = 0
    for (let i = this.#starts[document] as number; i < end; i++) {
      const word = words[i] as number
      if (word < 0) {
        position = word & POSITION_MASK
        continue
      }
      const term = word & TERM_MASK
      const to = ends[term] as number
      ends[term] = to + 1
      docs[to] = doc
      places[to] = position++ | ((word >>> TERM_BITS) << POSITION_BITS)
    }
  }

  #grow(): void {
    // The last steps go little further than the bound and the longest document after it.
    const isSmall = this.#words.length * BYTES_A_WORD < this.#maxBytes / 2
    const words = new Int32Array(Math.ceil(this.#words.length * (isSmall ? 2 : 1.25)))
    words.set(this.#words)
    this.#words = words
  }
}

class InvertedTerms implements TermStream {
  term = ''
  readonly postings: InvertedPostings
  readonly #terms: readonly string[]
  readonly #vocabulary: Vocabulary
  readonly #starts: Uint32Array
  readonly #ends: Uint32Array
  #at = 0

  constructor(
    terms: readonly string[],
    vocabulary: Vocabulary,
    starts: Uint32Array,
    ends: Uint32Array,
    postings: InvertedPostings,
  ) {
    this.#terms = terms
    this.#vocabulary = vocabulary
    this.#starts = starts
    this.#ends = ends
    this.postings = postings
  }

  next(): boolean {
    const term = this.#terms[this.#at++]
    if (term === undefined) return false
    this.term = term
    const number = this.#vocabulary.numberOf(term)
    this.postings.start(this.#starts[number] as number, this.#ends[number] as number)
    return true
  }
}

class InvertedPostings implements PostingStream {
  doc = 0
  count = 0
  zones = 0
  gaps: Uint32Array
  readonly #docs: Uint32Array
  readonly #places: Uint32Array
  readonly #hasPositions: boolean
  #at = 0
  #end = 0

  constructor(docs: Uint32Array, places: Uint32Array, hasPositions: boolean) {
    this.#docs = docs
    this.#places = places
    this.#hasPositions = hasPositions
    this.gaps = new Uint32Array(hasPositions ? 1 << 10 : 0)
  }

  start(from: number, to: number): void {
    this.#at = from
    this.#end = to
  }

  next(): boolean {
    if (this.#at === this.#end) return false
    const start = this.#at
    const doc = (this.doc = this.#docs[start] as number)
    let zones = 0
    let at = start
    for (; at < this.#end && this.#docs[at] === doc; at++) zones |= (this.#places[at] as number) >>> POSITION_BITS
    this.#at = at
    this.count = at - start
    this.zones = zones
    if (this.#hasPositions) this.#findGaps(start, at)
    return true
  }

  #findGaps(from: number, to: number): void {
    if (this.gaps.length < to - from) this.gaps = new Uint32Array((to - from) * 2)
    const { gaps } = this
    let last = -1
    for (let i = from; i < to; i++) {
      const position = (this.#places[i] as number) & POSITION_MASK
      gaps[i - from] = position - last - 1
      last = position
    }
  }
}
