/**
 * OfferHandler: finds out what sites offer crawlers, and asks them in time what has changed. What is told becomes signals about
 * pages that are known, and listings of pages that are not.
 *
 *   search ──▶ row of offers ──▶ look at the best of them ──▶ told everything: again when news is likely (`choose/next-poll.ts` of follow)
 *      ▲                              │ failed: it rests, the next best is looked at (`choose/listing-choice.ts` of follow)
 *      └── after a week ──────────────┘
 *
 * With one site there is at most one inquiry, which asks one question at a time; each is a prerequisite and waits for the
 * site's turn. What a site says is a claim about itself: documents and pages of other origins count for nothing.
 */
import { API_CATALOG_PATH } from '@comity/protocol'
import type { Instant, Robots, UrlRules } from '@comity/protocol'
import type { Collection } from '@comity/collection'
import type { Frontier } from '@comity/frontier'
import {
  afterPoll,
  afterSearch,
  Calendar,
  FeedLinks,
  canListAll,
  OFFER_POLLS,
  nextPoll,
  nextPollAt,
  OfferMemory,
  ownUrl,
  searchOffers,
  withFeeds,
} from '@comity/follow'
import type {
  Inquiry,
  CooperationStore,
  ChannelRecords,
  OfferPollEnd,
  FoundOffers,
  Questions,
  Offer,
  OfferKind,
  SiteOffers,
  PolledKind,
  Spent,
} from '@comity/follow'
import { FAULT } from '@comity/ingest'
import type { FaultIsolation } from '@comity/ingest'
import type { DeliveryRouter } from './delivery-router.ts'
import { SiteTalks } from './site-talks.ts'
import { ReportedPages } from './reported-pages.ts'
import type { OfferListener } from './reported-pages.ts'
import type { WatchOptions } from '../watch-options.ts'

/** What sites' robots.txt say to us. */
export interface SiteRules {
  /** A site whose robots.txt is not known yet allows nothing, and is not looked at. */
  allows(site: number, url: string): boolean
  /** What it says, where there is one. */
  of(site: number): Robots | undefined
}

export interface OfferHandlerParts {
  readonly frontier: Frontier
  readonly collection: Collection
  readonly store: CooperationStore
  readonly questions: Questions
  readonly options: WatchOptions
  readonly urlRules: UrlRules
  readonly now: () => Instant
  readonly random: () => number
  readonly faults: FaultIsolation
  readonly rules: SiteRules
  readonly listener: OfferListener
  /** Whether and how a site's filter is asked for the pages that have changed, and what that brought. */
  readonly router?: Pick<DeliveryRouter, 'changedPagesWishOf' | 'brought'> | undefined
  /** What was learnt of a site's channels. */
  readonly trustOf: (site: number) => ChannelRecords | undefined
  /** Media types that matter; absent for all. */
  readonly types?: readonly string[] | undefined
}

/** A site that has news is asked at once, but not for every word of it. */
const HURRY_MS = 10_000
const NOTHING: Spent = { requests: 0, bytes: 0 }
const BROKEN_OFF: OfferPollEnd = { problem: 'it was not answered to its end' }

export class OfferHandler {
  readonly #parts: OfferHandlerParts
  readonly #pages: ReportedPages
  readonly #due = new Calendar()
  readonly #talks: SiteTalks
  readonly #feeds = new FeedLinks()
  readonly #spent = new Map<OfferKind | 'search', Spent>()
  /** When sites that say that they have news may be asked for them again. */
  readonly #hurried = new Map<number, Instant>()
  /** Sites that have news since their inquiry began. */
  readonly #hurries = new Set<number>()

  constructor(parts: OfferHandlerParts) {
    this.#parts = parts
    this.#pages = new ReportedPages(parts)
    this.#talks = new SiteTalks(parts)
  }

