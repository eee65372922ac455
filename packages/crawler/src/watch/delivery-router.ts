/**
 * DeliveryRouter: how the pages that are due at a site come: one by one, many in one request, out of packages of changed
 * pages, or with the word that they have changed, whichever costs least of what there is (`choose/delivery-choice.ts` of follow). What one
 * way does not bring goes by another.
 */
import type { Instant } from '@comity/protocol'
import type { Collection } from '@comity/collection'
import type { Frontier, Revisit } from '@comity/frontier'
import { ChangeDumpHandler } from '../bulk/change-dump-handler.ts'
import type {
  CooperationStore,
  Deliveries,
  DuePage,
  Estimate,
  ChangedPagesWish,
  BulkCost,
  Questions,
  BulkWay,
  BulkOfferKind,
  Offer,
} from '@comity/follow'
import { DeliveredPages, schemeOf } from '../bulk/delivered-pages.ts'
import { BATCH_PAGES, chooseDelivery, wantsPages, afterBadPages, afterGoodPages, afterTrouble } from '@comity/follow'
import { DeliveryHandler } from '../bulk/delivery-handler.ts'
import { FilterDelivery } from '../bulk/filter-delivery.ts'
import type { CrawlOptions } from '../options.ts'
import type { SettledVisit } from '@comity/ingest'
import type { RevisitHandler } from './revisit-handler.ts'
import type { VisitParts } from '../fetch/visit.ts'
import { FILTER_PAGES } from './watch-figures.ts'
import type { WatchFigures } from './watch-figures.ts'
import type { WatchOptions } from '../watch-options.ts'

interface DeliveryRouterParts {
  readonly options: CrawlOptions
  readonly watch: WatchOptions
  readonly frontier: Frontier
  readonly collection: Collection
  readonly store: CooperationStore
  readonly questions: Questions
  readonly handler: RevisitHandler
  readonly figures: WatchFigures
  readonly visits: VisitParts
  readonly random: () => number
  readonly now: () => Instant
}

/** Pages that are looked for in packages together, and fewest that are worth a look. */
const PACKAGE_PAGES = 256
const LEAST_PACKED = 8

export class DeliveryRouter {
  readonly #parts: DeliveryRouterParts
  readonly #delivered: DeliveredPages
  readonly #batches: DeliveryHandler
  readonly #changeDumps: ChangeDumpHandler
  readonly #filtered: FilterDelivery
  /** Whether a site's changed pages came as differences, the last time that one could have. */
  readonly #sendsDifferences = new Map<number, boolean>()

  constructor(parts: DeliveryRouterParts) {
    this.#parts = parts
    this.#delivered = this.#createDelivered()
    this.#batches = this.#createBatches()
    this.#changeDumps = this.#createChangeDumps()
    this.#filtered = this.#createFiltered()
  }

  /** A page is due: perhaps others of its site come along. */
  send(first: Revisit, now: Instant): void {
    const { handler } = this.#parts
    const { site } = first
    const batch = this.#offerOf(site, 'batch', now)
    const dump = this.#changeDumps.isBusy(site) ? undefined : this.#offerOf(site, 'change-dump', now)
    const most = dump === undefined ? (batch === undefined ? 1 : BATCH_PAGES) : PACKAGE_PAGES
    const also = most === 1 ? [] : handler.takeAlso(site, most - 1, now)
    const pages = [first, ...also].map(({ page }) => page)
    const packed = dump === undefined ? [] : this.#sendPacked(site, dump, pages, now)
    const rest = pages.filter((page) => !packed.includes(page))
    const together = rest.slice(0, BATCH_PAGES)
    const isBatched = batch !== undefined && this.#isBatchBest(site, together, now)
    if (isBatched) this.#batches.ask(site, new URL(batch.url).pathname, together)
    else if (rest[0] === first.page) this.#visitAlone(first.page)
    // They would have come along; by themselves they wait until they are due.
    for (const page of rest.slice(isBatched ? BATCH_PAGES : 0)) if (page !== first.page) handler.putBack(page, now)
  }

