/** Freshness record: since when each copy is outdated, and how fresh and how old all were from some instant on. */
import type { Instant } from '@comity/protocol'
import { DAY_MS } from '../../webs/history-window.ts'

interface FreshnessFigures {
  readonly freshness: number
  readonly plainFreshness: number
  readonly ageDays: number
  readonly plainAgeDays: number
}

export class FreshnessRecord {
  readonly #importance: Float64Array
  readonly #from: Instant
  readonly #outdatedAt: Float64Array
  readonly #changedAt: Float64Array
  /** Outdated page-days and their ages summed over time, weighted and not. */
  #outdated = 0
  #plainOutdated = 0
  #age = 0
  #plainAge = 0

  /** Nothing before `from` counts. */
  constructor(importance: Float64Array, from: Instant) {
    this.#importance = importance
    this.#from = from
    this.#outdatedAt = new Float64Array(importance.length).fill(Infinity)
    this.#changedAt = new Float64Array(importance.length).fill(Number.NaN)
  }

  changed(page: number, at: Instant): void {
    this.#outdatedAt[page] = Math.min(this.#outdatedAt[page]!, at)
    this.#changedAt[page] = at
  }

  /** When the page changed last; undefined when it never did. */
  changedAt(page: number): Instant | undefined {
    const at = this.#changedAt[page]!
    return Number.isNaN(at) ? undefined : at
  }

  /** The copy is as the page is now. Says whether it was outdated. */
  visited(page: number, at: Instant): boolean {
    const since = this.#outdatedAt[page]!
    if (since === Infinity) return false
    this.#outdatedAt[page] = Infinity
    const [begins, ends] = [(Math.max(since, this.#from) - since) / DAY_MS, (at - since) / DAY_MS]
    if (ends <= begins) return true
    const [days, age] = [ends - begins, (ends * ends - begins * begins) / 2]
    this.#outdated += this.#importance[page]! * days
    this.#age += this.#importance[page]! * age
    this.#plainOutdated += days
    this.#plainAge += age
    return true
  }

  close(end: Instant): FreshnessFigures {
    const days = (end - this.#from) / DAY_MS
    let all = 0
    for (const [page, importance] of this.#importance.entries()) {
      this.visited(page, end)
      all += importance * days
    }
    const plain = this.#importance.length * days
    return {
      freshness: 1 - this.#outdated / all,
      plainFreshness: 1 - this.#plainOutdated / plain,
      ageDays: this.#age / all,
      plainAgeDays: this.#plainAge / plain,
    }
  }
}
