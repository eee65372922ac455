/**
 * ExpiresCalendar: what sites have predicted of their pages, until it is due. A prediction is held by page and replaced by
 * the next visit's; it becomes a signal when its instant has come, if the site has not turned out by then to say the same of
 * everything. Capped, and gone with the run: the next visit brings a new one.
 */
import type { HeaderList, Instant, Signal } from '@comity/protocol'
import { Calendar } from './calendar.ts'
import { Lifetimes, expiresSignal, predictedChange } from './expires-signal.ts'

interface ExpiresLimits {
  readonly maxPages: number
  readonly maxSites: number
}

const expiresLimits: ExpiresLimits = { maxPages: 200_000, maxSites: 20_000 }

interface Held {
  readonly site: number
  readonly lifetimeSeconds: number
}

export class ExpiresCalendar {
  readonly #limits: ExpiresLimits
  readonly #calendar = new Calendar()
  readonly #held = new Map<number, Held>()
  readonly #lifetimes = new Map<number, Lifetimes>()

  constructor(limits: Partial<ExpiresLimits> = {}) {
    this.#limits = { ...expiresLimits, ...limits }
  }

  get size(): number {
    return this.#held.size
  }

  /** A page was visited, and its answer had these headers. */
  visited(
    page: number,
    site: number,
    answer: { readonly status: number; readonly headers: HeaderList },
    now: Instant,
  ): void {
    this.forget(page)
    const prediction = predictedChange(answer.status, answer.headers, now)
    if (prediction === undefined) return
    const { at, lifetimeSeconds } = prediction
    const lifetimes = this.#lifetimesOf(site)
    lifetimes.add(lifetimeSeconds)
    if (lifetimes.isHabit(lifetimeSeconds) || this.#held.size >= this.#limits.maxPages) return
    this.#held.set(page, { site, lifetimeSeconds })
    this.#calendar.set(page, at)
  }

  forget(page: number): void {
    this.#calendar.delete(page)
    this.#held.delete(page)
  }

  nextAt(): Instant {
    return this.#calendar.nextAt()
  }

  /** One prediction that has come due, as a signal; undefined when there is none. */
  take(now: Instant, urlOf: (page: number) => string): Signal | undefined {
    for (let at = this.nextAt(); at <= now; at = this.nextAt()) {
      const page = this.#calendar.take(now)!
      const held = this.#held.get(page)
      this.#held.delete(page)
      if (held !== undefined && !this.#lifetimesOf(held.site).isHabit(held.lifetimeSeconds)) {
        return expiresSignal(urlOf(page), { at })
      }
    }
    return undefined
  }

  #lifetimesOf(site: number): Lifetimes {
    const known = this.#lifetimes.get(site)
    if (known !== undefined) return known
    if (this.#lifetimes.size >= this.#limits.maxSites)
      this.#lifetimes.delete(this.#lifetimes.keys().next().value as number)
    const fresh = new Lifetimes()
    this.#lifetimes.set(site, fresh)
    return fresh
  }
}
