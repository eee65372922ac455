/**
 * Page terms: a page as its index takes it, made where the page is read, in another thread than the one that indexes. So a
 * page is read once. What the index alone knows, the words of links that point there, comes later; and so it is the first
 * part of the line that `write/analysis.ts` draws, word by word:
 *
 *   line    title: varint term …  · text: varint 2 × term + 1 where the term is met in a heading first, else 2 × term …
 *   terms   texts of the terms that were not told before, from number `from` on
 *
 * Terms are numbers that one reader gives them, from 0 on as it meets them, so that common ones take one byte. It begins anew now
 * and then, with `from` 0, and remembers no more than so many.
 */
import { ZONES } from '../document.ts'
import type { IndexDocument } from '../document.ts'
import { ByteReader } from '../format/byte-reader.ts'
import { ByteWriter } from '../format/byte-writer.ts'
import { TERM_NUMBER_BITS } from '../text/vocabulary.ts'
import type { Vocabulary } from '../text/vocabulary.ts'
import { Analyzer } from './analysis.ts'

export type DocumentText = Pick<IndexDocument, 'title' | 'headings' | 'text' | 'language'>

export interface PageTerms {
  /** Primary subtag, or `und`. */
  readonly language: string
  /** Words of its title and of its text. */
  readonly title: number
  readonly text: number
  /** Words for which the line has no room. */
  readonly cut: number
  readonly line: Uint8Array<ArrayBuffer>
  readonly from: number
  /** One a line: a term has no breaks. */
  readonly terms: string
}

const TERM_MASK = (1 << TERM_NUMBER_BITS) - 1
const HEADING = ZONES.heading << TERM_NUMBER_BITS

/** Of one thread, for page after page. */
export class PageAnalyzer {
  readonly #analyzer = new Analyzer()
  readonly #line = new ByteWriter(1 << 12)
  #told = 0

  read(page: DocumentText): PageTerms {
    const { vocabulary } = this.#analyzer
    this.#analyzer.trim()
    if (vocabulary.size < this.#told) this.#told = 0
    const line = this.#line
    line.clear()
    const counts: number[] = []
    const { language, cut } = this.#analyzer.analyzeOwn(page, {
      addRun: (words, count) => {
        if (counts.length === 0) for (let i = 0; i < count; i++) line.varint(words[i]! & TERM_MASK)
        else writeText(line, words, count)
        counts.push(count)
      },
    })
    const from = this.#told
    this.#told = vocabulary.size
    const [title = 0, text = 0] = counts
    return { language, title, text, cut, line: line.bytes.slice(), from, terms: textsOf(vocabulary, from) }
  }

  /** Whoever hears of the next page knows none of those before. */
  beginAnew(): void {
    this.#told = 0
  }
}

function writeText(line: ByteWriter, words: Int32Array, count: number): void {
  for (let i = 0; i < count; i++) {
    const word = words[i]!
    line.varint((word & TERM_MASK) * 2 + ((word & HEADING) === 0 ? 0 : 1))
  }
}

function textsOf(vocabulary: Vocabulary, from: number): string {
  const texts: string[] = []
  for (let number = from; number < vocabulary.size; number++) texts.push(vocabulary.textOf(number))
  return texts.join('\n')
}

/** The terms of one reader, as whoever hears of its pages knows them; until it begins anew. */
export class TermDictionary {
  readonly texts: string[]

  constructor(texts: string[] = []) {
    this.texts = texts
  }

  /** To be told of each page, in order. */
  add({ terms }: Pick<PageTerms, 'terms'>): void {
    if (terms !== '') for (const text of terms.split('\n')) this.texts.push(text)
  }
}

const UNKNOWN = -1

/** What the terms of readers are in a vocabulary. */
export class ReadTerms {
  readonly #vocabulary: Vocabulary
  #numbers = new WeakMap<TermDictionary, Int32Array>()

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary
  }

  /** To be called when the vocabulary is cleared. */
  forget(): void {
    this.#numbers = new WeakMap()
  }

  /** The words of the title into `into`, then those of the text, as `TermSink` takes them. */
  read({ line, title, text }: PageTerms, dictionary: TermDictionary, into: Int32Array): void {
    const numbers = this.#numbersOf(dictionary)
    const from = new ByteReader(line)
    for (let i = 0; i < title; i++)
      into[i] = this.#numberOf(from.varint(), numbers, dictionary) | (ZONES.title << TERM_NUMBER_BITS)
    this.#readText(from, title, title + text, numbers, dictionary, into)
  }

  /** Most of the line: a call for each word of it would take as long as all the rest. */
  #readText(
    { bytes, at: from, end: stop }: ByteReader,
    begin: number,
    end: number,
    numbers: Int32Array,
    dictionary: TermDictionary,
    into: Int32Array,
  ): void {
    let at = from
    for (let i = begin; i < end; i++) {
      let byte = bytes[at++]!
      let word = byte & 0x7f
      for (let shift = 7; byte >= 0x80 && at < stop; shift += 7) word |= ((byte = bytes[at++]!) & 0x7f) << shift
      const term = word >>> 1
      const known = numbers[term]!
      const number = known === UNKNOWN ? this.#numberOf(term, numbers, dictionary) : known
      into[i] = (word & 1) === 0 ? number : number | HEADING
    }
    if (at > stop) throw new RangeError('the bytes end too soon')
  }

  #numberOf(term: number, numbers: Int32Array, { texts }: TermDictionary): number {
    const known = numbers[term]!
    return known === UNKNOWN ? (numbers[term] = this.#vocabulary.numberOf(texts[term]!)) : known
  }

  #numbersOf(dictionary: TermDictionary): Int32Array {
    const known = this.#numbers.get(dictionary)
    const size = dictionary.texts.length
    if (known !== undefined && known.length >= size) return known
    const numbers = new Int32Array(size * 2).fill(UNKNOWN)
    if (known !== undefined) numbers.set(known)
    this.#numbers.set(dictionary, numbers)
    return numbers
  }
}
