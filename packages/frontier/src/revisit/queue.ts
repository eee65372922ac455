/**
 * Revisit queue: which of the pages we hold to visit next, within a budget and without looking at all of them.
 *
 * A calendar on two levels: each site has its pages by the instant they fall due, and the sites stand in a heap by the
 * first of those. What is due moves to the site's other heap, by value, and the sites stand in a second heap, the board,
 * by the best of those. A page is weighed anew on a signal, on a visit, when its day comes, when it is about to be
 * visited, and when the hand passes: it goes round all pages, a few at every decision, so that a price or a trust that
 * has moved reaches everybody in time.
 *
 *   waiting ──its day──▶ ready ──take──▶ out ──visited──▶ waiting
 *      └──────a signal──────▲
 *
 * The price is what the last visit that the budget pays for is worth: a running mean of the best page that was left, or
 * of the page that was fetched before its day as nothing else was due. So what falls due comes to match the budget.
 *
 * Besides what is due: audits, a small share of visits to random pages that their site claims unchanged (only they find
 * hidden changes), and a floor: a page that nobody has visited for 30 days, or for 10 while its copy is outdated for sure,
 * is visited when the hand meets it, as long as that takes no more than its share, so that nobody starves and a small
 * budget is not spent on nothing else.
 *
 * Deterministic: time and randomness are arguments. Politeness is the caller's: it says from when on a site is free.
 */
import type { Instant, Signal } from '@comity/protocol'
import { SiteTrust } from '../trust/site-trust.ts'
import type { SiteTrustState } from '../trust/site-trust.ts'
import { RevisitCalendar } from './calendar.ts'
import { RevisitKnowledge } from './knowledge.ts'
import type { HeldPage, RevisitResult } from './knowledge.ts'
import { revisitDefaults } from './options.ts'
import type { Revisit, RevisitOptions, RevisitReason, SiteClock } from './options.ts'
import { outdatedProbability } from './policies.ts'
import type { RevisitFacts, RevisitPolicy } from './policies.ts'
import { calibratedPrice } from './price.ts'
import type { RevisitRecord } from './revisit-record.ts'
import type { RevisitSite } from './site.ts'
import { AUDIT, HELD, KNOWN, OUT, READY, SAMPLE } from './revisit-table.ts'
import type { RevisitTable } from './revisit-table.ts'
import type { SignalVerdict } from '../trust/signal-filter.ts'
import { VisitBudget } from '../queue/visit-budget.ts'

export { revisitDefaults } from './options.ts'
export type { Revisit, RevisitOptions, RevisitReason, SiteClock } from './options.ts'

const PRICE_PACE = 0.05
/** Ready pages are kept until they have lost this much to a price that rises. */
const STAYS_READY = 0.9
/** A page that comes along with others is worth it at this share of the price. */
const COMES_ALONG = 0.2
/** Pages looked at per decision: by the hand, on their day, before their day, and for an audit. */
const HAND_STEPS = 8
const PROMOTIONS = 64
const EARLY_LOOKS = 8
const AUDIT_LOOKS = 16
const SAMPLE_PAGES = 200
/** A copy that is outdated for sure is beyond the longest interval sooner: it may never be worth its price, but it ages. */
const SURE = 0.95
const SURE_SHARE = 1 / 3
/** Samples of channels that are not believed: so many at once, and this share of all visits in the long run. */
const SAMPLE_CREDIT = 40
const SAMPLE_SHARE = 0.02
/** Page numbers are below this. */
const LAP = 2 ** 32

export class RevisitQueue {
  readonly #options: Required<RevisitOptions>
  readonly #policy: RevisitPolicy
  readonly #budget: VisitBudget
  readonly #known: RevisitKnowledge
  readonly #table: RevisitTable
  readonly #calendar: RevisitCalendar
  #count = 0
  #price: number | undefined
  #hand = 0
  #floorCredit = 0
  #sampleCredit: number = SAMPLE_CREDIT
  /** How far the turn has come, for policies that go by number: laps and page. */
  #turn = 0

  constructor(options: RevisitOptions) {
    this.#options = { ...revisitDefaults, ...options }
    this.#policy = options.policy
    this.#price = options.policy.fixedPrice
    this.#budget = new VisitBudget(options.budget)
    this.#known = new RevisitKnowledge(this.#budget, this.#options.dayMs)
    this.#table = this.#known.table
    this.#calendar = new RevisitCalendar(this.#table, this.#options.outPerSite)
  }

  get size(): number {
    return this.#count
  }
  /** What a visit must be worth to be made. */
  get price(): number {
    return this.#price ?? 0
  }
  has(page: number): boolean {
    return this.#table.has(page, KNOWN)
  }

