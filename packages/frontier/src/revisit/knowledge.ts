/**
 * Revisit knowledge: what is known of each page and site that is kept fresh, and how signals and visits add to it.
 *
 * A page has one rate of changes, some of which are announced. Its statistics take each visit for what it says of that
 * rate, by the gradient of the likelihood of what was found and heard (recall λ, hidden changes α = (1 − λ)D):
 *
 *   unchanged after t days                 t quiet days
 *   changed, and nobody told               λt quiet days, as no announced change came; a change within (1 − λ)t days
 *   changed, after n signals               λt quiet days; as many dated changes as are expected, given that there is one
 *
 * Taking all visits alike would go wrong: those that signals cause find changes more often than their intervals say.
 */
import { SIGNAL_CHANNELS } from '@comity/protocol'
import type { Instant, Signal } from '@comity/protocol'
import { ampleness } from './ample-budget.ts'
import { changeRate, withVisit } from './change-rate.ts'
import type { RateVisit } from './change-rate.ts'
import { SiteTrust } from '../trust/site-trust.ts'
import { CERTAIN_SUSPICION } from './policies.ts'
import type { RevisitFacts } from './policies.ts'
import type { RevisitRecord } from './revisit-record.ts'
import { MeanRate, RevisitSite } from './site.ts'
import { AUDIT, CERTAIN, KNOWN, MOST_EVENTS, RevisitTable, SAMPLE } from './revisit-table.ts'
import { judgeSignal, markOf, versionMark } from '../trust/signal-filter.ts'
import type { SignalVerdict } from '../trust/signal-filter.ts'
import type { Expectation } from '../trust/signal-rates.ts'
import type { VisitBudget } from '../queue/visit-budget.ts'

/** A page we hold. */
export interface HeldPage {
  readonly site: number
  readonly visitedAt: Instant
  readonly importance?: number
  readonly bytes?: number
  readonly digest?: string | undefined
  /** What an earlier run knew of it; wins over the rest. */
  readonly record?: RevisitRecord | undefined
}

/** What a visit found. */
export interface RevisitResult {
  readonly at: Instant
  readonly changed: boolean
  /** Over the network. */
  readonly bytes: number
  readonly lastModified?: Instant | undefined
  /** Of the body that is held now. */
  readonly digest?: string | undefined
}

const FIRST_INTERVAL_DAYS = 30
const TYPICAL_BYTES = 13_000
/** The rule of `adaptive`, between an hour and a year. */
const SHRINK = 0.8
const GROW = 1.2
const LEAST_INTERVAL_DAYS = 1 / 24
const MOST_INTERVAL_DAYS = 365
/** A Last-Modified this close to the answer was made for it. */
const MADE_NOW_MS = 5_000

export class RevisitKnowledge {
  readonly table: RevisitTable = new RevisitTable()
  readonly #sites: (RevisitSite | undefined)[] = []
  readonly #everywhere = new MeanRate()
  readonly #budget: VisitBudget
  readonly #dayMs: number
  #pages = 0

  constructor(budget: VisitBudget, dayMs: number) {
    this.#budget = budget
    this.#dayMs = dayMs
  }

