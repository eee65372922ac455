/**
 * SearchEngine: from what somebody typed to what is shown, of one index. Takes the steps of a search (`search-steps.ts`), makes
 * snippets, and suggests another spelling when little was found.
 */
import type { Instant } from '@comity/protocol'
import { AnswerCache } from './rank/answer-cache.ts'
import type { Hit } from './rank/best-results.ts'
import { languagesIn, statisticsIn } from './rank/collection-statistics.ts'
import { IndexReader, isMergeOf } from './read/index-reader.ts'
import type { IndexReaderOptions, IndexView } from './read/index-reader.ts'
import { PageStatics } from './rank/page-statics.ts'
import type { Plan } from './query/match-plan.ts'
import { parseQuery } from './query/parser.ts'
import type { ParsedQuery, QueryLeaf, QueryNode } from './query/query.ts'
import type { QueryFilters } from './query/filter.ts'
import { wordsKey } from './query/synonyms.ts'
import type { Synonyms } from './query/synonyms.ts'
import { hasOtherFormsAlone, quotedPhrases } from './rank/quoted-phrase.ts'
import { titleMatch, titleWords } from './rank/title-match.ts'
import { rankDefaults } from './rank/ranking.ts'
import type { RankWeights } from './rank/ranking.ts'
import { DamagedSegment, rankedSearch } from './rank/ranked-search.ts'
import { bareResult, groupOf, rankedStep } from './rank/ranked-step.ts'
import type { BareResult } from './rank/ranked-step.ts'
import { ShownResults } from './rank/shown-results.ts'
import type { ContentSource } from './rank/shown-results.ts'
import { foldingBy, MAX_RESULTS, searchSteps, usedPlan } from './search-steps.ts'
import type { Folding } from './search-steps.ts'
import type { RankName, SearchAnswer, SearchRequest, SearchResult } from './search-types.ts'
import { SearchWork } from './query/search-work.ts'
import { SpellingAdvice } from './query/spelling-advice.ts'

/** What an operator knows better than the words of the pages do. */
export interface SearchHints {
  readonly synonyms: Synonyms
  /** Pages that come first for a question, which is given as `wordsKey` writes it; and what is wrong with others. */
  readonly pinned: (question: string) => Promise<PinnedPages>
}

export interface PinnedPages {
  readonly pages: readonly Omit<SearchResult, 'title' | 'snippet' | 'folded' | 'score'>[]
  readonly problems: readonly string[]
}

export interface SearchEngineOptions extends IndexReaderOptions {
  readonly weights: RankWeights
  readonly contentOf: ContentSource
  /** What a page is called, where that is at hand without reading it: those called what is asked for come first then. */
  readonly titleOf: ((key: number) => string | undefined) | undefined
  readonly now: () => Instant
  /** An answer may be of a state of the index that was replaced this long ago, where it is known already. */
  readonly maxAgeMs: number
  /** Steps that a search may take to count what it finds, and as many again to find the best of it (`query/search-work.ts`). */
  readonly maxSteps: number
  readonly hints: SearchHints | undefined
  /** What is in quotation marks is to stand there as it is written: for that, pages that are found are read. Else in any form. */
  readonly quotesAsWritten: boolean
  /** How long who misspells a word waits for the list of all words, which a large index takes seconds to give, once. */
  readonly adviceMs: number
}

const MAX_FACETS = 10
/** About a fifth of a second each time, and more than questions take that people ask; see `npm run bench:million`. */
const MAX_STEPS = 10_000_000
const ADVICE_MS = 1_000
/** With fewer matches another spelling is looked for. */
const FEW = 3

const DEFAULT_RESULTS = 10
/** Of pages with a phrase, read to see whether they have it as it is quoted; more only to have as many as are asked for. */
const MAX_READ = 20
/** Pages looked at that have all the words in their titles. */
const MAX_TITLED = 100
const MOST_NAMESAKES = 5
/** Longer questions are no names. */
const MOST_NAME_WORDS = 8

/** As many as there may have to be read for those that are asked for; what is further down is shown as it is found. */
function manyOf(request: SearchRequest): SearchRequest {
  const { offset = 0, limit = DEFAULT_RESULTS } = request
  const isDeep = offset + limit > MAX_RESULTS / 2
  return isDeep ? request : { ...request, offset: 0, limit: Math.max(2 * (offset + limit), MAX_READ) }
}

