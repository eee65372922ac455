/**
 * BatchWatch: how much of a crawl in batches was waiting. At the tail of a batch there are fewer sites left than visits
 * could be made, and 004 §6 finds most robots idle there: this counts them.
 */
import type { ChosenBatch } from '@comity/frontier'
import type { Instant } from '@comity/protocol'

export interface BatchReport {
  readonly number: number
  readonly pages: number
  readonly sites: number
  readonly seconds: number
  /** Since when not every visit that was allowed could be made, to the end of the batch. */
  readonly tailSeconds: number
  /** Visits that could not be made, times how long: 10 idle for 3 seconds are 30. */
  readonly idleVisitSeconds: number
}

/** A long crawl has many batches; the last ones are kept. */
const MAX_REPORTS = 1_000

export class BatchWatch {
  readonly #parallel: number
  readonly #reports: BatchReport[] = []
  #batch: ChosenBatch | undefined
  #startedAt: Instant = 0
  #idleSince: Instant | undefined
  #idleVisitMs = 0
  #lookedAt: Instant = 0
  #visits = 0

  constructor(parallel: number) {
    this.#parallel = parallel
  }

  /** Look at a crawl whenever something has changed in it. */
  look(batch: ChosenBatch | undefined, visits: number, now: Instant): void {
    this.#idleVisitMs += (this.#parallel - this.#visits) * (now - this.#lookedAt)
    if (batch?.number !== this.#batch?.number) this.#change(batch, now)
    if (visits >= this.#parallel) this.#idleSince = undefined
    else this.#idleSince ??= now
    this.#visits = visits
    this.#lookedAt = now
  }

  /** Batches so far, with the one under way. */
  reports(now: Instant): readonly BatchReport[] {
    return this.#batch === undefined ? this.#reports : [...this.#reports, this.#report(this.#batch, now)]
  }

  #change(batch: ChosenBatch | undefined, now: Instant): void {
    if (this.#batch !== undefined) this.#reports.push(this.#report(this.#batch, now))
    if (this.#reports.length > MAX_REPORTS) this.#reports.shift()
    this.#batch = batch
    this.#startedAt = now
    this.#idleSince = undefined
    this.#idleVisitMs = 0
  }

  #report({ number, pages, sites }: ChosenBatch, now: Instant): BatchReport {
    const seconds = (now - this.#startedAt) / 1000
    const tailSeconds = (now - (this.#idleSince ?? now)) / 1000
    return { number, pages, sites, seconds, tailSeconds, idleVisitSeconds: this.#idleVisitMs / 1000 }
  }
}
