/**
 * Analysis: a page becomes terms at places on a line (see `document.ts`): title, text, the words of links that point
 * here, the words of its URL, with a gap behind each, also behind an empty one:
 *
 *   0 … title │ gap │ text │ gap │ link words │ gap │ … │ gap │ URL words
 *
 * So the text begins at (words of the title) + `ZONE_GAP`, which is how snippets find a place again.
 *
 * Headings stand in the text already. A posting says of a term only that it stands in a heading somewhere, so each term
 * of a heading gets that zone where the text first has it, and the headings need not be looked for in the text.
 */
import { MAX_POSITION, ZONE_GAP, ZONES, type IndexDocument } from '../document.ts'
import { languageOf } from '../text/language-guess.ts'
import type { ShippedDocument, ShippedLine } from '../ship/shipped-document.ts'
import { shippedLanguage, ShippedTerms } from '../ship/shipped-terms.ts'
import { TermCache } from '../text/term-cache.ts'
import { termRulesOf } from '../text/terms.ts'
import { TextUnits } from '../text/text-units.ts'
import { urlText } from '../text/url-words.ts'
import { TERM_NUMBER_BITS, type Vocabulary } from '../text/vocabulary.ts'
import { WordList } from '../text/words.ts'
import { ReadTerms } from './page-terms.ts'
import type { PageTerms, TermDictionary } from './page-terms.ts'

interface TermSink {
  /**
   * The first `count` of `words`, one behind another from `position` on; what follows stands later. A word is a number of
   * the analyzer's vocabulary, and above its `TERM_NUMBER_BITS` 0 or one of `ZONES`.
   */
  addRun(words: Int32Array, count: number, position: number): void
}

export interface DocumentSense {
  /** Primary subtag, or `und`. */
  readonly language: string
  /** Words on the line. */
  readonly length: number
  /** Words not on it, for lack of room. */
  readonly cut: number
}

const MAX_TITLE_WORDS = 512
const MAX_HEADING_WORDS = 10_000
const MAX_ANCHORS = 16
const MAX_ANCHOR_WORDS = 32
const MAX_URL_WORDS = 64
/** The last place for a word of the text: a page too long to be indexed whole still has its links' and URL's words. */
const MAX_TEXT_POSITION = MAX_POSITION - MAX_ANCHORS * (MAX_ANCHOR_WORDS + ZONE_GAP) - MAX_URL_WORDS - ZONE_GAP

/** Room for more words of a text than this, 1 MB, is let go of again. */
const KEPT_WORDS = 1 << 18
/** Some 20 MB of them. */
const MAX_KEPT_TERMS = 1 << 17

/** Keep one and use it for many pages: it remembers the terms of words. */
export class Analyzer {
  readonly #cache = new TermCache()
  readonly #line = new Line(this.#cache)

  /** The terms of all pages until now, or since `trim`. */
  get vocabulary(): Vocabulary {
    return this.#cache.vocabulary
  }

  /** Forget the terms when they have become many: to be called when nobody holds a number of theirs any more. */
  trim(): void {
    if (this.vocabulary.size <= MAX_KEPT_TERMS) return
    this.#cache.forget()
    this.#line.forget()
  }

  analyze(document: IndexDocument, sink: TermSink): DocumentSense {
    const { language } = this.analyzeOwn(document, sink)
    return this.#end(document.url, document.anchors, language)
  }

  /** What the page itself says: two runs, one of its title and one of its text. */
  analyzeOwn(page: Pick<IndexDocument, 'title' | 'headings' | 'text' | 'language'>, sink: TermSink): DocumentSense {
    const line = this.#line
    const language = line.begin(page, sink)
    line.part(page.title, ZONES.title, MAX_TITLE_WORDS)
    line.text(page.headings)
    return { language, length: line.length, cut: line.cut }
  }

  /** The same as `analyze` of a page whose own part was read elsewhere. */
  analyzeRead(
    terms: PageTerms,
    dictionary: TermDictionary,
    { url, anchors }: Pick<IndexDocument, 'url' | 'anchors'>,
    sink: TermSink,
  ): DocumentSense {
    this.#line.beginShipped(terms.language, sink)
    this.#line.read(terms, dictionary)
    return this.#end(url, anchors, terms.language)
  }

  /** The same of a page whose words were found elsewhere; `anchors` are what this side knows it is called. */
  analyzeShipped(document: ShippedDocument, anchors: readonly string[], sink: TermSink): DocumentSense {
    const { url, title, content } = document
    if (content.kind === 'text') {
      const { text, headings } = content
      return this.analyze({ key: 0, duplicateOf: undefined, ...document, text, headings, anchors }, sink)
    }
    const line = this.#line
    const language = line.beginShipped(shippedLanguage(document, content), sink)
    line.part(title, ZONES.title, MAX_TITLE_WORDS)
    line.shippedText(content)
    return this.#end(url, anchors, language)
  }

  #end(url: string, anchors: readonly string[], language: string): DocumentSense {
    const line = this.#line
    for (const anchor of chosenAnchors(anchors)) line.part(anchor, ZONES.anchor, MAX_ANCHOR_WORDS)
    line.part(urlText(url), ZONES.url, MAX_URL_WORDS)
    return { language, length: line.length, cut: line.cut }
  }
}

/** Words of a text, beside its units. */
class Part {
  readonly units = new TextUnits()
  readonly words = new WordList()

  read(text: string, maxWords: number): this {
    this.words.read(this.units.load(text), maxWords)
    return this
  }
}

