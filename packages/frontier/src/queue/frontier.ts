/**
 * Frontier: which URL may be fetched next, and when.
 *
 * A page is unknown → waiting → leased → done (or failed), and may wait again when it is due. What we know but must not
 * fetch (out of scope, a trap, disallowed) is excluded. Sites wait in the workbench, pages in their site's heap.
 *
 * Every site stands behind a gate: robots.txt is asked for before its first page, and again when it expires.
 *
 * The seam for many machines: a shard is a frontier over its own storage; what leaves it is a frontier batch. `drain` gives
 * all that is new since the last one, to be made durable or sent; `restore` takes them. Nothing else crosses.
 *
 * Invariants: at most one lease per site and per address is out; a page is offered once however often it is found.
 * Deterministic: time and randomness are arguments.
 */
import { siteOf, writeUrlKey } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import { ALL_ADDRESSES, NO_PARENT } from './frontier-batch.ts'
import type { FrontierBatch, FrontierSource, BatchPageText } from './frontier-batch.ts'
import { Elsewhere } from '../shard/elsewhere.ts'
import type { Discovery, FrontierOptions } from './frontier-options.ts'
import { RobotsGates } from './robots-gates.ts'
import { LeaseClocks } from './lease.ts'
import type { Disposition, Lease, Task } from './lease.ts'
import type { PageVisit } from '../order/order.ts'
import { PageLedger } from './page-ledger.ts'
import { PageQueues, REVISIT_LEAD } from './page-queues.ts'
import type { ChosenBatch } from './page-queues.ts'
import { DONE, FAILED, FORGOTTEN, LEASED, EXCLUDED, PageTable, WAITING } from './page-table.ts'
import type { PageState } from './page-table.ts'
import { connectionPages } from './politeness.ts'
import type { Answer } from './politeness.ts'
import { reasonCode } from './exclusion-reasons.ts'
import { SiteList } from './site-list.ts'
import type { Prerequisite, Site } from './site.ts'
import { Workbench } from './workbench.ts'

/** A site that asks for more rest than this between requests gets its connection back instead. */
const HOLD_CONNECTION_MS = 2_000
/** A visit batch (`--batch`) does not wait longer than this for the last of its sites; what they still have goes into the next one. */
const MAX_TAIL_MS = 60_000
const MAX_DEPTH = 0xffff
const MAX_TRIES = 0xff
/** Sites with pages that are due again take turns, however many of them one has. */
const DUE_AGAIN = -REVISIT_LEAD
const ROBOTS = reasonCode('robots')
const TYPE = reasonCode('type')

export class Frontier {
  readonly #options: FrontierOptions
  readonly #table: PageTable
  readonly #ledger: PageLedger
  readonly #sites: SiteList
  readonly #bench: Workbench
  readonly #queues: PageQueues
  readonly #gates: RobotsGates
  readonly #elsewhere: Elsewhere | undefined
  readonly #key = new Uint32Array(2)
  /** Visits that the order has been told of since it last brought its ranks up to date. */
  #news = 0
  readonly #clocks: LeaseClocks

