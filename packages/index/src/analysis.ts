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
import { MAX_POSITION, ZONE_GAP, ZONES, type IndexDocument } from './document.ts'
import { languageOf } from './language-guess.ts'
import { TermCache } from './term-cache.ts'
import { termRulesOf } from './terms.ts'
import { TextUnits } from './text-units.ts'
import { urlText } from './url-words.ts'
import type { Vocabulary } from './vocabulary.ts'
import { WordScanner } from './words.ts'

export interface TermSink {
  /** In order of positions. `term` is a number of the analyzer's vocabulary, `zone` 0 or one of `ZONES`. */
  add(term: number, position: number, zone: number): void
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
    if (this.vocabulary.size > MAX_KEPT_TERMS) this.#cache.forget()
  }

  analyze(document: IndexDocument, sink: TermSink): DocumentSense {
    const language = languageOf(document.language, document.text || document.title)
    const line = this.#line
    line.begin(termRulesOf(language), sink)
    line.part(document.title, ZONES.title, MAX_TITLE_WORDS)
    line.text(document.text, document.headings)
    for (const anchor of chosenAnchors(document.anchors)) line.part(anchor, ZONES.anchor, MAX_ANCHOR_WORDS)
    line.part(urlText(document.url), ZONES.url, MAX_URL_WORDS)
    return { language, length: line.length, cut: line.cut }
  }
}

/** The line of one page after another. */
class Line {
  length = 0
  cut = 0
  #position = 0
  readonly #cache: TermCache
  readonly #units = new TextUnits()
  readonly #words = new WordScanner()
  #rules = 0
  #sink: TermSink = { add: () => {} }
  /** By number of a term: 1 when it stands in a heading, but was not met in the text yet. */
  #isHeading = new Uint8Array(1 << 6)

  constructor(cache: TermCache) {
    this.#cache = cache
  }

  begin(rules: string, sink: TermSink): void {
    this.length = this.cut = this.#position = 0
    this.#rules = this.#cache.rulesNumber(rules)
    this.#sink = sink
  }

  part(text: string, zone: number, maxWords: number): void {
    const [words, sink, first] = [this.#scan(text), this.#sink, this.#position]
    let count = 0
    for (; words.next(); count++) if (count < maxWords) sink.add(this.#term(), first + count, zone)
    this.#close(count, maxWords)
  }

  text(text: string, headings: readonly string[]): void {
    const headingTerms = this.#markHeadings(headings)
    const [words, sink, first, isHeading] = [this.#scan(text), this.#sink, this.#position, this.#isHeading]
    const maxWords = MAX_TEXT_POSITION - first + 1
    let count = 0
    for (; words.next(); count++) {
      if (count >= maxWords) continue
      const term = this.#term()
      // Terms beyond the table are younger than the headings.
      if (term < isHeading.length && isHeading[term] === 1) {
        isHeading[term] = 0
        sink.add(term, first + count, ZONES.heading)
      } else sink.add(term, first + count, 0)
    }
    for (const term of headingTerms) isHeading[term] = 0
    this.#close(count, maxWords)
  }

  #markHeadings(headings: readonly string[]): number[] {
    const terms: number[] = []
    const words = this.#scan(headings.join('\n'))
    while (words.next() && terms.length < MAX_HEADING_WORDS) terms.push(this.#term())
    if (this.#cache.vocabulary.size > this.#isHeading.length)
      this.#isHeading = new Uint8Array(this.#cache.vocabulary.size * 2)
    for (const term of terms) this.#isHeading[term] = 1
    return terms
  }

  #scan(text: string): WordScanner {
    this.#words.scan(this.#units.load(text))
    return this.#words
  }

  #term(): number {
    const { start, end, hash } = this.#words
    return this.#cache.numberAt(this.#units.units, start, end, hash, this.#rules)
  }

  #close(words: number, maxWords: number): void {
    const kept = Math.min(words, maxWords)
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