const onlyOtherForms = (pages: number): string =>
  `No page has what is in quotation marks as it is written; ${pages === 1 ? '1 page has' : `${pages} pages have`} it in other forms: leave the quotation marks out.`

/** Of a question that is nothing but words; otherwise none. */
function plainWords(tree: QueryNode | undefined): readonly Extract<QueryLeaf, { kind: 'word' }>[] {
  const parts = tree?.kind === 'all' ? tree.of : tree === undefined ? [] : [tree]
  const words = parts.flatMap((part) => (part.kind === 'word' ? [part] : []))
  return words.length === parts.length && words.length <= MOST_NAME_WORDS ? words : []
}

function inTitle(words: readonly QueryLeaf[]): QueryNode {
  const parts = words.map((of) => ({ kind: 'zone', zone: 'title', of }) as const)
  return parts.length === 1 ? parts[0]! : { kind: 'all', of: parts }
}

export class SearchEngine implements Disposable {
  readonly #dir: string
  readonly #reader: IndexReader
  readonly #options: SearchEngineOptions
  readonly #statics: PageStatics
  readonly #spelling: SpellingAdvice
  readonly #shown: ShownResults
  readonly #answers: AnswerCache<SearchAnswer>
  #seenView: IndexView | undefined

  constructor(dir: string, options: Partial<SearchEngineOptions> & Pick<SearchEngineOptions, 'contentOf'>) {
    this.#options = {
      weights: rankDefaults,
      now: Date.now,
      titleOf: undefined,
      cacheBytes: 128 << 20,
      maxAgeMs: 0,
      maxSteps: MAX_STEPS,
      adviceMs: ADVICE_MS,
      hints: undefined,
      quotesAsWritten: false,
      ...options,
    }
    this.#dir = dir
    this.#reader = new IndexReader(dir, this.#options)
    this.#statics = new PageStatics(dir, this.#options.weights)
    this.#spelling = new SpellingAdvice(this.#options.contentOf)
    this.#shown = new ShownResults(this.#options.contentOf)
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
    const typed = parseQuery(request.query, this.#options.now())
    const { hints } = this.#options
    const wider = typed.tree === undefined ? undefined : hints?.synonyms.widen(typed.tree)
    const query = wider === undefined ? typed : { ...typed, tree: wider.tree }
    const pinned = await this.#pinned(request, typed)
    const phrases = this.#options.quotesAsWritten ? quotedPhrases(typed.tree) : []
    const asked = phrases.length === 0 ? request : manyOf(request)
    const {
      bare,
      leaves,
      groups: _,
      ...found
    } = this.#withoutDamaged((view) =>
      this.#withPinned(asked, pinned.pages, (one) => this.#find(one, { query, typed }, view)),
    )
    // From here on the index may change under us: what is shown of it was taken out already.
    const quoted =
      asked === request ? { bare, others: 0 } : await this.#asQuoted(request, { bare, matches: found.matches }, phrases)
    const results = await Promise.all(quoted.bare.map((one) => this.#shown.shown(one, leaves)))
    const answer = { ...found, matches: Math.max(0, found.matches - quoted.others) }
    const suggestion = answer.matches < FEW && pinned.pages.length === 0 ? await this.#suggestion(typed) : undefined
    const corrected = answer.matches === 0 && suggestion !== undefined ? await this.#corrected(request, suggestion) : {}
    const tookMs = performance.now() - startedAt
    const forms = quoted.others > 0 && answer.matches === 0 ? [onlyOtherForms(quoted.others)] : []
    const problems = [...pinned.problems, ...forms, ...answer.problems]
    const more = {
      ...(suggestion === undefined ? {} : { suggestion }),
      ...(wider === undefined ? {} : { widened: wider.widened }),
    }
    return { results, ...answer, problems, ...corrected, tookMs, ...more }
  }

  /** Of a question that is nothing but words, asked for the best first. */
  async #pinned(
    { rank = 'default', offset = 0, limit = DEFAULT_RESULTS }: SearchRequest,
    typed: ParsedQuery,
  ): Promise<PinnedPages> {
    const { hints } = this.#options
    const words = plainWords(typed.tree)
    if (hints === undefined || rank !== 'default' || words.length === 0 || isFiltered(typed.filters))
      return NOTHING_PINNED
    if (offset + limit > MAX_RESULTS) return NOTHING_PINNED
    return await hints.pinned(wordsKey(words.map(({ text }) => text).join(' ')))
  }

