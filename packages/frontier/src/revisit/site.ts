/**
 * Revisit site: one site in the calendar of visits: its pages that wait and those that are due, how much its channels are
 * trusted, and how its pages change on average, which is what is thought of a page that nobody has visited twice.
 *
 *   open ──visits out──▶ full ──visited──▶ open
 *     └──must rest──▶ parked ──its clock──▶ open
 */
import type { Instant } from '@comity/protocol'
import { priorRate, sitePrior } from './change-rate.ts'
import type { RatePrior } from './change-rate.ts'
import type { SiteTrust } from '../trust/site-trust.ts'
import type { HeapItem } from '../queue/indexed-heap.ts'
import { PageHeap } from '../queue/page-heap.ts'
import type { HeapColumns } from '../queue/page-heap.ts'

/** A site's place in one of the heaps of sites; it can be in several. */
export interface SiteSeat extends HeapItem {
  readonly site: RevisitSite
  /** What it stands there by; the lowest is first. */
  key: number
}

/**
 * Rates differ by orders of magnitude even within a site, so its mean says little of one page: it counts as half a change
 * that was seen. (A whole one was less fresh: still pages took too many visits to be known as such.)
 */
const PRIOR_SHAPE = 0.5
/** Before anything is known: once in twenty days, the median of the pages that change at all on the measured Web. */
const FIRST_PRIOR: RatePrior = sitePrior(1 / 20, PRIOR_SHAPE)
/** Fewer pages than this say little of a site; then all sites together are asked. */
const ENOUGH_PAGES = 3

/** Mean of the rates of pages that were visited, kept while they change. */
export class MeanRate {
  #sum = 0
  #pages = 0

  get pages(): number {
    return this.#pages
  }
  get mean(): number {
    return this.#pages === 0 ? 0 : Math.max(0, this.#sum / this.#pages)
  }
  /** A page came to have a rate, has another now, or has gone. */
  move(from: number | undefined, to: number | undefined): void {
    this.#sum += (to ?? 0) - (from ?? 0)
    this.#pages += (to === undefined ? 0 : 1) - (from === undefined ? 0 : 1)
  }
}

export class RevisitSite {
  readonly id: number
  /** By due instant. */
  readonly waiting: PageHeap
  /** Worth their price already; best first. */
  readonly ready: PageHeap
  readonly calendarSeat: SiteSeat = { site: this, key: 0, heapAt: 0 }
  readonly boardSeat: SiteSeat = { site: this, key: 0, heapAt: 0 }
  readonly parkedSeat: SiteSeat = { site: this, key: 0, heapAt: 0 }
  readonly rates: MeanRate = new MeanRate()
  pages = 0
  out = 0
  isParked = false
  trust: SiteTrust | undefined
  readonly #table: HeapColumns

  constructor(id: number, table: HeapColumns) {
    this.id = id
    this.#table = table
    this.waiting = new PageHeap(table)
    this.ready = new PageHeap(table)
  }

  get nextDue(): Instant {
    const page = this.waiting.peek()
    return page === undefined ? Infinity : this.#table.rankOf(page)
  }

  /** Lower is better. */
  get bestRank(): number {
    const page = this.ready.peek()
    return page === undefined ? Infinity : this.#table.rankOf(page)
  }

  /** Changes per day of a page that was not visited since it was added. */
  newPageRate(everywhere: MeanRate): number {
    return priorRate(this.ratePrior(everywhere))
  }

  /** What is thought of a page's changes before it is known: it is like its site, or like pages everywhere. */
  ratePrior(everywhere: MeanRate): RatePrior {
    const known = this.rates.pages >= ENOUGH_PAGES ? this.rates : everywhere
    return known.pages >= ENOUGH_PAGES ? sitePrior(known.mean, PRIOR_SHAPE) : FIRST_PRIOR
  }
}
