/**
 * SearchSteps: a search from its question to what is shown of its answer, without an index: what is to be ranked is asked for step by
 * step, and whoever has the documents says what is best. One index does so at once (`search-engine.ts`), and many together over a net
 * (`parts/search-of-parts.ts`); so both answer alike.
 *
 * All words are asked for; when fewer pages have all of them than are to be shown, pages with some of them follow.
 */
import { disjunctionOf } from './query/match-plan.ts'
import type { Plan } from './query/match-plan.ts'
import type { QueryFilters } from './query/filter.ts'
import { planOf, relaxedPlan } from './query/plan.ts'
import { wantedLeaves } from './query/query.ts'
import type { ParsedQuery, QueryLeaf } from './query/query.ts'
import { leftOutProblem, tellingWords } from './query/telling-words.ts'
import type { CollectionStatistics } from './rank/collection-statistics.ts'
import { idfOf } from './rank/ranking.ts'
import type { RankName, SearchAnswer, SearchRequest } from './search-types.ts'

export interface RankStep {
  readonly plan: Plan
  readonly filters: QueryFilters
  readonly rank: RankName
  readonly most: number
  /** All that match are to be counted, too. */
  readonly isCounted: boolean
}

/** How many match, and what they are. */
export type MatchFacts = Pick<SearchAnswer, 'matches' | 'isLowerBound' | 'facets'>

export interface RankedStep<One> {
  /** The best, best first: all there are when they are fewer than were asked for. */
  readonly hits: readonly One[]
  /** Of a step that counts. */
  readonly facts: MatchFacts | undefined
  /** It was more work than one search may cost, and better ones may be missing. */
  readonly isSpent: boolean
}

/** Of pages that are nearly the same only the best is shown. */
export interface Folding<One> {
  /** The first of its kind that was asked about: itself, where there was none. */
  leaderOf(hit: One): One
}

/** Alike is what has the same name. */
export function foldingBy<One>(nameOf: (hit: One) => string | number): Folding<One> {
  const leaders = new Map<string | number, One>()
  return {
    leaderOf: (hit) => {
      const name = nameOf(hit)
      const leader = leaders.get(name)
      if (leader === undefined) leaders.set(name, hit)
      return leader ?? hit
    },
  }
}

interface FoundHit<One> {
  readonly hit: One
  /** How many near duplicates it stands for. */
  readonly folded: number
}

export interface FoundHits<One> extends MatchFacts {
  /** What is to be shown. */
  readonly found: readonly FoundHit<One>[]
  /** The words of the query that were searched, for snippets. */
  readonly leaves: readonly QueryLeaf[]
  readonly problems: readonly string[]
}

interface AskedSearch<One> {
  readonly request: SearchRequest
  readonly query: ParsedQuery
  readonly statistics: CollectionStatistics
  /** Without near duplicates, or else page by page. */
  readonly foldingOf: (isFolded: boolean) => Folding<One>
}

export const MAX_RESULTS = 100
/** Further down nobody goes, and a heap of that size is still quick. */
export const MAX_OFFSET = 1_000
const DEFAULT_RESULTS = 10

export function* searchSteps<One>(asked: AskedSearch<One>): Generator<RankStep, FoundHits<One>, RankedStep<One>> {
  const { request, statistics, foldingOf } = asked
  const rank = request.rank ?? 'default'
  const limit = clamp(request.limit ?? DEFAULT_RESULTS, 0, MAX_RESULTS)
  const offset = clamp(request.offset ?? 0, 0, MAX_OFFSET)
  const wanted = offset + limit
  const isFolded = request.unfolded !== true
  const { query, leftOut } = telling(asked.query, statistics)
  const { tree, filters } = query
  const problems = query.problems.map(({ message }) => message)
  if (leftOut.length > 0) problems.push(leftOutProblem(leftOut))
  // Twice as many as are wanted, when near duplicates are to be folded.
  const first = { filters, rank, most: isFolded ? 2 * wanted : wanted }
  const counted = yield { ...first, plan: wholePlan(query, statistics), isCounted: true }
  const facts = counted.facts as MatchFacts
  const best = yield* enough({ ...first, plan: wholePlan(query, statistics), isCounted: false }, counted, wanted, () =>
    foldingOf(isFolded),
  )
  let { found, isSpent } = best
  const wider = facts.matches < limit && !isSpent && tree !== undefined ? relaxedPlan(tree, statistics) : undefined
  if (wider !== undefined) {
    const step = { ...first, plan: wider, isCounted: false }
    const more = yield* enough(step, yield step, wanted, () => foldingOf(isFolded))
    const known = foldingOf(isFolded)
    const leaders = new Set(found.map(({ hit }) => known.leaderOf(hit)))
    const rest = more.found.filter(({ hit }) => !leaders.has(known.leaderOf(hit)))
    if (rest.length > 0) problems.push(fewHaveAll(facts.matches))
    found = [...found, ...rest]
    isSpent = more.isSpent
  }
  if (isSpent) problems.push(STOPPED)
  return { ...facts, found: found.slice(offset, wanted), leaves: [...new Set(wantedLeaves(tree))], problems }
}