  // ── pages ──────────────────────────────────────────────────────────────────────────────────────────────────

  /** A page is held now. Adding one that is known only sets its importance. */
  added(page: number, held: HeldPage, now: Instant): void {
    if (this.has(page)) this.#table.importance[page] = held.importance ?? this.#table.importance[page]!
    else {
      this.#known.add(page, held)
      this.#count++
    }
    this.#weigh(page, now)
  }

  /** Harmless for a page that is not held. */
  removed(page: number): void {
    if (!this.has(page)) return
    this.#calendar.remove(this.#known.siteOf(page), page)
    this.#known.remove(page)
    this.#count--
  }

  /** What is to be stored of a page; give it to `added` in the next run. */
  recordOf(page: number): RevisitRecord | undefined {
    return this.has(page) ? this.#table.recordOf(page) : undefined
  }

  trustOf(site: number): SiteTrust | undefined {
    return this.#known.siteIfKnown(site)?.trust
  }

  /** What an earlier run learnt of a site. A state of another version says nothing here: trust begins anew. */
  restoreTrust(site: number, state: SiteTrustState): void {
    if (state.version === 1) this.#known.site(site).trust = new SiteTrust(state.at, this.#options.dayMs, state)
  }

  // ── signals and visits ─────────────────────────────────────────────────────────────────────────────────────

