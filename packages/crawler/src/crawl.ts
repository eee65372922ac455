/**
 * Crawl: the loop. Lease a site, visit it, learn from what it said, make it durable, until nothing waits or a limit is
 * reached. Everything it may touch outside itself comes in through `World`.
 *
 * Stopping is polite: visits under way finish their request, what was fetched is stored, and the same call goes on later.
 * A pause is the same without the end. Both, and more, can be asked for from outside: `control/crawl-control.ts`.
 */
import type { Instant } from '@comity/protocol'
import { Collection, FACTS } from '@comity/collection'
import { knownHooks } from '@comity/ingest'
import { RunControl } from './control/run-control.ts'
import { serveControl } from './control/server.ts'
import type { CrawlCall, CrawlProgress } from './crawl-call.ts'
import { visit } from './fetch/visit.ts'
import type { VisitParts } from './fetch/visit.ts'
import { visitParts } from './fetch/visit-parts.ts'
import { crawlOptions, requireContact } from './options.ts'
import type { IntakePort } from './push/intake-port.ts'
import { readmitOlder } from './run/readmit.ts'
import { retryPages } from './run/retried-pages.ts'
import { restoreFrontier } from './run/run-frontier.ts'
import type { RunFetchFilter } from './run/run-fetch-filter.ts'
import { runParts } from './run/run-parts.ts'
import type { RunParts } from './run/run-parts.ts'
import { shardRun } from './run/shard-run.ts'
import { startUrls } from './run/start-url.ts'
import { runUrlRules, statedUrlRules } from './run/stated-url-rules.ts'
import { crawlProgress, crawlSummary } from './run/summary.ts'
import type { CrawlSummary } from './run/summary.ts'
import { RunWatch } from './watch/run-watch.ts'
import { realWorld } from './world.ts'

/** Between two progress lines, and between two samples. */
const TICK_MS = 500

export async function crawl(call: CrawlCall): Promise<CrawlSummary> {
  const world = call.world ?? realWorld
  const given = call.options ?? {}
  const options = crawlOptions(given)
  const stated = statedUrlRules(given)
  // What is wrong with a start page is told before there is a folder.
  requireContact({ ...options, seeds: startUrls(options.seeds, stated ?? options.urlRules) })
  await using collection = await Collection.open(call.into, world.now(), { ...call.collection, urlRules: stated })
  const urlRules = runUrlRules(collection, given)
  if (call.settings !== undefined) collection.putFact(FACTS.settings, call.settings)
  const own = { urlRules, seeds: startUrls(options.seeds, urlRules), hooks: knownHooks(options.hooks) }
  await using run = new Run(runParts({ ...options, ...own }, world, collection, call.shard), call.intake)
  return await run.toEnd(call)
}

class Run implements AsyncDisposable {
  readonly #parts: RunParts
  readonly #visits: VisitParts & { readonly filter: RunFetchFilter }
  readonly #watch: RunWatch | undefined
  readonly #control: RunControl
  readonly #startedAt: Instant
  readonly #pagesBefore: number
  /** When everything was fetched and durable; the index is put in order after that. */
  #endedAt: Instant

  constructor(parts: RunParts, intake: IntakePort | undefined) {
    this.#parts = parts
    this.#startedAt = this.#endedAt = parts.now()
    this.#pagesBefore = parts.tally.totals.pages
    this.#visits = visitParts(parts)
    this.#watch = this.#createWatch(intake)
    this.#control = this.#createControl()
  }

