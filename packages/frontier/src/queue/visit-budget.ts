/**
 * Visit budget: how much may be asked for, in requests and in bytes per second, and what a visit costs.
 *
 * Two buckets fill with time. A visit needs a request in one and anything above nothing in the other; its bytes are known
 * only afterwards, so that bucket may run into debt and visits wait until it is paid. The price of a visit is counted in
 * seconds of the bucket that is emptier: `byteShare` moves towards the scarce one, beginning with requests, which is
 * what small pages use up first.
 */
import type { Instant } from '@comity/protocol'

export interface BudgetOptions {
  readonly requestsPerSecond: number
  readonly bytesPerSecond?: number
  /** What is not used is kept for so long; one request is always kept. */
  readonly burstSeconds?: number
}

const BURST_SECONDS = 5
const PACE = 0.02
/** Request and answer without a body: what asking costs when nothing has changed. */
const HEAD_BYTES = 500

export class VisitBudget {
  readonly requestsPerSecond: number
  readonly bytesPerSecond: number
  readonly #burstSeconds: number
  #requests = 1
  #bytes: number
  #filledAt: Instant = -Infinity
  #byteShare = 0

  constructor({ requestsPerSecond, bytesPerSecond = Infinity, burstSeconds = BURST_SECONDS }: BudgetOptions) {
    if (!(requestsPerSecond > 0 && requestsPerSecond < Infinity) || !(bytesPerSecond > 0)) {
      throw new RangeError(
        `a budget of ${requestsPerSecond} requests and ${bytesPerSecond} bytes a second is none: both are above 0`,
      )
    }
    this.requestsPerSecond = requestsPerSecond
    this.bytesPerSecond = bytesPerSecond
    this.#burstSeconds = burstSeconds
    this.#bytes = bytesPerSecond
  }

  /** How far bytes, and not requests, are what is scarce: from 0 to 1. */
  get byteShare(): number {
    return this.#byteShare
  }

  /** When the next visit can be paid for: `now` or later. */
  readyAt(now: Instant): Instant {
    this.#fill(now)
    const request = this.#requests >= 1 ? 0 : (1 - this.#requests) / this.requestsPerSecond
    const bytes = this.#bytes >= 0 ? 0 : -this.#bytes / this.bytesPerSecond
    // Rounded up: at that instant the bucket must not lack a billionth.
    return request === 0 && bytes === 0 ? now : now + Math.max(request, bytes) * 1000 + 1e-3
  }

  spendRequest(now: Instant): void {
    this.#fill(now)
    this.#requests--
    if (this.bytesPerSecond === Infinity) return
    const bytesAreScarcer = this.#bytes / this.bytesPerSecond < this.#requests / this.requestsPerSecond
    this.#byteShare += PACE * ((bytesAreScarcer ? 1 : 0) - this.#byteShare)
  }

  spendBytes(bytes: number): void {
    this.#bytes -= bytes
  }

  /** What a request costs, in seconds of what is scarce. */
  get requestCost(): number {
    return (1 - this.#byteShare) / this.requestsPerSecond + this.bodyCost(HEAD_BYTES)
  }

  bodyCost(bytes: number): number {
    return (this.#byteShare * bytes) / this.bytesPerSecond
  }

  #fill(now: Instant): void {
    if (now <= this.#filledAt) return
    const seconds = this.#filledAt === -Infinity ? 0 : (now - this.#filledAt) / 1000
    this.#filledAt = now
    const most = Math.max(1, this.requestsPerSecond * this.#burstSeconds)
    this.#requests = Math.min(most, this.#requests + seconds * this.requestsPerSecond)
    if (this.bytesPerSecond === Infinity) this.#bytes = 0
    else this.#bytes = Math.min(this.bytesPerSecond * this.#burstSeconds, this.#bytes + seconds * this.bytesPerSecond)
  }
}
