/**
 * Crawler week: what crawlers asked for in the last seven days, by day and crawler, out of a server's access log or as it is answered,
 * and how much of it brought them what they had: the same page, as long as when it was last sent to them. Cooperation saves that.
 *
 * Everything a stranger can write into a User-Agent or a path is bounded: so many crawlers a day, and others together; so many
 * pages remembered, and those beyond count as new. People are not counted.
 */
import { hash } from 'node:crypto'
import { ROBOT_KINDS } from '@comity/protocol'
import type { Instant, RobotKind } from '@comity/protocol'
import { calledName, crawlerName, isKnownCrawler, OTHER_CRAWLERS, provenName } from '../serve/crawler-name.ts'
import type { CrawlerName } from '../serve/crawler-name.ts'

/** One answer. */
export interface CrawlerVisit {
  readonly at: Instant
  readonly agent: string
  readonly proven?: string | undefined
  readonly called?: string | undefined
  readonly path: string
  readonly status: number
  readonly bytes: number
  readonly requests?: number | undefined
  /** What it stands for, where that is known: pages, each for itself. */
  readonly wholeRequests?: number | undefined
  readonly wholeBytes?: number | undefined
}

export interface CrawlerCost {
  readonly requests: number
  readonly bytes: number
  /** Of these, answers with a page that the crawler had. */
  readonly repeats: number
  readonly repeatBytes: number
  /** Hours in which it came. */
  readonly hours: number
  /** Conventionally, where it was answered by cooperation. */
  readonly wholeRequests: number
  readonly wholeBytes: number
}

/** Of one crawler on one day (UTC). */
export interface CrawlerDay extends CrawlerCost, CrawlerName {
  /** Days since 1970. */
  readonly day: number
}

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const WEEK = 7
const MAX_CRAWLERS = 200
/** Pages of a crawler; some 30 MB. */
const MAX_REMEMBERED = 300_000
const COUNTS = ['requests', 'bytes', 'repeats', 'repeatBytes', 'hours', 'wholeRequests', 'wholeBytes'] as const

interface OpenDay {
  readonly row: { -readonly [Key in keyof CrawlerDay]: CrawlerDay[Key] }
  /** A bit for each hour in which it came: lines of a log are not in order of time. */
  hours: number
}

export class CrawlerWeek {
  readonly #days = new Map<number, Map<string, OpenDay>>()
  /** Length of the page as it was last sent, by crawler and path. */
  readonly #sent = new Map<string, number>()
  #newest = -Infinity