  async toEnd({ signal, onProgress, onControl, listen = true }: CrawlCall): Promise<CrawlSummary> {
    const { collection, runSwitch } = this.#parts
    await this.#restore()
    const stop = (): void => runSwitch.interrupt()
    signal?.addEventListener('abort', stop)
    if (signal?.aborted) stop()
    const ticker = setInterval(() => {
      this.#control.tick()
      onProgress?.(this.#progress())
    }, TICK_MS)
    try {
      await using _ = listen ? await serveControl(collection.dir, this.#control, TICK_MS) : undefined
      onControl?.(this.#control)
      const state = { isIdle: () => this.#isIdle(), hasNothingLeft: () => this.#hasNothingLeft() }
      this.#parts.shard?.begin(shardRun(this.#parts, this.#visits.open, state))
      await this.#loop()
      await this.#finish()
    } finally {
      clearInterval(ticker)
      signal?.removeEventListener('abort', stop)
    }
    if (runSwitch.error !== undefined) throw runSwitch.error
    onProgress?.(this.#progress())
    return this.#summary()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { pool, indexing, faults } = this.#parts
    await this.#watch?.end()
    await pool[Symbol.asyncDispose]()
    await indexing?.[Symbol.asyncDispose]()
    this.#visits.open[Symbol.dispose]()
    faults[Symbol.dispose]()
  }

  async #loop(): Promise<void> {
    const { runSwitch, room, frontier, keeper, bell, now } = this.#parts
    while (!runSwitch.isStopping) {
      this.#control.takeTurn()
      if (room.hasPlace) this.#watch?.turn(now())
      const lease = this.#mayLease() ? frontier.lease(now()) : undefined
      if (lease !== undefined) void room.visit(visit(lease, this.#visits))
      else if (!this.#isIdle()) await bell.wait(this.#waitMs())
      else if (keeper?.isDue) await this.#giveBack()
      else if (runSwitch.state === 'pausing') await this.#settleDown()
      else if (this.#isOver()) return
      else await bell.wait(this.#waitMs())
    }
  }

  /** Nothing is on its way: no request, no page, no answer to somebody who waits for a commit. */
  #isIdle(): boolean {
    return this.#parts.room.isIdle && this.#parts.acknowledgements.open === 0
  }

  #isOver(): boolean {
    const { options, runSwitch, shard } = this.#parts
    if (runSwitch.isPaused || options.stayOpen || this.#watch !== undefined || shard !== undefined) return false
    return this.#hasNothingLeft()
  }

  #hasNothingLeft(): boolean {
    const { options, room, frontier, now } = this.#parts
    return room.isSpent || frontier.wakesAt() - now() > options.patienceMs
  }

  /** What the visits before a pause brought becomes durable; then it is one. A failed commit stops the crawl itself. */
  async #settleDown(): Promise<void> {
    const { acknowledgements, runSwitch } = this.#parts
    await acknowledgements.durable().then(
      () => runSwitch.quiet(),
      () => undefined,
    )
  }

  #waitMs(): number {
    const { frontier, fresh } = this.#parts
    const now = this.#parts.now()
    const dueAt = this.#watch?.nextAt(now) ?? Infinity
    // A budget that is spent fills up again without anybody ringing.
    const paidMs = fresh?.revisits.isSpent(now) === true ? fresh.revisits.paidAt(now) - now : Infinity
    if (!this.#mayLease()) return Math.max(1, Math.min(dueAt - now, paidMs, 1_000))
    return Math.max(1, Math.min(frontier.wakesAt() - now, dueAt - now, 60_000))
  }

  /** One more visit may start: there is a place for it, and its page cannot be one too many. */
  #mayLease(): boolean {
    const { room, keeper, fresh, shard, now } = this.#parts
    return (
      room.hasPlace && shard?.mayVisit() !== false && !room.isSpent && !keeper?.isDue && !fresh?.revisits.isSpent(now())
    )
  }

  async #finish(): Promise<void> {
    const { runSwitch, bell, givenUp, options, commit, indexing, now } = this.#parts
    runSwitch.stop()
    this.#control.end()
    while (!this.#isIdle()) await bell.wait(60_000)
    await this.#watch?.lastLook()
    givenUp.nameUnfinished(now() + options.patienceMs)
    // Also after an error of a hook's, say: what was fetched and learnt until then is as good as ever.
    await commit.flush()
    if (runSwitch.error === undefined) await this.#giveBack()
    this.#endedAt = now()
    await indexing?.finish(!runSwitch.isInterrupted && runSwitch.error === undefined)
  }

  async #giveBack(): Promise<void> {
    const { commit, keeper, indexing, importance, now } = this.#parts
    await commit.flush()
    if (keeper === undefined) return
    // Giving back replaces the files that the indexing thread reads.
    await indexing?.rest()
    importance.isFrozen = true
    await keeper.giveBack(now())
    importance.isFrozen = false
    indexing?.follow()
  }

  /** What the collection remembers, then what this call adds. */
  async #restore(): Promise<void> {
    const { collection, frontier, options, start, keeper, importance, faults, commit } = this.#parts
    const now = this.#parts.now()
    await restoreFrontier(frontier, collection, options, now, this.#parts.shard?.isMoved)
    this.#visits.filter.restore()
    start.offerAll(frontier)
    keeper?.restore()
    importance.restore()
    await this.#watch?.restore(now)
    if (options.revisitAfterMs < Infinity) readmitOlder(frontier, collection, now - options.revisitAfterMs)
    collection.putFact(FACTS.topic, options.topic.words.join(' '))
    await retryPages(faults, frontier, options.urlRules, () => commit.flush())
  }

  #progress(): CrawlProgress {
    return crawlProgress(this.#parts, this.#watch)
  }

  #summary(): CrawlSummary {
    const { frontier, tally, start, collection, runSwitch, links, givenUp, batches, now } = this.#parts
    return crawlSummary(frontier, tally.totals, start.urls, {
      collection: collection.dir,
      seconds: (this.#endedAt - this.#startedAt) / 1000,
      interrupted: runSwitch.isInterrupted,
      linksDropped: links.overflow,
      pagesBefore: this.#pagesBefore,
      givenUp: givenUp.reports,
      batches: batches.reports(now()),
      ...this.#visits.filter.report(),
      index: this.#parts.indexing?.summary,
    })
  }

  #createControl(): RunControl {
    const { tally, runSwitch, room, indexing } = this.#parts
    return new RunControl({
      ...this.#parts,
      totals: tally.totals,
      visits: () => room.visits,
      unindexed: () => indexing?.unindexed ?? 0,
      watch: (now) => this.#watch?.sample(now),
      stop: () => runSwitch.interrupt(),
    })
  }

  #createWatch(intake: IntakePort | undefined): RunWatch | undefined {
    const { fresh, options, world } = this.#parts
    if (fresh === undefined || options.watch === undefined) return undefined
    const watch = new RunWatch({
      ...this.#parts,
      ...fresh,
      watch: options.watch,
      visits: this.#visits,
      intake,
      random: () => world.random(),
    })
    this.#visits.filter.wantWhole((page) => watch.mustBeWhole(page))
    return watch
  }
}
