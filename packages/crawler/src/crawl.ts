/**
 * Crawl: the loop. Lease a site, visit it, learn from what it said, make it durable, until nothing waits or a limit is
 * reached. Everything it may touch outside itself comes in through `World`.
 *
 * Stopping is polite: visits under way finish their request, what was fetched is stored, and the same call goes on later.
 * A pause is the same without the end. Both, and more, can be asked for from outside: `control/crawl-control.ts`.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Instant } from '@comity/protocol'
import { Collection } from '@comity/collection'
import type { Frontier, SiteRow } from '@comity/frontier'
import {
  Acknowledgements,
  earlierVisits,
  FaultHandler,
  GroupCommit,
  knownHooks,
  LinkHandler,
  ReadingPool,
  earlierTotals,
  Tally,
} from '@comity/ingest'
import { BatchWatch } from './run/batch-watch.ts'
import { Bell } from './run/bell.ts'
import { ContentKeeper } from './run/content-keeper.ts'
import { serveControl } from './control/server.ts'
import { RunBudget } from './control/crawl-budget.ts'
import type { CrawlCall, CrawlProgress } from './crawl-call.ts'
import { retryPages } from './run/retried-pages.ts'
import { ImportanceSample } from './run/importance-sample.ts'
import { Indexing } from '@comity/search'
import type { IndexSummary } from '@comity/search'
import type { IntakePort } from './push/intake-port.ts'
import { crawlOptions, requireContact } from './options.ts'
import type { CrawlOptions } from './options.ts'
import { Questions } from '@comity/follow'
import { RunControl } from './control/run-control.ts'
import { runFrontier } from './run/run-frontier.ts'
import { runGate } from './run/run-gate.ts'
import type { RunGate } from './run/run-gate.ts'
import { readingOptions } from './fetch/run-reading.ts'
import { RunSwitch } from './control/run-switch.ts'
import { RunWatch } from './watch/run-watch.ts'
import { SitesGivenUp } from './run/sites-given-up.ts'
import { StartPages } from './run/start-pages.ts'
import { startUrl } from './run/start-url.ts'
import { summaryOf } from './run/summary.ts'
import type { CrawlSummary } from './run/summary.ts'
import { visit } from './fetch/visit.ts'
import type { VisitParts } from './fetch/visit.ts'
import { visitParts } from './fetch/visit-parts.ts'
import type { WatchOptions } from './watch-options.ts'
import { realWorld } from './world.ts'
import type { World } from './world.ts'

/** Unread bytes and pages that may wait for the readers and the disk. Together they bound the memory of a crawl. */
const MAX_UNREAD_BYTES = 4 << 20
const MAX_UNCOMMITTED_PAGES = 1_000
const MAX_UNCOMMITTED_BYTES = 8 << 20
/** What the indexing thread does in well under a second. */
const MAX_UNINDEXED_PAGES = 400
/** Pages told to the order together while others wait to be read. */
const MAX_LAG = 32
/** Between two progress lines, and between two samples. */
const TICK_MS = 500

export async function crawl(call: CrawlCall): Promise<CrawlSummary> {
  const world = call.world ?? realWorld
  const options = crawlOptions(call.options ?? {})
  const seeds = options.seeds.map((seed) => startUrl(seed, options.urlRules))
  requireContact({ ...options, seeds })
  await using collection = await Collection.open(call.into, world.now(), call.collection)
  const hooks = knownHooks(options.hooks)
  await using run = new Run({ ...options, seeds, hooks }, world, collection, call.intake)
  return await run.toEnd(call)
}

class Run implements AsyncDisposable {
  readonly #options: CrawlOptions
  readonly #world: World
  readonly #collection: Collection
  readonly #start: StartPages
  readonly #budget: RunBudget
  readonly #frontier: Frontier
  readonly #tally: Tally
  readonly #pool: ReadingPool
  readonly #commit: GroupCommit
  readonly #acknowledgements: Acknowledgements
  readonly #parts: VisitParts
  readonly #gate: RunGate
  readonly #links: LinkHandler
  readonly #questions: Questions
  readonly #faults: FaultHandler
  readonly #bell = new Bell()
  /** Sites whose differences could not be used. */
  readonly #noDifferences = new Set<number>()
  readonly #switch = new RunSwitch()
  readonly #givenUp: SitesGivenUp
  readonly #batches: BatchWatch
  readonly #keeper: ContentKeeper | undefined
  readonly #importance: ImportanceSample
  readonly #control: RunControl
  readonly #indexing: Indexing | undefined
  readonly #watch: RunWatch | undefined
  #visits = 0
  #unsettled = 0
  #unsettledBytes = 0
  #error: Error | undefined
  #isInterrupted = false
  readonly #startedAt: Instant
  /** When everything was fetched and durable; the index is put in order after that. */
  #endedAt: Instant
  readonly #pagesBefore: number

