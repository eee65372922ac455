/**
 * RunWatch: what a run does besides crawling when it keeps a collection fresh. The loop gives it a turn before each lease;
 * it lets a page that is due into the frontier, or asks for several at once where a site takes that, asks sites what
 * changed, and holds all requests to one budget.
 */
import type { Instant, PageEntry, Signal } from '@comity/protocol'
import type { Collection } from '@comity/collection'
import type { Frontier, Revisit, Task } from '@comity/frontier'
import { CooperationBook } from './cooperation-book.ts'
import { chooseDelivery } from './delivery-choice.ts'
import type { Delivery, DuePage, Estimate } from './delivery-choice.ts'
import { DeliveryDesk } from './delivery-desk.ts'
import { ExpiresCalendar } from './expires-calendar.ts'
import type { ChannelRecords } from './listing-choice.ts'
import { OfferDesk } from './offer-desk.ts'
import type { CrawlOptions } from './options.ts'
import type { SettledVisit } from './page-desk.ts'
import type { Questions } from './questions.ts'
import { RevisitDesk } from './revisit-desk.ts'
import { TELLING } from './site-offers.ts'
import type { Offer } from './site-offers.ts'
import type { VisitParts } from './visit.ts'
import { WatchFigures, estimateFreshness } from './watch-figures.ts'
import type { WatchSample } from './watch-figures.ts'
import { rememberWatch } from './watch-memory.ts'
import type { WatchOptions } from './watch-options.ts'

export interface RunWatchParts {
  readonly options: CrawlOptions
  readonly watch: WatchOptions
  readonly frontier: Frontier
  readonly collection: Collection
  readonly questions: Questions
  readonly visits: VisitParts
  readonly random: () => number
  readonly now: () => Instant
}

/** Pages of one batch. */
const BATCH_PAGES = 50
/** Changes a day of a page that channels are compared by. */
const TYPICAL_RATE = 0.1
/** Visits to pages that a channel announced, before it is judged by them. */
const ENOUGH_HEARD = 10
/** A site whose deliveries were of no use delivers none for so long; doubles. */
const BROKEN_MS = 3_600_000
const MOST_BROKEN_MS = 30 * 86_400_000

export class RunWatch {
  readonly desk: RevisitDesk
  readonly figures: WatchFigures = new WatchFigures()
  readonly #parts: RunWatchParts
  readonly #book: CooperationBook
  readonly #offers: OfferDesk
  readonly #delivery: DeliveryDesk
  readonly #expires = new ExpiresCalendar()

