/**
 * What is said on the road of a search over shards: three questions (`IndexPart`), short, as each goes to every shard.
 *
 *   facts  view? terms prefixes              a view's number, and what the shard has of the words
 *   rank   view step statistics              its best, seven numbers each
 *   show   view hits rank leaves             titles and snippets
 *
 * Whatever has another shape is not answered.
 */
import {
  isAmount,
  isCount,
  isFlag,
  isInstant,
  isListOf,
  isMaybe,
  isNumber,
  isOneOf,
  isRecordOf,
  isText,
} from '@comity/collection'
import type { Shape } from '@comity/collection'
import { RANKINGS, timesAsked } from '@comity/index'
import type { PartFacts, PartHit, PartRanking, RankStep, ScoringStatistics, ShownHit } from '@comity/index'
import type { Message } from '../road/road.ts'

export const searchPlace = (shard: number): string => `search.${shard}`

/** The answer to who asks for a view that is not held any more. */
export const GONE: Message = { gone: true }

/** More hits would not fit into one message. */
const MAX_HITS = 10_000
/** Parentheses in a question, and what a plan makes of them. */
const MAX_PLAN_DEPTH = 64
const MAX_TITLE = 2_000

const isTerms = isListOf(isText)
const isLists = isRecordOf({
  sites: isListOf(isRecordOf({ host: isText, port: isMaybe(isCount), pathPrefix: isMaybe(isText) })),
  types: isTerms,
  languages: isTerms,
})
const isFilters = isRecordOf({ only: isLists, except: isLists, since: isMaybe(isInstant) })
const isRank = isOneOf(...Object.keys(RANKINGS))

const PLANS: ReadonlyMap<unknown, (depth: number) => Shape> = new Map<unknown, (depth: number) => Shape>([
  ['term', () => isRecordOf({ term: isText, times: isMaybe(isAmount) })],
  ['all', (depth) => isRecordOf({ parts: isListOf(isPlan(depth)) })],
  ['any', (depth) => isRecordOf({ parts: isListOf(isPlan(depth)) })],
  ['without', (depth) => isRecordOf({ part: isPlan(depth), not: isPlan(depth) })],
  ['phrase', () => isRecordOf({ words: isListOf(isTerms) })],
  ['zone', () => isRecordOf({ zones: isCount, term: isText })],
  ['every', () => isRecordOf({})],
  ['none', () => isRecordOf({})],
])

const isPlan =
  (depth: number): Shape =>
  (value) => {
    if (depth > MAX_PLAN_DEPTH || typeof value !== 'object' || value === null || !('kind' in value)) return false
    return PLANS.get(value.kind)?.(depth + 1)(value) === true
  }

export const isFactsQuestion: Shape = isRecordOf({ view: isMaybe(isCount), terms: isTerms, prefixes: isTerms })

/** Numbers, and nothing else, so many in a row. */
const isRow =
  (length: number): Shape =>
  (value) =>
    Array.isArray(value) && value.length === length && value.every(isNumber)

export const isRankQuestion: Shape = isRecordOf({
  view: isCount,
  step: isRecordOf({ plan: isPlan(0), filters: isFilters, rank: isRank, most: isCount, isCounted: isFlag }),
  documents: isCount,
  meanLength: isNumber,
  terms: isTerms,
  totals: isListOf(isRow(2)),
})

/** score, key, segment, document, group, and the two halves of its simhash where it has one. */
const isHit: Shape = (value) => isRow(5)(value) || isRow(7)(value)

export const isShowQuestion: Shape = isRecordOf({
  view: isCount,
  hits: isListOf(isHit),
  rank: isRank,
  leaves: isListOf(isRecordOf({ kind: isOneOf('word', 'phrase', 'prefix'), text: isText })),
})

type HitRow = readonly number[]

export const rowOf = ({ score, key, segment, doc, group, similar }: PartHit): HitRow => [
  score,
  key,
  segment,
  doc,
  group,
  ...(similar ?? []),
]

