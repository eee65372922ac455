/**
 * OfferDiscovery: what a start site is asked before its first page, and what follows for its pages.
 *
 *   first page due ──▶ what does it offer? ──┬─ media-type crawl: is there a list that tells types?
 *                      (`offers/search.ts` of follow)   │    yes: only the files it lists are fetched, no HTML at all
 *                                            │    no:  HTML is crawled to find them
 *                                            └─ little is held, or other types are wanted than before:
 *                                                 a dump: take it (`bulk/dump-handler.ts`)
 *                                                 else a list that tells types: what is no page is not asked for
 *
 * Questions are prerequisites, and prerequisites go before pages: the page that was due goes back and waits until all is said. Who
 * gives no sign of offering anything is asked only by a media-type crawl, for which a list saves all the pages.
 */
import { canonicalUrl, siteOf } from '@comity/protocol'
import type { Instant, Robots } from '@comity/protocol'
import type { Collection } from '@comity/collection'
import type { Frontier } from '@comity/frontier'
import { capabilityListsOf, catalogsOf } from '../fetch/capability-links.ts'
import type {
  CooperationStore,
  Inquiry,
  DumpPlan,
  Questions,
  Offer,
  OfferKind,
  Spent,
  MediaTypePoll,
} from '@comity/follow'
import type { DumpHandler } from '../bulk/dump-handler.ts'
import { FeedLinks, planDump, afterSearch, searchOffers, ownUrl, SiteTalk, pollForTypes } from '@comity/follow'
import type { Head, PageTask, SettledVisit } from '@comity/ingest'
import type { CrawlOptions } from '../options.ts'
import { filterByType } from '../fetch/fetch-filter.ts'
import type { Admission, FetchFilter } from '../fetch/fetch-filter.ts'
import type { RobotsHandler } from '../fetch/robots-handler.ts'
import type { SitemapHandler } from '../fetch/sitemap-handler.ts'
import type { StartPages } from '../run/start-pages.ts'
import type { MediaTypeCrawl } from './media-type-crawl.ts'
import { watchDefaults } from '../watch-options.ts'

interface OfferDiscoveryParts {
  readonly options: CrawlOptions
  readonly frontier: Frontier
  readonly collection: Collection
  readonly store: CooperationStore
  readonly questions: Questions
  readonly robots: RobotsHandler
  readonly sitemaps: SitemapHandler
  readonly start: StartPages
  readonly now: () => Instant
  /** Undefined when HTML is wanted. */
  readonly typed: MediaTypeCrawl | undefined
  /** Undefined when no dumps are taken. */
  readonly dumps: DumpHandler | undefined
  /** Sites of which files are wanted now that were not: what they say of them is to be heard once more. */
  readonly unheard: ReadonlySet<number>
}

/** What a site had to tell. */
interface SiteAnswers {
  readonly offers: readonly Offer[]
  readonly types?: MediaTypePoll | undefined
  readonly dump?: DumpPlan | undefined
  /** A web archive of the whole site, where there is no dump. */
  readonly archive?: Offer | undefined
}

/** Of a site that we hold more of, the pages that are missing are asked for. */
const LITTLE_HELD = 20
/** Offers of whoever tells more than most: all at once, or the type of each file. */
const SIGNS: ReadonlySet<OfferKind> = new Set(['dump', 'wacz', 'filter', 'metadata-archive', 'change-list'])

export class OfferDiscovery implements FetchFilter {
  readonly #parts: OfferDiscoveryParts
  readonly #byType: FetchFilter
  readonly #talks = new Map<number, SiteTalk<SiteAnswers>>()
  readonly #over = new Set<number>()
  /** Sites whose pages name a catalog. */
  readonly #signed = new Set<number>()
  readonly #feeds = new FeedLinks()

  constructor(parts: OfferDiscoveryParts) {
    this.#parts = parts
    this.#byType = filterByType(parts.options)
  }

  admits(task: PageTask, site: number): Admission {
    if (!this.#over.has(site) && this.#isDue(site)) {
      // Questions go before pages, so one that is still open here was lost with its visit.
      const lost = this.#talks.get(site)
      if (lost === undefined) this.#begin(site)
      else lost.breakOff()
      if (!this.#over.has(site) || this.#parts.dumps?.isBusy(site) === true) return 'later'
    }
    return this.#parts.typed?.admits(task.page, task.url, site) ?? this.#byType.admits(task, site)
  }

  wants(head: Head, url: string, site: number): boolean {
    return this.#parts.typed?.wants(head, url, site) ?? this.#byType.wants(head, url, site)
  }

  mustBeWhole(page: number): boolean {
    return this.#parts.dumps?.mustBeWhole(page) ?? false
  }

  /** A page has come: it may say where the site tells what it offers (ResourceSync 1.1 §6.3.2), and counts for or against. */
  settled(visit: SettledVisit): void {
    const { typed, dumps, frontier } = this.#parts
    typed?.settled(visit)
    dumps?.settled(visit)
    const { headers, row, page, capabilityList, feeds } = visit
    const isOver = typed !== undefined || headers === undefined || this.#over.has(row.site)
    // Whoever keeps the collection fresh later may never see this page whole again.
    if (!isOver || capabilityList !== undefined) this.#note(row.site, frontier.urlOf(page), visit)
    if (feeds !== undefined) this.#noteFeeds(row.site, frontier.urlOf(page), feeds)
  }

  #noteFeeds(site: number, page: string, feeds: readonly string[]): void {
    const own = this.#feeds.linked(this.#originOf(site), page, feeds)
    if (own.length > 0) this.#parts.store.fed(site, own)
  }

