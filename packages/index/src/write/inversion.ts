/**
 * Inversion: documents come in word by word, terms go out with their pages. A word is kept as one number, in the order
 * it came; at the end one stable counting sort by term, taking documents in the order of their URLs, leaves every term's
 * postings in the order a segment wants. No lists grow, nothing is sorted but the terms, and the memory is known
 * beforehand: 8 bytes a word, 4 a posting, and what the tables of terms and documents take.
 *
 *   word    u4 zone · u24 number of the term; it stands one position behind the word before
 *   jump    the sign bit · position of the next word, where it stands elsewhere; a document begins at 0
 *   place   u4 zone · u20 position; the sign bit for the first of a posting
 */
import type { DocumentEntry } from '../format/document-table.ts'
import { compareTerms } from '../format/posting.ts'
import type { PostingStream, TermStream } from '../format/posting.ts'
import type { SegmentSource } from './segment-writer.ts'
import { inOrderOfTerms } from '../format/term-order.ts'
import { TERM_NUMBER_BITS, Vocabulary } from '../text/vocabulary.ts'

/** Bits of a position; `MAX_POSITION` is below their power. In a place the zones stand above them. */
const POSITION_BITS = 20
const POSITION_MASK = (1 << POSITION_BITS) - 1
const ZONES_MASK = 15
const TERM_MASK = (1 << TERM_NUMBER_BITS) - 1
const JUMP = 1 << 31
const FIRST = 1 << 31

/** Fields of a term: its places, its postings, for both first how many, then their end; and one more than the last document it was met in. */
const FIELDS = 4
const PLACES = 0
const POSTINGS = 1
const LAST_DOC = 2
/** Larger lists are let go of when they are written, in numbers. */
const KEPT_NUMBERS = 1 << 21

/** Bytes that a word costs until it is written, a posting, and a document beside its URL. */
const BYTES_A_WORD = 8
const BYTES_A_POSTING = 4
const BYTES_A_DOCUMENT = 300
/** What is taken at the least, or a page would be a segment. */
const LEAST_BYTES = 2 << 20
/** No page has as many terms as there are numbers left above this. */
const MANY_TERMS = 1 << (TERM_NUMBER_BITS - 1)

export class Inversion {
  readonly vocabulary: Vocabulary
  readonly #maxBytes: number
  #words = new Int32Array(1 << 8)
  #count = 0
  /** Where the next word stands unless it jumps. */
  #position = 0
  /** What documents take, less what the vocabulary held before. */
  #bytes = 0
  #documents: DocumentEntry[] = []
  /** Where the words of each document begin. */
  readonly #starts: number[] = [0]
  /** By number of a term its fields. */
  #terms = new Int32Array(0)
  #postings = 0
  /** What the words become. */
  #docs = new Uint32Array(0)
  #places = new Int32Array(0)

  /** Terms come as numbers of the vocabulary, which must not be cleared before the inversion is used up. */
  constructor(maxBytes: number, vocabulary: Vocabulary = new Vocabulary()) {
    this.#maxBytes = Math.max(LEAST_BYTES, maxBytes)
    this.vocabulary = vocabulary
    this.clear()
  }

