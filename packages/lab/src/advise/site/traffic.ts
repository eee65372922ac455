/** Traffic of a site, by people and by each kind of robot, in all and hour by hour (001 §III). */
import { robotKind } from '@comity/protocol'
import type { LoggedRequest, RobotAgent, RobotKind } from '@comity/protocol'
import { isPage } from './visitors.ts'

export interface Traffic {
  readonly requests: number
  readonly bytes: number
}

/** Field names are part of the JSON that the commands print. */
export const SIDES = ['people', 'crawlers', 'feedReaders', 'previews', 'tools'] as const
export type Side = (typeof SIDES)[number]

const SIDE_OF: Readonly<Record<RobotKind, Side>> = {
  crawler: 'crawlers',
  'feed-reader': 'feedReaders',
  preview: 'previews',
  tool: 'tools',
}

export const SIDE_WORDS: Readonly<Record<Side, string>> = {
  people: 'people',
  crawlers: 'crawlers',
  feedReaders: 'feed readers',
  previews: 'previews',
  tools: 'tools',
}

/** `robot`: undefined for people. */
export const sideOf = (robot: RobotAgent | undefined): Side =>
  robot === undefined ? 'people' : SIDE_OF[robotKind(robot)]

/** Of an hour, a day, or all. */
export type SharedTraffic = Readonly<Record<Side, Traffic>>

export function trafficOfAll(traffic: SharedTraffic, key: keyof Traffic): number {
  return SIDES.reduce((sum, side) => sum + traffic[side][key], 0)
}

/** Not a number where nobody came. */
export function crawlerShareOf(traffic: SharedTraffic, key: keyof Traffic): number {
  const all = trafficOfAll(traffic, key)
  return all === 0 ? NaN : traffic.crawlers[key] / all
}

export interface SiteTraffic extends SharedTraffic {
  /** Pages that people looked at, and those of them that they came to from a search engine. */
  readonly views: number
  readonly searched: number
  /** With requests, in order. */
  readonly hours: readonly SharedTraffic[]
  readonly days: readonly SharedTraffic[]
}

type Counts = Record<Side, { -readonly [Key in keyof Traffic]: Traffic[Key] }>

const HOUR_MS = 3_600_000
/** Eleven years of hours. */
const MAX_HOURS = 100_000
const SEARCH =
  /^https?:\/\/(?:[\w-]+\.)*(?:google|bing|duckduckgo|yahoo|yandex|baidu|ecosia|qwant|startpage|naver|seznam)\./i

export class TrafficCount {
  readonly #all = noTraffic()
  readonly #hours = new Map<number, Counts>()
  #views = 0
  #searched = 0

  note({ at, method, status, target, bytes, referrer = '' }: LoggedRequest, robot: RobotAgent | undefined): void {
    const hour = Math.floor(at / HOUR_MS)
    const known = this.#hours.get(hour) ?? noTraffic()
    if (this.#hours.size < MAX_HOURS) this.#hours.set(hour, known)
    for (const counts of [this.#all, known]) {
      const side = counts[sideOf(robot)]
      side.requests++
      side.bytes += bytes
    }
    if (robot !== undefined || method !== 'GET' || (status !== 200 && status !== 304)) return
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

function added(all: readonly SharedTraffic[]): SharedTraffic {
  const total = noTraffic()
  for (const counts of all) {
    for (const side of SIDES) {
      total[side].requests += counts[side].requests
      total[side].bytes += counts[side].bytes
    }
  }
  return total
}

const none = (): Counts[Side] => ({ requests: 0, bytes: 0 })

function noTraffic(): Counts {
  return { people: none(), crawlers: none(), feedReaders: none(), previews: none(), tools: none() }
}