  /** `rows`: to go on with. */
  constructor(rows: readonly CrawlerDay[] = []) {
    for (const row of rows)
      if (this.#begin(row.day)) this.#days.get(row.day)?.set(row.crawler, { row: { ...row }, hours: 0 })
  }

  note(visit: CrawlerVisit): void {
    const name = nameOf(visit)
    if (name === undefined || !Number.isFinite(visit.at)) return
    const day = Math.floor(visit.at / DAY_MS)
    if (!this.#begin(day)) return
    const known = this.#rowOf(day, name)
    const { row } = known
    const { requests = 1, bytes, wholeRequests = requests, wholeBytes = bytes } = visit
    const isRepeat = this.#isRepeat(row.crawler, visit)
    const hour = 1 << (Math.floor(visit.at / HOUR_MS) % 24)
    row.requests += requests
    row.bytes += bytes
    row.repeats += Number(isRepeat)
    row.repeatBytes += isRepeat ? bytes : 0
    row.hours += Number((known.hours & hour) === 0)
    known.hours |= hour
    row.wholeRequests += wholeRequests
    row.wholeBytes += wholeBytes
  }

  /** By day and crawler; what is written down. */
  rows(): readonly CrawlerDay[] {
    return [...this.#days.values()].flatMap((day) => Array.from(day.values(), ({ row }) => row))
  }

  /** Of the seven days that end with this one; without it, with the newest that is known. */
  week(now: Instant = this.#newest * DAY_MS): WeekOfCrawlers {
    const last = Math.floor(now / DAY_MS)
    const rows = this.rows().filter(({ day }) => day > last - WEEK && day <= last)
    const crawlers = [...Map.groupBy(rows, ({ crawler }) => crawler)].map(([crawler, of]) =>
      Object.assign(costOf(of), { crawler, kind: of.find(({ kind }) => kind !== undefined)?.kind }),
    )
    return {
      from: Number.isFinite(last) ? (last - WEEK + 1) * DAY_MS : undefined,
      to: Number.isFinite(last) ? last * DAY_MS : undefined,
      crawlers: crawlers.toSorted(
        (a, b) => b.bytes - a.bytes || b.requests - a.requests || (a.crawler < b.crawler ? -1 : 1),
      ),
      total: costOf(rows),
    }
  }

  /** False for a day that is over a week ago. */
  #begin(day: number): boolean {
    if (!Number.isSafeInteger(day) || day <= this.#newest - WEEK) return false
    this.#newest = Math.max(this.#newest, day)
    if (!this.#days.has(day)) this.#days.set(day, new Map())
    for (const known of this.#days.keys()) if (known <= this.#newest - WEEK) this.#days.delete(known)
    return true
  }

  #rowOf(day: number, name: CrawlerName): OpenDay {
    const rows = this.#days.get(day)!
    const isIn = rows.has(name.crawler) || isKnownCrawler(name.crawler) || rows.size < MAX_CRAWLERS
    const { crawler, kind }: CrawlerName = isIn ? name : { crawler: OTHER_CRAWLERS }
    const found = rows.get(crawler) ?? {
      row: { day, crawler, ...(kind !== undefined && { kind }), ...costOf([]) },
      hours: 0,
    }
    rows.set(crawler, found)
    return found
  }

  #isRepeat(crawler: string, { path, status, bytes }: CrawlerVisit): boolean {
    if (status !== 200 || bytes <= 0) return false
    // Neither a long path nor many of one crawler take more than this.
    const key = hash('sha1', `${crawler}\n${path}`, 'base64').slice(0, 16)
    const before = this.#sent.get(key)
    if (before !== undefined || this.#sent.size < MAX_REMEMBERED) this.#sent.set(key, bytes)
    return before === bytes
  }
}

export interface WeekOfCrawlers {
  /** First and last day, at their beginnings; undefined when nothing is known. */
  readonly from: Instant | undefined
  readonly to: Instant | undefined
  /** Those who took the most bytes first. */
  readonly crawlers: readonly (CrawlerCost & CrawlerName)[]
  readonly total: CrawlerCost
}

/** What a question an hour costs at most, heads and all, whether anything changed or not: `serve/poll-cost.test.ts` measures it. */
const POLL_BYTES = 703

export interface Saving {
  readonly requests: number
  readonly bytes: number
}

/** What a crawler would not have asked for, had it asked once in each hour in which it came what has changed. */
export const possibleSaving = ({ repeats, repeatBytes, hours }: CrawlerCost): Saving => ({
  requests: Math.max(0, repeats - hours),
  bytes: Math.max(0, repeatBytes - hours * POLL_BYTES),
})

/** What it was spared by cooperation; nothing where that cost more. */
export const madeSaving = ({ requests, bytes, wholeRequests, wholeBytes }: CrawlerCost): Saving => ({
  requests: Math.max(0, wholeRequests - requests),
  bytes: Math.max(0, wholeBytes - bytes),
})

export function sumOfSavings(savings: readonly Saving[]): Saving {
  return savings.reduce(
    (sum, { requests, bytes }) => ({ requests: sum.requests + requests, bytes: sum.bytes + bytes }),
    {
      requests: 0,
      bytes: 0,
    },
  )
}

/** What was written once, as far as it makes sense. */
export function readCrawlerDays(json: unknown): readonly CrawlerDay[] {
  return Array.isArray(json) ? json.slice(0, MAX_ROWS).flatMap(readDay) : []
}

const MAX_ROWS = 5_000
const MAX_NAME = 64

function readDay(value: unknown): CrawlerDay[] {
  const fields = new Map<string, unknown>(Object.entries(value ?? {}))
  const [day, crawler] = [fields.get('day'), fields.get('crawler')]
  const isCount = (name: string): boolean => Number.isFinite(fields.get(name)) && (fields.get(name) as number) >= 0
  if (!Number.isSafeInteger(day) || typeof crawler !== 'string' || crawler.length > MAX_NAME) return []
  if (!COUNTS.every(isCount)) return []
  const kind = ROBOT_KINDS.find((one) => one === fields.get('kind'))
  const counts = Object.fromEntries(COUNTS.map((name) => [name, fields.get(name)])) as unknown as CrawlerCost
  return [{ day: day as number, crawler, ...(kind !== undefined && { kind }), ...counts }]
}

function costOf(rows: readonly CrawlerCost[]): CrawlerCost {
  const sum = (name: (typeof COUNTS)[number]): number => rows.reduce((all, row) => all + row[name], 0)
  return Object.fromEntries(COUNTS.map((name) => [name, sum(name)])) as unknown as CrawlerCost
}

const COUNTED: ReadonlySet<RobotKind | undefined> = new Set<RobotKind>(ROBOT_KINDS)

/** Undefined for people, and for whoever is neither a robot nor has proven to be one. */
function nameOf({ agent, proven, called }: CrawlerVisit): CrawlerName | undefined {
  if (called !== undefined) return { crawler: calledName(called) }
  if (proven !== undefined) return { crawler: provenName(proven) }
  const name = crawlerName(agent)
  return COUNTED.has(name.kind) ? name : undefined
}
