/**
 * What a scheme costs at another period than the measured ones, for comparing schemes that are equally fresh, or that may
 * spend equally much. A poll that finds nothing was measured: from the measured period that is next longer, the cost grows by
 * such polls. More often is dearer still, as pages that change again are told of again; so these are prices at least.
 */
import type { Instant } from '@comity/protocol'
import { stalenessOf } from './freshness.ts'
import type { Staleness } from './freshness.ts'
import { networkBytes, pollTimes, scaled, siteMs, sum } from './run.ts'
import type { SchemeCost, SchemeRun } from './run.ts'
import { DAY_MS } from '../../cooperating/year.ts'
import type { Year } from '../../cooperating/year.ts'

/** Shorter periods are not gone through one by one: between changes that are hours apart staleness is as long as they are. */
const LEAST_DAYS = 1 / 1_440

export class Prices {
  readonly #year: Year
  readonly #known = new Map<number, Staleness>()

  constructor(year: Year) {
    this.#year = year
  }

  get days(): number {
    return (this.#year.until - this.#year.from) / DAY_MS
  }

  /** Of whoever is polled so often. */
  polled(everyDays: number): Staleness {
    if (everyDays < LEAST_DAYS) {
      const least = this.polled(LEAST_DAYS)
      const share = everyDays / LEAST_DAYS
      return { stale: least.stale * share, ageMs: least.ageMs * share ** 2 }
    }
    const known = this.#known.get(everyDays) ?? this.synced(pollTimes(this.#year, everyDays))
    this.#known.set(everyDays, known)
    return known
  }

  synced(moments: readonly Instant[]): Staleness {
    return stalenessOf(this.#year, moments)
  }

  /** Of one form, of which there may be runs at several periods; undefined where it cannot be had so often. */
  costAt(runs: readonly SchemeRun[], everyDays: number): SchemeCost | undefined {
    const atOnce = runs.find((run) => run.everyDays === 0)
    if (atOnce !== undefined) return isAsFresh(atOnce, this, everyDays) ? atOnce.year : undefined
    const longer = runs.filter((run) => run.everyDays >= everyDays).toSorted((a, b) => a.everyDays - b.everyDays)[0]
    if (longer === undefined) return runs[0]?.year
    const more = Math.floor(this.days / everyDays) - longer.polls
    return sum(longer.year, scaled(idleOf(longer), more))
  }

  /** How often it can be had for so many bytes. */
  daysFor(runs: readonly SchemeRun[], bytes: number): number {
    const affordable = runs
      .filter(({ year }) => networkBytes(year) <= bytes)
      .toSorted((a, b) => a.everyDays - b.everyDays)
    const [run] = affordable
    if (run === undefined) {
      const cheapest = runs.toSorted((a, b) => networkBytes(a.year) - networkBytes(b.year))[0]!
      return cheapest.everyDays * (networkBytes(cheapest.year) / bytes)
    }
    const more = (bytes - networkBytes(run.year)) / Math.max(1, networkBytes(idleOf(run)))
    // However little it sends, the next one cannot begin before this one has ended.
    return Math.max(this.days / (run.polls + more), siteMs(idleOf(run)) / DAY_MS)
  }
}

/** Each sending of an entire site is as dear as the last, whatever has changed. */
function idleOf({ form, idle, year, polls }: SchemeRun): SchemeCost {
  return form.kind === 'pushed' && form.push.scheme === 'site' ? scaled(year, 1 / Math.max(1, polls)) : idle
}

const isAsFresh = ({ synced }: SchemeRun, prices: Prices, everyDays: number): boolean =>
  prices.synced(synced).stale <= prices.polled(everyDays).stale * FRESH_ENOUGH

/** A batch at midnight takes some milliseconds more than a poll at midnight. */
const FRESH_ENOUGH = 1.01
