/**
 * IndexPart: one of many indexes that answer as one (`search-of-parts.ts`). It says what it has of the words of a question, ranks by what
 * all have together, and shows what is among the best of all.
 *
 *   facts ──▶ a view with a number, held for `HOLD_MS` ──▶ rank in it, show from it ──▶ let go of
 *
 * What is asked of a view that is not held any more has no answer: whoever asks begins again.
 */
import { groupOf, bareResult, rankedStep } from '../rank/ranked-step.ts'
import type { BareResult } from '../rank/ranked-step.ts'
import { languageCounts, MAX_PREFIX_LOOKED } from '../rank/collection-statistics.ts'
import type { ScoringStatistics } from '../rank/collection-statistics.ts'
import { PageStatics } from '../rank/page-statics.ts'
import { rankDefaults } from '../rank/ranking.ts'
import type { RankWeights, TermTotals } from '../rank/ranking.ts'
import { DamagedSegment, totalsIn } from '../rank/ranked-search.ts'
import { ShownResults } from '../rank/shown-results.ts'
import type { ContentSource } from '../rank/shown-results.ts'
import { IndexReader } from '../read/index-reader.ts'
import type { IndexView } from '../read/index-reader.ts'
import { allTerms } from '../read/term-list.ts'
import { SearchWork } from '../query/search-work.ts'
import type { QueryLeaf } from '../query/query.ts'
import type { MatchFacts, RankStep } from '../search-steps.ts'
import type { RankName, SearchResult } from '../search-types.ts'

/** What is asked about the words of a question. */
export interface FactsQuestion {
  /** A view that is held already; a new one where none is named. */
  readonly view?: number | undefined
  readonly terms: readonly string[]
  readonly prefixes: readonly string[]
}

/** What one part has. Documents that are gone count until their segment is merged, but not as documents. */
export interface PartFacts {
  readonly view: number
  readonly documents: number
  /** Those that are gone, too, and all words in them. */
  readonly written: number
  readonly words: number
  readonly languages: readonly (readonly [language: string, documents: number])[]
  /** Of each term that was asked about, in that order. */
  readonly totals: readonly TermTotals[]
  /** Of each prefix, its terms in order. */
  readonly alike: readonly (readonly (readonly [term: string, documents: number])[])[]
  /** What of the index could not be read. */
  readonly problems: readonly string[]
}

/** A hit as others hear of it. `similar`: what it is a copy of has one that is near. */
export interface PartHit {
  readonly score: number
  readonly key: number
  readonly segment: number
  readonly doc: number
  readonly group: number
  readonly similar: readonly [high: number, low: number] | undefined
}

export interface PartRanking {
  readonly hits: readonly PartHit[]
  readonly facts: MatchFacts | undefined
  readonly isSpent: boolean
}

/** One of the indexes that a search asks. Each question may fail; undefined says that the view is not held any more. */
export interface SearchedPart {
  facts(question: FactsQuestion): Promise<PartFacts | undefined>
  rank(view: number, step: RankStep, statistics: ScoringStatistics): Promise<PartRanking | undefined>
  show(view: number, hits: readonly PartHit[], ask: ShowQuestion): Promise<readonly ShownHit[] | undefined>
}

export interface ShowQuestion {
  readonly rank: RankName
  readonly leaves: readonly QueryLeaf[]
}

export type ShownHit = Omit<SearchResult, 'folded'>

export interface IndexPartOptions {
  readonly contentOf: ContentSource
  /** What tells whether a page is nearly the same as one of another part. */
  readonly similarOf: (key: number) => PartHit['similar']
  readonly cacheBytes: number
  readonly maxSteps: number
  /** Sites that are told of all that match: those that are shown are enough where each site is of one part. */
  readonly maxSites: number
  readonly weights: RankWeights
  readonly now: () => number
}

/** From the last question about words; whoever has heard of all parts asks at once. */
const HOLD_MS = 5_000
/** An index that changes three times a second has fewer in that time. */
const MAX_HELD = 32
const MAX_STEPS = 10_000_000
/** Of types and languages there are few, and each part has some pages of most. */
const MAX_FACETS = 100
/** Of all prefixes of a question: an answer has to fit into one message. */
const MAX_ALIKE_CHARS = 300_000
const MAX_LANGUAGES_TOLD = 200

interface HeldView extends Disposable {
  readonly view: IndexView
  readonly number: number
  until: number
}

export class IndexPart implements SearchedPart, Disposable {
  readonly #reader: IndexReader
  readonly #options: IndexPartOptions
  readonly #statics: PageStatics
  readonly #shown: ShownResults
  #held: readonly HeldView[] = []
  #numbers: number