  /** See to it that a site is asked what it offers and what has changed. Harmless to call for every visit. */
  lookAt(site: number, now: Instant): void {
    if (!this.#parts.options.signals || this.#due.has(site) || this.#talks.has(site)) return
    if (this.#mayAsk(site)) this.#schedule(site, now)
  }

  /** A site says that it has something new to tell. */
  hurry(site: number, now: Instant): void {
    if (!this.#parts.options.signals || !this.#mayAsk(site)) return
    if (this.#talks.has(site)) {
      this.#hurries.add(site)
      return
    }
    const at = Math.max(now, this.#hurried.get(site) ?? 0)
    if (at === now) this.#hurried.set(site, now + HURRY_MS)
    this.#due.set(site, Math.min(at, this.#due.at(site) ?? Infinity))
  }

  /** A page, or its answer, may name a capability list. */
  linked(site: number, targets: readonly string[], now: Instant): void {
    for (const target of targets) this.#link(site, target, now)
  }

  /** A page links to feeds. */
  linkedFeeds(site: number, page: string, feeds: readonly string[], now: Instant): void {
    const own = this.#feeds.linked(this.#originOf(site), page, feeds)
    if (own.length > 0) this.#feed(site, own, [], now)
  }

  /** Ask what is due. Returns how many conversations were begun. */
  tick(now: Instant): number {
    this.#talks.breakOffLost(now)
    let begun = 0
    while (this.#talks.hasRoom) {
      const site = this.#due.take(now)
      if (site === undefined) break
      if (this.#beginApart(site, now)) begun++
    }
    return begun
  }

  nextAt(): Instant {
    const due = this.#talks.hasRoom ? this.#due.nextAt() : Infinity
    return Math.min(due, this.#talks.nextAt())
  }

  /** Requests and bytes that asking has cost in this run, by what was asked. */
  get spent(): ReadonlyMap<OfferKind | 'search', Spent> {
    return this.#spent
  }

  offersOf(site: number): SiteOffers | undefined {
    return this.#parts.store.of(site).offers
  }

  // ── when ───────────────────────────────────────────────────────────────────────────────────────────────────

  #schedule(site: number, now: Instant): void {
    if (this.#parts.frontier.sites[site]?.givenUp !== true) this.#due.set(site, this.#dueAt(site, now))
  }

  #dueAt(site: number, now: Instant): Instant {
    const { options, trustOf, random } = this.#parts
    const row = this.offersOf(site)
    return row === undefined ? now : nextPollAt(row, trustOf(site), options, now, random)
  }

  // ── what ───────────────────────────────────────────────────────────────────────────────────────────────────

  /** A site that we fail on before it is even asked is left alone for a day. */
  #beginApart(site: number, now: Instant): boolean {
    const { faults, options } = this.#parts
    const about = { kind: 'question', origin: this.#parts.frontier.sites[site]?.origin } as const
    const begun = faults.apartNow(about, () => this.#begin(site, now))
    if (begun !== FAULT) return begun
    this.#talks.forget(site)
    this.#due.set(site, now + options.dayMs)
    return false
  }

  #begin(site: number, now: Instant): boolean {
    if (!this.#mayAsk(site)) return false
    const row = this.offersOf(site)
    if (row === undefined || row.lookAgainAt <= now) {
      this.#search(site)
      return true
    }
    const offer = nextPoll(row, this.#parts.trustOf(site), this.#parts.options, now)
    if (offer === undefined) this.#schedule(site, now)
    else this.#poll(site, offer)
    return offer !== undefined
  }

  #search(site: number): void {
    const { rules } = this.#parts
    const inquiry = searchOffers({
      origin: this.#originOf(site),
      robots: this.#parts.rules.of(site),
      capabilityLists: this.#parts.store.of(site).capabilityLists ?? [],
      feeds: this.#parts.store.of(site).feeds,
      allows: (url) => rules.allows(site, url),
    })
    this.#talk(site, inquiry, (found, spent) => {
      this.#count('search', spent)
      this.#searched(site, found)
    })
  }

  #searched(site: number, found: FoundOffers = { offers: [], isTroubled: true }): void {
    const { store, options, now } = this.#parts
    store.note(site, { offers: afterSearch(this.offersOf(site), found, now(), options.dayMs) })
  }

  #poll(site: number, offer: Offer): void {
    const { store, types, router } = this.#parts
    const row = this.offersOf(site)
    const memory = new OfferMemory(row, offer.url)
    const kind = offer.kind as PolledKind
    const origin = this.#originOf(site)
    let news = 0
    const inquiry = OFFER_POLLS[kind]({
      origin,
      offer,
      memory,
      types,
      robots: this.#parts.rules.of(site),
      toldAt: row?.toldAt,
      hasOtherLists: canListAll(row?.offers ?? []),
      bring: kind === 'filter' ? router?.changedPagesWishOf(site, offer) : undefined,
      tell: (told, document) => {
        const { page, isNews } = this.#pages.tell(site, origin, told.channel ?? kind, told)
        if (isNews) news++
        if (document !== undefined && page !== -1) memory.named.name(document, page, told.change === 'deleted')
      },
      keep: () => store.note(site, { offers: { ...this.offersOf(site)!, ...memory.row() } }),
    })
    this.#talk(site, inquiry, (end = BROKEN_OFF, all) => {
      const { brought = NOTHING } = end
      const spent = { requests: all.requests - brought.requests, bytes: all.bytes - brought.bytes }
      this.#count(kind, spent)
      const missed = end.isComplete === true ? this.#miss(site, kind, memory.named.missing(end.documents)) : 0
      this.#looked(site, offer, memory, end, spent, news + missed)
    })
  }

