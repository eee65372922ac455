/**
 * InFlightLimits: what a run has under way, and whether there is room for more: visits, pages on their way through the readers, what
 * waits for the disk and the index. Together these bound the memory of a crawl, and its budgets its size.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Instant } from '@comity/protocol'
import type { Frontier } from '@comity/frontier'
import type { GroupCommit, ReadingPool, Tally } from '@comity/ingest'
import type { Indexing } from '@comity/search'
import type { BatchWatch } from './batch-watch.ts'
import type { Bell } from './bell.ts'
import type { RunBudget } from '../control/crawl-budget.ts'
import type { RunSwitch } from '../control/run-switch.ts'
import { largestPageOf } from '../options.ts'
import type { CrawlOptions } from '../options.ts'
import type { VisitPlaces } from './visit-places.ts'
import type { RevisitHandler } from '../watch/revisit-handler.ts'

/** Pages that may wait for the disk. */
const MAX_UNCOMMITTED_PAGES = 1_000
const MAX_UNCOMMITTED_BYTES = 8 << 20
/** What the indexing thread does in well under a second. */
const MAX_UNINDEXED_PAGES = 400

interface InFlightParts {
  readonly options: CrawlOptions
  readonly budget: RunBudget
  readonly tally: Tally
  readonly frontier: Frontier
  readonly pool: ReadingPool
  readonly commit: GroupCommit
  readonly indexing: Indexing | undefined
  /** Where a collection is kept fresh: its requests have a budget of their own. */
  readonly revisits: RevisitHandler | undefined
  readonly batches: BatchWatch
  readonly runSwitch: RunSwitch
  readonly bell: Bell
  readonly now: () => Instant
  /** Shared with other crawls of this process. */
  readonly places?: VisitPlaces | undefined
}

export class InFlightLimits {
  readonly #parts: InFlightParts
  #visits = 0
  #unsettled = 0
  #unsettledBytes = 0

  constructor(parts: InFlightParts) {
    this.#parts = parts
  }

  /** Under way. */
  get visits(): number {
    return this.#visits
  }

  /** No request and no page is on its way. */
  get isIdle(): boolean {
    return this.#visits === 0 && this.#unsettled === 0
  }

  /** No further request is to be made. */
  get isStopping(): boolean {
    return this.#parts.runSwitch.isHalted
  }

  /** There is a place for one more visit. */
  get hasPlace(): boolean {
    const { options, places } = this.#parts
    return this.#visits < options.parallel && places?.isFree !== false && !this.isStopping
  }

  /** One visit, from its lease to its end. */
  async visit(work: Promise<void>): Promise<void> {
    const { batches, frontier, runSwitch, bell, now, places } = this.#parts
    places?.enter()
    batches.look(frontier.batch, ++this.#visits, now())
    await work.catch((error: unknown) => runSwitch.fail(error as Error))
    batches.look(frontier.batch, --this.#visits, now())
    places?.leave()
    bell.ring()
  }

  /** A page is on its way through the readers; it counts as unsettled until its deposit is in. */
  track(settled: Promise<void>, bytes: number): void {
    this.#unsettled++
    this.#unsettledBytes += bytes
    void settled
      .catch((error: unknown) => this.#parts.runSwitch.fail(error as Error))
      .finally(() => {
        this.#unsettled--
        this.#unsettledBytes -= bytes
        this.#parts.bell.ring()
      })
  }

  /** Resolves when one more page can be read, stored and indexed. */
  async forPage(): Promise<void> {
    const { pool, commit, indexing } = this.#parts
    await pool.room()
    await commit.room(MAX_UNCOMMITTED_PAGES, MAX_UNCOMMITTED_BYTES)
    await indexing?.room(MAX_UNINDEXED_PAGES)
  }

  /** Resolves then, or at once when the crawl pauses or stops. */
  async sleepUntil(at: Instant): Promise<void> {
    const { runSwitch, now } = this.#parts
    // A rejection only says that the crawl pauses or stops; whoever slept looks for itself.
    await sleep(Math.max(0, at - now()), undefined, { signal: runSwitch.halt }).catch(() => undefined)
  }

  /** Fetched, with all that may still come of what is under way. */
  get bytesAtMost(): number {
    const { options, tally } = this.#parts
    return tally.totals.bytes + this.#unsettledBytes + this.#visits * largestPageOf(options)
  }

  /** As many pages or bytes are fetched or on their way as were asked for. */
  get isSpent(): boolean {
    const { options, budget, tally, frontier, places } = this.#parts
    const { totals, goodVisits } = tally
    // The limit is the collection's size, so that a crawl that was cut short ends where it would have. A run that
    // visits pages again adds none: there it limits the visits.
    const pages = options.revisitAfterMs < Infinity ? goodVisits : totals.pages
    // Alone, what is on its way when the limit is reached still comes; together nothing may go beyond it.
    const bytes =
      places === undefined ? totals.bytes + this.#unsettledBytes : this.bytesAtMost + largestPageOf(options) - 1
    if (bytes >= budget.maxBytes) return true
    return pages + frontier.count('leased') >= budget.maxPages
  }

  /** The same, or as many as this site is to be asked for now. */
  isEnough(site: number): boolean {
    const { revisits, now } = this.#parts
    return this.isSpent || revisits?.isEnough(site, now()) === true
  }
}
