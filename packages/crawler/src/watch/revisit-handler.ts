/**
 * RevisitHandler: which of the pages we hold are fetched again, and when. The frontier's calendar of visits decides; here it
 * meets the run: pages that are due go into the frontier's queues, what visits found comes back, what sites say of their
 * pages is heard, and all of it is kept with the collection.
 *
 *   held ──due──▶ frontier ──visit──▶ settled ──▶ held, with what was learnt
 *    ▲ heard: a signal
 */
import { canonicalUrl } from '@comity/protocol'
import type { Instant, Signal, SignalChannel, UrlRules } from '@comity/protocol'
import type { Collection, PageRow } from '@comity/collection'
import {
  DONE,
  FAILED,
  RevisitQueue,
  VisitBudget,
  WAITING,
  decodeRevisitRecord,
  encodeRevisitRecord,
  versionMark,
} from '@comity/frontier'
import type { Frontier, HeldPage, Revisit, SignalVerdict, Task } from '@comity/frontier'
import type { CooperationStore } from '@comity/follow'
import { importanceOf } from '@comity/search'
import { HEAD_BYTES, keptDigest, shortDigest } from '@comity/follow'
import { meaningOf } from '@comity/ingest'
import type { SettledVisit } from '@comity/ingest'
import { instantOf, answersError, isHeld, isOther } from './held-version-facts.ts'
import { sharedPriorities } from './site-order.ts'
import type { WatchOptions } from '../watch-options.ts'

interface RevisitHandlerParts {
  readonly options: WatchOptions
  readonly frontier: Frontier
  readonly collection: Collection
  readonly store: CooperationStore
  readonly urlRules: UrlRules
  readonly random: () => number
  /** Visits to one site that may be made on one connection. */
  readonly pagesPerConnection: number
}

/** What tells one version of a page from another. */
interface Version {
  readonly digest?: string | undefined
  readonly changedAt?: Instant | undefined
  readonly modifiedAt?: Instant | undefined
}

/** A page whose visit failed, through no fault of its own, is left alone for so long. */
const POSTPONE_MS = 60_000
/** Longer than it takes to read what has arrived. */
const EXPECTED_MS = 5_000
/** How soon a site that is being visited is asked about again. */
const BUSY_MS = 200
const GIVEN_UP_MS = 3_600_000
/** Pages that wait for their site's turn at a time, and how long one counts. */
const MOST_IN_LINE = 2
const IN_LINE_MS = 2_000
/** A page that is gone is looked for again, but not as often as one that is there. */
const GONE_WORTH = 0.1

export class RevisitHandler {
  readonly queue: RevisitQueue
  readonly #parts: RevisitHandlerParts
  /** All requests, whatever they are for. */
  readonly #budget: VisitBudget
  readonly #why = new Map<number, string>()
  /** Pages taken one by one that were not asked for yet, and since when: what is taken later may be worth more. */
  readonly #inLine = new Map<number, Instant>()
  readonly #moved = new Set<number>()
  readonly #trusted = new Set<number>()
  #importance: Float32Array = new Float32Array(0)
  /** Requests for new pages that the share allows at this moment. */
  #exploreCredit = 0

  constructor(parts: RevisitHandlerParts) {
    this.#parts = parts
    const { policy, requestsPerSecond, bytesPerSecond, dayMs } = parts.options
    const budget = { requestsPerSecond, bytesPerSecond }
    this.#budget = new VisitBudget(budget)
    const outPerSite = Math.max(1, Math.min(parts.pagesPerConnection, 100))
    this.queue = new RevisitQueue({ policy, budget, random: parts.random, dayMs, outPerSite })
  }

