/** Survey: a collection in numbers, from one walk over its pages. */
import type { Collection } from '../collection.ts'
import { knownAs } from './known-as.ts'
import type { PageRow } from './rows.ts'

export interface SiteSurvey {
  readonly site: number
  readonly origin: string
  /** Pages visited, and those of them whose last visit had a problem. */
  readonly pages: number
  readonly problems: number
  readonly bytes: number
  /** Until the first byte of an answer: the mean and the worst of the newest visits. */
  readonly meanFirstByteMs: number
  readonly slowestMs: number
}

export interface Survey {
  /** Pages visited at least once, and all visits to them. */
  readonly pages: number
  readonly visits: number
  readonly bytes: number
  /** Pages by how their newest visit ended, most frequent first. */
  readonly outcomes: ReadonlyMap<string, number>
  /** Pages by what they are known as; status 0 is no answer. */
  readonly knownOutcomes: ReadonlyMap<string, number>
  readonly statuses: ReadonlyMap<number, number>
  /** Sites by pages, most first, those never visited included. */
  readonly sites: readonly SiteSurvey[]
}

export function survey(collection: Collection): Survey {
  const sites = new Map<number, SiteSum>()
  // Pages at home in another shard stand on a site that is none.
  for (const [site, { origin }] of collection.sites()) if (origin !== '') sites.set(site, new SiteSum(site, origin))
  const outcomes = new Map<string, number>()
  const statuses = new Map<number, number>()
  const knownOutcomes = new Map<string, number>()
  let [pages, visits, bytes] = [0, 0, 0]
  for (const { value: row } of collection.pages()) {
    pages++
    visits += row.visits
    bytes += row.bytes
    const { outcome, status } = knownAs(row)
    countOne(outcomes, row.outcome)
    countOne(knownOutcomes, outcome)
    countOne(statuses, status)
    sites.get(row.site)?.add(row)
  }
  const bySize = Array.from(sites.values(), (sum) => sum.survey()).toSorted((a, b) => b.pages - a.pages)
  const sums = { outcomes: mostFirst(outcomes), statuses: mostFirst(statuses), knownOutcomes: mostFirst(knownOutcomes) }
  return { pages, visits, bytes, ...sums, sites: bySize }
}

const countOne = <Key>(counts: Map<Key, number>, key: Key): void => void counts.set(key, (counts.get(key) ?? 0) + 1)

class SiteSum {
  readonly #site: number
  readonly #origin: string
  #pages = 0
  #problems = 0
  #bytes = 0
  #answers = 0
  #firstByteMs = 0
  #slowestMs = 0

  constructor(site: number, origin: string) {
    this.#site = site
    this.#origin = origin
  }

  add({ bytes, problem, timings: { firstByteMs } }: PageRow): void {
    this.#pages++
    this.#bytes += bytes
    if (problem !== undefined) this.#problems++
    if (firstByteMs === undefined) return
    this.#answers++
    this.#firstByteMs += firstByteMs
    this.#slowestMs = Math.max(this.#slowestMs, firstByteMs)
  }

  survey(): SiteSurvey {
    return {
      site: this.#site,
      origin: this.#origin,
      pages: this.#pages,
      problems: this.#problems,
      bytes: this.#bytes,
      meanFirstByteMs: this.#answers === 0 ? 0 : this.#firstByteMs / this.#answers,
      slowestMs: this.#slowestMs,
    }
  }
}

function mostFirst<Key>(counts: ReadonlyMap<Key, number>): Map<Key, number> {
  return new Map([...counts].toSorted(([, a], [, b]) => b - a))
}
