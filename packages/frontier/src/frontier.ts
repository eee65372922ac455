/**
 * Frontier: which URL may be fetched next, and when.
 *
 * A page is unknown → waiting → leased → done (or failed), and may wait again when it is due. What we know but must not
 * fetch (out of scope, a trap, disallowed) is outside. Sites wait in the workbench, pages in their site's heap.
 *
 * Every site stands behind a gate: robots.txt is asked for before its first page, and again when it expires.
 *
 * Invariants: at most one lease per site and per address is out; a page is offered once however often it is found.
 * Deterministic: time and randomness are arguments, storage is what `drain` gives and `restore` takes.
 */
import { siteOf, writeUrlKey } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import { applyJournal, encodeJournal } from './frontier-batch.ts'
import { NO_PARENT } from './frontier-batch.ts'
import type { FrontierBatch, FrontierSource, PageText } from './frontier-batch.ts'
import type { Order } from './order.ts'
import { DONE, FAILED, FORGOTTEN, LEASED, OUTSIDE, PAGE_STATES, PageTable, WAITING } from './page-table.ts'
import type { PageState } from './page-table.ts'
import { nextConnectionAt, nextRequestAt } from './politeness.ts'
import type { Answer, Manners } from './politeness.ts'
import { Site } from './site.ts'
import type { Errand } from './site.ts'
import { Workbench } from './workbench.ts'

/** What one site may cost us, so that a trap costs little. 25,000 pages is what 004 §4 took from a site. */
export interface SiteBudget {
  readonly maxPages: number
  readonly maxBytes: number
  /** URLs remembered for one site; an endless calendar fills this, not the memory. */
  readonly maxKnown: number
}

export interface FrontierOptions {
  readonly order: Order
  readonly mannersOf: (site: { readonly origin: string; readonly address: string | undefined }) => Manners
  readonly budgetOf: (origin: string) => SiteBudget
  /** Fetches of one page before we give it up. */
  readonly maxTries: number
  readonly random: () => number
  /** False: robots.txt is not asked for. */
  readonly gates: boolean
  /** Text of a page whose batch has been stored. */
  readonly textOf: (page: number) => PageText
}

/** The right to one connection to one site. */
export interface Lease {
  readonly site: Site
  readonly manners: Manners
  /** The task that the lease was given for. */
  readonly first: Task
  /** Pages taken, requests answered, and the slowest of them. */
  taken: number
  requests: number
  slowestMs: number
}

export type Task =
  | { readonly kind: 'page'; readonly page: number; readonly url: string; readonly depth: number; readonly tries: number }
  | { readonly kind: 'errand'; readonly errand: Errand; readonly url: string }

/** How a page's visit ended, as far as its place in the queue goes. */
export type Fate = 'done' | 'retry' | 'failed' | 'outside' | 'forgotten' | 'waiting'

/** A site that asks for more rest than this between requests gets its connection back instead. */
const HOLD_CONNECTION_MS = 2_000
const MAX_DEPTH = 0xffff

export class Frontier {
  readonly #options: FrontierOptions
  readonly #table = new PageTable()
  readonly #sites: Site[] = []
  readonly #siteIds = new Map<string, number>()
  readonly #bench: Workbench
  readonly #counts = new Float64Array(PAGE_STATES.length)
  /** Unfinished pages by the seed they were found from. */
  readonly #open: number[] = []
  readonly #key = new Uint32Array(2)
  #changed: number[] = []
  #dirtySites = new Set<Site>()
  /** Texts not yet stored: those of batches on their way to disk, then those of the next batch. */
  #unstored: { first: number; texts: PageText[] }[] = [{ first: 0, texts: [] }]
  #journalled = 0

  constructor(options: FrontierOptions) {
    this.#options = options
    this.#bench = new Workbench(this.#sites, options.order, (site) => this.#hasWork(site))
  }

  get pages(): PageTable {
    return this.#table
  }
  get sites(): readonly Site[] {
    return this.#sites
  }
  get readySites(): number {
    return this.#bench.ready
  }
  /** Visits under way. */
  get out(): number {
    return this.#bench.out
  }
  count(state: PageState): number {
    return this.#counts[PAGE_STATES.indexOf(state)] as number
  }
  /** Pages found from this seed that are still to be fetched. */
  openOf(seed: number): number {
    return this.#open[seed] ?? 0
  }
  wakesAt(): Instant {
    return this.#bench.wakesAt()
  }

