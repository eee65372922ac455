/** RecentRate: how much of something comes in a second, over the last ten. Time is an argument. */
import type { Instant } from '@comity/protocol'

const SECONDS = 10

export class RecentRate {
  readonly #begunAt: Instant
  /** One count for each second, and which second it is of. */
  readonly #counts = new Float64Array(SECONDS)
  readonly #seconds = new Float64Array(SECONDS).fill(-1)

  constructor(now: Instant) {
    this.#begunAt = now
  }

  add(now: Instant, count = 1): void {
    const second = Math.floor(now / 1_000)
    const place = second % SECONDS
    if (this.#seconds[place] !== second) this.#counts[place] = 0
    this.#seconds[place] = second
    this.#counts[place]! += count
  }

  perSecond(now: Instant): number {
    const second = Math.floor(now / 1_000)
    let sum = 0
    for (let place = 0; place < SECONDS; place++)
      if (this.#seconds[place]! > second - SECONDS) sum += this.#counts[place]!
    // In the first moments there were no ten seconds; and a part of one is too short to have a rate.
    const seconds = Math.min(SECONDS - 1 + (now % 1_000) / 1_000, (now - this.#begunAt) / 1_000)
    return sum / Math.max(1, seconds)
  }
}
