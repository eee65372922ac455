/**
 * Site: one scheme, host and port, with its queue of pages and its clocks. Order, budgets and politeness count here.
 *
 *   idle ──page──▶ resting ──clock──▶ ready ──lease──▶ leased ──release──▶ resting or idle
 *                     ▲                  └─ its address is taken ─▶ parked ─ address free ─┐
 *                     └──────────────────────────────────────────────────────────────────┘
 */
import type { Instant } from '@comity/protocol'
import { PageHeap } from './page-heap.ts'
import type { PageTable } from './page-table.ts'
import type { SiteFacts } from './order.ts'

/** Something to ask a site besides its pages. Errands go first, and are not kept: they are asked again when needed. */
export interface Errand {
  readonly kind: 'robots' | 'sitemap'
  /** The site that wants to know; another one than the site asked when a robots.txt redirects across hosts. */
  readonly onBehalfOf: number
  readonly path: string
  /** Redirects followed so far. */
  readonly hops: number
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
}

export class Site implements SiteFacts {
  readonly id: number
  readonly origin: string
  readonly pages: PageHeap
  readonly #table: PageTable
  errands: Errand[] = []
  place: 'idle' | 'resting' | 'ready' | 'parked' | 'leased' = 'idle'
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
  /** robots.txt is known until then; 0 before the first look. */
  gateUntil: Instant = 0
  /** robots.txt is being asked for, here or where it redirects to. */
  gateAsked = false
  /** It did not answer; nothing more is asked of it in this run. */
  givenUp = false
  /** Place in the heap of sites: rank first, then turn. */
  rank = 0
  turn = 0
  wakeAt: Instant = 0

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
    return { origin, address, readyAt, askedUntil, crawlDelayMs, strikes, visited, bytes, gateUntil }
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
  }
}