  /** Begin anew, with the same vocabulary, when what was here is written. */
  clear(): void {
    this.#count = this.#position = this.#postings = 0
    this.#bytes = -this.vocabulary.bytes
    this.#documents = []
    this.#starts.length = 1
    this.#terms.fill(0)
    if (this.#words.length === 0) this.#words = new Int32Array(1 << 8)
    if (this.#docs.length > KEPT_NUMBERS) letGo(this.#docs)
    if (this.#places.length > KEPT_NUMBERS) letGo(this.#places)
  }

  get documents(): number {
    return this.#documents.length
  }
  /** No room for another long document: time to write a segment. */
  get isFull(): boolean {
    const bytes = this.#bytes + this.#count * BYTES_A_WORD + this.#postings * BYTES_A_POSTING
    return bytes + this.vocabulary.bytes >= this.#maxBytes || this.vocabulary.size >= MANY_TERMS
  }

  /** A word of the document that is coming in. */
  add(term: number, position: number, zone: number): void {
    if (this.#count + 2 > this.#words.length) this.#grow()
    if (position !== this.#position) this.#words[this.#count++] = JUMP | position
    this.#words[this.#count++] = (zone << TERM_NUMBER_BITS) | term
    this.#position = position + 1
  }

  /** Words of the document that is coming in, as `TermSink` has them. */
  addRun(words: Int32Array, count: number, position: number): void {
    if (count === 0) return
    while (this.#count + count + 1 > this.#words.length) this.#grow()
    if (position !== this.#position) this.#words[this.#count++] = JUMP | position
    this.#words.set(words.subarray(0, count), this.#count)
    this.#count += count
    this.#position = position + count
  }

  /** The document that is coming in is given up. */
  drop(): void {
    this.#count = this.#starts.at(-1) as number
    this.#position = 0
  }

  /** The document is complete. */
  close(entry: DocumentEntry): void {
    this.#countTerms()
    this.#documents.push(entry)
    this.#starts.push(this.#count)
    this.#position = 0
    this.#bytes += BYTES_A_DOCUMENT + entry.url.length
  }

  /** Everything as a segment wants it. The inversion is used up until it is cleared. */
  source(hasPositions: boolean): SegmentSource {
    const order = [...this.#documents.keys()].toSorted((a, b) => compareTerms(this.#url(a), this.#url(b)))
    const documents = order.map((i) => this.#documents[i] as DocumentEntry)
    return { documents, terms: this.#invert(order, hasPositions), hasPositions }
  }

  #url(document: number): string {
    return (this.#documents[document] as DocumentEntry).url
  }

  /** Of the last document. */
  #countTerms(): void {
    this.#makeRoomForTerms()
    const words = this.#words
    const terms = this.#terms
    const doc = this.#documents.length
    const mark = doc + 1
    const end = this.#count
    let postings = 0
    for (let i = this.#starts[doc] as number; i < end; i++) {
      const word = words[i]!
      if (word < 0) continue
      const term = (word & TERM_MASK) * FIELDS
      terms[term + PLACES]!++
      if (terms[term + LAST_DOC] === mark) continue
      terms[term + LAST_DOC] = mark
      terms[term + POSTINGS]!++
      postings++
    }
    this.#postings += postings
  }

  #makeRoomForTerms(): void {
    const needed = this.vocabulary.size * FIELDS
    if (needed <= this.#terms.length) return
    const terms = new Int32Array(needed * 2)
    terms.set(this.#terms)
    this.#terms = terms
  }

  #invert(order: readonly number[], hasPositions: boolean): TermStream {
    const used = this.#placeTerms()
    if (this.#docs.length < this.#postings) this.#docs = new Uint32Array(this.#postings)
    if (this.#places.length < this.#count) this.#places = new Int32Array(this.#count)
    for (const [doc, document] of order.entries()) this.#sortWords(document, doc)
    // What is large is not needed any more.
    if (this.#words.length > KEPT_NUMBERS) letGo(this.#words)
    const postings = new InvertedPostings(this.#docs, this.#places, hasPositions)
    return new InvertedTerms(inOrderOfTerms(used, this.vocabulary), this.vocabulary, this.#terms, postings)
  }

  /** Turns numbers into ends, where what comes next is put; gives the terms that occur. */
  #placeTerms(): number[] {
    const terms = this.#terms
    const used: number[] = []
    let [places, postings] = [0, 0]
    for (let term = 0; term < terms.length; term += FIELDS) {
      const count = terms[term + PLACES]!
      if (count > 0) used.push(term / FIELDS)
      terms[term + PLACES] = places
      places += count
      const postingCount = terms[term + POSTINGS]!
      terms[term + POSTINGS] = postings
      postings += postingCount
      terms[term + LAST_DOC] = 0
    }
    return used
  }

  /** The words of one document to where those of their terms end. */
  #sortWords(document: number, doc: number): void {
    const words = this.#words
    const terms = this.#terms
    const docs = this.#docs
    const places = this.#places
    const mark = doc + 1
    const end = this.#starts[document + 1] as number
    let position = 0
    for (let i = this.#starts[document] as number; i < end; i++) {
      const word = words[i]!
      if (word < 0) {
        position = word & POSITION_MASK
        continue
      }
      const term = (word & TERM_MASK) * FIELDS
      const place = position++ | ((word >>> TERM_NUMBER_BITS) << POSITION_BITS)
      const to = terms[term + PLACES]!
      terms[term + PLACES] = to + 1
      if (terms[term + LAST_DOC] === mark) places[to] = place
      else {
        terms[term + LAST_DOC] = mark
        places[to] = place | FIRST
        docs[terms[term + POSTINGS]!] = doc
        terms[term + POSTINGS]!++
      }
    }
  }

  #grow(): void {
    // The last steps go little further than the bound and the longest document after it.
    const isSmall = this.#words.length * BYTES_A_WORD < this.#maxBytes / 2
    const room = Math.ceil(this.#words.length * (isSmall ? 2 : 1.25))
    // The smaller one is gone at once: it would lie around until the collector comes.
    this.#words = new Int32Array(this.#words.buffer.transfer(room * Int32Array.BYTES_PER_ELEMENT))
  }
}

/** They are none any more, and their memory is free at once. */
function letGo({ buffer }: { readonly buffer: ArrayBuffer }): void {
  buffer.transfer(0)
}

class InvertedTerms implements TermStream {
  term = ''
  readonly postings: InvertedPostings
  readonly #order: Uint32Array
  readonly #vocabulary: Vocabulary
  /** Ends by now; a term begins where the one before it ends. */
  readonly #terms: Int32Array
  #at = 0

  constructor(order: Uint32Array, vocabulary: Vocabulary, terms: Int32Array, postings: InvertedPostings) {
    this.#order = order
    this.#vocabulary = vocabulary
    this.#terms = terms
    this.postings = postings
  }

  next(): boolean {
    const number = this.#order[this.#at++]
    if (number === undefined) return false
    this.term = this.#vocabulary.textOf(number)
    const terms = this.#terms
    const before = (number - 1) * FIELDS
    const [place, posting] = number === 0 ? [0, 0] : [terms[before + PLACES]!, terms[before + POSTINGS]!]
    this.postings.start(place, terms[number * FIELDS + PLACES]!, posting)
    return true
  }
}

class InvertedPostings implements PostingStream {
  doc = 0
  count = 0
  zones = 0
  gaps: Uint32Array
  readonly #docs: Uint32Array
  readonly #places: Int32Array
  readonly #hasPositions: boolean
  #at = 0
  #end = 0
  #posting = 0

  constructor(docs: Uint32Array, places: Int32Array, hasPositions: boolean) {
    this.#docs = docs
    this.#places = places
    this.#hasPositions = hasPositions
    this.gaps = new Uint32Array(hasPositions ? 1 << 10 : 0)
  }

  start(from: number, to: number, posting: number): void {
    this.#at = from
    this.#end = to
    this.#posting = posting
  }

  next(): boolean {
    const places = this.#places
    const start = this.#at
    const end = this.#end
    if (start === end) return false
    this.doc = this.#docs[this.#posting++]!
    let zones = places[start]! >>> POSITION_BITS
    let at = start + 1
    for (; at < end && places[at]! >= 0; at++) zones |= places[at]! >>> POSITION_BITS
    this.#at = at
    this.count = at - start
    this.zones = zones & ZONES_MASK
    if (this.#hasPositions) this.#findGaps(start, at)
    return true
  }

  #findGaps(from: number, to: number): void {
    if (this.gaps.length < to - from) this.gaps = new Uint32Array((to - from) * 2)
    const gaps = this.gaps
    const places = this.#places
    let last = -1
    for (let i = from; i < to; i++) {
      const position = places[i]! & POSITION_MASK
      gaps[i - from] = position - last - 1
      last = position
    }
  }
}
