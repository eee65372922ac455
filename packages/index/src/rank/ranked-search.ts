/**
 * RankedSearch: the best k documents of a view for a plan, over all segments. The threshold is carried from one segment
 * to the next, the largest first, so that the small ones are mostly passed over.
 *
 * A segment that turns out to be damaged ends the search with its name; the caller begins again without it.
 */
import { BestResults } from './best-results.ts'
import type { Hit } from './best-results.ts'
import { documentFilter } from '../query/document-filter.ts'
import type { DocumentTest } from '../query/document-filter.ts'
import type { Leaves } from '../query/document-iterator.ts'
import { IndexError } from '../errors.ts'
import type { IndexView, SearchedSegment } from '../read/index-reader.ts'
import { disjunctionOf, timesAsked } from '../query/match-plan.ts'
import type { Plan } from '../query/match-plan.ts'
import type { QueryFilters } from '../query/filter.ts'
import type { ScoringStatistics } from './collection-statistics.ts'
import { Bm25 } from './ranking.ts'
import type { RankWeights, TermTotals } from './ranking.ts'
import type { RankName } from '../search-types.ts'
import { SearchWork, withinWork } from '../query/search-work.ts'
import { scoreAll, scoreAny, scoreMatches, scorePlan } from './segment-search.ts'
import { matchesOf } from './segment-matches.ts'
import type { ScoreOf, SegmentQuery } from './segment-search.ts'
import { NO_STATICS } from './static-scores.ts'
import type { StaticScores } from './static-scores.ts'

export interface RankedQuery {
  readonly plan: Plan
  readonly filters: QueryFilters
  readonly rank: RankName
  readonly most: number
  readonly weights: RankWeights
  /** Of the whole that this index is a part of; its own where it is the whole. */
  readonly statistics?: ScoringStatistics | undefined
  /** Score every match: slow, and the measure of the other ways. */
  readonly exhaustive?: boolean | undefined
}

/** What is known of pages besides their words. */
export interface DocumentPriors {
  /** In units, for the default ranking. */
  staticsOf(held: SearchedSegment): StaticScores
  hitsOf(key: number): number
}

/** In each segment, the test that a document is there and passes the filters. */
function admission({ segment, gone }: SearchedSegment, filters: QueryFilters): DocumentTest {
  const passes = documentFilter(filters, segment)
  return gone.count === 0 ? passes : (doc) => !gone.has(doc) && passes(doc)
}

/** `work` is told when it was not enough: then these are the best of what was looked at. */
export function rankedSearch(
  view: IndexView,
  query: RankedQuery,
  worth: DocumentPriors,
  work: SearchWork = new SearchWork(),
): Hit[] {
  const best = new BestResults(query.most)
  withinWork(() => {
    for (const { held, one, scoreOf } of segmentQueries(view, query, worth, best, work))
      guarded(held, () => {
        const terms = disjunctionOf(query.plan)
        if (scoreOf !== undefined || query.exhaustive === true) scoreAll(query.plan, one, scoreOf)
        else if (terms === undefined) scorePlan(query.plan, one)
        else scoreAny(terms, one)
      })
  })
  return best.ranked()
}

interface CountedSearch extends MatchCount {
  /** Undefined when there were more matches, or more work, than are counted: then `rankedSearch` finds the best without seeing all. */
  readonly hits: Hit[] | undefined
}

/** The best hits while every match is visited, up to a number of them: one walk instead of two. */
export function countedSearch(
  view: IndexView,
  query: RankedQuery,
  worth: DocumentPriors,
  mostCounted: number,
  visit: (held: SearchedSegment, doc: number) => void,
  work: SearchWork = new SearchWork(),
): CountedSearch {
  const best = new BestResults(query.most)
  const name = JSON.stringify(query.plan)
  let matches = 0
  const isDone = withinWork(() => {
    for (const { held, one, scoreOf } of segmentQueries(view, query, worth, best, work)) {
      const isWelcome = (doc: number): boolean => {
        if (matches === mostCounted) return false
        matches++
        visit(held, doc)
        return true
      }
      guarded(held, () => {
        const known = scoreOf === undefined ? matchesOf(query.plan, name, held.segment, work) : undefined
        if (known === undefined) scoreAll(query.plan, one, scoreOf, isWelcome)
        else scoreMatches(known, one, isWelcome)
      })
    }
  })
  const isLowerBound = !isDone || matches >= mostCounted
  return { matches, isLowerBound, hits: isLowerBound ? undefined : best.ranked() }
}