  constructor(options: CrawlOptions, world: World, collection: Collection, intake: IntakePort | undefined) {
    this.#options = options
    this.#world = world
    this.#collection = collection
    this.#startedAt = this.#endedAt = world.now()
    this.#start = new StartPages(options, collection, this.#startedAt)
    this.#budget = new RunBudget(options)
    this.#tally = new Tally(earlierTotals(collection))
    this.#pagesBefore = this.#tally.totals.pages
    this.#frontier = runFrontier(options, this.#budget, collection, {
      random: () => world.random(),
      lag: () => (this.#pool.unreadBytes > 0 ? MAX_LAG : 0),
    })
    this.#givenUp = new SitesGivenUp(this.#frontier)
    this.#faults = new FaultHandler(collection.dir, 'crawl', () => world.now())
    this.#questions = new Questions(this.#frontier, this.#faults)
    this.#batches = new BatchWatch(options.parallel)
    if (options.keep < Infinity) this.#keeper = new ContentKeeper(collection, this.#frontier, options.keep)
    this.#links = new LinkHandler(this.#frontier, (url, found) => this.#start.reasonFor(url, found))
    this.#pool = new ReadingPool(readingOptions(options), options.threads, MAX_UNREAD_BYTES)
    this.#acknowledgements = new Acknowledgements(() => this.#commit.soon())
    this.#commit = new GroupCommit(collection, this.#frontier, options.commitEveryMs, {
      before: () => this.#beforeCommit(),
      after: () => {
        this.#indexing?.follow()
        this.#watch?.committed()
      },
      onError: (error) => this.#fail(error),
    })
    this.#importance = new ImportanceSample(this.#frontier, collection, () => world.random())
    if (options.index) this.#indexing = new Indexing(collection, {}, (number) => this.#watch?.searchable(number))
    this.#control = this.#createControl()
    const visits = this.#createVisits()
    this.#gate = runGate({ visits, start: this.#start, budget: this.#budget, random: () => world.random() })
    const mustBeWhole = (page: number): boolean =>
      this.#gate.mustBeWhole(page) || this.#watch?.mustBeWhole(page) === true
    this.#parts = { ...visits, gate: { ...this.#gate, mustBeWhole } }
    if (options.watch !== undefined) this.#watch = this.#createWatch(options.watch, intake)
  }

  async toEnd({ signal, onProgress, onControl, listen = true }: CrawlCall): Promise<CrawlSummary> {
    await this.#restore()
    const stop = (): void => this.#interrupt()
    signal?.addEventListener('abort', stop)
    if (signal?.aborted) stop()
    const ticker = setInterval(() => {
      this.#control.tick()
      onProgress?.(this.#progress())
    }, TICK_MS)
    try {
      await using _ = listen ? await serveControl(this.#collection.dir, this.#control, TICK_MS) : undefined
      onControl?.(this.#control)
      await this.#loop()
      await this.#finish()
    } finally {
      clearInterval(ticker)
      signal?.removeEventListener('abort', stop)
    }
    if (this.#error !== undefined) throw this.#error
    onProgress?.(this.#progress())
    return summaryOf(this.#frontier, this.#tally.totals, this.#start.urls, {
      collection: this.#collection.dir,
      seconds: (this.#endedAt - this.#startedAt) / 1000,
      interrupted: this.#isInterrupted,
      linksForgotten: this.#links.overflow,
      pagesBefore: this.#pagesBefore,
      givenUp: this.#givenUp.reports,
      batches: this.#batches.reports(this.#world.now()),
      ...this.#gate.report(),
      index: this.#indexSummary(),
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#watch?.end()
    await this.#pool[Symbol.asyncDispose]()
    await this.#indexing?.[Symbol.asyncDispose]()
    this.#parts.open[Symbol.dispose]()
    this.#faults[Symbol.dispose]()
  }

  async #loop(): Promise<void> {
    while (!this.#switch.isStopping) {
      this.#control.takeTurn()
      if (this.#hasPlace()) this.#watch?.turn(this.#world.now())
      const lease = this.#mayLease() ? this.#frontier.lease(this.#world.now()) : undefined
      if (lease !== undefined) {
        this.#batches.look(this.#frontier.batch, ++this.#visits, this.#world.now())
        void visit(lease, this.#parts)
          .catch((error: unknown) => this.#fail(error as Error))
          .finally(() => {
            this.#batches.look(this.#frontier.batch, --this.#visits, this.#world.now())
            this.#bell.ring()
          })
        continue
      }
      if (!this.#isIdle()) await this.#bell.wait(this.#waitMs())
      else if (this.#keeper?.isDue) await this.#giveBack()
      else if (this.#switch.state === 'pausing') await this.#settleDown()
      else if (this.#isOver()) return
      else await this.#bell.wait(this.#waitMs())
    }
  }

  /** Nothing is on its way: no request, no page, no answer to somebody who waits for a commit. */
  #isIdle(): boolean {
    return this.#visits === 0 && this.#unsettled === 0 && this.#acknowledgements.open === 0
  }

  #isOver(): boolean {
    if (this.#switch.isPaused || this.#options.stayOpen || this.#watch !== undefined) return false
    return this.#isSpent() || this.#restsTooLong()
  }

  /** What the visits before a pause brought becomes durable; then it is one. A failed commit stops the crawl itself. */
  async #settleDown(): Promise<void> {
    await this.#acknowledgements.durable().then(
      () => this.#switch.quiet(),
      () => undefined,
    )
  }

  #waitMs(): number {
    const now = this.#world.now()
    const dueAt = this.#watch?.nextAt(now) ?? Infinity
    // A budget that is spent fills up again without anybody ringing.
    const paidMs = this.#watch?.isSpent(now) === true ? this.#watch.paidAt(now) - now : Infinity
    if (!this.#mayLease()) return Math.max(1, Math.min(dueAt - now, paidMs, 1_000))
    return Math.max(1, Math.min(this.#frontier.wakesAt() - now, dueAt - now, 60_000))
  }

  #restsTooLong(): boolean {
    return this.#frontier.wakesAt() - this.#world.now() > this.#options.patienceMs
  }

  /** One more visit may start: there is a place for it, and its page cannot be one too many. */
  #mayLease(): boolean {
    return this.#hasPlace() && !this.#isSpent() && !this.#keeper?.isDue && !this.#watch?.isSpent(this.#world.now())
  }

  #hasPlace(): boolean {
    return this.#visits < this.#options.parallel && !this.#switch.isHalted
  }

  #isSpent(): boolean {
    const { totals, goodVisits } = this.#tally
    const { bytes } = totals
    // The limit is the collection's size, so that a crawl that was cut short ends where it would have. A run that
    // visits pages again adds none: there it limits the visits.
    const pages = this.#options.revisitAfterMs < Infinity ? goodVisits : totals.pages
    if (bytes + this.#unsettledBytes >= this.#budget.maxBytes) return true
    return pages + this.#frontier.count('leased') >= this.#budget.maxPages
  }

  async #finish(): Promise<void> {
    this.#switch.stop()
    this.#control.end()
    while (!this.#isIdle()) await this.#bell.wait(60_000)
    await this.#watch?.lastLook()
    this.#givenUp.nameUnfinished(this.#world.now() + this.#options.patienceMs)
    // Also after an error of a hook's, say: what was fetched and learnt until then is as good as ever.
    await this.#commit.flush()
    if (this.#error === undefined) await this.#giveBack()
    this.#endedAt = this.#world.now()
    await this.#indexing?.finish(!this.#isInterrupted && this.#error === undefined)
  }

  #indexSummary(): IndexSummary | undefined {
    if (this.#indexing === undefined) return undefined
    const { report, error } = this.#indexing
    return { pages: report.pages, unread: report.unread, problem: error?.message }
  }

  async #giveBack(): Promise<void> {
    await this.#commit.flush()
    if (this.#keeper === undefined) return
    // Giving back replaces the files that the indexing thread reads.
    await this.#indexing?.rest()
    this.#importance.isFrozen = true
    await this.#keeper.giveBack(this.#world.now())
    this.#importance.isFrozen = false
    this.#indexing?.follow()
  }

  /** The totals travel with every commit, so that limits hold across a kill; a copy, as counting goes on meanwhile. */
  #beforeCommit(): void {
    this.#collection.putMeta('totals', structuredClone(this.#tally.totals))
    this.#watch?.save()
    this.#acknowledgements.begins()
  }

  #interrupt(): void {
    this.#isInterrupted = true
    this.#stop()
  }

  #stop(): void {
    this.#switch.stop()
    this.#parts.open.stop()
    this.#watch?.stopping()
    this.#bell.ring()
  }

  #fail(error: Error): void {
    this.#error ??= error
    this.#acknowledgements.fail(error)
    this.#stop()
  }

  /** What the collection remembers, then what this call adds. */
  async #restore(): Promise<void> {
    const now = this.#world.now()
    const source = {
      journal: () => this.#collection.journal(),
      sites: () => this.#collection.sites<SiteRow>(),
      addresses: () => this.#collection.addresses(),
      visits: () => earlierVisits(this.#collection, this.#options.topic.words),
    }
    const superseded = this.#frontier.restore(source, now, this.#collection.wasClosed)
    if (superseded > 1_000_000 && superseded > 2 * this.#frontier.pages.count) {
      await this.#collection.replaceJournal(this.#frontier.snapshot())
    }
    this.#gate.restore()
    this.#start.offerAll(this.#frontier)
    this.#keeper?.restore()
    this.#importance.restore()
    await this.#watch?.restore(now)
    if (this.#options.revisitAfterMs < Infinity) this.#readmit(now - this.#options.revisitAfterMs)
    this.#collection.putMeta('topic', this.#options.topic.words.join(' '))
    await retryPages(this.#faults, this.#frontier, this.#options.urlRules, () => this.#commit.flush())
  }

  #readmit(before: Instant): void {
    for (const { key, value } of this.#collection.pages()) if (value.visitedAt <= before) this.#frontier.admit(key)
  }

  #progress(): CrawlProgress {
    return {
      totals: this.#tally.totals,
      waiting: this.#frontier.count('waiting'),
      visits: this.#visits,
      sitesReady: this.#frontier.readySites,
      sites: this.#frontier.sites.length,
      watch: this.#watch?.sample(this.#world.now()),
    }
  }

  #createControl(): RunControl {
    return new RunControl({
      options: this.#options,
      frontier: this.#frontier,
      start: this.#start,
      budget: this.#budget,
      totals: this.#tally.totals,
      importance: this.#importance,
      runSwitch: this.#switch,
      acknowledgements: this.#acknowledgements,
      bell: this.#bell,
      now: () => this.#world.now(),
      visits: () => this.#visits,
      unindexed: () => this.#indexing?.unindexed ?? 0,
      watch: (now) => this.#watch?.sample(now),
      stop: () => this.#interrupt(),
    })
  }

  #createWatch(watch: WatchOptions, intake: IntakePort | undefined): RunWatch {
    return new RunWatch({
      options: this.#options,
      watch,
      frontier: this.#frontier,
      collection: this.#collection,
      questions: this.#questions,
      visits: this.#parts,
      intake,
      ring: () => this.#bell.ring(),
      random: () => this.#world.random(),
      now: () => this.#world.now(),
    })
  }

  #createVisits(): Omit<VisitParts, 'gate'> {
    return visitParts({
      options: this.#options,
      world: this.#world,
      collection: this.#collection,
      frontier: this.#frontier,
      tally: this.#tally,
      pool: this.#pool,
      links: this.#links,
      start: this.#start,
      givenUp: this.#givenUp,
      questions: this.#questions,
      faults: this.#faults,
      onDeposit: (settled) => {
        this.#commit.add()
        this.#gate.settled(settled)
        this.#watch?.settled(settled)
      },
      whyOf: (page) => this.#watch?.handler.whyOf(page),
      asked: (task) => this.#watch?.asked(task),
      wantsDifferences: (site) => this.#watch !== undefined && !this.#noDifferences.has(site),
      noDifferences: (site, problem) => {
        this.#noDifferences.add(site)
        this.#watch?.brokenDifference(site, problem)
      },
      onContent: (page) => {
        this.#keeper?.add(page)
        this.#importance.add(page)
      },
      sleepUntil: (at) => this.#sleepUntil(at),
      room: () => this.#room(),
      isStopping: () => this.#switch.isHalted,
      isSpent: (site) => this.#isSpent() || this.#watch?.handler.isEnough(site, this.#world.now()) === true,
      track: (settled, bytes) => this.#track(settled, bytes),
      learnt: () => this.#commit.soon(),
    })
  }

  async #room(): Promise<void> {
    await this.#pool.room()
    await this.#commit.room(MAX_UNCOMMITTED_PAGES, MAX_UNCOMMITTED_BYTES)
    await this.#indexing?.room(MAX_UNINDEXED_PAGES)
  }

  /** A page is on its way through the readers; it counts as unsettled until its deposit is in. */
  #track(settled: Promise<void>, bytes: number): void {
    this.#unsettled++
    this.#unsettledBytes += bytes
    void settled
      .catch((error: unknown) => this.#fail(error as Error))
      .finally(() => {
        this.#unsettled--
        this.#unsettledBytes -= bytes
        this.#bell.ring()
      })
  }

  async #sleepUntil(at: Instant): Promise<void> {
    const signal = this.#switch.halt
    // A rejection only says that the crawl pauses or stops; whoever slept looks for itself.
    await sleep(Math.max(0, at - this.#world.now()), undefined, { signal }).catch(() => undefined)
  }
}
