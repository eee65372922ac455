/**
 * A global cap in bytes per second: a bucket that fills with time and is drawn on by every body. Deterministic.
 *
 * A reader that overdraws is told how long to pause; the debt is shared, so the sum over all connections keeps to the
 * rate whatever their number.
 */
import type { Instant } from '@comity/protocol'

export class ByteBudget {
  readonly #bytesPerSecond: number
  #spentUntil: Instant = 0

  constructor(bytesPerSecond: number) {
    this.#bytesPerSecond = bytesPerSecond
  }

  /** Draw `bytes` at `now`. Returns the milliseconds to pause before reading on. */
  draw(bytes: number, now: Instant): number {
    if (this.#bytesPerSecond === Infinity) return 0
    // Unused time is kept for a quarter of a second, so that a burst after silence stays a small one.
    this.#spentUntil = Math.max(this.#spentUntil, now - 250) + (bytes / this.#bytesPerSecond) * 1000
    return Math.max(0, this.#spentUntil - now)
  }
}