  /** How a site's filter is asked for pages, when that is worth it. */
  changedPagesWishOf(site: number, offer: Offer): ChangedPagesWish | undefined {
    const { handler, frontier, visits } = this.#parts
    const now = this.#parts.now()
    const isResting = offer.checkedAt === 0 || (offer.bringsAgainAt ?? 0) > now
    if (isResting || handler.queue.trustOf(site)?.believesContent('filter', now) === false) return undefined
    const { bytes, visited } = frontier.sites[site]!
    const news = { pages: offer.news, bytes: bytes / Math.max(1, visited), wanted: this.#filtered.wantedOf(site) }
    if (!wantsPages(news, this.#waysOf(site, now), (estimate) => this.#costOf(estimate))) return undefined
    const fields = visits.differences.isWanted(site) ? 'difference' : 'page'
    return { fields, take: (pages, address) => this.#filtered.take(site, pages, address) }
  }

  brought(site: number, { requests, bytes, problem }: BulkCost): void {
    const { figures, store } = this.#parts
    figures.looked(FILTER_PAGES, bytes, requests)
    const row = store.of(site).offers
    if (problem !== undefined) this.#rest(site, 'filter', problem)
    else if (row !== undefined) store.note(site, { offers: afterGoodPages(row) })
  }

  /** A site has told of a change that was news. */
  told(site: number, page: number, now: Instant): void {
    this.#filtered.told(site, this.#parts.handler.isDue(page, now))
  }

  tick(now: Instant): void {
    this.#batches.giveUpWaiting(now)
    this.#changeDumps.giveUpWaiting(now)
  }

  mustBeWhole(page: number): boolean {
    return this.#delivered.mustBeWhole(page)
  }

  settled(visit: SettledVisit): void {
    const { scheme, row, before } = visit
    this.#delivered.settled(visit)
    if (scheme === 'difference' || scheme === 'dictionary') this.#sendsDifferences.set(row.site, true)
    const isWhole = scheme === undefined && before !== undefined && row.changes > before.changes
    if (isWhole && isBase(before)) this.#sendsDifferences.set(row.site, false)
  }

  /** Those that are announced, when packages are the best way for them; returns which. */
  #sendPacked(site: number, offer: Offer, pages: readonly number[], now: Instant): readonly number[] {
    const announced = pages.flatMap((page) => {
      const facts = this.#parts.handler.queue.factsOf(page, now)
      return facts === undefined || facts.signals === 0 ? [] : [{ page, visitedAt: facts.visitedAt }]
    })
    if (announced.length < LEAST_PACKED) return []
    const due = new Map(announced.map(({ page }) => [page, this.#dueFacts(page, now)]))
    const otherwise = this.#waysOf(site, now)
    const changeDump = costOfPackages(offer)
    const { way } = chooseDelivery([...due.values()], { ...otherwise, changeDump }, (estimate) =>
      this.#costOf(estimate),
    )
    if (way !== 'change-dump') return []
    const since = announced.reduce((oldest, { visitedAt }) => Math.min(oldest, visitedAt), Infinity)
    this.#changeDumps.ask(site, offer, { pages: due, since, otherwise })
    return [...due.keys()]
  }

  #isBatchBest(site: number, pages: readonly number[], now: Instant): boolean {
    const due = pages.map((page) => this.#dueFacts(page, now))
    return chooseDelivery(due, this.#waysOf(site, now), (estimate) => this.#costOf(estimate)).way === 'batch'
  }

  /** They are on their way already, so they are asked for now. */
  #fetchOtherwise(site: number, pages: readonly number[]): void {
    const now = this.#parts.now()
    const batch = this.#offerOf(site, 'batch', now)
    for (let at = 0; at < pages.length; at += BATCH_PAGES) {
      const some = pages.slice(at, at + BATCH_PAGES)
      const isBatched = batch !== undefined && this.#isBatchBest(site, some, now)
      if (isBatched) this.#batches.ask(site, new URL(batch.url).pathname, some)
      else for (const page of some) this.#visitAlone(page)
    }
  }

  #visitAlone(page: number): void {
    this.#parts.frontier.revisit(page)
  }

  #waysOf(site: number, now: Instant): Deliveries {
    const batchPages = this.#offerOf(site, 'batch', now) === undefined ? undefined : BATCH_PAGES
    return { batchPages, differences: this.#sendsDifferences.get(site) ?? true }
  }

  /** Of a budget in requests and bytes, that of which more is spent decides; by bytes alone few batches would be worth it. */
  #costOf({ requests, bytes }: Estimate): number {
    const { requestsPerSecond, bytesPerSecond } = this.#parts.watch
    return Math.max(requests / requestsPerSecond, bytes / bytesPerSecond)
  }

  #dueFacts(page: number, now: Instant): DuePage {
    const facts = this.#parts.handler.queue.factsOf(page, now)
    const row = this.#parts.collection.page(page)
    const days = facts === undefined ? 0 : (now - facts.visitedAt) / facts.dayMs
    const chance = facts === undefined ? 1 : -Math.expm1(-(facts.hiddenRate * days + facts.suspicion))
    return { bytes: row?.bytes ?? 0, chance, hasBase: row !== undefined && isBase(row) }
  }

  #offerOf(site: number, wanted: BulkOfferKind, now: Instant): Offer | undefined {
    const offers = this.#parts.store.of(site).offers?.offers ?? []
    return offers.find(({ kind, restsUntil }) => kind === wanted && restsUntil <= now)
  }

  #rest(site: number, way: BulkWay, problem: string): void {
    const { store } = this.#parts
    const row = store.of(site).offers
    if (row === undefined) return
    const now = this.#parts.now()
    const offers = way === 'filter' ? afterBadPages(row, problem, now) : afterTrouble(row, way, problem, now)
    store.note(site, { offers })
  }

  #createDelivered(): DeliveredPages {
    const { options, frontier, collection, visits, random } = this.#parts
    const { pages, pool, faults, room } = visits
    return new DeliveredPages({
      frontier,
      collection,
      pages,
      pool,
      faults,
      room: () => room.forPage(),
      random,
      maxDecodedBytes: options.maxDecodedBytes,
      visitAlone: (page) => this.#visitAlone(page),
      onLie: (site, way) => this.#rest(site, way, 'it delivered another page than it serves'),
    })
  }

