/**
 * Surveyor: what can only be known by looking at every page, kept up to date while a crawl goes on.
 *
 *   page log ──▶ pages that are new or changed ──▶ their rows: counts ──▶ their links: importance, graph
 *
 * Only the first look goes through everything. After it the page log says which pages changed, so that a refresh costs
 * what the crawl did since the last one. Rows are changed past the page log too (content that is dropped), so each
 * refresh looks at a few thousand others again, in turn: whatever is wrong becomes right.
 *
 * A refresh is made when somebody asks and the last is older than `everyMs`, or twenty times what it took: looking
 * never costs more than a twentieth of the time. Links are heard behind the back of whoever asks.
 */
import type { Collection, FollowedCollection } from '@comity/collection'
import { DONE, WRITTEN_STATES } from '@comity/frontier'
import { siteOf, writeUrlKey } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import { PageLogFollower } from './page-log-follower.ts'
import { LinkCensus } from './link-census.ts'
import type { GraphModel } from './models.ts'
import { CollectionCensus } from './collection-census.ts'
import type {
  CooperatingQuery,
  CooperatingSites,
  ReadingSurveyed,
  SiteChoice,
  SiteList,
  SitesQuery,
  Standing,
  SurveyedSite,
  SurveyPort,
  SurveyStatistics,
} from '../ports.ts'
import { surveyReading } from './reading-survey.ts'
import { SiteStore } from './site-store.ts'
import { TimeSlices } from './time-slices.ts'
import { topPages } from './top-pages.ts'
import { TrustStore } from './trust-store.ts'

interface SurveyorOptions {
  readonly now: () => Instant
  /** Least time between two refreshes; 0: look whenever somebody asks. */
  readonly everyMs?: number | undefined
  readonly maxLinks?: number | undefined
}

const EVERY_MS = 2_000
const COST_RATIO = 20
/** Four bytes each. */
const MAX_LINKS = 50_000_000
/** Rows looked at again with each refresh. */
const SWEEP = 2_000
const TOP_PAGES = 25
/** Pages that a crawl may have found since we looked. */
const MAX_AHEAD = 1_000_000

export class Surveyor implements SurveyPort {
  readonly #followed: FollowedCollection
  readonly #options: Required<{ [Name in keyof SurveyorOptions]: NonNullable<SurveyorOptions[Name]> }>
  #generation = -1
  #feed = new PageLogFollower()
  #census = new CollectionCensus()
  #links: LinkCensus
  #store: SiteStore
  readonly #trust: TrustStore
  #sweepAt = 0
  /** Pages whose links are to be heard. */
  #unheard = new Set<number>()
  #hearing: Promise<void> = Promise.resolve()
  #isHearing = false
  #refreshing: Promise<void> | undefined
  #dueAt: Instant = 0
  #isClosed = false
  #reading: ReadingSurveyed | undefined
  #readingDueAt: Instant = 0

  constructor(followed: FollowedCollection, { now, everyMs, maxLinks }: SurveyorOptions) {
    this.#followed = followed
    this.#options = { now, everyMs: everyMs ?? EVERY_MS, maxLinks: maxLinks ?? MAX_LINKS }
    this.#links = new LinkCensus(this.#census.columns, this.#options)
    this.#store = new SiteStore(this.#census, this.#links)
    this.#trust = new TrustStore(followed, this.#options)
  }

  async statistics(): Promise<SurveyStatistics> {
    await this.#refresh()
    const { totals, captures } = this.#census
    const { known, visited, held, waiting } = totals
    return {
      pages: { known, visited, held, waiting },
      sites: this.#store.count,
      visitedSites: this.#store.visited,
      heldSites: this.#store.held,
      damaged: this.#followed.current.damage.names,
      captures,
      outcomes: this.#census.outcomesOf(totals),
    }
  }

  async sites(query: SitesQuery): Promise<SiteList> {
    await this.#refresh()
    return this.#store.list(query)
  }