interface OneSegment {
  readonly held: SearchedSegment
  readonly one: SegmentQuery
  /** For rankings that do not add up; undefined for those that do. */
  readonly scoreOf: ScoreOf | undefined
}

/** The query made ready for each segment, the largest first. */
function segmentQueries(
  view: IndexView,
  query: RankedQuery,
  worth: DocumentPriors,
  best: BestResults,
  work: SearchWork,
): OneSegment[] {
  const times = timesAsked(query.plan)
  const totalsOf = query.statistics?.totalsOf ?? ((term: string) => totalsIn(view, term))
  const totals = new Map(Array.from(times.keys(), (term) => [term, totalsOf(term)]))
  const bm25 = new Bm25(query.weights, query.statistics ?? view)
  const weights = new Map([...totals].map(([term, one]) => [term, bm25.weightOf(one, times.get(term) as number)]))
  const order = [...view.segments.entries()].toSorted(([, a], [, b]) => b.segment.documents - a.segment.documents)
  return order.map(([number, held]) => {
    const { segment } = held
    const statics = query.rank === 'default' ? worth.staticsOf(held) : NO_STATICS
    const one = { number, segment, admits: admission(held, query.filters), bm25, weights, statics, best, work }
    return { held, one, scoreOf: ownScore(query.rank, segment, totals, worth) }
  })
}

/** In how many documents a term stands, and how often. Those that are gone count until their segment is merged. */
export function totalsIn({ segments }: IndexView, term: string): TermTotals {
  let [documents, places] = [0, 0]
  for (const held of segments) {
    const postings = guarded(held, () => held.segment.postings(term))
    documents += postings?.documents ?? 0
    places += postings?.positions ?? 0
  }
  return { documents, places }
}

export const documentsWith = (term: string, view: IndexView): number => totalsIn(view, term).documents

/** The score of a ranking that is no sum of BM25's; undefined for those that are. */
function ownScore(
  rank: RankName,
  { columns }: SearchedSegment['segment'],
  totals: ReadonlyMap<string, TermTotals>,
  worth: DocumentPriors,
): ScoreOf | undefined {
  const hits = (doc: number): number => worth.hitsOf(columns.keys[doc] as number)
  switch (rank) {
    case 'idf':
      return (doc, leaves) => idfSum(doc, leaves, totals)
    case 'hf':
      return hits
    case 'hf-idf':
      // A page that nobody has read yet is still ranked by its words.
      return (doc, leaves) => (1 + hits(doc)) * idfSum(doc, leaves, totals)
    default:
      return undefined
  }
}

/** 001 §IV: "the reciprocal of the number of documents in which the term appears". */
function idfSum(doc: number, leaves: Leaves, totals: ReadonlyMap<string, TermTotals>): number {
  let sum = 0
  for (const [term, cursor] of leaves)
    if (cursor.seek(doc) === doc) sum += 1 / (totals.get(term) as TermTotals).documents
  return sum
}

interface MatchCount {
  readonly matches: number
  readonly isLowerBound: boolean
}

/** A segment could not be read while it was searched. */
export class DamagedSegment extends Error {
  readonly segment: string
  readonly error: IndexError

  constructor(segment: string, error: IndexError) {
    super(error.message, { cause: error })
    this.segment = segment
    this.error = error
  }
}

/** Read from a segment; what goes wrong is known by its name. */
export function guarded<Found>({ name }: SearchedSegment, read: () => Found): Found {
  try {
    return read()
  } catch (error) {
    if (error instanceof IndexError) throw new DamagedSegment(name, error)
    throw error
  }
}