/** Folding may take away any number of hits, so more are asked for until there are enough or no more. */
function* enough<One>(
  step: RankStep,
  first: RankedStep<One>,
  wanted: number,
  folding: () => Folding<One>,
): Generator<RankStep, { readonly found: readonly FoundHit<One>[]; readonly isSpent: boolean }, RankedStep<One>> {
  for (let { most } = step, { hits, isSpent } = first; ;) {
    const found = fold(hits, folding())
    if (found.length >= wanted || hits.length < most || isSpent) return { found, isSpent }
    most *= 4
    ;({ hits, isSpent } = yield { ...step, most })
  }
}

/** Of pages that are nearly the same only the best stays, and knows how many it stands for. */
function fold<One>(hits: readonly One[], folding: Folding<One>): FoundHit<One>[] {
  const groups = new Map<One, { hit: One; folded: number }>()
  for (const hit of hits) {
    const leader = groups.get(folding.leaderOf(hit))
    if (leader === undefined) groups.set(hit, { hit, folded: 0 })
    else leader.folded++
  }
  return [...groups.values()]
}

/** The plan of a query, as a search uses it. */
export const usedPlan = (query: ParsedQuery, statistics: CollectionStatistics): Plan =>
  wholePlan(telling(query, statistics).query, statistics)

/** The same query, of a long one without the words that tell least. */
function telling(
  typed: ParsedQuery,
  statistics: CollectionStatistics,
): { readonly query: ParsedQuery; readonly leftOut: readonly string[] } {
  if (typed.tree === undefined) return { query: typed, leftOut: [] }
  const { tree, leftOut } = tellingWords(typed.tree, (leaf) => {
    const plan = planOf(leaf, statistics)
    const documents = documentsOf(plan, statistics)
    return { name: JSON.stringify(plan), worth: documents === 0 ? 0 : idfOf(documents, statistics) }
  })
  return { query: { ...typed, tree }, leftOut }
}

/** About how many documents a word stands in: of a compound, its rarest part. */
function documentsOf(plan: Plan, { totalsOf }: CollectionStatistics): number {
  const having = (terms: readonly string[]): number => terms.reduce((sum, term) => sum + totalsOf(term).documents, 0)
  if (plan.kind === 'phrase') return Math.min(...plan.words.map(having))
  return having(disjunctionOf(plan) ?? [])
}

function wholePlan({ tree, filters: { only, except, since } }: ParsedQuery, statistics: CollectionStatistics): Plan {
  if (tree !== undefined) return planOf(tree, statistics)
  const hasFilter =
    since !== undefined || [only, except].some((one) => one.sites.length + one.types.length + one.languages.length > 0)
  return { kind: hasFilter ? 'every' : 'none' }
}

/** What was asked is answered with what was found. */
const STOPPED =
  'The search was stopped, as so many pages have these words that to look at all of them keeps others waiting: better ' +
  'pages may be missing. Ask for rarer words, or for fewer at a time.'

const fewHaveAll = (matches: number): string =>
  matches === 0
    ? 'No page has all of the words; these have some of them.'
    : `Only ${matches} ${matches === 1 ? 'page has' : 'pages have'} all of the words; pages with some of them follow.`

const clamp = (value: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, Number.isFinite(value) ? Math.trunc(value) : least))