/** The line of one page after another. */
class Line {
  length = 0
  cut = 0
  #position = 0
  readonly #cache: TermCache
  readonly #text = new Part()
  /** Any other part. */
  readonly #part = new Part()
  readonly #shipped: ShippedTerms
  readonly #read: ReadTerms
  #ruleName = ''
  #rules = 0
  #sink: TermSink = { addRun: () => {} }
  #words = new Int32Array(1 << 8)
  /** By number of a term: 1 when it stands in a heading, but was not met in the text yet. */
  #isHeading = new Uint8Array(1 << 6)

  constructor(cache: TermCache) {
    this.#cache = cache
    this.#shipped = new ShippedTerms(cache.vocabulary)
    this.#read = new ReadTerms(cache.vocabulary)
  }

  forget(): void {
    this.#shipped.forget()
    this.#read.forget()
  }

  /** Gives the language of the page: its text is read before all other parts, for it tells how to read them. */
  begin(
    { language: declared, text, title }: Pick<IndexDocument, 'language' | 'text' | 'title'>,
    sink: TermSink,
  ): string {
    const { words } = this.#text.read(text, MAX_TEXT_POSITION)
    const language = text === '' ? languageOf(declared, title) : languageOf(declared, text, words)
    return this.beginShipped(language, sink)
  }

  /** The language is known already. */
  beginShipped(language: string, sink: TermSink): string {
    this.length = this.cut = this.#position = 0
    this.#ruleName = termRulesOf(language)
    this.#rules = this.#cache.rulesNumber(this.#ruleName)
    this.#sink = sink
    return language
  }

  part(text: string, zone: number, maxWords: number): void {
    const { count, total } = this.#part.read(text, maxWords).words
    const words = this.#wordsOf(this.#part, count)
    for (let i = 0; i < count; i++) words[i]! |= zone << TERM_NUMBER_BITS
    this.#sink.addRun(words, count, this.#position)
    this.#close(count, total)
  }

  text(headings: readonly string[]): void {
    const part = this.#part.read(headings.join('\n'), MAX_HEADING_WORDS)
    const headingTerms = this.#markHeadings(this.#wordsOf(part, part.words.count), part.words.count)
    const { count: most, total } = this.#text.words
    const count = Math.min(most, MAX_TEXT_POSITION - this.#position + 1)
    this.#addText(this.#wordsOf(this.#text, count), count, headingTerms)
    this.#close(count, total)
  }

  shippedText(content: ShippedLine): void {
    const { text, headings } = content
    const headingCount = Math.min(headings.length, MAX_HEADING_WORDS)
    this.#shipped.numbersOf(content, headings, headingCount, this.#ruleName, this.#room(headingCount))
    const headingTerms = this.#markHeadings(this.#words, headingCount)
    const count = Math.min(text.length, MAX_TEXT_POSITION - this.#position + 1)
    this.#shipped.numbersOf(content, text, count, this.#ruleName, this.#room(count))
    this.#addText(this.#words, count, headingTerms)
    this.#close(count, text.length)
  }

  /** Title and text. */
  read(terms: PageTerms, dictionary: TermDictionary): void {
    const { title, text } = terms
    const words = this.#room(title + text)
    this.#read.read(terms, dictionary, words)
    this.#sink.addRun(words, title, this.#position)
    this.#close(title, title)
    this.#sink.addRun(words.subarray(title), text, this.#position)
    this.#close(text, text + terms.cut)
  }

  #addText(words: Int32Array, count: number, headingTerms: readonly number[]): void {
    const isHeading = this.#isHeading
    for (let [i, left] = [0, headingTerms.length]; left > 0 && i < count; i++) {
      const term = words[i]!
      // Terms beyond the table are younger than the headings.
      if (term >= isHeading.length || isHeading[term] === 0) continue
      isHeading[term] = 0
      words[i] = term | (ZONES.heading << TERM_NUMBER_BITS)
      left--
    }
    for (const term of headingTerms) isHeading[term] = 0
    this.#sink.addRun(words, count, this.#position)
  }

  /** Gives the terms of the headings, each once. */
  #markHeadings(words: Int32Array, count: number): number[] {
    const { size } = this.#cache.vocabulary
    if (size > this.#isHeading.length) this.#isHeading = new Uint8Array(size * 2)
    const terms: number[] = []
    for (let i = 0; i < count; i++) {
      const term = words[i]!
      if (this.#isHeading[term] === 1) continue
      this.#isHeading[term] = 1
      terms.push(term)
    }
    return terms
  }

  /** The terms of the first words of a part; valid until the next part. */
  #wordsOf(part: Part, count: number): Int32Array {
    const words = this.#room(count)
    this.#cache.numbersOf(part.units, part.words, count, this.#rules, words)
    return words
  }

  #room(count: number): Int32Array {
    const { length } = this.#words
    if (count > length || (length > KEPT_WORDS && count <= KEPT_WORDS)) this.#words = new Int32Array(count * 2)
    return this.#words
  }

  #close(kept: number, words: number): void {
    this.length += kept
    this.cut += words - kept
    this.#position += kept + ZONE_GAP
  }
}

/** Distinct texts, those most links have first: what many call a page describes it best. */
function chosenAnchors(anchors: readonly string[]): string[] {
  const times = new Map<string, number>()
  for (const anchor of anchors) {
    const text = anchor.trim()
    if (text !== '') times.set(text, (times.get(text) ?? 0) + 1)
  }
  const order = times.size > MAX_ANCHORS ? [...times].toSorted((a, b) => b[1] - a[1]) : [...times]
  return order.slice(0, MAX_ANCHORS).map(([text]) => text)
}