  #createFiltered(): FilterDelivery {
    const { options, watch, frontier, visits, handler, now } = this.#parts
    return new FilterDelivery({
      frontier,
      now,
      delivered: this.#delivered,
      urlRules: options.urlRules,
      allows: (site, url) => this.#allows(site, url),
      takesNew: watch.explore > 0,
      expect: (page) => handler.expect(page, now()),
      track: (settled, bytes) => visits.room.track(settled, bytes),
      onUseless: (site, problem) => this.#rest(site, 'filter', problem),
    })
  }

  #allows(site: number, url: string): boolean {
    const { options, visits } = this.#parts
    return visits.start.reasonSince(url) === undefined && (options.ignoreRobots || visits.robots.allows(site, url))
  }

  #createBatches(): DeliveryHandler {
    const { frontier, collection, questions, visits, figures, now } = this.#parts
    return new DeliveryHandler({
      faults: this.#parts.visits.faults,
      frontier,
      collection,
      questions,
      now,
      delivered: this.#delivered,
      track: (settled, bytes) => visits.room.track(settled, bytes),
      visitAlone: (page) => this.#visitAlone(page),
      onBroken: (site, problem) => this.#rest(site, 'batch', problem),
      onDelivered: (bytes) => figures.looked(schemeOf('batch'), bytes),
    })
  }

  #createChangeDumps(): ChangeDumpHandler {
    const { options, visits } = this.#parts
    const { room, pool, faults } = visits
    return new ChangeDumpHandler({
      ...this.#parts,
      faults,
      room,
      documents: pool,
      delivered: this.#delivered,
      urlRules: options.urlRules,
      maxDecodedBytes: options.maxDecodedBytes,
      allows: (site, url) => this.#allows(site, url),
      costOf: (estimate) => this.#costOf(estimate),
      fetchOtherwise: (site, pages) => this.#fetchOtherwise(site, pages),
      onBroken: (site, problem) => this.#rest(site, 'change-dump', problem),
    })
  }
}

function costOfPackages({ checkedAt, news, requests, bytes }: Offer): Deliveries['changeDump'] {
  return checkedAt === 0 || news <= 0 ? {} : { requests: (requests ?? 1) / news, bytes: (bytes ?? 0) / news }
}

/** A difference could be made from it. */
const isBase = ({ etag, contentKey }: { etag?: string | undefined; contentKey?: unknown }): boolean =>
  etag !== undefined && contentKey !== undefined
