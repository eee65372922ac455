/**
 * Site: one scheme, host and port, with its queue of pages and its clocks. Order, budgets and politeness count here.
 * Where it stands at the moment is the workbench's affair; see there for `place`.
 */
import type { Instant } from '@comity/protocol'
import type { HeapItem } from './indexed-heap.ts'
import { PageHeap } from './page-heap.ts'
import type { PageTable } from './page-table.ts'
import type { OrderSiteFacts } from '../order/order.ts'

/** Something to ask a site besides its pages. Prerequisites go first. */
export interface Prerequisite {
  readonly kind: 'robots' | 'sitemap' | 'question'
  /** The site that wants to know; another one than the site asked when a robots.txt redirects across hosts. */
  readonly onBehalfOf: number
  readonly path: string
  /** Redirects followed so far. */
  readonly hops: number
  /** Which question, as whoever asks numbers them. */
  readonly question?: number | undefined
}

/** What is kept of a site on disk. Field names are part of the format. */
export interface SiteRow {
  readonly origin: string
  readonly address?: string | undefined
  readonly readyAt: Instant
  readonly askedUntil: Instant
  readonly crawlDelayMs: number
  readonly strikes: number
  readonly visited: number
  readonly bytes: number
  readonly gateUntil: Instant
  /** Sitemaps still to be asked for. A robots.txt needs no note: its gate is closed until it is known. */
  readonly sitemaps?: readonly Prerequisite[] | undefined
}

export class Site implements OrderSiteFacts, HeapItem {
  readonly id: number
  readonly origin: string
  readonly pages: PageHeap
  readonly #table: PageTable
  prerequisites: Prerequisite[] = []
  /** The last thing it was asked was a question: the next may be a page, though more questions wait. */
  askedLast = false
  /** The prerequisite that is being run. */
  running: Prerequisite | undefined
  address: string | undefined
  /** Own rest: no connection before this. */
  readyAt: Instant = 0
  /** The site's wish: no request before this. */
  askedUntil: Instant = 0
  crawlDelayMs = 0
  /** Overloaded answers in a row. */
  strikes = 0
  visited = 0
  bytes = 0
  /** URLs we know on it. */
  known = 0
  /** Pages on their way; they count towards its budget until they are settled. */
  leased = 0
  /** robots.txt is known until then; 0 before the first look. */
  gateUntil: Instant = 0
  /** robots.txt is being asked for, here or where it redirects to. */
  gateAsked = false
  /** It did not answer; nothing more is asked of it in this run. */
  givenUp = false
  place: 'idle' | 'resting' | 'parked' | 'ready' | 'leased' = 'idle'
  /** Place among the ready: rank first, then turn. */
  rank = 0
  turn = 0
  wakeAt: Instant = 0
  heapAt = 0

  constructor(id: number, origin: string, table: PageTable) {
    this.id = id
    this.origin = origin
    this.#table = table
    this.pages = new PageHeap(table)
  }

  get waiting(): number {
    return this.pages.size
  }

  get best(): number {
    const top = this.pages.peek()
    return top === undefined ? Infinity : this.#table.rankOf(top)
  }

  toRow(): SiteRow {
    const { origin, address, readyAt, askedUntil, crawlDelayMs, strikes, visited, bytes, gateUntil } = this
    const row = { origin, address, readyAt, askedUntil, crawlDelayMs, strikes, visited, bytes, gateUntil }
    // One that is being run is kept too: better read twice than never.
    const open = this.running === undefined ? this.prerequisites : [this.running, ...this.prerequisites]
    const sitemaps = open.filter(({ kind }) => kind === 'sitemap')
    return sitemaps.length === 0 ? row : { ...row, sitemaps }
  }

  fromRow(row: SiteRow): void {
    this.address = row.address
    this.readyAt = row.readyAt
    this.askedUntil = row.askedUntil
    this.crawlDelayMs = row.crawlDelayMs
    this.strikes = row.strikes
    this.visited = row.visited
    this.bytes = row.bytes
    this.gateUntil = row.gateUntil
    if (row.sitemaps !== undefined) this.prerequisites = [...row.sitemaps]
  }
}