  constructor(options: FrontierOptions) {
    this.#options = options
    this.#table = new PageTable(options.random)
    this.#ledger = new PageLedger(this.#table, options.textOf)
    this.#sites = new SiteList(this.#table, options.siteLimits)
    this.#bench = new Workbench(
      (site) => (this.#queues.isDueAgain(site) ? DUE_AGAIN : (this.#queues.ranking.rankSite?.(site) ?? site.best)),
      (site) => this.#hasWork(site),
    )
    this.#gates = new RobotsGates(this.#sites, this.#bench)
    this.#clocks = new LeaseClocks(this.#sites, this.#bench, options)
    const { shard } = options
    const shared = { sites: this.#sites, table: this.#table, ledger: this.#ledger }
    this.#elsewhere = shard === undefined ? undefined : new Elsewhere({ ...shared, homeOf: shard.homeOf })
    this.#queues = new PageQueues({
      table: this.#table,
      sites: this.#sites,
      order: options.order,
      settings: { random: options.random, ...options.importance },
      batch: options.batch,
      urlOf: (page) => this.urlOf(page),
      onChange: (site) => this.#bench.schedule(site),
    })
  }

  get pages(): PageTable {
    return this.#table
  }
  get sites(): readonly Site[] {
    return this.#sites.all
  }
  get readySites(): number {
    return this.#bench.ready
  }
  /** Visits under way. */
  get out(): number {
    return this.#bench.out
  }
  count(state: PageState): number {
    return this.#ledger.census.count(state)
  }
  /** Pages found from this seed that are still to be fetched. */
  openOf(seed: number): number {
    return this.#ledger.census.openOf(seed)
  }
  wakesAt(): Instant {
    return this.#isBatchOver(Infinity) ? 0 : this.#bench.wakesAt()
  }
  /** The visit batch under way; undefined when pages are not taken in such. */
  get batch(): ChosenBatch | undefined {
    return this.#queues.batch
  }
  /** Where a page would stand in the queue now: lower is more important. */
  rankOf(page: number): number {
    return this.#queues.ranking.rankPage(page)
  }

  // ── what is known ──────────────────────────────────────────────────────────────────────────────────────────

  /** The id of a site, known or new. */
  site(origin: string): number {
    return this.#sites.idOf(origin)
  }

  /** The same for a site that a stranger names: -1 when it is new and there is no room for one more. */
  siteIfRoom(origin: string): number {
    return this.#sites.idIfRoom(origin)
  }

  /** The page with this key, or -1 when it is new. */
  find(site: number, high: number, low: number): number {
    return this.#table.find(site, high, low)
  }

  findUrl(url: string): number {
    const origin = siteOf(url)
    const away = this.#elsewhere?.of(origin)
    if (away !== undefined) return this.#elsewhere!.findUrl(url, away)
    const site = this.#sites.find(origin)
    if (site === undefined) return -1
    writeUrlKey(url.slice(origin.length), this.#key, 0)
    return this.#table.find(site, this.#key[0]!, this.#key[1]!)
  }

  /** Offer a canonical URL. Offering it twice is harmless, so callers keep no seen-set. */
  offer(url: string, found: Discovery): number {
    const origin = siteOf(url)
    const away = this.#elsewhere?.of(origin)
    if (away !== undefined) return this.#elsewhere!.offer(url, away, found)
    const site = this.site(origin)
    const path = url.slice(origin.length)
    writeUrlKey(path, this.#key, 0)
    const known = this.#table.find(site, this.#key[0]!, this.#key[1]!)
    if (known === -1) return this.add(site, this.#key[0]!, this.#key[1]!, path, found)
    if (found.excluded === undefined) this.#offerAgain(known, found.depth)
    return known
  }

  /** Pages at home in other shards; undefined for a frontier that is alone. */
  get elsewhere(): Elsewhere | undefined {
    return this.#elsewhere
  }

  /** Until when nobody here connects to an address. */
  addressRestsUntil(address: string): Instant {
    return this.#bench.addressRestsUntil(address)
  }

  /** Add a page that `find` does not know. It is forgotten from the first when a page was that it is another spelling of. */
  add(siteId: number, high: number, low: number, path: string, { depth, seed, parent, excluded }: Discovery): number {
    const site = this.#sites.at(siteId)
    const isForgotten = this.#ledger.isForgotten(siteId, path)
    const state = isForgotten ? FORGOTTEN : excluded === undefined ? WAITING : EXCLUDED
    const reason = isForgotten ? 0 : excluded
    const page = this.#table.add(siteId, high, low, seed, Math.min(depth, MAX_DEPTH), state, reason)
    // No text: what was forgotten is nowhere, in no spelling.
    this.#ledger.enter(page, isForgotten ? '' : path, parent ?? NO_PARENT)
    site.known++
    if (state === WAITING) {
      this.#queues.wait(site, page)
      this.#bench.schedule(site)
    }
    return page
  }

  /** Whether a URL that a stranger names can be remembered. */
  hasRoomFor(url: string): boolean {
    const origin = siteOf(url)
    if (this.#elsewhere?.of(origin) !== undefined) return this.#elsewhere.hasRoom
    const site = this.siteIfRoom(origin)
    return site !== -1 && this.hasRoom(site)
  }

  /** Whether the site has room for one more URL. */
  hasRoom(siteId: number): boolean {
    const site = this.#sites.at(siteId)
    return site.known < this.#options.budgetOf(site.origin).maxKnown
  }

  /** A page that waits was found again, nearer to a start page. */
  reach(page: number, depth: number): void {
    if (depth >= this.#table.depthOf(page) || this.#table.stateOf(page) !== WAITING) return
    this.#table.setDepth(page, depth)
    this.#ledger.note(page)
    this.#queues.moved(page)
  }

  /** A page that was excluded, done or failed is to be fetched (again). */
  admit(page: number, depth: number = this.#table.depthOf(page)): void {
    const state = this.#table.stateOf(page)
    if (state === WAITING || state === LEASED || state === FORGOTTEN) return
    const site = this.#sites.ofPage(page)
    this.#table.setDepth(page, Math.min(depth, MAX_DEPTH))
    this.#wait(site, page, 0)
    this.#bench.schedule(site)
  }

  /** A page that waits for its first visit, or was excluded for its name or its link, is excluded for a better reason. */
  exclude(page: number, reason: number): void {
    const state = this.#table.stateOf(page)
    const isNew = state === WAITING && !this.#queues.isAgain(page)
    if (!isNew && (state !== EXCLUDED || this.#table.exclusionOf(page) !== TYPE)) return
    const site = this.#sites.ofPage(page)
    if (isNew) this.#queues.remove(site, page)
    this.#ledger.move(page, EXCLUDED, reason)
    this.#bench.schedule(site)
  }

  /** A page that was fetched before is due: it comes before all that is new, and does not count towards budgets. */
  revisit(page: number): void {
    const state = this.#table.stateOf(page)
    if (state !== DONE && state !== FAILED) return
    const site = this.#sites.ofPage(page)
    this.#ledger.move(page, WAITING, 0)
    this.#queues.waitAgain(site, page)
    this.#bench.schedule(site)
  }

  /** A page that waits was fetched before, as whoever restores knows: it waits as one that is due again. */
  resumeRevisit(page: number): void {
    if (this.#table.stateOf(page) !== WAITING) return
    const site = this.#sites.ofPage(page)
    this.#queues.resumeAgain(site, page)
    this.#bench.schedule(site)
  }

  /** A page that waits comes by another way: it is as if leased, until it is settled. False when it does not wait. */
  takeOut(page: number): boolean {
    if (this.#table.stateOf(page) !== WAITING) return false
    const site = this.#sites.ofPage(page)
    this.#queues.takeOut(site, page)
    site.leased++
    this.#ledger.mark(page, LEASED)
    this.#bench.schedule(site)
    return true
  }

  /** Whether the next page of a site is one that is due again. */
  isDueAgain(siteId: number): boolean {
    return this.#queues.isDueAgain(this.#sites.at(siteId))
  }

  /** Take a page out for good, whatever it was doing. */
  forget(page: number): void {
    const state = this.#table.stateOf(page)
    if (state === FORGOTTEN) return
    const site = this.#sites.ofPage(page)
    if (state === WAITING) this.#queues.remove(site, page)
    if (state === LEASED) {
      site.leased--
      this.#queues.close()
    }
    this.#ledger.move(page, FORGOTTEN, 0)
    this.#bench.schedule(site)
  }

  // ── visits ─────────────────────────────────────────────────────────────────────────────────────────────────

  /** The best task whose site and address are free at `now`; undefined when there is none. */
  lease(now: Instant): Lease | undefined {
    while (this.#isBatchOver(now + MAX_TAIL_MS)) this.#queues.beginBatch()
    this.#refresh()
    const site = this.#bench.take(now)
    if (site === undefined) return undefined
    this.#queues.ranking.taken?.(site)
    const first = this.#take(site, now)
    return {
      site,
      politeness: this.#options.politenessOf(site),
      first,
      task: first,
      requests: 0,
      counted: 0,
      slowestMs: 0,
    }
  }

  /** The site's address is known now. False when it must wait: the lease is over and its task waits again. */
  place(lease: Lease, address: string, now: Instant): boolean {
    const { site } = lease
    if (this.#clocks.place(lease, address, now)) return true
    this.#putBack(site, lease.task)
    this.#bench.release(site, now, now)
    return false
  }

  /**
   * Another task on the same connection, and when it may be asked; undefined when the connection is over. One that saves nobody a rest
   * is kept as long as its site would be leased next anyway, so that pages come in the same order as on a connection each: not when another
   * goes first at this address or, where no more visits than these may be made (`isFull`), in this place.
   */
  next(lease: Lease, now: Instant, isFull = false): { task: Task; at: Instant } | undefined {
    const { site, politeness } = lease
    const at = Math.max(now, site.askedUntil)
    if (at - now > HOLD_CONNECTION_MS || site.strikes > 0) return undefined
    if (lease.counted >= connectionPages(politeness) || !this.#hasWork(site)) return undefined
    this.#refresh()
    if (politeness.pagesPerConnection === undefined && lease.counted > 0) {
      if (!this.#bench.isNext(site, isFull, now)) return undefined
      this.#queues.ranking.taken?.(site)
    }
    lease.task = this.#take(site, now)
    return { task: lease.task, at }
  }

  /** The connection could go on, but its site has nothing to be asked now. */
  isDry({ site, politeness, counted }: Lease): boolean {
    return counted < connectionPages(politeness) && !this.#hasWork(site)
  }

  /** One request was answered, or failed: set the clock that runs between requests. */
  answered(lease: Lease, answer: Answer): void {
    this.#clocks.answered(lease, answer)
  }

  /** The connection is closed: set the clock that runs between connections. A lease that asked nothing costs nothing. */
  release(lease: Lease, now: Instant): void {
    lease.site.running = undefined
    this.#clocks.release(lease, now)
  }

  /**
   * The address is lent to somebody else, or rests elsewhere, until `until`: the lease is over, its task waits again, and nobody here
   * connects to the address before. Who asks others for addresses calls it after `place`.
   */
  postpone(lease: Lease, until: Instant, now: Instant): void {
    const { site } = lease
    this.#putBack(site, lease.task)
    this.#bench.release(site, now, until)
  }

  /** A leased page's visit has ended. `excluded` carries its reason. */
  settle(page: number, disposition: Disposition, bytes = 0, reason = 0): void {
    // Forgotten while it was on its way: it stays forgotten.
    if (this.#table.stateOf(page) !== LEASED) return
    const site = this.#sites.touch(this.#table.siteOf(page))
    const before = this.#table.triesOf(page)
    const tries = Math.min(before + 1, MAX_TRIES)
    const isLast = tries >= Math.min(this.#options.maxTries, MAX_TRIES)
    site.leased--
    site.bytes += bytes
    const isOver = disposition !== 'waiting' && (disposition !== 'retry' || isLast)
    // A page that is fetched again is no second page of its site's.
    const isAgain = isOver && this.#queues.wasAgain(page)
    if (disposition !== 'waiting') this.#queues.close()
    if (disposition === 'waiting') {
      this.#ledger.move(page, WAITING, before)
      this.#queues.putBack(site, page)
    } else if (disposition === 'retry' && !isLast) this.#wait(site, page, tries)
    else if (disposition === 'excluded') this.#ledger.move(page, EXCLUDED, reason)
    else if (disposition === 'forgotten') this.#ledger.move(page, FORGOTTEN, 0)
    else {
      if (!isAgain) site.visited++
      this.#ledger.move(page, disposition === 'done' ? DONE : FAILED, disposition === 'done' ? 0 : tries)
    }
    this.#bench.schedule(site)
  }

  /** What a page that was fetched has to say: where it links to, and whether it is on the topic. */
  visited(page: number, visit: PageVisit): void {
    this.#news++
    this.#queues.ranking.visited?.(page, visit)
  }

  /** robots.txt is known: the site may be visited until `until`, no faster than it asks. */
  openGate(siteId: number, until: Instant, crawlDelayMs: number, now: Instant): void {
    this.#gates.open(siteId, until, crawlDelayMs, now)
  }

  /** robots.txt could not be had: the whole site waits, and is asked for it again from `retryAt` on. */
  closeGate(siteId: number, retryAt: Instant): void {
    this.#gates.close(siteId, retryAt)
  }

  /** Ask a site something besides its pages. */
  runPrerequisite(siteId: number, prerequisite: Prerequisite): void {
    this.#gates.run(siteId, prerequisite)
  }

  /** Leave a site that does not answer alone for the rest of this run; its pages go on waiting for the next one. */
  giveUp(siteId: number): void {
    this.#gates.giveUp(siteId)
  }

  // ── storage ────────────────────────────────────────────────────────────────────────────────────────────────

  /** Path and query of any page, and where it was found. */
  textOf(page: number): BatchPageText {
    return this.#ledger.textOf(page)
  }

  urlOf(page: number): string {
    return this.#sites.ofPage(page).origin + this.textOf(page).path
  }

  /** All that is new since the last frontier batch. Call `stored` when it is durable; until then its texts stay in memory. */
  drain(): FrontierBatch {
    const addresses = this.#bench.drainAddresses()
    if (this.#clocks.uncleanAt > 0) addresses.push([ALL_ADDRESSES, this.#clocks.uncleanAt])
    const batch = { ...this.#ledger.drain(), sites: this.#sites.drain(), addresses }
    return this.#elsewhere === undefined ? batch : { ...batch, elsewhere: this.#elsewhere.drain() }
  }

  /** The oldest drained frontier batch is durable now. */
  stored(): void {
    this.#ledger.stored()
  }

  /**
   * Rebuild a new frontier from stored frontier batches. After an unclean stop nobody knows how recently a site was asked, so
   * each rests from `now` as if it had just been visited. Returns the number of superseded page log entries.
   */
  restore(source: FrontierSource, now: Instant, clean: boolean): number {
    for (const [address, readyAt] of source.addresses()) {
      if (address === ALL_ADDRESSES) this.#clocks.uncleanAt = readyAt
      else this.#bench.restAddress(address, readyAt)
    }
    if (!clean) this.#clocks.uncleanAt = now
    this.#sites.restore(source.sites())
    for (const site of this.#sites.all) this.#clocks.restAgain(site)
    const superseded = this.#ledger.restore(source.pageLog())
    this.#learnAgain(source)
    this.#queues.restore()
    for (const site of this.#sites.all) this.#bench.schedule(site)
    return superseded
  }

  /** The page log so far, shortened, for a store that wants to drop what was superseded. */
  snapshot(pagesPerRecord = 65_536): Generator<Uint8Array> {
    return this.#ledger.snapshot(pagesPerRecord)
  }

  // ── inside ─────────────────────────────────────────────────────────────────────────────────────────────────

  /** What had a page excluded may be gone: it is a start page now, or listed. robots.txt alone is not so easily moved. */
  #offerAgain(page: number, depth: number): void {
    const isOutside = this.#table.stateOf(page) === EXCLUDED && this.#table.exclusionOf(page) !== ROBOTS
    if (isOutside) this.admit(page, depth)
    else this.reach(page, depth)
  }

  /** Nothing more comes of the visit batch under way, or not before `latest`, and there are pages for the next one. */
  #isBatchOver(latest: Instant): boolean {
    if (this.#queues.held === 0) return false
    // A visit that is out may be asking for robots.txt, and take a page of the visit batch next.
    const isIdle = this.#bench.out === 0 && this.count('leased') === 0
    return this.#queues.isBatchDone || (isIdle && this.#bench.wakesAt() >= latest)
  }

  #refresh(): void {
    if (this.#news <= (this.#options.lag?.() ?? 0)) return
    this.#news = 0
    this.#queues.ranking.refresh?.()
  }

  #hasWork(site: Site): boolean {
    if (site.prerequisites.length > 0) return true
    const { holds } = this.#options
    if (holds === 'all' || site.givenUp || site.gateAsked || site.pages.size === 0) return false
    if (this.#queues.isDueAgain(site)) return true
    if (holds === 'new') return false
    const { maxPages, maxBytes } = this.#options.budgetOf(site.origin)
    return site.visited + site.leased < maxPages && site.bytes < maxBytes
  }

  /** The next task of a site that has work. */
  #take(site: Site, now: Instant): Task {
    const prerequisite = this.#nextPrerequisite(site, now)
    site.running = prerequisite
    if (prerequisite !== undefined) return { kind: 'prerequisite', prerequisite, url: site.origin + prerequisite.path }
    const page = this.#queues.take(site)
    site.leased++
    this.#ledger.mark(page, LEASED)
    const [depth, tries] = [this.#table.depthOf(page), this.#table.triesOf(page)]
    return { kind: 'page', page, url: site.origin + this.textOf(page).path, depth, tries }
  }

  /** Prerequisites go first. But a long inquiry does not keep pages waiting that are due: they take turns. */
  #nextPrerequisite(site: Site, now: Instant): Prerequisite | undefined {
    const isTheirTurn = this.#options.holds !== 'all' && site.askedLast && this.#queues.isDueAgain(site)
    if (isTheirTurn && site.prerequisites[0]?.kind === 'question' && site.gateUntil > now) {
      site.askedLast = false
      return undefined
    }
    const prerequisite = this.#options.gates ? this.#gates.nextPrerequisite(site, now) : site.prerequisites.shift()
    site.askedLast = prerequisite?.kind === 'question'
    return prerequisite
  }

  #putBack(site: Site, task: Task): void {
    site.running = undefined
    if (task.kind === 'prerequisite') site.prerequisites.unshift(task.prerequisite)
    else if (this.#table.stateOf(task.page) === LEASED) {
      site.leased--
      this.#ledger.mark(task.page, WAITING)
      this.#queues.putBack(site, task.page)
    }
  }

  #wait(site: Site, page: number, tries: number): void {
    this.#ledger.move(page, WAITING, tries)
    this.#queues.wait(site, page)
  }

  /** What earlier runs have seen, told to the ranking before it ranks anything. */
  #learnAgain(source: FrontierSource): void {
    const { ranking } = this.#queues
    if (source.visits === undefined || ranking.visited === undefined) return
    if (ranking.restore !== undefined) return ranking.restore(source.visits())
    for (const [page, visit] of source.visits()) ranking.visited(page, visit)
  }
}
