/**
 * OfferDiscovery: what a start site is asked before its first page, and what follows for its pages.
 *
 *   first page due ──▶ what does it offer? ──┬─ media-type crawl: is there a list that tells types?
 *                      (`offers/search.ts` of follow)   │    yes: only the files it lists are fetched, no HTML at all
 *                                            │    no:  HTML is crawled to find them
 *                                            └─ a dump, and little is held: take it (`bulk/dump-handler.ts`)
 *
 * Questions are prerequisites, and prerequisites go before pages: the page that was due goes back and waits until all is said. Who
 * gives no sign of offering anything is asked only by a media-type crawl, for which a list saves all the pages.
 */
import { canonicalUrl, siteOf } from '@comity/protocol'
import type { Instant, Robots } from '@comity/protocol'
import type { Collection } from '@comity/collection'
import type { Frontier } from '@comity/frontier'
import { capabilityListsOf, catalogsOf } from '../fetch/capability-links.ts'
import type { CooperationStore, Conversation, DumpPlan, Questions, Offer, Spent, MediaTypePoll } from '@comity/follow'
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
    const isOver = dumps === undefined || headers === undefined || this.#over.has(row.site)
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
    const { start, typed, dumps, frontier } = this.#parts
    if (!start.isStartSite(this.#originOf(site))) return false
    if (typed !== undefined || this.#talks.has(site)) return true
    return dumps !== undefined && frontier.sites[site]!.visited <= LITTLE_HELD && this.#hasSign(site)
  }

  /** Something says that the site tells crawlers more than most do. */
  #hasSign(site: number): boolean {
    const isLinked = (this.#parts.store.of(site).capabilityLists?.length ?? 0) > 0
    if (isLinked || this.#signed.has(site) || (this.#parts.robots.of(site)?.metadata.length ?? 0) > 0) return true
    return this.#offersOf(site)?.some(({ kind }) => kind === 'dump' || kind === 'wacz') === true
  }

  #begin(site: number): void {
    const { options, robots, questions } = this.#parts
    const allows = (url: string): boolean => options.ignoreRobots || robots.allows(site, url)
    const talk = new SiteTalk<SiteAnswers>({
      site,
      origin: this.#originOf(site),
      conversation: this.#conversation(site, allows),
      allows,
      ask: (question) => questions.ask(question),
      ended: (told, spent) => this.#ended(site, told, spent),
    })
    this.#talks.set(site, talk)
    talk.begin()
  }

  *#conversation(site: number, allows: (url: string) => boolean): Conversation<SiteAnswers> {
    const { options, typed, dumps } = this.#parts
    const [origin, robots] = [this.#originOf(site), this.#parts.robots.of(site)]
    const known = this.#offersOf(site)
    const offers = known ?? (yield* this.#search(site, origin, robots, allows))
    const listings = options.sitemaps ? offers : offers.filter(({ kind }) => kind !== 'sitemap')
    if (typed !== undefined) {
      return { offers, types: yield* pollForTypes({ origin, offers: listings, robots, wish: options }) }
    }
    const [dump, archive] = (['dump', 'wacz'] as const).map((wanted) => offers.find(({ kind }) => kind === wanted))
    const whole = dump ?? archive
    if (dumps === undefined || whole === undefined || whole.restsUntil > this.#parts.now()) return { offers }
    if (dump === undefined) return { offers, archive }
    return { offers, dump: yield* planDump({ origin, offer: dump, ...dumps.planTerms(site) }) }
  }

  *#search(
    site: number,
    origin: string,
    robots: Robots | undefined,
    allows: (url: string) => boolean,
  ): Conversation<readonly Offer[]> {
    const { store, now } = this.#parts
    const capabilityLists = store.of(site).capabilityLists ?? []
    const { feeds } = store.of(site)
    const found = yield* searchOffers({ origin, robots, capabilityLists, feeds, allows })
    // Whoever keeps the collection fresh later need not search again.
    store.note(site, { offers: afterSearch(store.of(site).offers, found, now(), watchDefaults.dayMs) })
    return found.offers
  }

  #ended(site: number, told: SiteAnswers | undefined, spent: Spent): void {
    const { typed, dumps } = this.#parts
    this.#talks.delete(site)
    this.#over.add(site)
    if (typed !== undefined) typed.told(site, told?.types, spent, (url) => this.#offer(site, url))
    else if (told?.dump !== undefined) dumps?.take(site, told.dump, spent)
    else if (told?.archive !== undefined) dumps?.takeArchive(site, told.archive, spent)
  }

  /** The page, when it may be visited. */
  #offer(site: number, listed: string): number | undefined {
    const { options, sitemaps, frontier } = this.#parts
    const url = canonicalUrl(listed, undefined, options.urlRules)
    if (url === undefined || siteOf(url) !== this.#originOf(site)) return undefined
    return sitemaps.offer(url) === 1 ? frontier.findUrl(url) : undefined
  }

  #offersOf(site: number): readonly Offer[] | undefined {
    const row = this.#parts.store.of(site).offers
    return row !== undefined && row.lookAgainAt > this.#parts.now() ? row.offers : undefined
  }

  #originOf(site: number): string {
    return this.#parts.frontier.sites[site]!.origin
  }
}
