/**
 * SearchEngine: from what somebody typed to what is shown. Parses, plans, ranks, folds near duplicates, counts facets,
 * makes snippets, and suggests another spelling when little was found.
 *
 * All words are asked for; when fewer pages have all of them than are to be shown, pages with some of them follow.
 */
import type { Instant } from '@comity/protocol'
import { AnswerCache } from './rank/answer-cache.ts'
import type { Hit } from './rank/best-results.ts'
import { IndexReader, isMergeOf } from './read/index-reader.ts'
import type { IndexReaderOptions, IndexView, SearchedSegment } from './read/index-reader.ts'
import { PageStatics } from './rank/page-statics.ts'
import type { Plan } from './query/match-plan.ts'
import { parseQuery } from './query/parser.ts'
import { wantedLeaves } from './query/query.ts'
import type { ParsedQuery } from './query/query.ts'
import { planOf, relaxedPlan } from './query/plan.ts'
import type { PlanContext } from './query/plan.ts'
import { UNIT, rankDefaults } from './rank/ranking.ts'
import type { RankWeights } from './rank/ranking.ts'
import { DamagedSegment, countedSearch, guarded, rankedSearch } from './rank/ranked-search.ts'
import type { CountedSearch } from './rank/ranked-search.ts'
import type { Facet, RankName, SearchAnswer, SearchRequest, SearchResult, Snippet } from './search-types.ts'
import { SearchWork } from './query/search-work.ts'
import { makeSnippet } from './rank/snippet.ts'
import { SpellingAdvice } from './query/spelling-advice.ts'
import { textMatches } from './rank/text-matches.ts'
import { frequentTermsWithPrefix } from './read/term-list.ts'

/** What a result is shown with; asked for those that are shown, and no others. */
export interface PageContent {
  readonly title: string
  readonly text: string
}

/** The page's title and text; undefined when they are not at hand. */
export type ContentSource = (key: number, url: string) => Promise<PageContent | undefined>

export interface SearchEngineOptions extends IndexReaderOptions {
  readonly weights: RankWeights
  readonly contentOf: ContentSource
  readonly now: () => Instant
  /** An answer may be of a state of the index that was replaced this long ago, where it is known already. */
  readonly maxAgeMs: number
  /** Steps that a search may take to count what it finds, and as many again to find the best of it (`query/search-work.ts`). */
  readonly maxSteps: number
  /** How long who misspells a word waits for the list of all words, which a large index takes seconds to give, once. */
  readonly adviceMs: number
}

export const MAX_RESULTS = 100
/** Further down nobody goes, and a heap of that size is still quick. */
export const MAX_OFFSET = 1_000
const DEFAULT_RESULTS = 10
/** Matches that are counted for facets; more are "at least". */
const MAX_COUNTED = 100_000
const MAX_FACETS = 10
/** Languages whose stems a word is looked for under: those most pages have. */
const MAX_LANGUAGES = 8
const MAX_PREFIX_TERMS = 64
const MAX_PREFIX_LOOKED = 10_000
/** Of all prefixes of a query. */
const MAX_LOOKED = 40_000
/** About a fifth of a second each time, and more than questions take that people ask; see `npm run bench:million`. */
const MAX_STEPS = 10_000_000
const ADVICE_MS = 1_000
/** With fewer matches another spelling is looked for. */
const FEW = 3
const MAX_SNIPPETS_A_PAGE = 8

export class SearchEngine implements Disposable {
  readonly #dir: string
  readonly #reader: IndexReader
  readonly #options: SearchEngineOptions
  readonly #statics: PageStatics
  readonly #spelling: SpellingAdvice
  /** Snippets of pages whose content is still held by whoever gives it out, by what they were made for. */
  readonly #snippets = new WeakMap<PageContent, Map<string, Snippet>>()
  readonly #answers: AnswerCache<SearchAnswer>
  #seenView: IndexView | undefined
  #languages: { readonly view: IndexView; readonly list: readonly string[] } | undefined

