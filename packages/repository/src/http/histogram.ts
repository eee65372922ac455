/** Histogram of durations, as Prometheus wants it: how many took at most so long, for each of some bounds. */

/** Seconds. A search takes a millisecond, a page of a large site a tenth of a second; beyond ten nobody waits. */
export const BOUNDS: readonly number[] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export class Histogram {
  readonly #counts = new Float64Array(BOUNDS.length)
  #count = 0
  #sum = 0

  add(seconds: number): void {
    this.#count++
    this.#sum += seconds
    const place = BOUNDS.findIndex((bound) => seconds <= bound)
    if (place >= 0) this.#counts[place]!++
  }

  /** Lines of the text format; `labels` without braces. */
  lines(name: string, labels: string): string[] {
    let below = 0
    const buckets = BOUNDS.map((bound, i) => `${name}_bucket{${labels},le="${bound}"} ${(below += this.#counts[i]!)}`)
    return [
      ...buckets,
      `${name}_bucket{${labels},le="+Inf"} ${this.#count}`,
      `${name}_sum{${labels}} ${this.#sum}`,
      `${name}_count{${labels}} ${this.#count}`,
    ]
  }
}