export function hitOf([score = 0, key = 0, segment = 0, doc = 0, group = 0, high, low]: HitRow): PartHit {
  return { score, key, segment, doc, group, similar: high === undefined || low === undefined ? undefined : [high, low] }
}

/** What scoring by a plan needs to know of the whole goes with it. */
export function rankQuestion(view: number, step: RankStep, statistics: ScoringStatistics): Message {
  const terms = [...timesAsked(step.plan).keys()]
  const { documents, meanLength, totalsOf } = statistics
  const totals = terms.map((term) => [totalsOf(term).documents, totalsOf(term).places])
  return {
    kind: 'rank',
    view,
    step: { ...step, most: Math.min(step.most, MAX_HITS) },
    documents,
    meanLength,
    terms,
    totals,
  }
}

export function readRankQuestion(message: Message): { view: number; step: RankStep; statistics: ScoringStatistics } {
  const { view, step, documents, meanLength, terms, totals } = message as unknown as {
    view: number
    step: RankStep
    documents: number
    meanLength: number
    terms: readonly string[]
    totals: readonly (readonly [number, number])[]
  }
  const known = new Map(terms.map((term, i) => [term, { documents: totals[i]?.[0] ?? 0, places: totals[i]?.[1] ?? 0 }]))
  const none = { documents: 0, places: 0 }
  return {
    view,
    step: { ...step, most: Math.min(step.most, MAX_HITS) },
    statistics: { documents, meanLength, totalsOf: (term) => known.get(term) ?? none },
  }
}

const isFacets = isListOf(isRecordOf({ value: isText, pages: isCount }))
const isMatchFacts = isRecordOf({
  matches: isCount,
  isLowerBound: isFlag,
  facets: isRecordOf({ sites: isFacets, types: isFacets, languages: isFacets }),
})
const isRanking = isRecordOf({ hits: isListOf(isHit), facts: isMaybe(isMatchFacts), isSpent: isFlag })

export const rankAnswer = ({ hits, ...rest }: PartRanking): Message => ({ ...rest, hits: hits.map(rowOf) })

export function readRanking(message: Message): PartRanking | undefined {
  if (!isRanking(message)) return undefined
  const { hits, facts, isSpent } = message as unknown as PartRanking & { hits: readonly HitRow[] }
  return { hits: (hits as unknown as readonly HitRow[]).map(hitOf), facts, isSpent }
}

const isNamedCount: Shape = (value) =>
  Array.isArray(value) && value.length === 2 && isText(value[0]) && isCount(value[1])
const isFacts = isRecordOf({
  view: isCount,
  documents: isCount,
  written: isCount,
  words: isCount,
  languages: isListOf(isNamedCount),
  totals: isListOf(isRow(2)),
  alike: isListOf(isListOf(isNamedCount)),
  problems: isListOf(isText),
})

export const factsAnswer = ({ totals, ...rest }: PartFacts): Message => ({
  ...rest,
  totals: totals.map(({ documents, places }) => [documents, places]),
})

export function readFacts(message: Message): PartFacts | undefined {
  if (!isFacts(message)) return undefined
  const { totals, ...rest } = message as unknown as PartFacts & { totals: readonly (readonly [number, number])[] }
  const pairs = totals as unknown as readonly (readonly [number, number])[]
  return { ...rest, totals: pairs.map(([documents, places]) => ({ documents, places })) }
}

const isMark = isRow(2)
const isShown = isListOf(
  isRecordOf({
    key: isCount,
    url: isText,
    title: isText,
    score: isNumber,
    snippet: isRecordOf({ text: isText, marks: isListOf(isMark) }),
    site: isText,
    type: isText,
    language: isText,
    at: isInstant,
  }),
)

/** A title may be as long as its page; here it has to fit into a message with a hundred others. */
export const shownAnswer = (shown: readonly ShownHit[]): Message => ({
  shown: shown.map((one) => Object.assign(one, { title: one.title.slice(0, MAX_TITLE).toWellFormed() })),
})

export const readShown = (message: Message): readonly ShownHit[] | undefined =>
  isShown(message['shown']) ? (message['shown'] as readonly ShownHit[]) : undefined
