/** Traffic of a site, by people and by crawlers, in all and hour by hour (001 §III). */
import type { CrawlerAgent, LoggedRequest } from '@comity/protocol'
import { isPage } from './visitors.ts'

export interface Traffic {
  readonly requests: number
  readonly bytes: number
}

/** Of an hour, a day, or all. */
export interface SharedTraffic {
  readonly people: Traffic
  readonly crawlers: Traffic
}

export interface SiteTraffic extends SharedTraffic {
  /** Pages that people looked at, and those of them that they came to from a search engine. */
  readonly views: number
  readonly searched: number
  /** With requests, in order. */
  readonly hours: readonly SharedTraffic[]
  readonly days: readonly SharedTraffic[]
}

type Counts = { -readonly [Key in keyof Traffic]: Traffic[Key] }
interface Both {
  readonly people: Counts
  readonly crawlers: Counts
}

const HOUR_MS = 3_600_000
/** Eleven years of hours. */
const MAX_HOURS = 100_000
const SEARCH =
  /^https?:\/\/(?:[\w-]+\.)*(?:google|bing|duckduckgo|yahoo|yandex|baidu|ecosia|qwant|startpage|naver|seznam)\./i

export class TrafficCount {
  readonly #all = both()
  readonly #hours = new Map<number, Both>()
  #views = 0
  #searched = 0

  note({ at, method, status, target, bytes, referrer = '' }: LoggedRequest, crawler: CrawlerAgent | undefined): void {
    const hour = Math.floor(at / HOUR_MS)
    const known = this.#hours.get(hour) ?? both()
    if (this.#hours.size < MAX_HOURS) this.#hours.set(hour, known)
    for (const counts of [this.#all, known]) {
      const side = crawler === undefined ? counts.people : counts.crawlers
      side.requests++
      side.bytes += bytes
    }
    if (crawler !== undefined || method !== 'GET' || (status !== 200 && status !== 304)) return
    if (!isPage(target.split('?', 1)[0]!)) return
    this.#views++
    if (SEARCH.test(referrer)) this.#searched++
  }

  traffic(): SiteTraffic {
    const hours = [...this.#hours].toSorted((a, b) => a[0] - b[0])
    const days = Map.groupBy(hours, ([hour]) => Math.floor(hour / DAY_HOURS))
    return {
      ...this.#all,
      views: this.#views,
      searched: this.#searched,
      hours: hours.map(([, counts]) => counts),
      days: Array.from(days.values(), (group) => added(group.map(([, counts]) => counts))),
    }
  }
}

const DAY_HOURS = 24

function added(all: readonly Both[]): Both {
  const total = both()
  for (const counts of all) {
    for (const side of ['people', 'crawlers'] as const) {
      total[side].requests += counts[side].requests
      total[side].bytes += counts[side].bytes
    }
  }
  return total
}

const both = (): Both => ({ people: { requests: 0, bytes: 0 }, crawlers: { requests: 0, bytes: 0 } })