  constructor(dir: string, options: Partial<SearchEngineOptions> & Pick<SearchEngineOptions, 'contentOf'>) {
    this.#options = {
      weights: rankDefaults,
      now: Date.now,
      cacheBytes: 128 << 20,
      maxAgeMs: 0,
      maxSteps: MAX_STEPS,
      adviceMs: ADVICE_MS,
      ...options,
    }
    this.#dir = dir
    this.#reader = new IndexReader(dir, this.#options)
    this.#statics = new PageStatics(dir, this.#options.weights)
    this.#spelling = new SpellingAdvice(this.#options.contentOf)
    this.#answers = new AnswerCache(this.#options.now, this.#options.maxAgeMs)
  }

  /** The index as it is now. */
  get view(): IndexView {
    this.#reader.refresh()
    return this.#reader.view
  }
  get cachedBytes(): number {
    return this.#reader.cachedBytes
  }

  /** The same question to the same state of the index has the same answer, also while it is being found. */
  search(request: SearchRequest): Promise<SearchAnswer> {
    const { query, rank, limit, offset, unfolded } = request
    const name = JSON.stringify([query, rank, limit, offset, unfolded])
    const recent = this.#answers.recent(name)
    if (recent !== undefined) return recent
    this.#look()
    // What is asked relative to now has another answer tomorrow.
    if (/since|after/i.test(query)) return this.#search(request)
    return this.#answers.newest(name, () => this.#search(request))
  }

  /**
   * Where the index has changed, find anew what is asked often, one after another: `pause` lets those in who ask. To be
   * called every now and then while somebody asks, and to be waited for before the engine is disposed of.
   */
  async renew(pause: () => Promise<void>): Promise<void> {
    this.#look()
    for (const name of this.#answers.outdated()) {
      await pause()
      await this.#answers.renew(name)
    }
  }

  #look(): void {
    const isValued = this.#statics.refresh()
    const [view, before] = [this.view, this.#seenView]
    this.#seenView = view
    if (isValued || before === undefined) this.#answers.looked('other')
    else if (view === before) this.#answers.looked('same')
    else this.#answers.looked(isMergeOf(view, before) ? 'merged' : 'other')
  }

  async #search(request: SearchRequest): Promise<SearchAnswer> {
    const startedAt = performance.now()
    const query = parseQuery(request.query, this.#options.now())
    const { bare, ...answer } = this.#withoutDamaged((view) => this.#find(request, query, view))
    // From here on the index may change under us: what is shown of it was taken out already.
    const results = await Promise.all(bare.map((one) => this.#withContent(one, query)))
    const suggestion = answer.matches < FEW ? await this.#suggestion(query) : undefined
    const tookMs = performance.now() - startedAt
    return { results, ...answer, tookMs, ...(suggestion === undefined ? {} : { suggestion }) }
  }

  async #suggestion(query: ParsedQuery): Promise<string | undefined> {
    const isLikely = this.#withoutDamaged((view) => this.#spelling.isLikely(query, view, this.#languagesOf(view)))
    if (!isLikely) return undefined
    await this.#spelling.prepare(this.#reader.view, {
      open: () => new IndexReader(this.#dir),
      patienceMs: this.#options.adviceMs,
      // Answers without advice are not given again.
      onLate: () => this.#answers.looked('other'),
    })
    const corrections = this.#withoutDamaged((view) => this.#spelling.corrections(query, view, this.#languagesOf(view)))
    return await this.#spelling.suggest(query, corrections)
  }

  /** Search, and search again without a segment that cannot be read. */
  #withoutDamaged<Answer>(find: (view: IndexView) => Answer): Answer {
    for (let view = this.view; ; view = this.#reader.view) {
      try {
        return find(view)
      } catch (error) {
        if (!(error instanceof DamagedSegment)) throw error
        this.#reader.refuse(error.segment, error.error)
      }
    }
  }

  #find(request: SearchRequest, query: ParsedQuery, view: IndexView): Found {
    const rank = request.rank ?? 'default'
    const limit = clamp(request.limit ?? DEFAULT_RESULTS, 0, MAX_RESULTS)
    const offset = clamp(request.offset ?? 0, 0, MAX_OFFSET)
    const context = this.#contextOf(view)
    const plan = this.#planOf(query, context)
    const work = new SearchWork(this.#options.maxSteps)
    const problems = [...query.problems, ...this.#statics.refused].map(({ message }) => message)
    const isFolded = request.unfolded !== true
    const { hits, ...facets } = this.#counted(view, plan, query, rank, offset + limit, isFolded)
    let found = this.#ranked(view, plan, query, rank, offset + limit, isFolded, work, hits)
    const wider = facets.matches < limit && !work.isSpent ? this.#relaxedPlan(query, context) : undefined
    if (wider !== undefined) {
      const nameOf = isFolded ? groupOf : ({ key }: Hit): number => key
      const known = new Set(found.map(({ hit }) => nameOf(hit, view)))
      const more = this.#ranked(view, wider, query, rank, offset + limit, isFolded, work)
      const rest = more.filter(({ hit }) => !known.has(nameOf(hit, view)))
      if (rest.length > 0) problems.push(fewHaveAll(facets.matches))
      found = [...found, ...rest]
    }
    if (work.isSpent) problems.push(STOPPED)
    const bare = found.slice(offset, offset + limit).map((one) => bareResult(one, view, rank))
    return { bare, ...facets, problems }
  }

  /** The best documents for a plan of one's own, without anything to show: for experiments. */
  rank(plan: Plan, most: number, rank: RankName = 'bm25', exhaustive = false): Hit[] {
    const { filters } = parseQuery('', 0)
    const query = { plan, filters, rank, most, weights: this.#options.weights, exhaustive }
    return this.#withoutDamaged((view) => rankedSearch(view, query, this.#statics))
  }

  /** The plan of a query, as a search would use it. */
  plan(text: string): Plan {
    return this.#withoutDamaged((view) => this.#planOf(parseQuery(text, this.#options.now()), this.#contextOf(view)))
  }

  [Symbol.dispose](): void {
    this.#spelling[Symbol.dispose]()
    this.#reader[Symbol.dispose]()
  }

  #planOf({ tree, filters }: ParsedQuery, context: PlanContext): Plan {
    const { only, except, since } = filters
    const hasFilter =
      since !== undefined ||
      [only, except].some((one) => one.sites.length + one.types.length + one.languages.length > 0)
    if (tree === undefined) return { kind: hasFilter ? 'every' : 'none' }
    return planOf(tree, context)
  }

  #relaxedPlan({ tree }: ParsedQuery, context: PlanContext): Plan | undefined {
    return tree === undefined ? undefined : relaxedPlan(tree, context)
  }

  #contextOf(view: IndexView): PlanContext {
    const known = new Map<string, string[]>()
    let left = MAX_LOOKED
    const termsLike = (prefix: string): string[] => {
      const before = known.get(prefix)
      if (before !== undefined) return before
      const most = Math.min(left, MAX_PREFIX_LOOKED)
      const { terms, looked } = frequentTermsWithPrefix(view.segments, prefix, MAX_PREFIX_TERMS, most)
      left -= looked
      known.set(prefix, terms)
      return terms
    }
    return { languages: this.#languagesOf(view), termsLike }
  }

  /** The languages most pages are in. */
  #languagesOf(view: IndexView): readonly string[] {
    if (this.#languages?.view === view) return this.#languages.list
    const pages = new Map<string, number>()
    for (const { segment } of view.segments) {
      const counts = new Uint32Array(segment.directory.languages.length)
      for (const language of segment.columns.languages) counts[language] = (counts[language] as number) + 1
      for (const [i, language] of segment.directory.languages.entries())
        pages.set(language, (pages.get(language) ?? 0) + (counts[i] as number))
    }
    const list = [...pages].toSorted((a, b) => b[1] - a[1]).slice(0, MAX_LANGUAGES)
    this.#languages = { view, list: list.map(([language]) => language) }
    return this.#languages.list
  }

  /** `hits`: the best that are known already, as many as `firstAsked` says. */
  #ranked(
    view: IndexView,
    plan: Plan,
    { filters }: ParsedQuery,
    rank: RankName,
    wanted: number,
    isFolded: boolean,
    work: SearchWork,
    known?: readonly Hit[],
  ): Folded[] {
    const { weights } = this.#options
    // Folding may take away any number of hits, so more are asked for until there are enough or no more.
    for (let most = firstAsked(wanted, isFolded), hits = known; ; most *= 4, hits = undefined) {
      hits ??= rankedSearch(view, { plan, filters, rank, most, weights }, this.#statics, work)
      const folded = isFolded ? fold(hits, view) : hits.map((hit) => ({ hit, folded: 0 }))
      if (folded.length >= wanted || hits.length < most || work.isSpent) return folded
    }
  }

  #counted(
    view: IndexView,
    plan: Plan,
    { filters }: ParsedQuery,
    rank: RankName,
    wanted: number,
    isFolded: boolean,
  ): CountedSearch & Pick<SearchAnswer, 'facets'> {
    const { weights, maxSteps } = this.#options
    const [sites, types, languages] = [new Tally(), new Tally(), new Tally()]
    const visit = ({ segment: { directory, columns } }: SearchedSegment, doc: number): void => {
      sites.add(directory.sites, columns.sites[doc] as number)
      types.add(directory.types, columns.types[doc] as number)
      languages.add(directory.languages, columns.languages[doc] as number)
    }
    const query = { plan, filters, rank, most: firstAsked(wanted, isFolded), weights }
    const counted = countedSearch(view, query, this.#statics, MAX_COUNTED, visit, new SearchWork(maxSteps))
    return { ...counted, facets: { sites: sites.facets(), types: types.facets(), languages: languages.facets() } }
  }

  async #withContent(bare: BareResult, query: ParsedQuery): Promise<SearchResult> {
    const content = (await this.#options.contentOf(bare.key, bare.url)) ?? NO_CONTENT
    return { ...bare, title: content.title, snippet: this.#snippetOf(content, query, bare.language) }
  }

  /** A snippet costs more than finding the page, and the same is asked again: by others, and with each page of results. */
  #snippetOf(content: PageContent, query: ParsedQuery, language: string): Snippet {
    let made = this.#snippets.get(content)
    if (made === undefined) this.#snippets.set(content, (made = new Map()))
    const leaves = wantedLeaves(query.tree)
    const name = JSON.stringify(leaves)
    const known = made.get(name)
    if (known !== undefined) return known
    if (made.size >= MAX_SNIPPETS_A_PAGE) made.clear()
    const snippet = makeSnippet(content.text, textMatches(content.text, leaves, language))
    made.set(name, snippet)
    return snippet
  }
}

