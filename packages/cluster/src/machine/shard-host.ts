/**
 * ShardHost: one crawl of one shard on one machine, in a folder that is ready: with what joins it to the others, and how it is handed
 * over.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { crawl, crawlDefaults, largestPageOf } from '@comity/crawler'
import type { CrawlOptions, CrawlSummary, ShardPort, ShardRun, VisitPlaces, World } from '@comity/crawler'
import { FACTS } from '@comity/collection'
import type { Opening } from '@comity/collection'
import { messageOf } from '@comity/protocol'
import { Loans } from '../addresses/loans.ts'
import type { Clock, LeaseTimes } from '../clock.ts'
import { Inflow } from '../lists/inflow.ts'
import { serveLists } from '../lists/list-service.ts'
import { withOpening } from '../lists/telling.ts'
import { shardOf } from '../placement.ts'
import type { Message, Road } from '../road/road.ts'
import { budgetKey, changeRecord, crawlOptionsOf, summaryKey } from '../settings.ts'
import type { ClusterSettings, Job } from '../settings.ts'
import type { CopyFacts, FolderVault } from '../vault/folder-vault.ts'
import { givenIn, grantFor, isBudget } from './shared-budget.ts'
import type { Grant } from './shared-budget.ts'
import { markOf, shardDir, writeMark } from './shard-folder.ts'

interface ShardHostParts {
  readonly shard: number
  readonly epoch: number
  /** The machine's folder. */
  readonly dir: string
  readonly settings: ClusterSettings
  readonly job: Job
  readonly road: Road
  readonly vault: FolderVault
  readonly clock: Clock
  readonly times: LeaseTimes
  readonly isHeld: () => boolean
  readonly places: VisitPlaces
  readonly world: World | undefined
  readonly say: (sentence: string) => void
}

/** What others ask about a shard. */
export interface ShardState {
  readonly epoch: number
  readonly isIdle: boolean
  /** Changes whenever anything happens. */
  readonly activity: number
  readonly taken: readonly { readonly shard: number; readonly epoch: number; readonly position: number }[]
  readonly lengths: readonly number[]
  readonly pages: number
  readonly waiting: number
  readonly lag: number
  /** Of the whole's budget, what this shard has used or may use. */
  readonly granted: number
  readonly grantedBytes?: number
}

export const statePlace = (shard: number): string => `state.${shard}`

const FIRST_LOOK_MS = 100
const SLOWEST_LOOK_MS = 2_000
/** Between two copies, in leases; a copy pins what is freed meanwhile, so it rests twenty times as long as it took. */
const COPY_LEASES = 2
/** After a keeper was followed by another, addresses rest for a lease and more: that is no reason to end. */
const PATIENCE_LEASES = 4
const MAX_BLOCK = 500
/** Of bytes, in pages as large as any that is read. */
const MAX_LARGEST = 64

export class ShardHost {
  readonly #parts: ShardHostParts
  readonly #loans: Loans
  readonly #ends: (() => void)[] = []
  #run: ShardRun | undefined
  #inflow: Inflow | undefined
  #isOver = false
  #hasEnded = false
  #pages: Grant = { granted: Infinity, left: 0 }
  #bytes: Grant = { granted: Infinity, left: 0 }
  #crawling: Promise<CrawlSummary | undefined> | undefined
  #copying: Promise<void> = Promise.resolve()
  #isBudgeting = false
  #looking: NodeJS.Timeout | undefined
  #copyTimer: NodeJS.Timeout | undefined

  constructor(parts: ShardHostParts) {
    this.#parts = parts
    const { shard, settings, epoch, road, clock, times, job } = parts
    this.#loans = new Loans({ shard, shards: settings.shards, epoch, road, clock, times })
    if (job.maxPages > 0) this.#pages = NOTHING
    if (hasByteLimit(job)) this.#bytes = NOTHING
  }

