/**
 * SearchOfParts: many indexes that answer as one index of all their documents would, score for score.
 *
 *   1. facts   what each has of the words: their sums are what scores depend on
 *   2. rank    the best of each by these sums, merged; again when folding or few matches ask for more (`search-steps.ts`)
 *   3. show    titles and snippets of those that are shown, from where they are
 *
 * Scores are sums of whole numbers, so they are equal to the last bit; of pages with equal scores that of the lower part comes first.
 * Who does not answer is left out from then on, and named. What is held of a question is bounded by what it may show.
 */
import type { FactsQuestion, PartFacts, PartHit, SearchedPart, ShownHit } from './index-part.ts'
import { groupFolding } from './near-folding.ts'
import { summedStatistics, wordsAsked } from './summed-statistics.ts'
import { parseQuery } from '../query/parser.ts'
import type { ParsedQuery } from '../query/query.ts'
import type { CollectionStatistics } from '../rank/collection-statistics.ts'
import { mostFrequent } from '../rank/ranked-step.ts'
import { searchSteps } from '../search-steps.ts'
import type { FoundHits, MatchFacts, RankedStep, RankStep } from '../search-steps.ts'
import type { Facet, SearchAnswer, SearchRequest, SearchResult } from '../search-types.ts'

export interface PartResult extends SearchResult {
  /** Where the page is; its key counts there alone. */
  readonly part: number
}

export interface AnswerOfParts extends SearchAnswer {
  readonly results: readonly PartResult[]
  /** Those that did not answer: what they have is missing. */
  readonly away: readonly number[]
}

/** A hit and the part that has it. */
export interface HitOfPart extends PartHit {
  readonly part: number
}

/** A view may be let go of between two questions, but not again and again. */
const MAX_TRIES = 3
const MAX_FACETS = 10

export class SearchOfParts {
  readonly #parts: readonly SearchedPart[]
  readonly #now: () => number
  /** As they were last: what a word may have become is asked for under these, and again when there are others. */
  #languages: readonly string[] = []

  constructor(parts: readonly SearchedPart[], now: () => number = Date.now) {
    this.#parts = parts
    this.#now = now
  }

