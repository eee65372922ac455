/**
 * Ledger: what was answered, to whom and by which scheme, beside what the same pages would have cost without it. It is what
 * an owner looks at to see whether cooperation pays.
 *
 * Conventional is: every page for itself, whole, packed when the asker takes that. Counted is the body of each answer; heads
 * would come on top of both sides. A list stands for no page, so it is only cost here: what it saves is requests that nobody
 * makes, and those nobody can count.
 */
import { ROBOT_KINDS } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import { readCrawlerDays } from './crawler-week.ts'
import type { CrawlerDay } from './crawler-week.ts'
import { calledName, crawlerName, isKnownCrawler, OTHER_CRAWLERS, provenName } from '../serve/crawler-name.ts'
import type { CrawlerName } from '../serve/crawler-name.ts'
import type { PageScheme } from '../serve/page-answer.ts'
import { SCHEMES } from '../site-options.ts'
import type { SiteScheme } from '../site-options.ts'
import { PUSH_SCHEMES } from '../hub/subscriber.ts'
import type { PushScheme } from '../hub/subscriber.ts'

/** `sent-…`: what the site sent by itself. */
export type LedgerScheme = SiteScheme | PageScheme | `sent-${PushScheme}`

export const LEDGER_SCHEMES: readonly LedgerScheme[] = [
  'page',
  'head',
  'not-modified',
  'difference',
  'dictionary',
  ...SCHEMES,
  ...PUSH_SCHEMES.map((scheme) => `sent-${scheme}` as const),
]

/** What happened; `Served` and `ServedPage` are such. */
export interface LedgerEntry {
  readonly scheme: LedgerScheme
  readonly agent: string
  /** Host of the crawler that has proven to ask. */
  readonly proven?: string | undefined
  /** Host that was called. */
  readonly called?: string | undefined
  /** One unless given. */
  readonly requests?: number | undefined
  readonly bytes: number
  readonly cpuMs: number
  readonly pages: number
  readonly pageBytes: number
}

export interface LedgerCounts {
  readonly requests: number
  readonly bytes: number
  readonly cpuMs: number
  /** Of conventional crawling: one for each page. */
  readonly wholeRequests: number
  readonly wholeBytes: number
}

export interface LedgerRow extends LedgerCounts, CrawlerName {
  readonly scheme: LedgerScheme
}

export interface LedgerRows {
  readonly version: 1
  readonly since: Instant
  readonly rows: readonly LedgerRow[]
  /** The last days, crawler by crawler (`ledger/crawler-week.ts`); earlier versions have none. */
  readonly days?: readonly CrawlerDay[] | undefined
}

/** Each of its answers is there in place of one page, be it empty. */
const ONE_PAGE: ReadonlySet<LedgerScheme> = new Set<LedgerScheme>([
  'page',
  'head',
  'not-modified',
  'difference',
  'dictionary',
])
/** Each of its answers is there in place of pages, as far as it brings any. */
const INSTEAD: ReadonlySet<LedgerScheme> = new Set<LedgerScheme>([
  'page',
  'head',
  'not-modified',
  'difference',
  'dictionary',
  'batch',
  'changes',
  'dump',
  'wacz',
  'sent-differences',
  'sent-pages',
  'sent-batches',
  'sent-site',
])

/** Anybody can invent names; those beyond are counted together. */
const MAX_CRAWLERS = 200

export class Ledger {
  readonly #since: Instant
  readonly #rows = new Map<string, LedgerRow>()
  readonly #crawlers = new Set<string>()

  /** `store`: to go on with. */
  constructor(since: Instant, store?: LedgerRows) {
    this.#since = store?.since ?? since
    for (const row of store?.rows ?? []) this.#add(row)
  }

  note(entry: LedgerEntry): LedgerCounts {
    const { scheme, requests = 1, bytes, cpuMs, pages, pageBytes } = entry
    // A manifest, or a list that only names pages, is there in place of none: whoever reads it still has to ask for them.
    const isInstead = INSTEAD.has(scheme) && (ONE_PAGE.has(scheme) || pageBytes > 0)
    const whole = { wholeRequests: isInstead ? pages : 0, wholeBytes: isInstead ? pageBytes : 0 }
    this.#add({ ...nameOf(entry), scheme, requests, bytes, cpuMs, ...whole })
    // A list stands for no page: it is what cooperation costs.
    return { requests, bytes, cpuMs, ...whole }
  }