  get dir(): string {
    return shardDir(this.#parts.dir, this.#parts.shard)
  }
  get run(): ShardRun | undefined {
    return this.#run
  }

  /** Open it and crawl, until all have ended or it is not ours any more. Resolves with the summary of a crawl that ended. */
  start(): Promise<CrawlSummary | undefined> {
    this.#crawling ??= this.#crawl()
    return this.#crawling
  }

  /** To be called a few times a lease. */
  turn(): void {
    this.#loans.turn()
    const { job } = this.#parts
    if (this.#run === undefined || !(job.maxPages > 0 || hasByteLimit(job)) || this.#isBudgeting) return
    this.#isBudgeting = true
    void this.#budget().finally(() => (this.#isBudgeting = false))
  }

  /** What is durable, as others ask for it. */
  state(): ShardState {
    const { epoch, settings } = this.#parts
    const run = this.#run
    const lengths = Array.from({ length: settings.shards }, (_, shard) => run?.collection.listLength(shard) ?? 0)
    const [inflow, frontier] = [this.#inflow, run?.frontier]
    return {
      epoch,
      isIdle: run?.extent.isIdle() === true && inflow !== undefined && inflow.isHeard && !this.#wantsMore(),
      activity: (inflow?.heard ?? 0) + (run?.totals.requests ?? 0) + (frontier?.pages.count ?? 0),
      taken: inflow?.taken ?? [],
      lengths,
      pages: run?.totals.pages ?? 0,
      waiting: frontier?.count('waiting') ?? 0,
      lag: inflow?.lag ?? 0,
      granted: this.#parts.job.maxPages === 0 ? 0 : Math.max(this.#pages.granted, run?.extent.pagesTaken() ?? 0),
      grantedBytes: hasByteLimit(this.#parts.job) ? Math.max(this.#bytes.granted, run?.extent.bytesTaken() ?? 0) : 0,
    }
  }

  /** All have ended. */
  end(): void {
    this.#isOver = true
    this.#hasEnded = true
    this.#run?.end()
  }

  /** It is another's, or may be soon: nothing is asked any more. */
  async abandon(): Promise<void> {
    this.#isOver = true
    this.#loans.end()
    this.#run?.abandon(new Error('the shard is not ours any more'))
    await this.#crawling?.catch(() => undefined)
  }

  /** Politely: visits finish, and what is here is in the vault when it resolves. */
  async handOver(): Promise<void> {
    this.#isOver = true
    this.#run?.end()
    await this.#crawling?.catch(() => undefined)
  }

  async #crawl(): Promise<CrawlSummary | undefined> {
    const { shard, isHeld, places, world, say } = this.#parts
    if (!isHeld() || this.#isOver) return undefined
    const port: ShardPort = {
      homeOf: this.#homeOf(),
      borrow: (address, restMs) => this.#borrow(address, restMs),
      mayVisit: () => isHeld() && this.#pages.granted > 0 && this.#bytes.granted > 0,
      places,
      isMoved: markOf(this.dir)?.isMoved === true,
      begin: (run) => this.#begin(run),
    }
    try {
      const summary = await crawl({
        into: this.dir,
        options: this.#options(),
        shard: port,
        ...(world === undefined ? {} : { world }),
      })
      if (this.#hasEnded) await this.#keepSummary(summary)
      return summary
    } catch (error) {
      if (isHeld() && !this.#isOver) say(`shard ${shard} stopped: ${messageOf(error)}`)
      throw error
    } finally {
      clearTimeout(this.#looking)
      clearTimeout(this.#copyTimer)
      for (const end of this.#ends) end()
      this.#loans.end()
    }
  }

  #options(): Partial<CrawlOptions> {
    const { job, times, settings } = this.#parts
    const options = crawlOptionsOf(job, settings.shards)
    const patienceMs = Math.max(options.patienceMs ?? crawlDefaults.patienceMs, times.leaseMs * PATIENCE_LEASES)
    return { ...options, patienceMs }
  }

  #homeOf(): (origin: string) => number | undefined {
    const { shard, settings } = this.#parts
    return (origin) => {
      const home = shardOf(origin, settings.shards)
      return home === shard ? undefined : home
    }
  }

  async #borrow(address: string, restMs: number): ReturnType<ShardPort['borrow']> {
    const { isHeld } = this.#parts
    const borrowed = await this.#loans.borrow(address, restMs)
    if (borrowed.kind === 'wait') return borrowed
    const { loan } = borrowed
    return { kind: 'lent', loan: { ...loan, isGood: () => isHeld() && loan.isGood() } }
  }

  #begin(run: ShardRun): void {
    const { shard, epoch, settings, road, clock, isHeld } = this.#parts
    this.#run = run
    // It was to end before it began.
    if (this.#isOver) return run.end()
    const { collection } = run
    for (const [address, readyAt] of collection.addresses()) this.#loans.rests(address, readyAt - clock.wall())
    const lengths = Array.from({ length: settings.shards }, (_, one) => collection.listLength(one))
    const openings = withOpening(collection.fact(FACTS.openings) ?? [], { epoch, lengths })
    collection.putFact(FACTS.openings, openings)
    this.#ends.push(road.answerAt(statePlace(shard), () => (isHeld() ? { ...this.state() } : undefined)))
    void this.#join(run, openings).catch(() => undefined)
  }

  /** Its opening is durable: from now on others may hear what it has found, and it hears them. */
  async #join(run: ShardRun, openings: readonly Opening[]): Promise<void> {
    const { shard, epoch, settings, road, times, isHeld } = this.#parts
    const { collection, frontier } = run
    await run.intake.durable()
    const mark = markOf(this.dir)
    if (mark?.isMoved === true) writeMark(this.dir, { ...mark, isMoved: undefined })
    if (this.#isOver) return
    const source = {
      epoch,
      openings,
      lengthFor: (one: number) => collection.listLength(one),
      pagesFor: (one: number, from: number, most: number) => collection.listedFor(one, from, most),
      told: (page: number) => {
        const url = collection.url(page)
        if (url === undefined) return undefined
        return { url, depth: frontier.pages.depthOf(page), seed: frontier.pages.seedOf(page) }
      },
    }
    this.#ends.push(serveLists(road, shard, source, isHeld))
    this.#inflow = new Inflow({
      shard,
      shards: settings.shards,
      road,
      answerMs: times.answerMs,
      taken: collection.fact(FACTS.taken) ?? [],
      offer: (told) => (this.#isOver ? 0 : run.intake.offer(told)),
      keep: (taken) => run.intake.keep(taken),
    })
    this.#look(this.#inflow, FIRST_LOOK_MS)
    this.#copySoon(times.leaseMs * COPY_LEASES)
  }

  /** Ask the others for what they have found, often while there is something and less often while there is not. */
  #look(inflow: Inflow, afterMs: number): void {
    this.#looking = setTimeout(() => void this.#lookNow(inflow, afterMs), afterMs)
  }

  async #lookNow(inflow: Inflow, afterMs: number): Promise<void> {
    const before = inflow.heard
    // Whoever does not answer keeps nobody from asking the others again.
    await Promise.race([inflow.turn(), sleep(FIRST_LOOK_MS)])
    const hasMore = inflow.heard > before && inflow.lag > 0
    if (this.#isOver) return
    const nextMs = inflow.heard > before ? FIRST_LOOK_MS : Math.max(afterMs, FIRST_LOOK_MS) * 2
    this.#look(inflow, hasMore ? 0 : Math.min(nextMs, SLOWEST_LOOK_MS))
  }

  #copySoon(afterMs: number): void {
    clearTimeout(this.#copyTimer)
    this.#copyTimer = setTimeout(() => void this.#copyInTurn(), afterMs)
  }

  async #copyInTurn(): Promise<void> {
    const { shard, times, say } = this.#parts
    const began = performance.now()
    await this.copyNow().catch((error: unknown) =>
      say(`shard ${shard} could not be copied to the vault, which is tried again: ${messageOf(error)}`),
    )
    if (!this.#isOver) this.#copySoon(Math.max(times.leaseMs * COPY_LEASES, (performance.now() - began) * 20))
  }

  /** One copy after the other. Undefined where there is nothing to copy any more. */
  async copyNow(): Promise<CopyFacts | undefined> {
    const copy = this.#copying.then(() => this.#copy())
    this.#copying = copy.then(
      () => undefined,
      () => undefined,
    )
    return await copy
  }

  async #copy(): Promise<CopyFacts | undefined> {
    const { shard, epoch, vault, isHeld } = this.#parts
    if (this.#isOver || !isHeld() || this.#run === undefined) return undefined
    const facts = { at: Date.now(), forgotten: markOf(this.dir)?.forgotten }
    return await vault.copy(shard, epoch, this.#run.collection, facts)
  }

  /** No copy is under way any more. */
  async copied(): Promise<void> {
    await this.#copying
  }

  get #largest(): number {
    const { job, settings } = this.#parts
    return largestPageOf(crawlOptionsOf(job, settings.shards))
  }

  /** It could go on with what is left for all. */
  #wantsMore(): boolean {
    const { job } = this.#parts
    if (this.#run === undefined || this.#run.frontier.count('waiting') === 0) return false
    const { extent } = this.#run
    const pages = [this.#pages, extent.pagesTaken(), 1] as const
    const bytes = [this.#bytes, extent.bytesTaken(), this.#largest] as const
    const mayHavePages = job.maxPages === 0 || isThere(...pages)
    const mayHaveBytes = !hasByteLimit(job) || isThere(...bytes)
    return mayHavePages && mayHaveBytes && (isShort(...pages) || isShort(...bytes))
  }

  async #budget(): Promise<void> {
    const { job, shard, road } = this.#parts
    let [pages, bytes] = [this.#pages, this.#bytes]
    await changeRecord(road.register, budgetKey(job.number), (value) => {
      // Wiped: nobody takes any before it is known again what all have.
      if (value === undefined || !isBudget(value)) return undefined
      ;[pages, bytes] = this.#grants(value)
      // What goes back is not used any more before others may have it.
      this.#limit(lesser(this.#pages, pages), lesser(this.#bytes, bytes))
      const grants = { pages: { ...givenIn(value, 'pages') }, bytes: { ...givenIn(value, 'bytes') } }
      if (job.maxPages > 0) grants.pages[shard] = pages.granted
      if (hasByteLimit(job)) grants.bytes[shard] = bytes.granted
      return JSON.stringify(grants) === JSON.stringify({ pages: value['pages'], bytes: givenIn(value, 'bytes') })
        ? undefined
        : grants
    }).then(
      () => this.#limit(pages, bytes),
      () => undefined,
    )
  }

  #grants(value: Message): readonly [pages: Grant, bytes: Grant] {
    const { job, shard, settings } = this.#parts
    const { extent, frontier } = this.#run!
    const waiting = frontier.count('waiting')
    const shared = { shard, shards: settings.shards, isWanting: waiting > 0, isIdle: extent.isIdle() }
    const [held, heldBytes, largest] = [this.#pages.granted, this.#bytes.granted, this.#largest]
    const ofPages = { limit: job.maxPages, given: givenIn(value, 'pages'), held, taken: extent.pagesTaken() }
    const ofBytes = {
      limit: job.maxBytes ?? 0,
      given: givenIn(value, 'bytes'),
      held: heldBytes,
      taken: extent.bytesTaken(),
    }
    return [
      job.maxPages > 0
        ? grantFor({ ...shared, ...ofPages, step: 1, ahead: 2, most: Math.min(MAX_BLOCK, waiting) })
        : this.#pages,
      hasByteLimit(job)
        ? grantFor({ ...shared, ...ofBytes, step: largest, ahead: 0, most: MAX_LARGEST * largest })
        : this.#bytes,
    ]
  }

  #limit(pages: Grant, bytes: Grant): void {
    ;[this.#pages, this.#bytes] = [pages, bytes]
    const { job } = this.#parts
    if (job.maxPages > 0 && pages.granted > 0) this.#run?.extent.limitPages(pages.granted)
    if (hasByteLimit(job) && bytes.granted > 0) this.#run?.extent.limitBytes(bytes.granted)
  }

  async #keepSummary(summary: CrawlSummary): Promise<void> {
    const { job, shard, road } = this.#parts
    const { givenUp, batches, dumps, ...rest } = summary
    const value = { ...rest, givenUp: givenUp.slice(0, 100), batches: batches.slice(0, 0), dumps: dumps.slice(0, 10) }
    await changeRecord(road.register, summaryKey(job.number, shard), () => value).catch(() => undefined)
  }
}

const NOTHING: Grant = { granted: 0, left: 0 }

const hasByteLimit = ({ maxBytes }: Job): boolean => maxBytes !== undefined && maxBytes > 0

const lesser = (one: Grant, other: Grant): Grant => (one.granted <= other.granted ? one : other)

const isShort = ({ granted }: Grant, taken: number, step: number): boolean => taken + step > granted

const isThere = ({ granted, left }: Grant, taken: number, step: number): boolean => granted + left >= taken + step
