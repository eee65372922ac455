/**
 * Ports: all that the server needs from outside itself. `cli` puts the real ones in; tests put small ones in.
 *
 * What is dear to find out (every page, every link) stands behind `SurveyPort`, since a server that answers a search in
 * a millisecond must not walk a million rows in between.
 */
import type { SearchAnswer, SearchRequest } from '@comity/index'
import type { CooperationStory } from '@comity/follow'
import type { Instant } from '@comity/protocol'
import type {
  CollectionModel,
  CrawlState,
  GraphModel,
  LiveSample,
  SiteRowModel,
  Statistics,
  WholeModel,
} from './model/models.ts'
import type { PageModels, PageName, ShownAnswer } from './model/page-models.ts'

export interface SuggestedPage {
  readonly title: string
  readonly url: string
}

export interface SearchPort {
  search(request: SearchRequest): Promise<SearchAnswer> | SearchAnswer
  /** Pages whose titles have what was typed, its last word as far as it is, best first. Without it nothing is suggested. */
  suggest?(typed: string, limit: number): Promise<readonly SuggestedPage[]> | readonly SuggestedPage[]
  statistics(): Statistics['index']
}

/** All shards of a cluster, looked at and searched as one. */
export interface WholePort {
  search(request: SearchRequest): Promise<ShownAnswer>
  status(): Promise<WholeModel>
}

/** Several collections of this machine, searched as one. */
export interface SeveralPort {
  search(request: SearchRequest): Promise<ShownAnswer>
  collections(): Promise<readonly CollectionModel[]>
}

/** What a crawl may still fetch; a number that is left out stays as it is. */
export interface CrawlBudget {
  readonly maxPages?: number | undefined
  readonly maxBytes?: number | undefined
  /** The same for each site. */
  readonly sitePages?: number | undefined
  readonly siteBytes?: number | undefined
}

/** A crawl, looked at. */
interface CrawlView {
  state(): Promise<CrawlState>
  /** From now on, until `signal` or the end of the crawl. */
  samples(signal: AbortSignal): AsyncIterable<LiveSample>
}

/** A crawl, steered. */
interface CrawlSteering {
  pause(): Promise<unknown>
  resume(): Promise<unknown>
  addSeed(url: string): Promise<unknown>
  setBudget(budget: CrawlBudget): Promise<unknown>
  stop?(): Promise<unknown>
}

/** The crawl that writes the collection. Every call may fail: it may end at any moment. */
export interface CrawlPort extends CrawlView, CrawlSteering {}

/** The pages for people. Everything in a model may be hostile; what comes out is safe HTML. */
export interface PagesPort {
  render<Name extends PageName>(name: Name, model: PageModels[Name]): string
  /** Scripts and styles, by what follows `/static/` in their URL. */
  asset(name: string): Asset | undefined
}

export interface Asset {
  readonly type: string
  readonly body: string | Uint8Array
}

/** What is known of all, and of each site. */
interface SiteSurvey {
  statistics(): Promise<SurveyStatistics>
  sites(query: SitesQuery): Promise<SiteList>
  /** Undefined when nothing is known of it. */
  site(origin: string): Promise<SurveyedSite | undefined>
  /** Sites that help crawlers, those that told most first; of those that push, those that sent most. */
  cooperating(query: CooperatingQuery): Promise<CooperatingSites>
  graph(show: SiteChoice): Promise<GraphModel>
}

/** What is known of pages by looking at all of them. */
interface PageSurvey {
  /** The page with this canonical URL; undefined when it is not known. */
  find(url: string): Promise<number | undefined>
  /** Undefined when there is no such page. */
  standing(page: number): Promise<Standing | undefined>
  /** Pages that link here, most important first. */
  linksIn(page: number, limit: number): Promise<{ readonly from: readonly number[]; readonly more: boolean }>
  /** What is read, as gateways told. */
  reading(): Promise<ReadingSurveyed>
}

export interface SurveyPort extends SiteSurvey, PageSurvey, AsyncDisposable {}

/** How often a page was read. */
export interface ReadPageRow {
  readonly page: number
  readonly people: number
  readonly robots: number
  readonly lastAt: Instant
}

export interface ReadingSurveyed {
  /** That were ever read. */
  readonly pages: number
  /** In this hour and the one before, the most read first. */
  readonly recent: readonly ReadPageRow[]
  /** To which no link leads, the most read first; counts fade with time. */
  readonly unfound: readonly ReadPageRow[]
  readonly unfoundTotal: number
}

export type SurveyStatistics = Pick<
  Statistics,
  'pages' | 'sites' | 'visitedSites' | 'heldSites' | 'captures' | 'outcomes' | 'damaged'
>

export const SITE_SORTS = ['importance', 'known', 'held', 'waiting', 'errors', 'origin'] as const
export type SiteSort = (typeof SITE_SORTS)[number]

/** Sites that were visited, those that pages merely link to, or both. */
export const SITE_CHOICES = ['visited', 'linked', 'all'] as const
export type SiteChoice = (typeof SITE_CHOICES)[number]

export interface SitesQuery {
  readonly show: SiteChoice
  readonly sort: SiteSort
  readonly offset: number
  readonly limit: number
}

/** A part of a long list. */
export interface Stretch {
  readonly offset: number
  readonly limit: number
}

export interface CooperatingQuery extends Stretch {
  /** Only those that push, or offer to. */
  readonly only?: 'calling' | undefined
}

export interface CooperatingSites {
  readonly total: number
  /** Sites that were visited and have nothing but their pages. */
  readonly ordinary: number
  readonly rows: readonly (CooperationStory & { readonly origin: string; readonly held: number })[]
}

/** `robots` and `calls` are the collection's to say. */
export type SurveyedRow = Omit<SiteRowModel, 'robots' | 'calls'> & { readonly site: number }

export interface SiteList {
  /** Of those that are asked for. */
  readonly total: number
  /** Of all: those that were visited, and those that pages merely link to. */
  readonly visited: number
  readonly linked: number
  readonly rows: readonly SurveyedRow[]
}

export interface SurveyedSite extends SurveyedRow {
  readonly outcomes: Readonly<Record<string, number>>
  /** Its most important pages, best first. */
  readonly topPages: readonly number[]
}

export interface Standing {
  readonly state: string
  readonly depth: number
  /** 0 until it is known. */
  readonly importance: number
}
