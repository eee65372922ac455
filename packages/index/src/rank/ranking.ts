/**
 * Rankings: how much a page is worth for a query.
 *
 *   bm25      BM25F (Robertson, Zaragoza, Taylor 2004): for each word, idf · (k+1) x / (k + x), where
 *             x = n / (1 − b + b · length / mean length) + the weights of the zones the word stands in, and
 *             k = k1 · m^¾, m being how often the word stands in a page that has it, on average (see `k1Growth`)
 *   default   the same, plus importance and hits as saturating additions: w · s / (s + pivot) (Craswell et al. 2005)
 *   idf, hf, hf-idf   the forms of 001 §IV as they stand there
 *
 * Every contribution is a whole number of millionths (2^-20), so sums are exact in any order: pruned and exhaustive
 * search agree to the last bit, and so do one segment and ten.
 */
import { LENGTHS } from '../format/length-byte.ts'
import { ZONES } from '../document.ts'
import type { RankName } from '../search-types.ts'

export interface RankWeights {
  /** Of a word that stands once in each page that has it. */
  readonly k1: number
  /**
   * By which power of a word's mean frequency its k1 grows; 0 for BM25 as it was published, with one k1 for all words. That
   * a page says "theorem" a second time tells less of it than a second "library" where those that say it at all say it
   * six times: each word has its own point where more of it says no more, and what it is in the pages that have it tells
   * where (Lv and Zhai, "A log-logistic model-based interpretation of TF normalization of BM25", ECIR 2012).
   */
  readonly k1Growth: number
  readonly b: number
  readonly zones: Readonly<Record<keyof typeof ZONES, number>>
  /** Most that importance may add, and the importance that adds half of it (1 is the mean PageRank). */
  readonly importance: number
  readonly importancePivot: number
  /** The same for hits. */
  readonly hits: number
  readonly hitsPivot: number
}

export const rankDefaults: RankWeights = {
  // Of eight test sets (bench/README.md) none is answered worse than with k1 1.2 for all words, and most clearly better; so
  // it is from growth ½ with k1 1.2 to growth 1, but for a hair on the shortest texts. Theirs is another, costlier curve.
  k1: 1,
  k1Growth: 0.75,
  b: 0.75,
  // A word in the title is worth about three more in the text; the URL says it more cheaply.
  zones: { title: 3, heading: 1, anchor: 2, url: 1 },
  importance: 2,
  importancePivot: 4,
  hits: 2,
  hitsPivot: 10,
}

export const RANKINGS: Readonly<Record<RankName, string>> = {
  default: 'BM25F over title, headings, text, anchors and URL, plus importance and hits',
  bm25: 'BM25F alone',
  idf: '1 / (pages with the word), summed over the words found (001 §IV)',
  hf: 'how often people read the page (001 §IV)',
  'hf-idf': 'hits times the sum of idf',
}

/** Whole units in 1; see above. */
export const UNIT: number = 1 << 20

/** What is known of a collection as a whole when a query begins. */
export interface CollectionTotals {
  readonly documents: number
  readonly meanLength: number
}

/** What a word that half of the pages have, or more, is still worth: in a small collection it may be all that was asked. */
const LEAST_IDF = 0.1

/**
 * The form of Robertson and Spärck Jones (1976): ln((N − n + ½) / (n + ½)). It is 0 for a word that half of the pages have,
 * so that "what", "of" and "the" hardly count in a question of whole sentences, in any language and without a list of
 * them. Lucene's form, ln(1 + …), leaves them more; with it, test sets of such questions are answered worse.
 *
 * Documents that are gone still count among those with the term, so there may seem to be more of these than there are
 * documents; a word cannot stand in more than all.
 */
export function idfOf(documentsWithTerm: number, { documents }: CollectionTotals): number {
  const having = Math.min(documentsWithTerm, documents)
  return Math.max(LEAST_IDF, Math.log((documents - having + 0.5) / (having + 0.5)))
}

/**
 * How often a word may stand in the pages that have it and still have its k1 grow. BM25 saturates so that no page comes
 * first by saying one word ever so often; a rare word that one page repeats without end must not undo that.
 */
const MOST_USUAL = 5

const ZONE_NAMES = Object.keys(ZONES) as (keyof typeof ZONES)[]

/** What the postings of a term have in common; made once a query. */
export interface TermWeight {
  /** idf · (k1 + 1) · how often it is asked for, in units. */
  readonly scale: number
  readonly k1: number
}

/** Of a term that only says which pages match. */
export const NO_WEIGHT: TermWeight = { scale: 0, k1: 1 }

/** What is known of a term in the whole collection. */
export interface TermTotals {
  readonly documents: number
  /** In all of them. */
  readonly places: number
}

/** Scores postings of any term; the tables are made once a query. */
export class Bm25 {
  readonly #weights: RankWeights
  readonly #totals: CollectionTotals
  readonly #perWord = new Float64Array(256)
  readonly #zoneSum = new Float64Array(16)

  constructor(weights: RankWeights, totals: CollectionTotals) {
    this.#weights = weights
    this.#totals = totals
    const mean = Math.max(1, totals.meanLength)
    for (let i = 0; i < 256; i++)
      this.#perWord[i] = 1 / (1 - weights.b + (weights.b * Math.max(1, LENGTHS[i] as number)) / mean)
    for (let zones = 0; zones < 16; zones++)
      for (const name of ZONE_NAMES)
        if (zones & ZONES[name]) this.#zoneSum[zones] = (this.#zoneSum[zones] as number) + weights.zones[name]
  }

  weightOf({ documents, places }: TermTotals, times: number): TermWeight {
    const usual = Math.min(MOST_USUAL, Math.max(1, places / Math.max(1, documents)))
    const k1 = this.#weights.k1 * usual ** this.#weights.k1Growth
    return { scale: idfOf(documents, this.#totals) * (k1 + 1) * UNIT * times, k1 }
  }

  /** In units. */
  score({ scale, k1 }: TermWeight, count: number, length: number, zones: number): number {
    const x = count * (this.#perWord[length] as number) + (this.#zoneSum[zones] as number)
    // Never nothing: a word that stands in every page is worth little, but a page that has it is a match.
    return Math.ceil((scale * x) / (k1 + x))
  }

  /** No posting with at most this count, at least this length and no other zones scores more. */
  bound(weight: TermWeight, count: number, length: number, zones: number): number {
    // The quotient of two rounded numbers may be a hair lower for a larger x.
    return this.score(weight, count, length, zones) + 1
  }
}

/** A value that can only add, and less and less: half of `most` at the pivot. In units. */
export const saturated = (value: number, most: number, pivot: number): number =>
  value > 0 ? Math.round((most * UNIT * value) / (value + pivot)) : 0
