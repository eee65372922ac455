/**
 * The best documents of a segment for a plan. Four ways, one answer:
 *
 *   scoreAll      every match is scored: what the others are held to, and the only way for rankings that do not add
 *   scoreMatches  the same, for matches that are known from the last time
 *   scorePlan     any plan: where the bounds of the blocks around a match cannot reach the threshold, all of them are
 *                 passed over (block-max)
 *   scoreAny      a plan of alternatives: windows of documents; in each the terms whose bounds together stay below the
 *                 threshold are only looked up for documents that the others bring up (MaxScore, Turtle and Flood 1995,
 *                 with bounds by block), and whole windows are passed over
 */
import type { BestResults } from './best-results.ts'
import { iterate } from '../query/document-iterator.ts'
import type { Leaves } from '../query/document-iterator.ts'
import { END } from '../read/posting-cursor.ts'
import type { PostingCursor } from '../read/posting-cursor.ts'
import type { Plan } from '../query/match-plan.ts'
import { NO_WEIGHT } from './ranking.ts'
import type { Bm25, TermWeight } from './ranking.ts'
import type { SearchWork } from '../query/search-work.ts'
import type { Segment } from '../read/segment.ts'
import type { SegmentMatches } from './segment-matches.ts'
import type { StaticScores } from './static-scores.ts'

/** What scoring in one segment needs to know. */
export interface SegmentQuery {
  /** The segment's place among those searched. */
  readonly number: number
  readonly segment: Segment
  /** Not gone, and passes the filters. */
  readonly admits: (doc: number) => boolean
  readonly bm25: Bm25
  /** For each scoring term. */
  readonly weights: ReadonlyMap<string, TermWeight>
  readonly statics: StaticScores
  readonly best: BestResults
  readonly work: SearchWork
}

/** Documents a window; its scores fit into the nearest cache. */
const WINDOW = 2_048
/** To look up what a term may add in a window, and to put it in order, costs as much as so many postings. */
const STEPS_A_TERM = 32

/** Score every match; `scoreOf` gets the cursors of the terms that score. */
export function scoreAll(
  plan: Plan,
  query: SegmentQuery,
  scoreOf: ScoreOf = (doc, leaves) => sumOf(query, leaves, doc),
  isWelcome: (doc: number) => boolean = () => true,
): void {
  const { segment, admits, best, number, work } = query
  const leaves: Leaves = new Map()
  const matches = iterate(plan, segment, leaves, work)
  for (let doc = matches.next(); doc !== END; doc = matches.next()) {
    work.spend(1 + leaves.size)
    if (!admits(doc)) continue
    if (!isWelcome(doc)) return
    best.offer(scoreOf(doc, leaves), segment.columns.keys[doc] as number, number, doc)
  }
}

/** `isWelcome` hears of every match that is admitted, and ends the walk when it says no. */
export function scoreMatches(
  { docs, terms }: SegmentMatches,
  query: SegmentQuery,
  isWelcome: (doc: number) => boolean,
): void {
  const { segment, admits, bm25, weights, statics, best, number } = query
  const { keys, lengths } = segment.columns
  const scored = terms.map((one) => ({ ...one, weight: weights.get(one.term) ?? NO_WEIGHT }))
  query.work.spend(docs.length * (1 + scored.length))
  for (let i = 0; i < docs.length; i++) {
    const doc = docs[i] as number
    if (!admits(doc)) continue
    if (!isWelcome(doc)) return
    let score = statics.scoreOf(doc)
    for (const { weight, counts, zones } of scored) {
      const count = counts[i] as number
      if (count > 0) score += bm25.score(weight, count, lengths[doc] as number, zones[i] as number)
    }
    if (score >= best.threshold) best.offer(score, keys[doc] as number, number, doc)
  }
}

/** The score of a document that matches, from the cursors of the terms in it. */
export type ScoreOf = (doc: number, leaves: Leaves) => number

export function scorePlan(plan: Plan, query: SegmentQuery): void {
  const { segment, admits, best, number, statics, work } = query
  const leaves: Leaves = new Map()
  const matches = iterate(plan, segment, leaves, work)
  const cursors = [...leaves].map(([term, cursor]) => boundedOf(query, term, cursor))
  for (let doc = matches.next(); doc !== END;) {
    work.spend(1 + cursors.length)
    let bound = statics.boundAt(doc)
    let end = statics.endAt(doc)
    for (const { cursor, bounds } of cursors) {
      const block = cursor.blockOf(doc)
      if (block === cursor.postings.blocks) continue
      bound += bounds[block] as number
      end = Math.min(end, cursor.postings.last[block] as number)
    }
    if (bound < best.threshold) {
      doc = matches.seek(end + 1)
      continue
    }
    if (admits(doc)) best.offer(sumOf(query, leaves, doc), segment.columns.keys[doc] as number, number, doc)
    doc = matches.next()
  }
}