  async search(request: SearchRequest): Promise<AnswerOfParts> {
    const startedAt = performance.now()
    const query = parseQuery(request.query, this.#now())
    const away = new Set<number>()
    for (let tries = 1; ; tries++) {
      const round = new Round(this.#parts, away, tries === MAX_TRIES)
      try {
        const { statistics, problems } = await this.#statistics(query, round)
        const found = await searched(request, query, statistics, round)
        const results = await shown(found, request, round)
        const { matches, isLowerBound, facets } = found
        const said = [...problems, ...found.problems]
        const named = [...away].toSorted((a, b) => a - b)
        const tookMs = performance.now() - startedAt
        return { results, matches, isLowerBound, facets, problems: said, away: named, tookMs }
      } catch (error) {
        if (!(error instanceof ViewGone)) throw error
      }
    }
  }

  /** Asked again where it turns out that more words are wanted: other languages, or what a prefix may be. */
  async #statistics(
    query: ParsedQuery,
    round: Round,
  ): Promise<{ readonly statistics: CollectionStatistics; readonly problems: readonly string[] }> {
    let asked = wordsAsked(query, this.#languages)
    let facts = await round.facts(asked)
    for (;;) {
      const statistics = summedStatistics(asked, facts)
      this.#languages = statistics.languages
      const wanted = wordsAsked(query, statistics.languages, statistics.termsLike)
      const known = new Set(asked.terms)
      const isKnown =
        wanted.terms.every((term) => known.has(term)) && wanted.prefixes.every((one) => asked.prefixes.includes(one))
      if (isKnown) return { statistics, problems: [...new Set(facts.flatMap(({ problems }) => problems))] }
      asked = wanted
      facts = await round.facts(asked)
    }
  }
}

class ViewGone extends Error {}

/** One try: the parts that have answered so far, each with its view. */
class Round {
  readonly #away: Set<number>
  readonly #parts: readonly SearchedPart[]
  readonly #views = new Map<number, number>()
  readonly #isLast: boolean

  constructor(parts: readonly SearchedPart[], away: Set<number>, isLast: boolean) {
    this.#parts = parts
    this.#away = away
    this.#isLast = isLast
  }

  async facts(question: FactsQuestion): Promise<PartFacts[]> {
    const told = await this.#ask((part, number) => part.facts({ ...question, view: this.#views.get(number) }))
    for (const [number, { view }] of told) this.#views.set(number, view)
    return [...told.values()]
  }

  async rank(step: RankStep, statistics: CollectionStatistics): Promise<RankedStep<HitOfPart>> {
    const told = await this.#ask((part, number) => part.rank(this.#views.get(number)!, step, statistics))
    const hits = [...told].flatMap(([part, one]) => one.hits.map((hit) => ({ ...hit, part })))
    const best = hits.toSorted((a, b) => b.score - a.score || a.part - b.part || a.key - b.key).slice(0, step.most)
    const facts = step.isCounted ? summedFacts([...told.values()].flatMap((one) => one.facts ?? [])) : undefined
    return { hits: best, facts, isSpent: [...told.values()].some(({ isSpent }) => isSpent) }
  }

  async show(hits: readonly HitOfPart[], ask: Parameters<SearchedPart['show']>[2]): Promise<Map<HitOfPart, ShownHit>> {
    const byPart = Map.groupBy(hits, ({ part }) => part)
    const told = await this.#ask(
      (part, number) => part.show(this.#views.get(number)!, byPart.get(number)!, ask),
      (number) => byPart.has(number),
    )
    const pairs = [...told].flatMap(([part, results]) => byPart.get(part)!.map((hit, i) => [hit, results[i]] as const))
    return new Map(pairs.flatMap(([hit, one]) => (one === undefined ? [] : [[hit, one] as const])))
  }

  async #ask<Told>(
    ask: (part: SearchedPart, number: number) => Promise<Told | undefined>,
    isWanted: (number: number) => boolean = () => true,
  ): Promise<Map<number, Told>> {
    const numbers = [...this.#parts.keys()].filter((number) => !this.#away.has(number) && isWanted(number))
    const answers = await Promise.all(
      numbers.map(async (number) => {
        try {
          return (await ask(this.#parts[number]!, number)) ?? GONE
        } catch {
          // Away is away, for whatever reason: its answer would be needed now.
          return AWAY
        }
      }),
    )
    const told = new Map<number, Told>()
    let isGone = false
    for (const [i, number] of numbers.entries()) {
      const answer = answers[i]!
      if (answer === AWAY || (answer === GONE && this.#isLast)) this.#away.add(number)
      else if (answer === GONE) isGone = true
      else told.set(number, answer)
    }
    if (isGone) throw new ViewGone()
    return told
  }
}

const AWAY = Symbol('away')
const GONE = Symbol('gone')

async function searched(
  request: SearchRequest,
  query: ParsedQuery,
  statistics: CollectionStatistics,
  round: Round,
): Promise<FoundHits<HitOfPart>> {
  const steps = searchSteps<HitOfPart>({ request, query, statistics, foldingOf: groupFolding })
  let next = steps.next()
  while (next.done !== true) next = steps.next(await round.rank(next.value, statistics))
  return next.value
}

async function shown(
  { found, leaves }: FoundHits<HitOfPart>,
  request: SearchRequest,
  round: Round,
): Promise<PartResult[]> {
  const rank = request.rank ?? 'default'
  const results = await round.show(
    found.map(({ hit }) => hit),
    { rank, leaves },
  )
  return found.flatMap(({ hit, folded }) => {
    const one = results.get(hit)
    return one === undefined ? [] : [{ ...one, part: hit.part, folded }]
  })
}

function summedFacts(all: readonly MatchFacts[]): MatchFacts {
  return {
    matches: all.reduce((sum, { matches }) => sum + matches, 0),
    isLowerBound: all.some(({ isLowerBound }) => isLowerBound),
    facets: {
      sites: summedFacets(all.map(({ facets }) => facets.sites)),
      types: summedFacets(all.map(({ facets }) => facets.types)),
      languages: summedFacets(all.map(({ facets }) => facets.languages)),
    },
  }
}

function summedFacets(lists: readonly (readonly Facet[])[]): Facet[] {
  const sums = new Map<string, number>()
  for (const { value, pages } of lists.flat()) sums.set(value, (sums.get(value) ?? 0) + pages)
  return mostFrequent(sums, MAX_FACETS)
}
