/**
 * LeastRate: whether a body comes fast enough to be waited for. Whoever sends has a credit of time; waiting uses it up, bytes
 * fill it again, and never beyond what it was. So a body that comes at the least rate may take as long as it is long, one that
 * stalls is given up after the grace, and a good beginning is no leave to stall behind it. Only our waiting counts: while we
 * write to the disk nobody is slow but we. Deterministic.
 */
import type { Instant } from '@comity/protocol'

export interface RateTerms {
  readonly graceMs: number
  readonly bytesPerSecond: number
}

export class LeastRate {
  readonly #terms: RateTerms
  #creditMs: number
  #since: Instant | undefined

  constructor(terms: RateTerms) {
    this.#terms = terms
    this.#creditMs = terms.graceMs
  }

  /** From now on nothing is done but wait. */
  waits(now: Instant): void {
    this.#since = now
  }

  came(bytes: number, now: Instant): void {
    const { graceMs, bytesPerSecond } = this.#terms
    this.#creditMs = Math.min(graceMs, this.#leftMs(now) + (bytes / bytesPerSecond) * 1_000)
    this.#since = undefined
  }

  isSlow(now: Instant): boolean {
    return this.#leftMs(now) < 0
  }

  #leftMs(now: Instant): number {
    return this.#creditMs - Math.max(0, now - (this.#since ?? now))
  }
}