  #note(site: number, url: string, visit: SettledVisit): void {
    const origin = this.#originOf(site)
    const own = (targets: readonly string[]): string[] => targets.flatMap((target) => ownUrl(target, origin) ?? [])
    for (const list of own(capabilityListsOf(visit, url))) this.#parts.store.linked(site, list)
    if (own(catalogsOf(visit, url)).length > 0) this.#signed.add(site)
  }

  #isDue(site: number): boolean {
    const { start, typed, unheard, frontier } = this.#parts
    if (!start.isStartSite(this.#originOf(site))) return false
    if (typed !== undefined || this.#talks.has(site)) return true
    const isLittle = frontier.sites[site]!.visited <= LITTLE_HELD
    return (isLittle || unheard.has(site)) && this.#hasSign(site)
  }

  /** Something says that the site tells crawlers more than most do. */
  #hasSign(site: number): boolean {
    const isLinked = (this.#parts.store.of(site).capabilityLists?.length ?? 0) > 0
    if (isLinked || this.#signed.has(site) || (this.#parts.robots.of(site)?.metadata.length ?? 0) > 0) return true
    return this.#offersOf(site)?.some(({ kind }) => SIGNS.has(kind)) === true
  }

  #begin(site: number): void {
    const { options, robots, questions } = this.#parts
    const allows = (url: string): boolean => options.ignoreRobots || robots.allows(site, url)
    const talk = new SiteTalk<SiteAnswers>({
      site,
      origin: this.#originOf(site),
      inquiry: this.#inquiry(site, allows),
      allows,
      ask: (question) => questions.ask(question),
      ended: (told, spent) => this.#ended(site, told, spent),
    })
    this.#talks.set(site, talk)
    talk.begin()
  }

  *#inquiry(site: number, allows: (url: string) => boolean): Inquiry<SiteAnswers> {
    const { options, typed, dumps } = this.#parts
    const [origin, robots] = [this.#originOf(site), this.#parts.robots.of(site)]
    const known = this.#offersOf(site)
    const offers = known ?? (yield* this.#search(site, origin, robots, allows))
    const listings = options.sitemaps ? offers : offers.filter(({ kind }) => kind !== 'sitemap')
    if (typed !== undefined) {
      return { offers, types: yield* pollForTypes({ origin, offers: listings, robots, wish: options }) }
    }
    const whole = dumps === undefined ? undefined : this.#wholeOf(site, offers)
    if (whole?.kind === 'wacz') return { offers, archive: whole }
    const dump = dumps && whole && (yield* planDump({ origin, offer: whole, ...dumps.planTerms(site) }))
    if (dump !== undefined && dump.packages.length > 0) return { offers, dump }
    const unread = listings.filter(({ kind, url }) => kind !== 'sitemap' || !this.#isNamed(url, robots))
    const types = yield* pollForTypes({ origin, offers: unread, robots, wish: options, isForAll: true })
    return { offers, dump, types }
  }

  /** All of the site at once, when little of it is held and it was not found useless before. */
  #wholeOf(site: number, offers: readonly Offer[]): Offer | undefined {
    const { frontier, now } = this.#parts
    const [dump, archive] = (['dump', 'wacz'] as const).map((wanted) => offers.find(({ kind }) => kind === wanted))
    const whole = dump ?? archive
    const isLittle = frontier.sites[site]!.visited <= LITTLE_HELD
    return whole !== undefined && isLittle && whole.restsUntil <= now() ? whole : undefined
  }

  /** It has been read by the one who reads what robots.txt names (`fetch/sitemap-handler.ts`). */
  #isNamed(list: string, robots: Robots | undefined): boolean {
    return this.#parts.options.sitemaps && robots?.sitemaps.includes(list) === true
  }

  *#search(
    site: number,
    origin: string,
    robots: Robots | undefined,
    allows: (url: string) => boolean,
  ): Inquiry<readonly Offer[]> {
    const { store, now } = this.#parts
    const capabilityLists = store.of(site).capabilityLists ?? []
    const { feeds } = store.of(site)
    const found = yield* searchOffers({ origin, robots, capabilityLists, feeds, allows })
    // Whoever keeps the collection fresh later need not search again.
    store.note(site, { offers: afterSearch(store.of(site).offers, found, now(), watchDefaults.dayMs) })
    return found.offers
  }

  #ended(site: number, told: SiteAnswers | undefined, spent: Spent): void {
    const { options, typed, dumps } = this.#parts
    this.#talks.delete(site)
    this.#over.add(site)
    if (typed !== undefined) return typed.told(site, told?.types, spent, (url, type) => this.#offer(site, url, type))
    const { wanted = [], unwanted = [] } = told?.types?.listing ?? {}
    for (const { url, type } of unwanted) this.#offer(site, url, type)
    if (options.sitemaps) for (const { url, type } of wanted) this.#offer(site, url, type)
    if (told?.dump !== undefined) dumps?.take(site, told.dump, spent)
    else if (told?.archive !== undefined) dumps?.takeArchive(site, told.archive, spent)
  }

  /** The page, when it may be visited. */
  #offer(site: number, listed: string, type?: string): number | undefined {
    const { options, sitemaps, frontier } = this.#parts
    const url = canonicalUrl(listed, undefined, options.urlRules)
    if (url === undefined || siteOf(url) !== this.#originOf(site)) return undefined
    return sitemaps.list(url, type) === 1 ? frontier.findUrl(url) : undefined
  }

  #offersOf(site: number): readonly Offer[] | undefined {
    const row = this.#parts.store.of(site).offers
    return row !== undefined && row.lookAgainAt > this.#parts.now() ? row.offers : undefined
  }

  #originOf(site: number): string {
    return this.#parts.frontier.sites[site]!.origin
  }
}