  constructor(dir: string, given: Partial<IndexPartOptions> & Pick<IndexPartOptions, 'contentOf' | 'similarOf'>) {
    const usual = { cacheBytes: 32 << 20, maxSteps: MAX_STEPS, maxSites: MAX_FACETS, weights: rankDefaults }
    const options = { ...usual, now: Date.now, ...given }
    this.#options = options
    this.#reader = new IndexReader(dir, options)
    this.#statics = new PageStatics(dir, options.weights)
    this.#shown = new ShownResults(options.contentOf)
    // A number of an earlier life is none of this one.
    this.#numbers = Math.floor(Math.random() * 2 ** 40)
  }

  async facts({ view: number, terms, prefixes }: FactsQuestion): Promise<PartFacts | undefined> {
    await Promise.resolve()
    if (number === undefined) {
      this.#reader.refresh()
      this.#statics.refresh()
    }
    const held = number === undefined ? this.#newest() : this.#heldAs(number)
    return held === undefined ? undefined : this.#guarded(held, () => this.#factsOf(held, terms, prefixes))
  }

  async rank(number: number, step: RankStep, statistics: ScoringStatistics): Promise<PartRanking | undefined> {
    await Promise.resolve()
    const held = this.#heldAs(number)
    const { weights, maxSteps, maxSites, similarOf } = this.#options
    return this.#guarded(held, ({ view }) => {
      const worth = this.#statics
      const work = new SearchWork(maxSteps)
      const context = { view, statistics, worth, weights, maxSteps, work, maxFacets: MAX_FACETS, maxSites }
      const { hits, facts, isSpent } = rankedStep(step, context)
      const told = hits.map((hit): PartHit =>
        Object.assign(hit, { group: groupOf(hit, view), similar: similarOf(hit.key) }),
      )
      return { hits: told, facts, isSpent }
    })
  }

  async show(
    number: number,
    hits: readonly PartHit[],
    { rank, leaves }: ShowQuestion,
  ): Promise<readonly ShownHit[] | undefined> {
    const bare = this.#guarded(this.#heldAs(number), ({ view }): readonly BareResult[] =>
      hits.map((hit) => bareResult(hit, view, rank)),
    )
    if (bare === undefined) return undefined
    return await Promise.all(bare.map((one) => this.#shown.shown(one, leaves)))
  }

  [Symbol.dispose](): void {
    for (const held of this.#held) held[Symbol.dispose]()
    this.#held = []
    this.#reader[Symbol.dispose]()
  }

  #factsOf({ view, number }: HeldView, terms: readonly string[], prefixes: readonly string[]): PartFacts {
    const { segments, documents, refused } = view
    let chars = MAX_ALIKE_CHARS
    const alike = prefixes.map((prefix) => {
      const found: (readonly [string, number])[] = []
      for (const pair of allTerms(segments, prefix)) {
        chars -= pair[0].length + 8
        if (found.length >= MAX_PREFIX_LOOKED || chars < 0) break
        found.push(pair)
      }
      return found
    })
    const languages = [...languageCounts(view)].toSorted((a, b) => b[1] - a[1]).slice(0, MAX_LANGUAGES_TOLD)
    return {
      view: number,
      documents,
      written: segments.reduce((sum, { segment }) => sum + segment.documents, 0),
      words: segments.reduce((sum, { segment }) => sum + segment.directory.positions, 0),
      languages,
      totals: terms.map((term) => totalsIn(view, term)),
      alike,
      problems: [...refused, ...this.#statics.refused].map(({ message }) => message),
    }
  }

  /** The newest view, held from now on. */
  #newest(): HeldView {
    const now = this.#options.now()
    for (const gone of this.#held.filter(({ until }) => until < now)) gone[Symbol.dispose]()
    const left = this.#held.filter(({ until }) => until >= now)
    const last = left.at(-1)
    const isSame = last?.view.segments === this.#reader.view.segments
    const held = isSame ? last : { ...this.#reader.hold(), number: ++this.#numbers, until: 0 }
    held.until = now + HOLD_MS
    if (!isSame) left.push(held)
    if (left.length > MAX_HELD) left.shift()![Symbol.dispose]()
    this.#held = left
    return held
  }

  #heldAs(number: number): HeldView | undefined {
    return this.#held.find((held) => held.number === number)
  }

  /** What cannot be read is left out from now on; who asked begins again. */
  #guarded<Found>(held: HeldView | undefined, find: (held: HeldView) => Found): Found | undefined {
    if (held === undefined) return undefined
    try {
      return find(held)
    } catch (error) {
      if (!(error instanceof DamagedSegment)) throw error
      this.#reader.refuse(error.segment, error.error)
      held[Symbol.dispose]()
      this.#held = this.#held.filter((one) => one !== held)
      return undefined
    }
  }
}
