/**
 * Inversion: documents come in word by word, terms go out with their pages. Words are kept as two numbers each, in the
 * order they came; at the end one stable counting sort by term, taking documents in the order of their URLs, leaves
 * every term's postings in the order a segment wants. No lists grow, nothing is sorted but the terms, and the memory is
 * known beforehand: some 8 bytes a word, while a segment is written 24, and what the tables of terms and documents take.
 */
import type { DocumentEntry } from './document-table.ts'
import { compareTerms } from './posting.ts'
import type { PostingStream, TermStream } from './posting.ts'
import type { SegmentSource } from './segment-writer.ts'

/** Bits of a position; `MAX_POSITION` is below their power. The zones stand above them. */
const POSITION_BITS = 20
const POSITION_MASK = (1 << POSITION_BITS) - 1

/** Bytes that a word costs until it is written, a term beside its letters, and a document beside its URL. */
const BYTES_A_WORD = 24
const BYTES_A_TERM = 120
const BYTES_A_DOCUMENT = 300
/** What is taken at the least, or a page would be a segment. */
const LEAST_BYTES = 2 << 20

export class Inversion {
  readonly #maxBytes: number
  readonly #terms = new Map<string, number>()
  #words = new Uint32Array(1 << 16)
  #places = new Uint32Array(1 << 16)
  #count = 0
  /** What terms and documents take. */
  #bytes = 0
  readonly #documents: DocumentEntry[] = []
  /** Where the words of each document begin. */
  readonly #starts: number[] = [0]

  constructor(maxBytes: number) {
    this.#maxBytes = Math.max(LEAST_BYTES, maxBytes)
  }

  get documents(): number {
    return this.#documents.length
  }
  /** No room for another long document: time to write a segment. */
  get isFull(): boolean {
    return this.#bytes + this.#count * BYTES_A_WORD >= this.#maxBytes
  }

  /** A word of the document that is coming in. */
  add(term: string, position: number, zone: number): void {
    let number = this.#terms.get(term)
    if (number === undefined) {
      this.#terms.set(term, (number = this.#terms.size))
      this.#bytes += BYTES_A_TERM + term.length
    }
    if (this.#count === this.#words.length) this.#grow()
    this.#words[this.#count] = number
    this.#places[this.#count++] = position | (zone << POSITION_BITS)
  }

  /** The document is complete. */
  close(entry: DocumentEntry): void {
    this.#documents.push(entry)
    this.#starts.push(this.#count)
    this.#bytes += BYTES_A_DOCUMENT + entry.url.length
  }

  /** Everything as a segment wants it. The inversion is used up. */
  source(hasPositions: boolean): SegmentSource {
    const order = [...this.#documents.keys()].sort((a, b) => compareTerms(this.#url(a), this.#url(b)))
    const documents = order.map((i) => this.#documents[i] as DocumentEntry)
    return { documents, terms: this.#invert(order, hasPositions), hasPositions }
  }

  #url(document: number): string {
    return (this.#documents[document] as DocumentEntry).url
  }

  #invert(order: readonly number[], hasPositions: boolean): TermStream {
    const ends = new Uint32Array(this.#terms.size)
    for (let i = 0; i < this.#count; i++) {
      const word = this.#words[i] as number
      ends[word] = (ends[word] as number) + 1
    }
    let total = 0
    for (let i = 0; i < ends.length; i++) {
      const count = ends[i] as number
      ends[i] = total
      total += count
    }
    const starts = ends.slice()
    const docs = new Uint32Array(total)
    const places = new Uint32Array(total)
    for (const [doc, document] of order.entries()) {
      const end = this.#starts[document + 1] as number
      for (let i = this.#starts[document] as number; i < end; i++) {
        const word = this.#words[i] as number
        const to = ends[word] as number
        ends[word] = to + 1
        docs[to] = doc
        places[to] = this.#places[i] as number
      }
    }
    this.#words = this.#places = new Uint32Array(0)
    const terms = [...this.#terms].sort(([a], [b]) => compareTerms(a, b))
    return new InvertedTerms(terms, starts, ends, new InvertedPostings(docs, places, hasPositions))
  }

  #grow(): void {
    // The last steps go little further than the bound and the longest document after it.
    const isSmall = this.#words.length * BYTES_A_WORD < this.#maxBytes / 2
    const room = Math.ceil(this.#words.length * (isSmall ? 2 : 1.25))
    const [words, places] = [new Uint32Array(room), new Uint32Array(room)]
    words.set(this.#words)
    places.set(this.#places)
    this.#words = words
    this.#places = places
  }
}

class InvertedTerms implements TermStream {
  term = ''
  readonly postings: InvertedPostings
  readonly #terms: readonly (readonly [term: string, number: number])[]
  readonly #starts: Uint32Array
  readonly #ends: Uint32Array
  #at = 0

  constructor(terms: readonly [string, number][], starts: Uint32Array, ends: Uint32Array, postings: InvertedPostings) {
    this.#terms = terms
    this.#starts = starts
    this.#ends = ends
    this.postings = postings
  }

  next(): boolean {
    const entry = this.#terms[this.#at++]
    if (entry === undefined) return false
    this.term = entry[0]
    this.postings.start(this.#starts[entry[1]] as number, this.#ends[entry[1]] as number)
    return true
  }
}

class InvertedPostings implements PostingStream {
  doc = 0
  count = 0
  zones = 0
  positionBytes: Uint8Array = new Uint8Array(1 << 10)
  readonly positionStart = 0
  positionEnd = 0
  readonly #docs: Uint32Array
  readonly #places: Uint32Array
  readonly #hasPositions: boolean
  #at = 0
  #end = 0

  constructor(docs: Uint32Array, places: Uint32Array, hasPositions: boolean) {
    this.#docs = docs
    this.#places = places
    this.#hasPositions = hasPositions
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
    if (this.#hasPositions) this.#writePositions(start, at)
    return true
  }

  #writePositions(from: number, to: number): void {
    if (this.positionBytes.length < (to - from) * 3) this.positionBytes = new Uint8Array((to - from) * 6)
    const bytes = this.positionBytes
    let [end, last] = [0, -1]
    for (let i = from; i < to; i++) {
      const position = (this.#places[i] as number) & POSITION_MASK
      let gap = position - last - 1
      last = position
      while (gap >= 0x80) {
        bytes[end++] = (gap & 0x7f) | 0x80
        gap >>>= 7
      }
      bytes[end++] = gap
    }
    this.positionEnd = end
  }
}