  async site(origin: string): Promise<SurveyedSite | undefined> {
    await this.#refresh()
    const site = this.#store.find(origin)
    if (site === undefined) return undefined
    const { columns } = this.#census
    return {
      ...this.#store.row(site),
      outcomes: this.#census.outcomesOf(this.#census.siteAt(site)),
      topPages: topPages(columns, site, (page) => this.#links.importanceOf(page), TOP_PAGES),
    }
  }

  async cooperating(query: CooperatingQuery): Promise<CooperatingSites> {
    await this.#refresh()
    return await this.#trust.list(this.#store, query)
  }

  async find(url: string): Promise<number | undefined> {
    await this.#refresh()
    const site = this.#store.find(siteOf(url))
    if (site === undefined) return undefined
    const { columns } = this.#census
    const collection = this.#followed.current
    const key = new Uint32Array(2)
    writeUrlKey(url.slice(siteOf(url).length), key, 0)
    for (let page = columns.next(key[1]!, 0); page !== -1; page = columns.next(key[1]!, page + 1)) {
      if (columns.sites[page] === site && collection.url(page) === url) return page
    }
    return undefined
  }

  async standing(page: number): Promise<Standing | undefined> {
    await this.#refresh()
    const { columns } = this.#census
    if (!Number.isSafeInteger(page) || page < 0 || page >= columns.count) return undefined
    const state = WRITTEN_STATES[columns.states[page]!] ?? 'waiting'
    return { state, depth: columns.depths[page]!, importance: this.#links.importanceOf(page) }
  }

  async linksIn(page: number, limit: number): Promise<{ from: number[]; more: boolean }> {
    await this.#refresh()
    const from = this.#links.linksIn(page)
    return { from: from.slice(0, limit), more: from.length > limit || this.#isHearing || this.#links.isFull }
  }

  async graph(show: SiteChoice): Promise<GraphModel> {
    await this.#refresh()
    const { count, visited } = this.#store
    const linkedOnly = show === 'visited' ? count - visited : 0
    return { ...this.#links.siteGraph(show, this.#store.ranked(show)), linkedOnly }
  }

  /** Made anew when somebody asks and it was not for a while. */
  async reading(): Promise<ReadingSurveyed> {
    await this.#refresh()
    const { now, everyMs } = this.#options
    if (now() < this.#readingDueAt && this.#reading !== undefined) return this.#reading
    const began = performance.now()
    const { depths } = this.#census.columns
    // Only start pages have no clicks behind them.
    const linked = this.#links.linked()
    const isLinked = (page: number): boolean => page >= linked.length || depths[page] === 0 || linked[page] === 1
    this.#reading = await surveyReading({ collection: () => this.#followed.current, isLinked, now: now() })
    const tookMs = performance.now() - began
    this.#readingDueAt = everyMs === 0 ? 0 : now() + Math.max(everyMs, COST_RATIO * tookMs)
    return this.#reading
  }

  /** When all links committed before the last refresh have been heard. */
  async settled(): Promise<void> {
    await this.#refresh()
    await this.#hearing
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    await this.#refreshing?.catch(() => undefined)
    await this.#hearing
  }

  #refresh(): Promise<void> {
    if (this.#refreshing !== undefined) return this.#refreshing
    if (this.#options.now() < this.#dueAt || this.#isClosed) return Promise.resolve()
    this.#refreshing = this.#look().finally(() => {
      this.#refreshing = undefined
    })
    return this.#refreshing
  }

  async #look(): Promise<void> {
    const began = performance.now()
    const collection = this.#current()
    let changed = this.#feed.follow(collection, this.#census)
    if (changed === undefined) {
      this.#startAgain()
      changed = this.#feed.follow(collection, this.#census)
    }
    await this.#readRows(changed ?? new Set())
    this.#store.read(this.#followed.current)
    const { everyMs, now } = this.#options
    const tookMs = performance.now() - began
    this.#dueAt = everyMs === 0 ? 0 : now() + Math.max(everyMs, COST_RATIO * tookMs)
    if (!this.#isHearing) this.#hearing = this.#hear()
  }

  /** The collection, after everything was forgotten that was learnt from another state of it. */
  #current(): Collection {
    const collection = this.#followed.current
    if (this.#generation !== this.#followed.generation) this.#startAgain()
    this.#generation = this.#followed.generation
    return collection
  }

  #startAgain(): void {
    this.#feed = new PageLogFollower()
    this.#census = new CollectionCensus()
    this.#links = new LinkCensus(this.#census.columns, this.#options)
    this.#store = new SiteStore(this.#census, this.#links)
    this.#unheard = new Set()
    this.#sweepAt = 0
  }

  async #readRows(changed: ReadonlySet<number>): Promise<void> {
    const slices = new TimeSlices()
    for (const page of this.#andSomeOthers(changed)) {
      const row = this.#followed.current.page(page)
      const { visits, depths } = this.#census.columns
      const isNews = visits[page] !== Math.min(row?.visits ?? 0, 0xffff)
      this.#census.put(page, row)
      if (row !== undefined && !this.#feed.isReadable) this.#census.move(page, depths[page]!, DONE)
      if (isNews) this.#unheard.add(page)
      if (slices.isOver) await slices.rest()
    }
  }

  *#andSomeOthers(changed: ReadonlySet<number>): Generator<number> {
    yield* changed
    const { count } = this.#census.columns
    const from = this.#sweepAt >= count ? 0 : this.#sweepAt
    this.#sweepAt = Math.min(count, from + SWEEP)
    for (let page = from; page < this.#sweepAt; page++) if (!changed.has(page)) yield page
  }

  /** Never fails: what a state that is gone has to say is not missed. */
  async #hear(): Promise<void> {
    this.#isHearing = true
    try {
      while (this.#unheard.size > 0 && !this.#isClosed) {
        const [links, pages] = [this.#links, [...this.#unheard]]
        this.#unheard = new Set()
        await links.hear(pages, (page) => this.#targetsOf(page))
      }
    } finally {
      this.#isHearing = false
    }
  }

  #targetsOf(page: number): number[] {
    if (this.#isClosed || this.#generation !== this.#followed.generation) return []
    // A link may lead to a page that came after our last look, but a number far beyond is damage.
    const limit = this.#census.columns.count + MAX_AHEAD
    const targets = this.#followed.current.links(page).map(({ to }) => to)
    return targets.filter((to) => to < limit)
  }
}