  /** What is in quotation marks is meant as it is written: of the best those are left out that have it in other forms alone. */
  async #asQuoted(
    { offset = 0, limit = DEFAULT_RESULTS }: SearchRequest,
    { bare: found, matches }: Pick<Found, 'bare' | 'matches'>,
    phrases: readonly QueryLeaf[],
  ): Promise<{ readonly bare: Found['bare']; readonly others: number }> {
    const bare: Found['bare'][number][] = []
    let others = 0
    for (const [i, one] of found.entries()) {
      // Few are all looked at, so that their number is right.
      if (i >= MAX_READ && bare.length >= offset + limit) break
      const content = await this.#options.contentOf(one.key, one.url)
      const isOther =
        content !== undefined && phrases.some((phrase) => hasOtherFormsAlone(content, phrase, one.language))
      if (!isOther) bare.push(one)
      // What follows those that have all of the words was not counted.
      else if (i < matches) others++
    }
    return { bare: bare.slice(offset, offset + limit), others }
  }

  /** They stand before all others, and nowhere else. */
  #withPinned(request: SearchRequest, pages: PinnedPages['pages'], find: (asked: SearchRequest) => Found): Found {
    if (pages.length === 0) return find(request)
    const { offset = 0, limit = DEFAULT_RESULTS } = request
    const found = find({ ...request, offset: 0, limit: offset + limit })
    const keys = new Set(pages.map(({ key }) => key))
    const first = pages.map((page) => ({ ...page, score: 0, folded: 0, pinned: true as const }))
    const bare = [...first, ...found.bare.filter(({ key }) => !keys.has(key))]
    return { ...found, bare: bare.slice(offset, offset + limit) }
  }

  /** Nobody has what was typed: what was meant is answered, beside the answer, which is none. */
  async #corrected(request: SearchRequest, suggestion: string): Promise<Partial<SearchAnswer>> {
    const query = parseQuery(suggestion, this.#options.now())
    const meant = { ...request, query: suggestion }
    const { bare, leaves, matches, isLowerBound } = this.#withoutDamaged((view) =>
      this.#find(meant, { query, typed: query }, view),
    )
    if (matches === 0) return {}
    const results = await Promise.all(bare.map((one) => this.#shown.shown(one, leaves)))
    return { results: [], problems: [], corrected: { query: suggestion, matches, isLowerBound, results } }
  }

  async #suggestion(query: ParsedQuery): Promise<string | undefined> {
    const isLikely = this.#withoutDamaged((view) => this.#spelling.isLikely(query, view, languagesIn(view)))
    if (!isLikely) return undefined
    await this.#spelling.prepare(this.#reader.view, {
      open: () => new IndexReader(this.#dir),
      patienceMs: this.#options.adviceMs,
      // Answers without advice are not given again.
      onLate: () => this.#answers.looked('other'),
    })
    const corrections = this.#withoutDamaged((view) => this.#spelling.corrections(query, view, languagesIn(view)))
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

  /** Pages that are called what is asked for come first. */
  #find(request: SearchRequest, { query, typed }: Asked, view: IndexView): Found {
    const found = this.#findByWords(request, query, view)
    const titled = this.#titled(request, typed, view)
    if (titled.length === 0) return found
    const { offset = 0, limit = DEFAULT_RESULTS } = request
    // What is moved to the front moves others to the next page.
    const whole =
      offset === 0 ? found : this.#findByWords({ ...request, offset: 0, limit: offset + limit }, query, view)
    const isFolded = request.unfolded !== true
    const first = new Set(titled.map(({ result, group }) => (isFolded ? group : result.key)))
    const nameOf = (key: number): number => (isFolded ? whole.groups.get(key)! : key)
    const folded = new Map(whole.bare.map(({ key, folded: others }) => [nameOf(key), others]))
    const bare = [
      ...titled.map(({ result, group }) =>
        Object.assign(result, { folded: folded.get(isFolded ? group : result.key) ?? 0 }),
      ),
      ...whole.bare.filter(({ key }) => !first.has(nameOf(key))),
    ]
    return { ...found, bare: bare.slice(offset, offset + limit) }
  }

  #titled(request: SearchRequest, query: ParsedQuery, view: IndexView): Titled[] {
    const { titleOf, weights } = this.#options
    const { rank = 'default', offset = 0, limit = DEFAULT_RESULTS } = request
    const words = plainWords(query.tree)
    if (titleOf === undefined || rank !== 'default' || words.length === 0 || offset + limit > MAX_RESULTS) return []
    const plan = usedPlan({ ...query, tree: inTitle(words) }, statisticsIn(view))
    const asked = { plan, filters: query.filters, rank, most: MAX_TITLED, weights }
    const names = titleWords(words.map(({ text }) => text).join(' '))
    const matched = rankedSearch(view, asked, this.#statics, new SearchWork(this.#options.maxSteps)).flatMap((hit) => {
      const match = titleMatch(names, titleOf(hit.key) ?? '')
      return match === 0 ? [] : [{ hit, match }]
    })
    const groups = new Set<number>()
    const apart = matched.filter(({ hit }) => {
      const group = request.unfolded === true ? hit.key : groupOf(hit, view)
      return !groups.has(group) && groups.add(group)
    })
    // Many of one name are no name: then their words decide.
    if (apart.length > MOST_NAMESAKES) return []
    const best = apart.toSorted((a, b) => b.match - a.match)
    return best.map(({ hit }) => ({ result: bareResult(hit, view, rank), group: groupOf(hit, view) }))
  }

  #findByWords(request: SearchRequest, query: ParsedQuery, view: IndexView): Found {
    const { weights, maxSteps } = this.#options
    const [statistics, work] = [statisticsIn(view), new SearchWork(maxSteps)]
    const worth = this.#statics
    const context = { view, statistics, worth, weights, maxSteps, work, maxFacets: MAX_FACETS, maxSites: MAX_FACETS }
    const foldingOf = (isFolded: boolean): Folding<Hit> =>
      foldingBy(isFolded ? (hit) => groupOf(hit, view) : ({ key }) => key)
    const steps = searchSteps<Hit>({ request, query, statistics, foldingOf })
    let next = steps.next()
    while (next.done !== true) next = steps.next(rankedStep(next.value, context))
    const { found, problems, ...rest } = next.value
    const rank = request.rank ?? 'default'
    const bare = found.map(({ hit, folded }) => Object.assign(bareResult(hit, view, rank), { folded }))
    const groups = new Map(found.map(({ hit }) => [hit.key, groupOf(hit, view)]))
    return { ...rest, bare, groups, problems: [...worth.refused.map(({ message }) => message), ...problems] }
  }

  /** The best documents for a plan of one's own, without anything to show: for experiments. */
  rank(plan: Plan, most: number, rank: RankName = 'bm25', exhaustive = false): Hit[] {
    const { filters } = parseQuery('', 0)
    const query = { plan, filters, rank, most, weights: this.#options.weights, exhaustive }
    return this.#withoutDamaged((view) => rankedSearch(view, query, this.#statics))
  }

  /** The plan of a query, as a search would use it. */
  plan(text: string): Plan {
    return this.#withoutDamaged((view) => usedPlan(parseQuery(text, this.#options.now()), statisticsIn(view)))
  }

  [Symbol.dispose](): void {
    this.#spelling[Symbol.dispose]()
    this.#reader[Symbol.dispose]()
  }
}

/** The question as it was typed, and as it is asked: perhaps wider. */
interface Asked {
  readonly query: ParsedQuery
  readonly typed: ParsedQuery
}

const NOTHING_PINNED: PinnedPages = { pages: [], problems: [] }

const isFiltered = ({ only, except, since }: QueryFilters): boolean =>
  since !== undefined || [only, except].some((one) => one.sites.length + one.types.length + one.languages.length > 0)

/** A page that is called what is asked for. */
interface Titled {
  readonly result: BareResult
  readonly group: number
}

interface Found extends Omit<SearchAnswer, 'results' | 'tookMs' | 'suggestion'> {
  readonly bare: readonly (BareResult & Pick<SearchResult, 'folded'>)[]
  readonly leaves: readonly QueryLeaf[]
  /** Of near duplicates, by page. */
  readonly groups: ReadonlyMap<number, number>
}