/** What was asked is answered with what was found. */
const STOPPED =
  'The search was stopped, as so many pages have these words that to look at all of them keeps others waiting: better ' +
  'pages may be missing. Ask for rarer words, or for fewer at a time.'

const NO_CONTENT: PageContent = { title: '', text: '' }

type BareResult = Omit<SearchResult, 'title' | 'snippet'>

interface Found extends Omit<SearchAnswer, 'results' | 'tookMs' | 'suggestion'> {
  readonly bare: readonly BareResult[]
}

function bareResult({ hit, folded }: Folded, view: IndexView, rank: RankName): BareResult {
  const held = view.segments[hit.segment] as SearchedSegment
  const { directory, columns } = held.segment
  return {
    key: hit.key,
    url: guarded(held, () => held.segment.url(hit.doc)),
    score: rank === 'default' || rank === 'bm25' ? hit.score / UNIT : hit.score,
    site: directory.sites[columns.sites[hit.doc] as number] as string,
    type: directory.types[columns.types[hit.doc] as number] as string,
    language: directory.languages[columns.languages[hit.doc] as number] as string,
    at: columns.at(hit.doc),
    folded,
  }
}

/** Twice as many as are wanted, when near duplicates are to be folded. */
const firstAsked = (wanted: number, isFolded: boolean): number => (isFolded ? 2 * wanted : wanted)

