/**
 * Rankings: how much a page is worth for a query.
 *
 *   bm25      BM25F (Robertson, Zaragoza, Taylor 2004): for each word, idf · (k1+1) x / (k1 + x), where
 *             x = n / (1 − b + b · length / mean length) + the weights of the zones the word stands in
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
  readonly k1: number
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
  k1: 1.2,
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

const ZONE_NAMES = Object.keys(ZONES) as (keyof typeof ZONES)[]

/** Scores postings of any term; the tables are made once a query. */
export class Bm25 {
  readonly #k1: number
  readonly #perWord = new Float64Array(256)
  readonly #zoneSum = new Float64Array(16)

  constructor(weights: RankWeights, totals: CollectionTotals) {
    this.#k1 = weights.k1
    const mean = Math.max(1, totals.meanLength)
    for (let i = 0; i < 256; i++)
      this.#perWord[i] = 1 / (1 - weights.b + (weights.b * Math.max(1, LENGTHS[i] as number)) / mean)
    for (let zones = 0; zones < 16; zones++)
      for (const name of ZONE_NAMES)
        if (zones & ZONES[name]) this.#zoneSum[zones] = (this.#zoneSum[zones] as number) + weights.zones[name]
  }

  /** In units. `scale` is idf · (k1 + 1) · UNIT. */
  score(scale: number, count: number, length: number, zones: number): number {
    const x = count * (this.#perWord[length] as number) + (this.#zoneSum[zones] as number)
    // Never nothing: a word that stands in every page is worth little, but a page that has it is a match.
    return Math.ceil((scale * x) / (this.#k1 + x))
  }

  /** No posting with at most this count, at least this length and no other zones scores more. */
  bound(scale: number, count: number, length: number, zones: number): number {
    // The quotient of two rounded numbers may be a hair lower for a larger x.
    return this.score(scale, count, length, zones) + 1
  }

  scale(idf: number): number {
    return idf * (this.#k1 + 1) * UNIT
  }
}

/** A value that can only add, and less and less: half of `most` at the pivot. In units. */
export const saturated = (value: number, most: number, pivot: number): number =>
  value > 0 ? Math.round((most * UNIT * value) / (value + pivot)) : 0
