/**
 * Revisit calendar: where each page stands, on two levels.
 *
 * Each site has its waiting pages by the instant they fall due, and its ready pages by value; the sites stand in a heap
 * by the first of their waiting pages, the calendar proper, and in another by the best of their ready ones, the board. A
 * site that has to rest, or is being visited, is in neither. What a page is worth is none of the calendar's business.
 *
 * Invariant: a page is in one heap of its site, or out, or held back; a site is on the board if and only if it is open and
 * has a ready page, and in the calendar if and only if it is open and has a waiting one.
 */
import type { Instant } from '@comity/protocol'
import { IndexedHeap } from '../queue/indexed-heap.ts'
import type { HeapItem } from '../queue/indexed-heap.ts'
import { NOWHERE } from '../queue/page-table.ts'
import type { RevisitSite, SiteSeat } from './site.ts'
import { HELD, OUT, READY } from './revisit-table.ts'
import type { RevisitTable } from './revisit-table.ts'

interface HeldBack extends HeapItem {
  readonly page: number
  readonly until: Instant
}

export class RevisitCalendar {
  readonly #table: RevisitTable
  readonly #outPerSite: number
  readonly #calendar = new IndexedHeap<SiteSeat>(isBefore)
  readonly #board = new IndexedHeap<SiteSeat>(isBefore)
  readonly #parked = new IndexedHeap<SiteSeat>(isBefore)
  readonly #held = new IndexedHeap<HeldBack>((a, b) => a.until < b.until || (a.until === b.until && a.page < b.page))

  constructor(table: RevisitTable, outPerSite: number) {
    this.#table = table
    this.#outPerSite = outPerSite
  }

  /** The open site with the best ready page. */
  get best(): RevisitSite | undefined {
    return this.#board.peek()?.site
  }

  /** The open site with the waiting page that is due soonest. */
  get soonest(): RevisitSite | undefined {
    return this.#calendar.peek()?.site
  }

  /** When a site or a page that rests comes back. */
  get wakesAt(): Instant {
    return Math.min(this.#parked.peek()?.key ?? Infinity, this.#held.peek()?.until ?? Infinity)
  }

  /** Whether a visit to the site can begin, as far as the number of visits at a time goes. */
  hasRoom(site: RevisitSite): boolean {
    return site.out < this.#outPerSite
  }

  /** The page is worth a visit; the lowest rank goes first. */
  makeReady(site: RevisitSite, page: number, rank: number): void {
    const table = this.#table
    const wasReady = table.has(page, READY)
    if (!wasReady) site.waiting.remove(page)
    table.rank[page] = rank
    table.set(page, READY)
    if (wasReady) site.ready.update(page)
    else site.ready.push(page)
    this.#seat(site)
  }

  /** The page is worth a visit from `due` on. */
  makeWait(site: RevisitSite, page: number, due: Instant): void {
    const table = this.#table
    if (table.has(page, READY)) this.#unseat(site, page)
    table.rank[page] = due
    if (table.place[page] === NOWHERE) site.waiting.push(page)
    else site.waiting.update(page)
    this.#seat(site)
  }

  takeOut(site: RevisitSite, page: number): void {
    this.#unseat(site, page)
    this.#table.set(page, OUT)
    site.out++
    this.#seat(site)
  }

  /** The visit is over; the page is nowhere until it is made ready or made to wait. */
  bringBack(site: RevisitSite, page: number): void {
    if (!this.#table.has(page, OUT)) return
    this.#table.clear(page, OUT)
    site.out--
    this.#seat(site)
  }

  remove(site: RevisitSite, page: number): void {
    this.bringBack(site, page)
    this.#unseat(site, page)
    this.#seat(site)
  }

  /** The page is nowhere until then. */
  holdBack(site: RevisitSite, page: number, until: Instant): void {
    this.remove(site, page)
    this.#table.set(page, HELD)
    this.#held.push({ page, until, heapAt: 0 })
  }

  /** The site is not visited before its clock allows. */
  park(site: RevisitSite, until: Instant): void {
    site.isParked = true
    sit(this.#parked, site.parkedSeat, until)
    this.#seat(site)
  }

  /** Sites whose clocks allow visits are open again; returns pages that are no longer held back. */
  wake(now: Instant): number[] {
    for (let seat = this.#parked.peek(); seat !== undefined && seat.key <= now; seat = this.#parked.peek()) {
      this.#parked.pop()
      seat.site.isParked = false
      this.#seat(seat.site)
    }
    const free: number[] = []
    for (let held = this.#held.peek(); held !== undefined && held.until <= now; held = this.#held.peek()) {
      this.#held.pop()
      this.#table.clear(held.page, HELD)
      free.push(held.page)
    }
    return free
  }

  #unseat(site: RevisitSite, page: number): void {
    if (this.#table.has(page, READY)) site.ready.remove(page)
    else site.waiting.remove(page)
    this.#table.clear(page, READY)
  }

  #seat(site: RevisitSite): void {
    const isOpen = !site.isParked && this.hasRoom(site)
    if (isOpen && site.waiting.size > 0) sit(this.#calendar, site.calendarSeat, site.nextDue)
    else this.#calendar.remove(site.calendarSeat)
    if (isOpen && site.ready.size > 0) sit(this.#board, site.boardSeat, site.bestRank)
    else this.#board.remove(site.boardSeat)
  }
}

const isBefore = (a: SiteSeat, b: SiteSeat): boolean => a.key < b.key || (a.key === b.key && a.site.id < b.site.id)

/** Most often nothing has changed: a page moved behind the first of its site. */
function sit(heap: IndexedHeap<SiteSeat>, seat: SiteSeat, key: number): void {
  if (seat.key === key && heap.has(seat)) return
  seat.key = key
  heap.push(seat)
}