interface Folded {
  readonly hit: Hit
  readonly folded: number
}

const groupOf = ({ segment, doc }: Hit, view: IndexView): number =>
  (view.segments[segment] as SearchedSegment).segment.columns.groups[doc] as number

/** Of pages that are nearly the same only the best stays, and knows how many it stands for. */
function fold(hits: readonly Hit[], view: IndexView): Folded[] {
  const groups = new Map<number, { hit: Hit; folded: number }>()
  for (const hit of hits) {
    const group = groupOf(hit, view)
    const best = groups.get(group)
    if (best === undefined) groups.set(group, { hit, folded: 0 })
    else best.folded++
  }
  return [...groups.values()]
}

const fewHaveAll = (matches: number): string =>
  matches === 0
    ? 'No page has all of the words; these have some of them.'
    : `Only ${matches} ${matches === 1 ? 'page has' : 'pages have'} all of the words; pages with some of them follow.`

/** Counts names by their numbers, segment after segment; a name is looked at once a segment and not once a page. */
class Tally {
  readonly #pages = new Map<string, number>()
  #names: readonly string[] = []
  #counts = new Uint32Array(0)

  add(names: readonly string[], number: number): void {
    if (names !== this.#names) this.#turnTo(names)
    this.#counts[number] = (this.#counts[number] as number) + 1
  }

  facets(): Facet[] {
    this.#turnTo([])
    const order = [...this.#pages].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    return order.slice(0, MAX_FACETS).map(([value, pages]) => ({ value, pages }))
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

const clamp = (value: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, Number.isFinite(value) ? Math.trunc(value) : least))