  site(id: number): RevisitSite {
    return (this.#sites[id] ??= new RevisitSite(id, this.table))
  }

  siteIfKnown(id: number): RevisitSite | undefined {
    return this.#sites[id]
  }

  siteOf(page: number): RevisitSite {
    return this.#sites[this.table.site[page]!]!
  }

  add(page: number, held: HeldPage): void {
    const { table } = this
    table.ensure(page)
    table.site[page] = held.site
    table.load(page, held.record ?? newRecord(held))
    const site = this.site(held.site)
    site.pages++
    this.#pages++
    if (table.visits[page]! > 0) this.#rateMoved(site, undefined, table.changeRate[page])
  }

  remove(page: number): void {
    const { table } = this
    const site = this.siteOf(page)
    if (table.visits[page]! > 0) this.#rateMoved(site, table.changeRate[page], undefined)
    table.flags[page] = 0
    site.pages--
    this.#pages--
  }

  /** All that counts when a page is weighed. */
  factsOf(page: number, now: Instant): RevisitFacts {
    const { table } = this
    const site = this.siteOf(page)
    const { trust } = site
    const rate = this.#rateNow(site, page, now)
    const events = table.events[page] === 0 ? [] : table.eventsOf(page)
    let suspicion = table.has(page, CERTAIN) ? CERTAIN_SUSPICION : 0
    let signals = 0
    let isFull = false
    for (const [channel, count] of events) {
      signals += count
      isFull ||= count === MOST_EVENTS
      suspicion += count * (trust?.weightOf(channel, rate, now) ?? 0)
    }
    let hiddenRate = trust?.hiddenRateOf(rate, now) ?? rate
    // Signals beyond the most that are counted are worth something too. Once it would be more without any, forget them all.
    const days = (now - table.visitedAt[page]!) / this.#dayMs
    if (isFull && rate * days > hiddenRate * days + suspicion) [hiddenRate, suspicion] = [rate, 0]
    return {
      importance: table.importance[page]!,
      visitedAt: table.visitedAt[page]!,
      dayMs: this.#dayMs,
      changeRate: rate,
      hiddenRate,
      ample: trust === undefined ? 0 : this.#ampleness(),
      signalRate: trust?.signalRateOf(rate, now) ?? 0,
      signals,
      suspicion,
      intervalDays: table.intervalDays[page]!,
      requestCost: this.#budget.requestCost,
      bodyCost: this.#budget.bodyCost(table.bytes[page]!),
    }
  }

  /** Before any page was visited twice nothing is known of changes, and of signals neither. */
  #ampleness(): number {
    const changesPerDay = this.#everywhere.mean * this.#pages
    const visitSeconds = this.#budget.requestCost + this.#budget.bodyCost(TYPICAL_BYTES)
    return changesPerDay === 0 ? 0 : ampleness(this.#dayMs / 1_000 / visitSeconds / changesPerDay)
  }

  /** Somebody says that a page has changed; `chance` decides whether it becomes a sample. */
  heard(page: number, signal: Signal, now: Instant, chance: number): SignalVerdict {
    const { table } = this
    const verdict = judgeSignal(
      signal,
      {
        visitedAt: table.visitedAt[page]!,
        ourMark: table.ourMark[page]!,
        lastEventAt: table.lastEventAt[page]!,
        lastMark: table.lastMark[page]!,
      },
      now,
    )
    if (verdict === 'known' || verdict === 'late') return verdict
    const site = this.siteOf(page)
    const trust = (site.trust ??= new SiteTrust(now, this.#dayMs))
    const channel = SIGNAL_CHANNELS.indexOf(signal.channel)
    table.heard[page]! |= 1 << channel
    // Of several versions told of in a row the last one counts, though together they are one event.
    table.lastMark[page] = versionMark(signal, now) || (verdict === 'repeated' ? table.lastMark[page]! : 0)
    if (verdict === 'repeated') this.#attribute(page, channel, trust, now)
    else {
      table.addEvent(page, channel, 1)
      table.lastChannel[page] = channel
      table.lastEventAt[page] = now
      if (trust.signalled(signal.channel, site.pages, now, chance)) table.set(page, SAMPLE)
    }
    const isOther = signal.digest !== undefined && table.ourMark[page] !== 0
    if (isOther && trust.isCertain(signal.channel, now)) table.set(page, CERTAIN)
    return verdict
  }

  /** A page was visited: learn from it, and begin a new interval. */
  learn(page: number, result: RevisitResult): void {
    const { table } = this
    const site = this.siteOf(page)
    const days = Math.max(0, (result.at - table.visitedAt[page]!) / this.#dayMs)
    this.#learnRate(site, page, days, result)
    if (result.changed) table.bytes[page] = result.bytes
    if (result.digest !== undefined) table.ourMark[page] = markOf(result.digest)
    const interval = table.intervalDays[page]! * (result.changed ? SHRINK : GROW)
    table.intervalDays[page] = Math.min(MOST_INTERVAL_DAYS, Math.max(LEAST_INTERVAL_DAYS, interval))
    table.visitedAt[page] = Math.max(result.at, table.visitedAt[page]!)
    table.forgetEvents(page)
  }

  #learnRate(site: RevisitSite, page: number, days: number, { at, changed, lastModified }: RevisitResult): void {
    const { table } = this
    const rate = this.#rateOf(site, page)
    const events = table.eventsOf(page)
    const expected = site.trust?.expectation(rate, days, events)
    const isDated =
      lastModified !== undefined && at - lastModified > MADE_NOW_MS && lastModified > table.visitedAt[page]!
    const age = isDated ? { ageDays: (at - lastModified) / this.#dayMs } : {}
    table.setStats(
      page,
      withVisit(table.statsOf(page), { days, changed, ...age, ...(changed && told(expected, events)) }),
    )
    const isAudit = table.has(page, AUDIT)
    site.trust?.visited({ at, days, rate, changed, events, announcedBy: table.heardOf(page), isAudit })
    const before = table.visits[page]! > 0 ? rate : undefined
    table.changeRate[page] = changeRate(table.statsOf(page), site.ratePrior(this.#everywhere))
    table.visits[page] = Math.min(0xffff, table.visits[page]! + 1)
    this.#rateMoved(site, before, table.changeRate[page])
  }

  /**
   * Silence since the last visit or signal counts too, as far as it is believed: who announces most changes of a page and
   * says nothing for weeks says that it is quiet. Without this a page that had a busy week stayed a page not worth visiting.
   */
  #rateNow(site: RevisitSite, page: number, now: Instant): number {
    const rate = this.#rateOf(site, page)
    if (site.trust === undefined) return rate
    const heardAt = Math.max(this.table.visitedAt[page]!, this.table.lastEventAt[page]!)
    const quiet = Math.max(0, now - heardAt) / this.#dayMs
    const announced = 1 - site.trust.hiddenRateOf(rate, now) / rate
    const known = 1 / rate + this.table.quietDays[page]!
    return (rate * known) / (known + announced * quiet)
  }

  #rateOf(site: RevisitSite, page: number): number {
    return this.table.visits[page]! > 0 ? this.table.changeRate[page]! : site.newPageRate(this.#everywhere)
  }

  /** The same change again over another channel: the event counts for the one that is believed more. */
  #attribute(page: number, channel: number, trust: SiteTrust, now: Instant): void {
    const { table } = this
    const last = table.lastChannel[page]!
    const rate = this.#rateOf(this.siteOf(page), page)
    const weightOf = (index: number): number => trust.weightOf(SIGNAL_CHANNELS[index]!, rate, now)
    if (weightOf(channel) <= weightOf(last)) return
    table.addEvent(page, last, -1)
    table.addEvent(page, channel, 1)
    table.lastChannel[page] = channel
  }

  #rateMoved(site: RevisitSite, from: number | undefined, to: number | undefined): void {
    site.rates.move(from, to)
    this.#everywhere.move(from, to)
  }
}

/** What signals, or their absence, add to a change that was found. */
function told(expected: Expectation | undefined, events: readonly unknown[]): Partial<RateVisit> {
  if (expected === undefined) return {}
  const { recall, hiddenChanges, rightSignals, suspicion } = expected
  if (events.length === 0) return { recall }
  const unchanged = Math.exp(-suspicion)
  return { recall, datedChanges: (rightSignals + hiddenChanges * unchanged) / (1 - unchanged) }
}

function newRecord({ visitedAt, importance = 1, bytes = TYPICAL_BYTES, digest }: HeldPage): RevisitRecord {
  return {
    flags: KNOWN,
    visits: 0,
    visitedAt,
    lastEventAt: -Infinity,
    ourMark: digest === undefined ? 0 : markOf(digest),
    lastMark: 0,
    events: 0,
    heard: 0,
    lastChannel: 0,
    importance,
    bytes,
    intervalDays: FIRST_INTERVAL_DAYS,
    quietDays: 0,
    dated: 0,
    changed: 0,
    logDays: 0,
    logSquares: 0,
    changeRate: 0,
  }
}
