/**
 * Coding allowance: how much processor time may go into making answers smaller. Saving bytes is worth little to a site that
 * cannot answer any more, so what packing costs is paid out of a share of the time; when that is spent, answers go out as
 * they are, or as they were packed before.
 */
import type { Instant } from '@comity/protocol'

export interface AllowanceOptions {
  /** Of one processor, 0 to 1. */
  readonly share: number
  /** What may be saved up, and so spent at once. */
  readonly burstMs: number
}

const allowanceDefaults: AllowanceOptions = { share: 0.2, burstMs: 2_000 }

export class CodingAllowance {
  readonly #options: AllowanceOptions
  readonly #clock: () => number
  #leftMs: number
  #at: Instant | undefined

  /** `clock` gives milliseconds and never goes back; only differences count. */
  constructor(options: Partial<AllowanceOptions> = {}, clock: () => number = () => performance.now()) {
    this.#options = { ...allowanceDefaults, ...options }
    this.#clock = clock
    this.#leftMs = this.#options.burstMs
  }

  /** Do it if something is left; what it took is taken off, and may lead below nothing once. */
  spend<T>(work: () => T): T | undefined {
    const began = this.#clock()
    this.#refill(began)
    if (this.#leftMs <= 0) return undefined
    const result = work()
    this.#leftMs -= Math.max(0, this.#clock() - began)
    return result
  }

  #refill(now: number): void {
    const { share, burstMs } = this.#options
    const passedMs = Math.max(0, now - (this.#at ?? now))
    this.#at = now
    this.#leftMs = Math.min(burstMs, this.#leftMs + passedMs * share)
  }
}