  /** By crawler and scheme; the crawlers with the most requests first. */
  store(): LedgerRows {
    const requests = new Map<string, number>()
    for (const row of this.#rows.values()) requests.set(row.crawler, (requests.get(row.crawler) ?? 0) + row.requests)
    const rows = [...this.#rows.values()].toSorted(
      (a, b) =>
        requests.get(b.crawler)! - requests.get(a.crawler)! ||
        (a.crawler < b.crawler ? -1 : a.crawler > b.crawler ? 1 : 0) ||
        LEDGER_SCHEMES.indexOf(a.scheme) - LEDGER_SCHEMES.indexOf(b.scheme),
    )
    return { version: 1, since: this.#since, rows }
  }

  #add(row: LedgerRow): void {
    const crawler = this.#placeFor(row.crawler)
    const key = `${crawler} ${row.scheme}`
    const before = this.#rows.get(key)
    const kind = crawler === row.crawler ? (row.kind ?? before?.kind) : undefined
    const sum = sumOf(before === undefined ? [row] : [before, row])
    this.#rows.set(key, { ...sum, crawler, ...(kind !== undefined && { kind }), scheme: row.scheme })
  }

  #placeFor(name: string): string {
    if (this.#crawlers.has(name)) return name
    if (!isKnownCrawler(name) && this.#crawlers.size >= MAX_CRAWLERS) return OTHER_CRAWLERS
    this.#crawlers.add(name)
    return name
  }
}

function nameOf({ agent, proven, called }: LedgerEntry): CrawlerName {
  if (called !== undefined) return { crawler: calledName(called) }
  return proven === undefined ? crawlerName(agent) : { crawler: provenName(proven) }
}

export function sumOf(rows: readonly LedgerCounts[]): LedgerCounts {
  let [requests, bytes, cpuMs, wholeRequests, wholeBytes] = [0, 0, 0, 0, 0]
  for (const row of rows) {
    requests += row.requests
    bytes += row.bytes
    cpuMs += row.cpuMs
    wholeRequests += row.wholeRequests
    wholeBytes += row.wholeBytes
  }
  return { requests, bytes, cpuMs, wholeRequests, wholeBytes }
}

/** What was written once, as far as it is a ledger; undefined when it is none. */
export function readLedger(text: string): LedgerRows | undefined {
  const json = parsed(text)
  const { version, since, rows, days } = (json ?? {}) as Record<string, unknown>
  if (version !== 1 || typeof since !== 'number' || !Number.isFinite(since) || !Array.isArray(rows)) return undefined
  const known = days === undefined ? {} : { days: readCrawlerDays(days) }
  return { version, since, rows: rows.slice(0, MAX_ROWS).flatMap(readRow), ...known }
}

const MAX_ROWS = 10_000
const COUNTS = ['requests', 'bytes', 'cpuMs', 'wholeRequests', 'wholeBytes'] as const

const isCount = (value: unknown): boolean => typeof value === 'number' && value >= 0 && Number.isFinite(value)

function readRow(row: unknown): LedgerRow[] {
  const fields = (typeof row === 'object' && row !== null ? row : {}) as Record<string, unknown>
  const { crawler, scheme } = fields
  const isScheme = LEDGER_SCHEMES.some((name) => name === scheme)
  if (typeof crawler !== 'string' || crawler.length > MAX_NAME || !isScheme) return []
  if (!COUNTS.every((name) => isCount(fields[name]))) return []
  const counts = Object.fromEntries(COUNTS.map((name) => [name, fields[name]])) as unknown as LedgerCounts
  const kind = ROBOT_KINDS.find((one) => one === fields['kind'])
  return [{ crawler, ...(kind !== undefined && { kind }), scheme: scheme as LedgerScheme, ...counts }]
}

const MAX_NAME = 64

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
