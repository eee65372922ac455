/** RecentDelays: how long the last thousand of something took, as what half of them and ninety-nine in a hundred stayed below. */
import type { DelayFigures } from '@comity/follow'

const KEPT = 1_000

export class RecentDelays {
  readonly #kept: number[] = []
  #count = 0

  add(ms: number): void {
    this.#kept[this.#count++ % KEPT] = Math.max(0, ms)
  }

  /** Undefined before the first. */
  get figures(): DelayFigures | undefined {
    if (this.#count === 0) return undefined
    const sorted = this.#kept.toSorted((a, b) => a - b)
    // Nearest rank: a delay that there was.
    const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1]!
    return { count: this.#count, p50Ms: at(0.5), p99Ms: at(0.99) }
  }
}
