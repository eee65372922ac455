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
import { TextUnits } from './text-units.ts'
import { TermCache } from './term-cache.ts'
import { termRulesOf } from './terms.ts'
import { urlText } from './url-words.ts'
import { eachWord } from './words.ts'

export interface TermSink {
  /** In order of positions. `zone` is 0 or one of `ZONES`. */
  add(term: string, position: number, zone: number): void
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

/** Keep one and use it for many pages: it remembers the terms of words. */
export class Analyzer {
  readonly #cache: TermCache
  readonly #units = new TextUnits()

  constructor(cache: TermCache = new TermCache()) {
    this.#cache = cache
  }

  analyze(document: IndexDocument, sink: TermSink): DocumentSense {
    const language = languageOf(document.language, document.text || document.title)
    const line = new Line(this.#cache, this.#units, termRulesOf(language), sink)
    line.part(document.title, ZONES.title, MAX_TITLE_WORDS)
    line.text(document.text, this.#headingTerms(document.headings, termRulesOf(language)))
    for (const anchor of chosenAnchors(document.anchors)) line.part(anchor, ZONES.anchor, MAX_ANCHOR_WORDS)
    line.part(urlText(document.url), ZONES.url, MAX_URL_WORDS)
    return { language, length: line.length, cut: line.cut }
  }

  #headingTerms(headings: readonly string[], rules: string): Set<string> {
    const terms = new Set<string>()
    const units = this.#units
    let words = 0
    for (const heading of headings) {
      if (words >= MAX_HEADING_WORDS) break
      eachWord(units.load(heading), (start, end) => {
        if (words++ < MAX_HEADING_WORDS) terms.add(this.#cache.termAt(units, start, end, rules))
      })
    }
    return terms
  }
}

class Line {
  length = 0
  cut = 0
  #position = 0
  readonly #cache: TermCache
  readonly #units: TextUnits
  readonly #rules: string
  readonly #sink: TermSink

  constructor(cache: TermCache, units: TextUnits, rules: string, sink: TermSink) {
    this.#cache = cache
    this.#units = units
    this.#rules = rules
    this.#sink = sink
  }

  part(text: string, zone: number, maxWords: number): void {
    const [cache, rules, sink] = [this.#cache, this.#rules, this.#sink]
    const units = this.#units.load(text)
    const first = this.#position
    let words = 0
    eachWord(units, (start, end) => {
      if (words < maxWords) sink.add(cache.termAt(units, start, end, rules), first + words, zone)
      words++
    })
    this.#close(first, words, maxWords)
  }

  /** `headingTerms` are used up. */
  text(text: string, headingTerms: Set<string>): void {
    const [cache, rules, sink] = [this.#cache, this.#rules, this.#sink]
    const units = this.#units.load(text)
    const first = this.#position
    const maxWords = MAX_TEXT_POSITION - first + 1
    let words = 0
    eachWord(units, (start, end) => {
      if (words < maxWords) {
        const term = cache.termAt(units, start, end, rules)
        const zone = headingTerms.size > 0 && headingTerms.delete(term) ? ZONES.heading : 0
        sink.add(term, first + words, zone)
      }
      words++
    })
    this.#close(first, words, maxWords)
  }

  #close(first: number, words: number, maxWords: number): void {
    const kept = Math.min(words, maxWords)
    this.length += kept
    this.cut += words - kept
    this.#position = first + kept + ZONE_GAP
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