  /** The id of a site, known or new. */
  site(origin: string): number {
    const known = this.#siteIds.get(origin)
    if (known !== undefined) return known
    const site = new Site(this.#sites.length, origin, this.#table)
    if (!this.#options.gates) site.gateUntil = Infinity
    this.#sites.push(site)
    this.#siteIds.set(origin, site.id)
    this.#dirtySites.add(site)
    return site.id
  }

  /** The page with this key, or -1 when it is new. */
  find(site: number, high: number, low: number): number {
    return this.#table.find(site, high, low)
  }

  findUrl(url: string): number {
    const origin = siteOf(url)
    const site = this.#siteIds.get(origin)
    if (site === undefined) return -1
    writeUrlKey(url.slice(origin.length), this.#key, 0)
    return this.#table.find(site, this.#key[0] as number, this.#key[1] as number)
  }

  /** Offer a canonical URL. Offering it twice is harmless, so callers keep no seen-set. */
  offer(url: string, found: { depth: number; seed: number; parent?: number; outside?: number }): number {
    const origin = siteOf(url)
    const site = this.site(origin)
    const path = url.slice(origin.length)
    writeUrlKey(path, this.#key, 0)
    const [high, low] = this.#key as unknown as [number, number]
    const known = this.#table.find(site, high, low)
    if (known === -1) return this.add(site, high, low, path, found)
    if (found.outside === undefined) this.reach(known, found.depth)
    return known
  }

  /** Add a page that `find` does not know. `outside` is the reason not to fetch it; without one it waits. */
  add(
    siteId: number,
    high: number,
    low: number,
    path: string,
    found: { depth: number; seed: number; parent?: number; outside?: number },
  ): number {
    const site = this.#sites[siteId] as Site
    const state = found.outside === undefined ? WAITING : OUTSIDE
    const depth = Math.min(found.depth, MAX_DEPTH)
    const page = this.#table.add(siteId, high, low, found.seed, depth, state, found.outside ?? 0)
    ;(this.#unstored.at(-1) as { texts: PageText[] }).texts.push({ site: siteId, path, parent: found.parent ?? NO_PARENT })
    site.known++
    this.#counts[state]!++
    if (state === WAITING) this.#enqueue(site, page)
    return page
  }

  /** Whether the site has room for one more URL. */
  hasRoom(siteId: number): boolean {
    const site = this.#sites[siteId] as Site
    return site.known < this.#options.budgetOf(site.origin).maxKnown
  }

  /** A page that waits was found again, nearer to a start page. */
  reach(page: number, depth: number): void {
    if (depth >= this.#table.depthOf(page) || this.#table.stateOf(page) !== WAITING) return
    this.#table.setDepth(page, depth)
    this.#changed.push(page)
    const site = this.#siteOfPage(page)
    this.#table.setRank(page, this.#rank(site, page))
    site.pages.update(page)
    this.#bench.schedule(site)
  }

  /** A page that was outside, done or failed is to be fetched (again). */
  admit(page: number, depth: number = this.#table.depthOf(page)): void {
    const state = this.#table.stateOf(page)
    if (state === WAITING || state === LEASED || state === FORGOTTEN) return
    this.#table.setDepth(page, depth)
    this.#table.setTries(page, 0)
    this.#move(page, WAITING)
    this.#enqueue(this.#siteOfPage(page), page)
  }

  /** The best task whose site and address are free at `now`; undefined when there is none. */
  lease(now: Instant): Lease | undefined {
    const site = this.#bench.take(now)
    if (site === undefined) return undefined
    const manners = this.#options.mannersOf(site)
    const first = this.#take(site, now) as Task
    return { site, manners, first, taken: first.kind === 'page' ? 1 : 0, requests: 0, slowestMs: 0 }
  }

  /** The site's address is known now. False when it must wait: the lease is over and its task waits again. */
  place(lease: Lease, address: string, now: Instant): boolean {
    if (lease.site.address !== address) this.#dirtySites.add(lease.site)
    // Back in the queue first, so that a site that has to wait still has its work.
    const { site, first } = lease
    this.#putBack(site, first)
    if (!this.#bench.place(site, address, now)) return false
    this.#takeBack(site, first)
    return true
  }

  /** Another task on the same connection, and when it may be asked; undefined when the connection is over. */
  next(lease: Lease, now: Instant): { task: Task; at: Instant } | undefined {
    const { site, manners } = lease
    const at = Math.max(now, site.askedUntil)
    if (at - now > HOLD_CONNECTION_MS || site.strikes > 0 || !this.#hasWork(site)) return undefined
    const asksErrand = site.errands.length > 0 || site.gateUntil <= now
    if (!asksErrand && lease.taken >= manners.pagesPerConnection) return undefined
    const task = this.#take(site, now)
    if (task === undefined) return undefined
    if (task.kind === 'page') lease.taken++
    return { task, at }
  }

  /** One request was answered, or failed: set the clock that runs between requests. */
  answered(lease: Lease, answer: Answer): void {
    const { site, manners } = lease
    site.strikes = answer.overloaded ? Math.min(site.strikes + 1, 255) : 0
    lease.requests++
    lease.slowestMs = Math.max(lease.slowestMs, answer.tookMs)
    const at = nextRequestAt(answer, site.crawlDelayMs, site.strikes, manners, this.#options.random)
    site.askedUntil = Math.max(site.askedUntil, at)
    this.#dirtySites.add(site)
  }

  /** The connection is closed: set the clock that runs between connections. A lease that asked nothing costs nothing. */
  release(lease: Lease, now: Instant): void {
    const { site, manners } = lease
    const readyAt = lease.requests === 0 ? now : nextConnectionAt(now, lease.slowestMs, manners)
    this.#dirtySites.add(site)
    this.#bench.release(site, readyAt)
  }

  /** A leased page's visit has ended. `outside` carries its reason. */
  settle(page: number, fate: Fate, bytes = 0, reason = 0): void {
    const site = this.#siteOfPage(page)
    this.#dirtySites.add(site)
    if (fate === 'done' || fate === 'failed') site.visited++
    site.bytes += bytes
    const tries = this.#table.triesOf(page) + 1
    if (fate === 'done') this.#move(page, DONE)
    else if (fate === 'outside') this.#move(page, OUTSIDE, reason)
    else if (fate === 'forgotten') this.#move(page, FORGOTTEN)
    else if (fate === 'failed' || (fate === 'retry' && tries >= this.#options.maxTries)) this.#move(page, FAILED, tries)
    else {
      this.#move(page, WAITING, fate === 'retry' ? tries : tries - 1)
      this.#enqueue(site, page)
    }
  }

  /** Take a page out for good, whatever it was doing. */
  forget(page: number): void {
    this.#siteOfPage(page).pages.remove(page)
    this.#move(page, FORGOTTEN)
  }

  /** robots.txt is known: the site may be visited until `until`, no faster than it asks. */
  openGate(siteId: number, until: Instant, crawlDelayMs: number, now: Instant): void {
    const site = this.#sites[siteId] as Site
    site.gateAsked = false
    site.gateUntil = until
    site.crawlDelayMs = crawlDelayMs
    site.askedUntil = Math.max(site.askedUntil, now + crawlDelayMs)
    this.#dirtySites.add(site)
    this.#bench.schedule(site)
  }

  /** robots.txt could not be had: the whole site waits, and is asked for it again from `retryAt` on. */
  closeGate(siteId: number, retryAt: Instant): void {
    const site = this.#sites[siteId] as Site
    site.gateAsked = false
    site.gateUntil = 0
    site.askedUntil = Math.max(site.askedUntil, retryAt)
    this.#dirtySites.add(site)
    this.#bench.schedule(site)
  }

  /** Leave a site that does not answer alone for the rest of this run; its pages go on waiting for the next one. */
  giveUp(siteId: number): void {
    const site = this.#sites[siteId] as Site
    site.givenUp = true
    site.errands = []
    this.#bench.schedule(site)
  }

  /** Ask a site something besides its pages. */
  runErrand(siteId: number, errand: Errand): void {
    const site = this.#sites[siteId] as Site
    site.errands.push(errand)
    this.#bench.schedule(site)
  }

  /** Path and query of any page, and where it was found. */
  textOf(page: number): PageText {
    const held = this.#unstored.findLast(({ first }) => first <= page)
    return held?.texts[page - held.first] ?? this.#options.textOf(page)
  }

  urlOf(page: number): string {
    return this.#siteOfPage(page).origin + this.textOf(page).path
  }

  /** All that is new since the last batch. Call `stored` when it is durable; until then its texts stay in memory. */
  drain(): FrontierBatch {
    const journal = encodeJournal(this.#table, this.#journalled, this.#table.count, this.#changed)
    const { first, texts } = this.#unstored.at(-1) as { first: number; texts: PageText[] }
    this.#journalled = this.#table.count
    this.#changed = []
    this.#unstored.push({ first: this.#table.count, texts: [] })
    const sites = Array.from(this.#dirtySites, (site) => [site.id, site.toRow()] as const)
    this.#dirtySites = new Set()
    return { journal, first, texts, sites, addresses: this.#bench.drainAddresses() }
  }

  /** The oldest drained batch is durable now. */
  stored(): void {
    this.#unstored.shift()
  }

  /**
   * Rebuild from stored batches. After an unclean stop nobody knows how recently a site was asked, so each rests from
   * `now` as if it had just been visited. Returns the number of superseded journal entries.
   */
  restore(source: FrontierSource, now: Instant, clean: boolean): number {
    let superseded = 0
    for (const record of source.journal()) superseded += applyJournal(this.#table, record)
    this.#restoreSites(source, now, clean)
    for (let page = 0; page < this.#table.count; page++) {
      const state = this.#table.stateOf(page)
      const site = this.#siteOfPage(page)
      site.known++
      this.#counts[state]!++
      if (state === WAITING) this.#enqueue(site, page, false)
    }
    for (const site of this.#sites) this.#bench.schedule(site)
    this.#journalled = this.#table.count
    this.#unstored = [{ first: this.#table.count, texts: [] }]
    this.#dirtySites.clear()
    this.#changed = []
    return superseded
  }

  /** The whole state as fresh journal records, for a store that wants to drop what was superseded. */
  *snapshot(pagesPerRecord = 65_536): Generator<Uint8Array> {
    for (let from = 0; from < this.#table.count; from += pagesPerRecord) {
      yield encodeJournal(this.#table, from, Math.min(from + pagesPerRecord, this.#table.count), [])
    }
  }

  #restoreSites(source: FrontierSource, now: Instant, clean: boolean): void {
    for (const [id, row] of source.sites()) {
      const site = this.#sites[this.site(row.origin)] as Site
      if (site.id !== id) throw new Error(`site ${row.origin} was stored as ${id} and read back as ${site.id}`)
      site.fromRow(row)
      if (!this.#options.gates) site.gateUntil = Infinity
      if (clean) continue
      const { delayMs } = this.#options.mannersOf(site)
      site.readyAt = Math.max(site.readyAt, now + delayMs)
      site.askedUntil = Math.max(site.askedUntil, now + site.crawlDelayMs)
    }
    for (const [address, readyAt] of source.addresses()) this.#bench.setAddressClock(address, readyAt)
    if (clean) return
    for (const site of this.#sites) {
      if (site.address !== undefined) this.#bench.setAddressClock(site.address, site.readyAt)
    }
  }

  #hasWork(site: Site): boolean {
    if (site.errands.length > 0) return true
    if (site.givenUp || site.gateAsked || site.pages.size === 0) return false
    const { maxPages, maxBytes } = this.#options.budgetOf(site.origin)
    return site.visited < maxPages && site.bytes < maxBytes
  }

  #take(site: Site, now: Instant): Task | undefined {
    if (site.errands.length === 0 && site.gateUntil <= now) {
      site.gateAsked = true
      site.errands.push({ kind: 'robots', onBehalfOf: site.id, path: '/robots.txt', hops: 0 })
    }
    const errand = site.errands.shift()
    if (errand !== undefined) return { kind: 'errand', errand, url: site.origin + errand.path }
    const page = site.pages.pop()
    if (page === undefined) return undefined
    this.#setState(page, LEASED)
    const { path } = this.textOf(page)
    const [depth, tries] = [this.#table.depthOf(page), this.#table.triesOf(page)]
    return { kind: 'page', page, url: site.origin + path, depth, tries }
  }

  #putBack(site: Site, task: Task): void {
    if (task.kind === 'errand') site.errands.unshift(task.errand)
    else {
      this.#setState(task.page, WAITING)
      site.pages.push(task.page)
    }
  }

  #takeBack(site: Site, task: Task): void {
    if (task.kind === 'errand') site.errands.shift()
    else {
      site.pages.remove(task.page)
      this.#setState(task.page, LEASED)
    }
  }

  #enqueue(site: Site, page: number, schedule = true): void {
    const seed = this.#table.seedOf(page)
    this.#open[seed] = (this.#open[seed] ?? 0) + 1
    this.#table.setRank(page, this.#rank(site, page))
    site.pages.push(page)
    if (schedule) this.#bench.schedule(site)
  }

  #rank(site: Site, page: number): number {
    const [depth, tries] = [this.#table.depthOf(page), this.#table.triesOf(page)]
    return this.#options.order.rankPage({ depth, tries, site })
  }

  /** Change a page's state for good: it is journalled. */
  #move(page: number, state: number, tries = 0): void {
    const before = this.#table.stateOf(page)
    if (before === WAITING || before === LEASED) this.#open[this.#table.seedOf(page)]!--
    this.#setState(page, state)
    this.#table.setTries(page, tries)
    this.#changed.push(page)
  }

  #setState(page: number, state: number): void {
    this.#counts[this.#table.stateOf(page)]!--
    this.#counts[state]!++
    this.#table.setState(page, state)
  }

  #siteOfPage(page: number): Site {
    return this.#sites[this.#table.siteOf(page)] as Site
  }
}