  /** Every page that was ever fetched, with what is remembered of it. */
  restore(now: Instant): void {
    const { collection, frontier, store } = this.#parts
    this.#importance = importanceOf(collection)
    for (const { key: page, value: row } of collection.pages()) {
      const state = frontier.pages.stateOf(page)
      if (!isHeld(row) || (state !== DONE && state !== FAILED && state !== WAITING)) continue
      this.queue.added(page, this.#held(page, row), now)
      if (state !== WAITING) continue
      // It was on its way when the last run ended. As a new page it would wait for their share, or for ever if they have none.
      this.#why.set(page, 'it was on its way when the last run ended')
      frontier.resumeRevisit(page)
    }
    for (const site of frontier.sites) {
      const { trust, order } = store.of(site.id)
      if (trust !== undefined) this.queue.restoreTrust(site.id, trust)
      if (order !== undefined) this.reorder(order, now)
    }
  }

  /** A site's own order of some of its pages, best first: within the site alone (`watch/site-order.ts`). */
  reorder(pages: readonly number[], now: Instant): void {
    const { frontier, collection } = this.#parts
    const site = pages[0] === undefined ? -1 : frontier.pages.siteOf(pages[0])
    const held = pages.filter((page) => this.queue.has(page) && frontier.pages.siteOf(page) === site)
    for (const [page, importance] of sharedPriorities(held, (one) => this.queue.factsOf(one, now)!.importance)) {
      const row = collection.page(page)
      if (row !== undefined) this.queue.added(page, { ...this.#held(page, row), importance }, now)
    }
  }

  /** One page that is due, if there is one whose site is free and the budget pays for it. It is on its way then. */
  take(now: Instant): Revisit | undefined {
    if (this.isSpent(now) || this.#isExploring() || this.#lineMovesAt(now) > now) return undefined
    const revisit = this.queue.take(now, (site) => this.#freeAt(site, now))
    if (revisit === undefined) return undefined
    this.#inLine.set(revisit.page, now)
    this.#note(revisit, now)
    return revisit
  }

  /** More pages of a site, for a request that can bring several. */
  takeAlso(site: number, most: number, now: Instant): Revisit[] {
    const revisits = this.queue.takeAlso(site, most, now)
    for (const revisit of revisits) this.#note(revisit, now)
    return revisits
  }

  /** A page that was taken is not asked for after all. */
  putBack(page: number, now: Instant): void {
    this.#why.delete(page)
    this.#inLine.delete(page)
    this.queue.putBack(page, now)
  }

  /** Whether a page is worth a visit by now. */
  isDue(page: number, now: Instant): boolean {
    const facts = this.queue.factsOf(page, now)
    return facts !== undefined && this.#parts.options.policy.valueAt(facts, now) >= this.queue.price
  }

  /** A page is about to come by itself: for a moment it is not fetched. */
  expect(page: number, now: Instant): void {
    this.queue.postponed(page, now + EXPECTED_MS)
  }

  /** Whether this is the version that the last signal told of; true when it did not say which. */
  isAsAnnounced(page: number, { digest, changedAt, modifiedAt }: Version, now: Instant): boolean {
    const told = this.queue.recordOf(page)?.lastMark ?? 0
    const marks = [{ digest: shortDigest(digest) }, { changedAt }, { changedAt: modifiedAt }]
    return told === 0 || marks.some((mark) => versionMark(mark, now) === told)
  }

  /** Nothing may be asked of anybody before the budget is filled up again. */
  isSpent(now: Instant): boolean {
    return this.paidAt(now) > now
  }

  paidAt(now: Instant): Instant {
    return this.#budget.readyAt(now)
  }

  /** Whether a visit to a site ends here, though the site has more: new pages have only their share. */
  isEnough(site: number, now: Instant): boolean {
    const { frontier } = this.#parts
    if (this.isSpent(now)) return true
    const { prerequisites } = frontier.sites[site]!
    return prerequisites.length === 0 && !frontier.isDueAgain(site) && this.#exploreCredit < 1
  }

  /** A request was made, for a page that is new or for anything else. */
  asked(task: Task, now: Instant): void {
    const { explore } = this.#parts.options
    const isNew = task.kind === 'page' && !this.#why.has(task.page)
    if (task.kind === 'page') this.#inLine.delete(task.page)
    this.#budget.spendRequest(now)
    this.#exploreCredit = Math.min(10, this.#exploreCredit + explore) - (isNew ? 1 : 0)
    this.#exploreCredit = Math.max(-10, this.#exploreCredit)
  }

  nextAt(now: Instant): Instant {
    return Math.max(this.#budget.readyAt(now), this.#lineMovesAt(now), this.queue.nextAt(now))
  }

  /** Why a page is on its way; undefined when it is new. */
  whyOf(page: number): string | undefined {
    return this.#why.get(page)
  }

  /** A visit has ended, or a page came in another way. */
  settled(visit: SettledVisit): void {
    const { page, outcome, row, before, at, bytes } = visit
    const { disposition } = meaningOf(outcome)
    this.#why.delete(page)
    this.#inLine.delete(page)
    if (disposition !== 'done' || row.status === 0) {
      // What failed for good may be mended one day; what failed through no fault of its own, soon.
      this.queue.postponed(page, at + (disposition === 'failed' ? this.#parts.options.dayMs : POSTPONE_MS))
      return
    }
    if (this.queue.has(page)) {
      const result = {
        at,
        changed: isOther(before, row),
        bytes: bytes + HEAD_BYTES,
        digest: keptDigest(row.contentKey),
      }
      this.queue.visited(page, { ...result, lastModified: instantOf(row.lastModified) })
    } else if (isHeld(row)) this.queue.added(page, this.#held(page, row), at)
    else return
    if (before !== undefined && answersError(row) !== answersError(before))
      this.queue.added(page, this.#held(page, row), at)
    this.#moved.add(page)
    this.#trusted.add(row.site)
  }

  /** Somebody saw that our copy was as the page then: nobody need ask so soon. */
  confirmed(page: number, at: Instant): void {
    if (at <= (this.queue.factsOf(page, at)?.visitedAt ?? Infinity)) return
    this.queue.visited(page, { at, changed: false, bytes: 0 })
    this.#moved.add(page)
  }

  /** Somebody says that a page has changed. `unknown page`: it is not among those that are held. */
  heard(signal: Signal, now: Instant): SignalVerdict | 'unknown page' {
    const { frontier, urlRules } = this.#parts
    const url = canonicalUrl(signal.url, undefined, urlRules)
    const page = url === undefined ? -1 : frontier.findUrl(url)
    if (page === -1) return 'unknown page'
    const verdict = this.queue.signalled(page, { ...signal, digest: shortDigest(signal.digest) }, now)
    if (verdict === 'counted' || verdict === 'repeated') {
      this.#moved.add(page)
      this.#trusted.add(frontier.pages.siteOf(page))
    }
    return verdict
  }

  /** A channel of a site's was asked, and told all it knew; silence counts against it from now on. */
  listened(site: number, channel: SignalChannel, now: Instant): void {
    const trust = this.queue.trustOf(site)
    if (trust === undefined) return
    trust.listened(channel, now)
    this.#trusted.add(site)
  }

  /** What was learnt since the last commit goes with the next. */
  save(): void {
    const { collection, store } = this.#parts
    for (const page of this.#moved) {
      const record = this.queue.recordOf(page)
      if (record !== undefined) collection.putFreshness(page, encodeRevisitRecord(record))
    }
    for (const site of this.#trusted) {
      const trust = this.queue.trustOf(site)?.state()
      if (trust !== undefined) store.note(site, { trust })
    }
    this.#moved.clear()
    this.#trusted.clear()
  }

  #note({ page, reason }: Revisit, now: Instant): void {
    this.#why.set(page, `${reason}: ${this.queue.explain(page, now)[0] ?? ''}`)
  }

  /** New pages may have the next request: their share is owed to them, and some are waiting. */
  #isExploring(): boolean {
    const { frontier } = this.#parts
    const isOwed = this.#exploreCredit >= 1 && frontier.count('waiting') > this.#why.size
    // Those of sites that cannot be visited now must not keep everything else waiting.
    return isOwed && frontier.readySites > 0
  }

  /** When another page may be taken; one whose site does not come to its turn is not waited for. */
  #lineMovesAt(now: Instant): Instant {
    for (const [page, since] of this.#inLine) {
      if (this.#inLine.size < MOST_IN_LINE) return now
      if (since + IN_LINE_MS > now) return since + IN_LINE_MS
      this.#inLine.delete(page)
    }
    return now
  }

  #freeAt(siteId: number, now: Instant): Instant {
    const site = this.#parts.frontier.sites[siteId]
    if (site === undefined || site.givenUp) return now + GIVEN_UP_MS
    const isBusy = site.gateAsked || site.place === 'leased' || site.place === 'parked'
    return Math.max(site.readyAt, site.askedUntil, isBusy ? now + BUSY_MS : 0)
  }

  #held(page: number, row: PageRow): HeldPage {
    const importance = (this.#importance[page] ?? 1) * (answersError(row) ? GONE_WORTH : 1)
    const stored = this.#parts.collection.freshness(page)
    const record = stored === undefined ? undefined : decodeRevisitRecord(stored)
    const { site, visitedAt, bytes } = row
    return {
      site,
      visitedAt,
      importance,
      bytes,
      digest: keptDigest(row.contentKey),
      record: record && { ...record, importance },
    }
  }
}
