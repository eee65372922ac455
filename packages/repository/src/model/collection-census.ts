/**
 * Page census: pages and sites counted, and the counts kept true while pages change one by one. A page's old values are
 * taken off before its new ones are put on, so that a change costs the same however large the collection is.
 */
import type { PageRow } from '@comity/collection'
import { FORGOTTEN, WAITING } from '@comity/frontier'
import { isErrorOutcome } from '@comity/ingest'
import type { Instant } from '@comity/protocol'
import { PageColumns, UNVISITED } from './page-columns.ts'

/** How many names fit into a byte beside `UNVISITED`; there are some thirty, the rest is room for later versions. */
const MAX_OUTCOMES = 254
const OTHER = 'other'

class SiteCounts {
  known = 0
  visited = 0
  held = 0
  waiting = 0
  errors = 0
  lastVisitAt: Instant | undefined
  readonly outcomes: Map<number, number> = new Map()
}

export class CollectionCensus {
  readonly columns: PageColumns = new PageColumns()
  readonly sites: SiteCounts[] = []
  readonly totals: SiteCounts = new SiteCounts()
  captures = 0
  /** By number; the first stands for no outcome at all. */
  readonly #names: string[] = ['']
  readonly #numbers = new Map<string, number>()

  add(site: number, key: number, depth: number, state: number): void {
    this.columns.add(site, key, depth, state)
    this.#count(this.columns.count - 1, 1)
  }

  /** The queue has moved a page. */
  move(page: number, depth: number, state: number): void {
    if (page >= this.columns.count) return
    this.#count(page, -1)
    this.columns.depths[page] = depth
    this.columns.states[page] = state
    this.#count(page, 1)
  }

  /** What is held about a page has changed, or may have. */
  put(page: number, row: PageRow | undefined): void {
    const { columns } = this
    this.#count(page, -1)
    columns.outcomes[page] = row === undefined ? UNVISITED : this.#numberOf(row.outcome)
    columns.held[page] = row?.body === undefined ? 0 : 1
    columns.visits[page] = Math.min(row?.visits ?? 0, 0xffff)
    this.#count(page, 1)
    if (row === undefined) return
    const counts = this.siteAt(columns.sites[page]!)
    counts.lastVisitAt = Math.max(counts.lastVisitAt ?? 0, row.visitedAt)
  }

  siteAt(site: number): SiteCounts {
    return (this.sites[site] ??= new SiteCounts())
  }

  outcomesOf({ outcomes }: SiteCounts): Record<string, number> {
    const counts = [...outcomes].filter(([, count]) => count > 0).toSorted(([, a], [, b]) => b - a)
    return Object.fromEntries(counts.map(([number, count]) => [this.#names[number]!, count]))
  }

  #count(page: number, by: 1 | -1): void {
    const { columns } = this
    this.captures += by * columns.visits[page]!
    for (const counts of [this.totals, this.siteAt(columns.sites[page]!)]) {
      if (columns.states[page] !== FORGOTTEN) counts.known += by
      if (columns.states[page] === WAITING) counts.waiting += by
      if (columns.held[page] === 1) counts.held += by
      const outcome = columns.outcomes[page]!
      if (outcome === UNVISITED) continue
      counts.visited += by
      counts.outcomes.set(outcome, (counts.outcomes.get(outcome) ?? 0) + by)
      if (isErrorOutcome(this.#names[outcome]!)) counts.errors += by
    }
  }

  #numberOf(outcome: string): number {
    const known = this.#numbers.get(outcome)
    if (known !== undefined) return known
    if (this.#names.length >= MAX_OUTCOMES && outcome !== OTHER) return this.#numberOf(OTHER)
    this.#numbers.set(outcome, this.#names.length)
    return this.#names.push(outcome) - 1
  }
}