  /** Somebody says that a page has changed. Says whether that was news. */
  signalled(page: number, signal: Signal, now: Instant): SignalVerdict | 'unknown page' {
    if (!this.has(page)) return 'unknown page'
    const wasSample = this.#table.has(page, SAMPLE)
    // Without credit nothing becomes a sample: a flood of false signals must not become a flood of visits.
    const chance = this.#sampleCredit >= 1 ? this.#options.random() : 1
    const verdict = this.#known.heard(page, signal, now, chance)
    if (!wasSample && this.#table.has(page, SAMPLE)) this.#sampleCredit--
    if (verdict === 'counted' || verdict === 'repeated') this.#weigh(page, now)
    return verdict
  }

  /** A page was fetched, or came by itself. */
  visited(page: number, result: RevisitResult): void {
    this.#budget.spendBytes(result.bytes)
    if (!this.has(page)) return
    this.#known.learn(page, result)
    this.putBack(page, result.at)
  }

  /** A visit came to nothing, for reasons that say nothing of the page: it is not visited before `until`. */
  postponed(page: number, until: Instant): void {
    if (!this.has(page) || this.#table.has(page, HELD)) return
    this.#table.clear(page, AUDIT)
    this.#calendar.holdBack(this.#known.siteOf(page), page, until)
  }

  /** A page that was taken is not visited after all. */
  putBack(page: number, now: Instant): void {
    if (!this.has(page)) return
    this.#table.clear(page, AUDIT)
    this.#calendar.bringBack(this.#known.siteOf(page), page)
    this.#weigh(page, now)
  }

  // ── decisions ──────────────────────────────────────────────────────────────────────────────────────────────

  /** The best page whose site is free and for which there is budget; it is out until `visited` or `postponed`. */
  take(now: Instant, siteFreeAt: SiteClock): Revisit | undefined {
    if (this.#count === 0 || this.#budget.readyAt(now) > now) return undefined
    this.#price ??= this.#firstPrice(now)
    for (const page of this.#calendar.wake(now)) this.#weigh(page, now)
    this.#promote(now)
    const beside = this.#policy.strict ? undefined : this.#takeBeside(now, siteFreeAt)
    const taken = beside ?? this.#takeDue(now, siteFreeAt) ?? this.#takeEarly(now, siteFreeAt)
    if (taken === undefined) return undefined
    this.#sampleCredit = Math.min(SAMPLE_CREDIT, this.#sampleCredit + SAMPLE_SHARE)
    this.#budget.spendRequest(now)
    return taken
  }

  /**
   * More pages of a site for a visit that can bring several: what is due, and what soon will be, as a page that comes
   * along costs little more than its bytes. They are out like the first.
   */
  takeAlso(siteId: number, most: number, now: Instant): Revisit[] {
    const taken: Revisit[] = []
    const site = this.#known.siteIfKnown(siteId)
    if (site === undefined || this.#policy.strict) return taken
    for (const [heap, reason] of [[site.ready, 'due'] as const, [site.waiting, 'early'] as const]) {
      while (taken.length < most) {
        const page = heap.peek()
        if (page === undefined || this.#valueOf(page, now) < this.price * COMES_ALONG) break
        taken.push(this.#handOut(page, reason, now))
      }
    }
    return taken
  }

  /** When `take` may have something to give: `now` or later; Infinity when only a signal or a visit can change that. */
  nextAt(now: Instant): Instant {
    if (this.#count === 0) return Infinity
    const paidAt = this.#budget.readyAt(now)
    const { best, soonest, wakesAt } = this.#calendar
    if (best !== undefined) return paidAt
    const dueAt = soonest === undefined ? Infinity : this.#policy.fixedPrice === undefined ? now : soonest.nextDue
    return Math.max(paidAt, Math.min(dueAt, wakesAt))
  }

  /** All that counts when a page is weighed. */
  factsOf(page: number, now: Instant): RevisitFacts | undefined {
    return this.has(page) ? this.#known.factsOf(page, now) : undefined
  }

  /** Why a page is visited now, or not yet, in sentences. */
  explain(page: number, now: Instant): string[] {
    const facts = this.factsOf(page, now)
    if (facts === undefined) return ['It is not among the pages that are kept fresh.']
    const why = this.#policy.explain(facts, now)
    const value = this.#policy.valueAt(facts, now).toPrecision(3)
    return [
      `${why[0]!.toUpperCase()}${why.slice(1)}.`,
      `By the policy ${this.#policy.name} a visit is worth ${value}; the price is ${this.price.toPrecision(3)}.`,
      ...(this.#known.siteOf(page).trust?.why(now) ?? []),
    ]
  }

  // ── inside ─────────────────────────────────────────────────────────────────────────────────────────────────

  /** Find a page's place anew: ready when it is worth the price, else the day when it will be. */
  #weigh(page: number, now: Instant): void {
    if (!this.has(page) || this.#table.has(page, OUT | HELD)) return
    const site = this.#known.siteOf(page)
    const facts = this.#known.factsOf(page, now)
    const value = this.#policy.valueAt(facts, now)
    if (value >= this.price) this.#makeReady(site, page, value)
    else if (this.#isSample(page)) this.#makeReady(site, page, this.price)
    else this.#calendar.makeWait(site, page, Math.max(now + 1, this.#policy.dueAt(facts, this.price, now)))
  }

  #makeReady(site: RevisitSite, page: number, value: number): void {
    if (!this.#policy.roundRobin) return this.#calendar.makeReady(site, page, -value)
    // A page whose turn is set keeps it.
    if (!this.#table.has(page, READY)) this.#calendar.makeReady(site, page, this.#turnOf(page))
  }

  #isSample(page: number): boolean {
    return this.#table.has(page, SAMPLE) && !this.#policy.strict
  }

  /** When a page comes, going through them by number, round and round. */
  #turnOf(page: number): number {
    const lap = Math.floor(this.#turn / LAP)
    return (page >= this.#turn % LAP ? lap : lap + 1) * LAP + page
  }

  #promote(now: Instant): void {
    for (let count = 0; count < PROMOTIONS; count++) {
      const site = this.#calendar.soonest
      if (site === undefined || site.nextDue > now) return
      this.#weigh(site.waiting.peek()!, now)
    }
  }

  #takeDue(now: Instant, siteFreeAt: SiteClock): Revisit | undefined {
    const page = this.#best(now, siteFreeAt, this.price * STAYS_READY)
    if (page === undefined) return undefined
    const taken = this.#handOut(page, this.#isSample(page) ? 'sample' : 'due', now)
    const left = this.#calendar.best
    if (left !== undefined) this.#movePrice(-left.bestRank)
    return taken
  }

  /** Nothing is due: what is due soonest is looked at, as the price may have come down since its day was set. */
  #takeEarly(now: Instant, siteFreeAt: SiteClock): Revisit | undefined {
    if (this.#policy.fixedPrice !== undefined) return undefined
    for (let looks = 0; looks < EARLY_LOOKS;) {
      const site = this.#calendar.soonest
      if (site === undefined) break
      if (this.#parkIfBusy(site, now, siteFreeAt)) continue
      const page = site.waiting.peek()!
      this.#makeReady(site, page, this.#valueOf(page, now))
      looks++
    }
    const page = this.#best(now, siteFreeAt, -Infinity)
    if (page === undefined) return undefined
    const taken = this.#handOut(page, 'early', now)
    this.#movePrice(taken.value)
    return taken
  }

  /** The best ready page of a free site. Pages below `least`, as the price has risen, go back to the calendar. */
  #best(now: Instant, siteFreeAt: SiteClock, least: number): number | undefined {
    for (let site = this.#calendar.best; site !== undefined; site = this.#calendar.best) {
      if (this.#parkIfBusy(site, now, siteFreeAt)) continue
      const page = site.ready.peek()!
      if (this.#isSample(page) || this.#valueOf(page, now) >= least) return page
      this.#weigh(page, now)
    }
    return undefined
  }

  #parkIfBusy(site: RevisitSite, now: Instant, siteFreeAt: SiteClock): boolean {
    const freeAt = siteFreeAt(site.id)
    if (freeAt <= now) return false
    this.#calendar.park(site, freeAt)
    return true
  }

  /** Audits and the floor. The hand moves at every decision, whatever comes of it. */
  #takeBeside(now: Instant, siteFreeAt: SiteClock): Revisit | undefined {
    const { random, auditShare, floorShare } = this.#options
    this.#floorCredit = Math.min(2, this.#floorCredit + floorShare)
    const overdue = this.#moveHand(now, siteFreeAt)
    const audited = random() < auditShare ? this.#pageToAudit(now, siteFreeAt) : undefined
    if (audited !== undefined) {
      this.#table.set(audited, AUDIT)
      return this.#handOut(audited, 'audit', now)
    }
    if (overdue === undefined || this.#floorCredit < 1) return undefined
    this.#floorCredit--
    return this.#handOut(overdue, 'floor', now)
  }

  /** Weigh the next few pages anew. Returns one that has waited longer than any page should. */
  #moveHand(now: Instant, siteFreeAt: SiteClock): number | undefined {
    const table = this.#table
    let overdue: number | undefined
    for (let step = 0; step < HAND_STEPS; step++) {
      const page = this.#hand
      this.#hand = page + 1 < table.size ? page + 1 : 0
      if (!this.#isAtHome(page)) continue
      this.#weigh(page, now)
      if (overdue === undefined && this.#isOverdue(page, now) && this.#isFree(page, now, siteFreeAt)) overdue = page
    }
    return overdue
  }

  #isOverdue(page: number, now: Instant): boolean {
    const waitedMs = now - this.#table.visitedAt[page]!
    const longestMs = this.#options.maxIntervalDays * this.#options.dayMs
    if (waitedMs <= longestMs * SURE_SHARE) return false
    return waitedMs > longestMs || outdatedProbability(this.#known.factsOf(page, now), now) > SURE
  }

  /** A random page that its site, which does tell of changes, says nothing about. */
  #pageToAudit(now: Instant, siteFreeAt: SiteClock): number | undefined {
    for (let look = 0; look < AUDIT_LOOKS; look++) {
      const page = Math.floor(this.#options.random() * this.#table.size)
      const isClaimed =
        this.#isAtHome(page) && this.#table.heard[page] === 0 && this.#known.siteOf(page).trust !== undefined
      if (isClaimed && this.#isFree(page, now, siteFreeAt)) return page
    }
    return undefined
  }

  #isAtHome(page: number): boolean {
    return this.has(page) && !this.#table.has(page, OUT | HELD)
  }

  #isFree(page: number, now: Instant, siteFreeAt: SiteClock): boolean {
    const site = this.#known.siteOf(page)
    return this.#calendar.hasRoom(site) && siteFreeAt(site.id) <= now
  }

  #handOut(page: number, reason: RevisitReason, now: Instant): Revisit {
    const site = this.#known.siteOf(page)
    const value = this.#valueOf(page, now)
    if (this.#policy.roundRobin) this.#turn = this.#table.rank[page]! + 1
    this.#calendar.takeOut(site, page)
    return { page, site: site.id, reason, value, price: this.price }
  }

  #valueOf(page: number, now: Instant): number {
    return this.#policy.valueAt(this.#known.factsOf(page, now), now)
  }

  #movePrice(towards: number): void {
    if (this.#policy.fixedPrice !== undefined || !(towards > 0)) return
    this.#price = this.price > 0 ? this.price * (towards / this.price) ** PRICE_PACE : towards
  }

  /** Without a price everything would be due, so the first is found from a sample of the pages. */
  #firstPrice(now: Instant): number {
    const { random, dayMs } = this.#options
    const sample: RevisitFacts[] = []
    for (let look = 0; look < 4 * SAMPLE_PAGES && sample.length < SAMPLE_PAGES; look++) {
      const page = Math.floor(random() * this.#table.size)
      if (this.has(page)) sample.push({ ...this.#known.factsOf(page, now), signals: 0, suspicion: 0 })
    }
    const visitsPerDay = (this.#budget.requestsPerSecond * dayMs) / 1000
    return calibratedPrice(this.#policy, sample, (visitsPerDay * sample.length) / this.#count)
  }
}