  /** Returns how many of those that are named no more are news. */
  #miss(site: number, kind: PolledKind, pages: readonly number[]): number {
    const now = this.#parts.now()
    return pages.filter((page) => this.#pages.miss(site, page, kind, now)).length
  }

  #looked(site: number, offer: Offer, memory: OfferMemory, end: OfferPollEnd, spent: Spent, news: number): void {
    const { store, options, now } = this.#parts
    // Broken off, it may have noted what it never came to tell; what counts is what it kept.
    const row = { ...this.offersOf(site)!, ...(end === BROKEN_OFF ? {} : memory.row()) }
    const { problem, isBehind, up, brought, feeds = [] } = end
    if (problem === undefined) this.#parts.listener.onTold?.(site, offer.kind as PolledKind)
    const outcome = { at: now(), news, spent, problem, isBehind }
    store.note(site, { offers: afterPoll(row, offer, outcome, options) })
    if (brought !== undefined) this.#parts.router?.brought(site, brought)
    if (up !== undefined) this.#link(site, up, now())
    if (feeds.length > 0) this.#feed(site, feeds, feeds, now())
  }

  // ── effects ────────────────────────────────────────────────────────────────────────────────────────────────

  #talk<Result>(
    site: number,
    inquiry: Inquiry<Result>,
    then: (result: Result | undefined, spent: Spent) => void,
  ): void {
    const { now } = this.#parts
    this.#talks.begin(site, inquiry, (result, spent) => {
      then(result, spent)
      this.#schedule(site, now())
      if (this.#hurries.delete(site)) this.hurry(site, now())
    })
  }

  #count(about: OfferKind | 'search', { requests, bytes }: Spent): void {
    const before = this.#spent.get(about)
    this.#spent.set(about, { requests: (before?.requests ?? 0) + requests, bytes: (before?.bytes ?? 0) + bytes })
  }

  #link(site: number, target: string, now: Instant): void {
    const url = ownUrl(target, this.#originOf(site))
    const row = this.offersOf(site)
    const isKnown = row?.offers.some(({ kind }) => kind === 'change-list') === true
    if (url === undefined || isKnown || !this.#parts.store.linked(site, url) || row === undefined) return
    this.#parts.store.note(site, { offers: { ...row, lookAgainAt: now } })
    if (!this.#talks.has(site)) this.#schedule(site, now)
  }

  /** `found`: those that stood among the sitemaps. */
  #feed(site: number, feeds: readonly string[], found: readonly string[], now: Instant): void {
    const { store } = this.#parts
    store.fed(site, feeds)
    const row = this.offersOf(site)
    if (row === undefined) return
    const all = store.of(site).feeds ?? []
    const offered = row.offers.find(({ kind }) => kind === 'feed')
    const isKnown = offered !== undefined && all.length === 1 + (offered.also?.length ?? 0)
    if (isKnown && found.length === 0) return
    store.note(site, { offers: withFeeds(row, all, found) })
    if (!this.#talks.has(site)) this.#schedule(site, now)
  }

  #mayAsk(site: number): boolean {
    const { collection, rules } = this.#parts
    const robots = collection.robots(site)
    const isKnown = robots !== undefined && robots.verdict !== 'disallow-all'
    return isKnown || rules.allows(site, `${this.#originOf(site)}${API_CATALOG_PATH}`)
  }

  #originOf(site: number): string {
    return this.#parts.frontier.sites[site]!.origin
  }
}