/** A cursor with the bound of each of its blocks, in units. */
interface Bounded {
  readonly cursor: PostingCursor
  readonly weight: TermWeight
  readonly bounds: Float64Array
}

export function scoreAny(terms: readonly string[], query: SegmentQuery): void {
  const { segment } = query
  const bounded: Bounded[] = []
  for (const term of terms) {
    const postings = segment.postings(term)
    if (postings !== undefined) bounded.push(boundedOf(query, term, segment.cursor(postings, query.work)))
  }
  if (bounded.length > 0) new WindowedScoring(query, bounded).run()
}

class WindowedScoring {
  readonly #query: SegmentQuery
  readonly #terms: readonly Bounded[]
  readonly #scores = new Float64Array(WINDOW)

  constructor(query: SegmentQuery, terms: readonly Bounded[]) {
    this.#query = query
    this.#terms = terms
  }

  run(): void {
    const { documents } = this.#query.segment
    for (let from = 0; from < documents; from += WINDOW) this.#window(from, Math.min(from + WINDOW, documents))
  }

  #window(from: number, to: number): void {
    const { best, statics, work } = this.#query
    work.spend(to - from + STEPS_A_TERM * this.#terms.length)
    const here = this.#terms
      .map((term) => ({ ...term, most: mostIn(term, from, to) }))
      .filter(({ most }) => most > 0)
      .toSorted((a, b) => a.most - b.most)
    let rest = statics.most
    let optional = 0
    // Terms that even together are not enough: they cannot bring up a document by themselves.
    while (optional < here.length && rest + (here[optional] as { most: number }).most < best.threshold)
      rest += (here[optional++] as { most: number }).most
    if (optional === here.length) return
    for (const term of here.slice(optional)) this.#accumulate(term, from, to)
    this.#collect(here.slice(0, optional).toReversed(), rest, from, to)
  }

  /** Add a term's scores to the documents of the window. */
  #accumulate({ cursor, weight }: Bounded, from: number, to: number): void {
    const { bm25, segment } = this.#query
    const { lengths } = segment.columns
    const scores = this.#scores
    for (let doc = cursor.seek(from); doc < to; doc = cursor.next())
      scores[doc - from] =
        (scores[doc - from] as number) + bm25.score(weight, cursor.count, lengths[doc] as number, cursor.zones)
  }

  /** Offer what can still get in; `optional` terms add to it, those that may add most first. */
  #collect(optional: readonly (Bounded & { most: number })[], rest: number, from: number, to: number): void {
    const { admits, best, statics, bm25, segment, number } = this.#query
    const { keys, lengths } = segment.columns
    const scores = this.#scores
    for (let doc = from; doc < to; doc++) {
      let score = scores[doc - from] as number
      if (score === 0) continue
      scores[doc - from] = 0
      if (score + rest < best.threshold || !admits(doc)) continue
      let left = rest - statics.most
      score += statics.scoreOf(doc)
      for (const { cursor, weight, most } of optional) {
        if (score + left < best.threshold) break
        left -= most
        if (cursor.seek(doc) === doc) score += bm25.score(weight, cursor.count, lengths[doc] as number, cursor.zones)
      }
      if (score >= best.threshold) best.offer(score, keys[doc] as number, number, doc)
    }
  }
}

/** The highest bound of the blocks that reach into a window. */
function mostIn({ cursor, bounds }: Bounded, from: number, to: number): number {
  const { last, blocks } = cursor.postings
  let most = 0
  for (let block = cursor.blockOf(from); block < blocks; block++) {
    most = Math.max(most, bounds[block] as number)
    if ((last[block] as number) >= to - 1) break
  }
  return most
}

function boundedOf({ bm25, weights }: SegmentQuery, term: string, cursor: PostingCursor): Bounded {
  const weight = weights.get(term) ?? NO_WEIGHT
  const { highest, shortest, zones, blocks } = cursor.postings
  const bounds = new Float64Array(blocks)
  for (let i = 0; i < blocks; i++)
    bounds[i] = bm25.bound(weight, highest[i] as number, shortest[i] as number, zones[i] as number)
  return { cursor, weight, bounds }
}

function sumOf({ segment, bm25, weights, statics }: SegmentQuery, leaves: Leaves, doc: number): number {
  const length = segment.columns.lengths[doc] as number
  let score = statics.scoreOf(doc)
  for (const [term, cursor] of leaves)
    if (cursor.seek(doc) === doc)
      score += bm25.score(weights.get(term) ?? NO_WEIGHT, cursor.count, length, cursor.zones)
  return score
}