  constructor(parts: RunWatchParts) {
    this.#parts = parts
    const { options, watch, frontier, collection, random } = parts
    this.#book = new CooperationBook(collection)
    const { urlRules, manners } = options
    const { pagesPerConnection } = manners
    const shared = { options: watch, frontier, collection, book: this.#book, urlRules, random }
    this.desk = new RevisitDesk({ ...shared, pagesPerConnection })
    this.#offers = this.#createOffers()
    this.#delivery = this.#createDelivery()
  }

  restore(now: Instant): void {
    const { frontier } = this.#parts
    this.desk.restore(now)
    for (const site of frontier.sites) if (site.visited > 0) this.#offers.lookAt(site.id, now)
  }

  /** Before a lease: perhaps somebody is to be asked what changed, or a page is due. */
  turn(now: Instant): void {
    const { frontier } = this.#parts
    this.#offers.tick(now)
    this.#delivery.giveUpWaiting(now)
    const urlOf = (page: number): string => frontier.urlOf(page)
    for (let signal = this.#expires.take(now, urlOf); signal !== undefined; signal = this.#expires.take(now, urlOf)) {
      this.#heard(signal)
    }
    const revisit = this.desk.take(now)
    if (revisit !== undefined) this.#send(revisit, now)
  }

  /** A request is about to be made. */
  asked(task: Task): void {
    this.desk.asked(task, this.#parts.now())
    this.figures.asked()
  }

  settled(visit: SettledVisit): void {
    const { page, row, at, headers } = visit
    this.desk.settled(visit)
    this.figures.settled(visit)
    this.#delivery.settled(visit)
    if (!this.#parts.watch.signals) return
    if (headers !== undefined) {
      this.#expires.visited(page, row.site, { status: row.status, headers }, at)
      this.#offers.linked(row.site, this.#parts.frontier.urlOf(page), headers, at)
    }
    this.#offers.lookAt(row.site, at)
  }

  sample(now: Instant): WatchSample {
    const { watch, frontier, random } = this.#parts
    const { requestsPerSecond, dayMs } = watch
    const { queue } = this.desk
    const estimate = estimateFreshness(frontier.pages.count, (page) => queue.factsOf(page, now), now, random)
    const terms = { policy: watch.policy.name, requestsPerSecond, dayMs }
    return this.figures.sample(terms, queue.size, estimate, this.#offers.spent)
  }

  /** Goes with the next commit. */
  save(): void {
    const { collection, watch, now } = this.#parts
    this.desk.save()
    const { queue } = this.desk
    rememberWatch(collection, {
      at: now(),
      price: queue.price,
      bytesPerSecond: watch.bytesPerSecond,
      sample: this.sample(now()),
    })
  }

  isSpent(now: Instant): boolean {
    return this.desk.isSpent(now)
  }

  nextAt(now: Instant): Instant {
    return Math.min(this.desk.nextAt(now), Math.max(now, this.#offers.nextAt()), this.#expires.nextAt())
  }

  /** One page by itself, or several together where that is worth it. */
  #send(first: Revisit, now: Instant): void {
    const { frontier } = this.#parts
    const batch = this.#batchOf(first.site, now)
    const also = batch === undefined ? [] : this.desk.takeAlso(first.site, BATCH_PAGES - 1, now)
    const pages = [first, ...also].map(({ page }) => page)
    const deliveries = { batchPages: batch === undefined ? undefined : BATCH_PAGES, differences: true }
    const due = pages.map((page) => this.#dueFacts(page, now))
    if (batch !== undefined && this.#isCheaper(chooseDelivery(due, deliveries))) {
      this.#delivery.ask(first.site, new URL(batch.url).pathname, pages)
    } else for (const page of pages) frontier.revisit(page)
  }

  /** Of a budget in requests and bytes, that of which more is spent decides; by bytes alone few batches would be worth it. */
  #isCheaper({ single, batch }: Delivery): boolean {
    const { requestsPerSecond, bytesPerSecond } = this.#parts.watch
    const cost = ({ requests, bytes }: Estimate): number =>
      Math.max(requests / requestsPerSecond, bytes / bytesPerSecond)
    return batch !== undefined && cost(batch) < cost(single)
  }

  #dueFacts(page: number, now: Instant): DuePage {
    const facts = this.desk.queue.factsOf(page, now)
    const row = this.#parts.collection.page(page)
    const days = facts === undefined ? 0 : (now - facts.visitedAt) / facts.dayMs
    const chance = facts === undefined ? 1 : -Math.expm1(-(facts.hiddenRate * days + facts.suspicion))
    return { bytes: row?.bytes ?? 0, chance, hasBase: row?.etag !== undefined && row.contentKey !== undefined }
  }

  #batchOf(site: number, now: Instant): Offer | undefined {
    const offers = this.#book.of(site).offers?.offers ?? []
    return offers.find(({ kind, restsUntil }) => kind === 'batch' && restsUntil <= now)
  }

  #heard(signal: Signal): string {
    const verdict = this.desk.heard(signal, this.#parts.now())
    this.figures.heard(signal.channel, verdict)
    return verdict
  }

  #createOffers(): OfferDesk {
    const { options, watch, frontier, collection, questions, visits, now, random } = this.#parts
    const { robots, sitemaps } = visits
    return new OfferDesk({
      frontier,
      collection,
      book: this.#book,
      questions,
      options: watch,
      urlRules: options.urlRules,
      now,
      random,
      allows: (site, url) => options.ignoreRobots || robots.allows(site, url),
      onSignal: (signal) => this.#heard(signal),
      onListed: (url: string, _entry: PageEntry) => void sitemaps.offer(url),
      trustOf: (site) => this.#recordsOf(site),
    })
  }

  /**
   * What was learnt of a site's channels, once there is enough of it. Recall is the site's: which channel told first,
   * nobody notes.
   */
  #recordsOf(site: number): ChannelRecords | undefined {
    const trust = this.desk.queue.trustOf(site)
    const heard = trust?.state().channels.filter((channel) => channel.heard >= ENOUGH_HEARD) ?? []
    if (trust === undefined || heard.length === 0) return undefined
    const recall = trust.recall().guess
    const known = TELLING.filter((kind) => heard.some(({ channel }) => channel === kind))
    return Object.fromEntries(known.map((kind) => [kind, { recall, precision: trust.precisionOf(kind, TYPICAL_RATE) }]))
  }

  #createDelivery(): DeliveryDesk {
    const { options, frontier, collection, questions, visits, now, random } = this.#parts
    const { pages, pool, room, track } = visits
    return new DeliveryDesk({
      frontier,
      collection,
      pages,
      pool,
      questions,
      now,
      random,
      maxDecodedBytes: options.maxDecodedBytes,
      room,
      track,
      visitAlone: (page) => frontier.revisit(page),
      onBroken: (site, problem) => this.#restDeliveries(site, problem),
      onDelivered: ({ scheme, bytes }) => this.figures.looked(scheme, bytes),
    })
  }

  #restDeliveries(site: number, problem: string): void {
    const row = this.#book.of(site).offers
    if (row === undefined) return
    const now = this.#parts.now()
    const offers = row.offers.map((offer) => {
      if (offer.kind !== 'batch') return offer
      const restsUntil = now + Math.min(MOST_BROKEN_MS, BROKEN_MS * 2 ** offer.failures)
      return { ...offer, failures: offer.failures + 1, problem, restsUntil }
    })
    this.#book.note(site, { offers: { ...row, offers } })
  }
}
