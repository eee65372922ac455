/**
 * What is written down of a simulated crawl while it runs, in little room: a few hundred points of each line, however
 * many pages there are.
 */
import type { Instant } from '@comity/protocol'

/** The nth of each belong together: so many pages, with so much of all PageRank, by this time. Begins with zeros. */
export interface Curve {
  readonly pages: readonly number[]
  readonly timeMs: readonly Instant[]
  readonly rank: readonly number[]
}

const CURVE_POINTS = 500

/** Cumulative PageRank at equal steps of pages. */
export class CurveRecorder implements Curve {
  readonly pages: number[] = [0]
  readonly timeMs: Instant[] = [0]
  readonly rank: number[] = [0]
  readonly #expected: number
  #count = 0
  #sum = 0

  /** `expected`: pages of a whole crawl. */
  constructor(expected: number) {
    this.#expected = expected
  }

  add(rank: number, now: Instant): void {
    this.#count++
    this.#sum += rank
    const isNextPoint = this.#count * CURVE_POINTS >= this.pages.length * this.#expected
    if (isNextPoint) this.#point(now)
  }

  end(now: Instant): void {
    if (this.pages.at(-1) !== this.#count) this.#point(now)
  }

  #point(now: Instant): void {
    this.pages.push(this.#count)
    this.timeMs.push(now)
    this.rank.push(this.#sum)
  }
}

/** Mean number of robots at work in equal stretches of time. */
export interface Activity {
  readonly stretchMs: number
  readonly robots: readonly number[]
}

const STRETCHES = 512

/** How long a crawl takes is not known while it runs: when its stretches are full, two become one. */
export class ActivityRecorder {
  #stretchMs = 1
  readonly #sums = new Float64Array(2 * STRETCHES)

  add(from: Instant, to: Instant, robots: number): void {
    while (to > this.#stretchMs * this.#sums.length) this.#fold()
    for (let at = from; at < to;) {
      // By the number of the stretch, as `at` may stand a rounding error before its border.
      const stretch = Math.floor(at / this.#stretchMs)
      const end = Math.min(to, (stretch + 1) * this.#stretchMs)
      this.#sums[stretch]! += robots * (end - at)
      at = end
    }
  }

  /** A crawl that ended at `now`. */
  end(now: Instant): Activity {
    const stretches = Math.ceil(now / this.#stretchMs)
    const robots = Array.from(this.#sums.subarray(0, stretches), (sum, n) => {
      const length = Math.min(now, (n + 1) * this.#stretchMs) - n * this.#stretchMs
      return sum / length
    })
    return { stretchMs: this.#stretchMs, robots }
  }

  #fold(): void {
    const sums = this.#sums
    for (let n = 0; n < sums.length; n++) sums[n] = (sums[2 * n] ?? 0) + (sums[2 * n + 1] ?? 0)
    this.#stretchMs *= 2
  }
}
