/** One step of a search (`search-steps.ts`) in one index: the best of it for a plan and, where that is asked for, all matches counted. */
import type { Hit } from './best-results.ts'
import type { ScoringStatistics } from './collection-statistics.ts'
import { countedSearch, guarded, rankedSearch } from './ranked-search.ts'
import type { DocumentPriors } from './ranked-search.ts'
import { UNIT } from './ranking.ts'
import type { RankWeights } from './ranking.ts'
import type { IndexView, SearchedSegment } from '../read/index-reader.ts'
import { SearchWork } from '../query/search-work.ts'
import type { MatchFacts, RankedStep, RankStep } from '../search-steps.ts'
import type { Facet, RankName, SearchResult } from '../search-types.ts'

interface StepContext {
  readonly view: IndexView
  readonly statistics: ScoringStatistics
  readonly worth: DocumentPriors
  readonly weights: RankWeights
  /** Steps that counting may take, and as many again for the best, of all steps of one search. */
  readonly maxSteps: number
  readonly work: SearchWork
  readonly maxFacets: number
  readonly maxSites: number
}

/** Matches that are counted for facets; more are "at least". */
const MAX_COUNTED = 100_000

export function rankedStep(step: RankStep, context: StepContext): RankedStep<Hit> {
  const { view, worth, work, weights, statistics } = context
  const { plan, filters, rank, most } = step
  const query = { plan, filters, rank, most, weights, statistics }
  const counted = step.isCounted ? countedStep(step, context) : undefined
  const hits = counted?.hits ?? rankedSearch(view, query, worth, work)
  return { hits, facts: counted?.facts, isSpent: work.isSpent }
}

function countedStep(
  { plan, filters, rank, most }: RankStep,
  { view, worth, weights, statistics, maxSteps, maxFacets, maxSites }: StepContext,
): { readonly hits: readonly Hit[] | undefined; readonly facts: MatchFacts } {
  const [sites, types, languages] = [new Tally(), new Tally(), new Tally()]
  const visit = ({ segment: { directory, columns } }: SearchedSegment, doc: number): void => {
    sites.add(directory.sites, columns.sites[doc] as number)
    types.add(directory.types, columns.types[doc] as number)
    languages.add(directory.languages, columns.languages[doc] as number)
  }
  const query = { plan, filters, rank, most, weights, statistics }
  const { hits, matches, isLowerBound } = countedSearch(
    view,
    query,
    worth,
    MAX_COUNTED,
    visit,
    new SearchWork(maxSteps),
  )
  const facets = {
    sites: mostFrequent(sites.counts(), maxSites),
    types: mostFrequent(types.counts(), maxFacets),
    languages: mostFrequent(languages.counts(), maxFacets),
  }
  return { hits, facts: { matches, isLowerBound, facets } }
}

export const mostFrequent = (counts: Iterable<readonly [value: string, pages: number]>, most: number): Facet[] =>
  [...counts]
    .toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, most)
    .map(([value, pages]) => ({ value, pages }))

/** Counts names by their numbers, segment after segment; a name is looked at once a segment and not once a page. */
class Tally {
  readonly #pages = new Map<string, number>()
  #names: readonly string[] = []
  #counts = new Uint32Array(0)

  add(names: readonly string[], number: number): void {
    if (names !== this.#names) this.#turnTo(names)
    this.#counts[number] = (this.#counts[number] as number) + 1
  }

  counts(): ReadonlyMap<string, number> {
    this.#turnTo([])
    return this.#pages
  }

  #turnTo(names: readonly string[]): void {
    for (const [number, name] of this.#names.entries()) {
      const pages = this.#counts[number] as number
      if (pages > 0) this.#pages.set(name, (this.#pages.get(name) ?? 0) + pages)
    }
    this.#names = names
    this.#counts = new Uint32Array(names.length)
  }
}

export type BareResult = Omit<SearchResult, 'title' | 'snippet' | 'folded'>

/** What the index itself says of a document. */
export function bareResult({ key, score, segment, doc }: Hit, view: IndexView, rank: RankName): BareResult {
  const held = view.segments[segment] as SearchedSegment
  const { directory, columns } = held.segment
  return {
    key,
    url: guarded(held, () => held.segment.url(doc)),
    score: rank === 'default' || rank === 'bm25' ? score / UNIT : score,
    site: directory.sites[columns.sites[doc] as number] as string,
    type: directory.types[columns.types[doc] as number] as string,
    language: directory.languages[columns.languages[doc] as number] as string,
    at: columns.at(doc),
  }
}

/** The page that a page is nearly the same as, by key; its own otherwise. */
export const groupOf = ({ segment, doc }: Hit, view: IndexView): number =>
  (view.segments[segment] as SearchedSegment).segment.columns.groups[doc] as number
