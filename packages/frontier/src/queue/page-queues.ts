/**
 * PageQueues: the waiting pages of every site, each in its place. Asks the ranking where a page belongs, and moves it
 * when the ranking says so.
 *
 * In batches (004 §5, §6) a page that is not part of the current one waits outside the queues, held, until every page
 * of the batch has been settled; then the next batch is chosen from all that are held.
 */
import { chooseBatch } from './batch-choice.ts'
import type { Order, OrderSettings, Ranking } from '../order/order.ts'
import { NOWHERE, WAITING } from './page-table.ts'
import type { PageTable } from './page-table.ts'
import { queueAll } from './queue-all.ts'
import type { SiteList } from './site-list.ts'
import type { Site } from './site.ts'

/**
 * A page that failed comes back behind everything else its site has, so one broken page cannot hold the others up. More
 * than any rank, and little enough that ranks stay apart.
 */
const RETRY_PENALTY = 2 ** 33

/** A page that is due again has been chosen already, by its value and the budget: it comes before all that is new. */
export const REVISIT_LEAD: number = 2 ** 34

export interface BatchOptions {
  readonly size: number
  /** Over as many sites as possible; else by rank alone. */
  readonly spread: boolean
}

/** A batch that was chosen: how many pages, on how many sites. */
export interface ChosenBatch {
  readonly number: number
  readonly pages: number
  readonly sites: number
}

interface PageQueuesParts {
  readonly table: PageTable
  readonly sites: SiteList
  readonly order: Order
  readonly settings: OrderSettings
  readonly batch?: BatchOptions | undefined
  readonly urlOf: (page: number) => string
  /** The first page of this site's queue is another one now, or has another rank. */
  readonly onChange: (site: Site) => void
}

export class PageQueues {
  readonly ranking: Ranking
  readonly #parts: PageQueuesParts
  readonly #table: PageTable
  readonly #sites: SiteList
  readonly #batch: BatchOptions | undefined
  /** Pages of the current batch that are not settled, and waiting pages that are not part of it. */
  #open = 0
  #held = 0
  #chosen: ChosenBatch | undefined
  /**
   * Pages that were fetched before and are due again, until they are settled, in the order in which they came: by their rank a good page
   * that is due every few seconds would go first each time, and the others of its site would wait for ever.
   */
  readonly #again = new Map<number, number>()
  #turn = 0

  constructor(parts: PageQueuesParts) {
    this.#parts = parts
    this.#table = parts.table
    this.#sites = parts.sites
    this.#batch = parts.order.batch === undefined ? parts.batch : { size: parts.order.batch, spread: false }
    this.ranking = parts.order.start(this.#web(), parts.settings)
  }

  /** The batch under way; undefined when pages are not taken in batches. */
  get batch(): ChosenBatch | undefined {
    return this.#chosen
  }
  /** Pages that wait for the next batch. */
  get held(): number {
    return this.#held
  }

  /** A page begins to wait. */
  wait(site: Site, page: number): void {
    if (this.#batch === undefined) this.#push(site, page)
    else this.#held++
  }

  /** A page that was fetched before is due again. */
  waitAgain(site: Site, page: number): void {
    this.#again.set(page, this.#turn++)
    if (this.#batch !== undefined) this.#open++
    this.#push(site, page)
  }

  /** A page that waits, in the queues or outside, was due again when that was last known. */
  resumeAgain(site: Site, page: number): void {
    if (this.#table.placeOf(page) === NOWHERE) {
      this.#held--
      return this.waitAgain(site, page)
    }
    this.#again.set(page, this.#turn++)
    this.moved(page)
  }

  /** Whether the first page of a site is one that is due again. */
  isDueAgain(site: Site): boolean {
    const first = site.pages.peek()
    return first !== undefined && this.#again.has(first)
  }

  /** Whether a page that waits was fetched before. */
  isAgain(page: number): boolean {
    return this.#again.has(page)
  }

  /** A page has been settled; true when it had been due again. */
  wasAgain(page: number): boolean {
    return this.#again.delete(page)
  }

  /** A page that was taken goes back, as if it had not been. */
  putBack(site: Site, page: number): void {
    this.#push(site, page)
  }

  /** A page that was taken has been settled. */
  close(): void {
    if (this.#batch !== undefined) this.#open--
  }

  take(site: Site): number {
    return site.pages.pop()!
  }

  /** This very page, out of its turn; it is settled like one that was taken. */
  takeOut(site: Site, page: number): void {
    if (this.#table.placeOf(page) !== NOWHERE) return site.pages.remove(page)
    this.#held--
    this.#open++
  }

  /** A page that waits is to wait no longer. */
  remove(site: Site, page: number): void {
    this.#again.delete(page)
    if (this.#table.placeOf(page) === NOWHERE) this.#held--
    else {
      site.pages.remove(page)
      this.close()
    }
  }

  /** The rank of a page may have changed. */
  moved(page: number): void {
    if (this.#table.placeOf(page) === NOWHERE) return
    const { pages } = this.#sites.ofPage(page)
    const first = pages.peek()
    this.#table.setRank(page, this.#rankOf(page))
    pages.update(page)
    if (first === page || pages.peek() === page) this.#parts.onChange(this.#sites.ofPage(page))
  }

  /** Every waiting page at once, when a frontier comes back. */
  restore(): void {
    if (this.#batch === undefined) return queueAll(this.#table, this.#sites.all, (_, page) => this.#rankOf(page))
    for (let page = 0; page < this.#table.count; page++) {
      this.#sites.ofPage(page).known++
      if (this.#table.stateOf(page) === WAITING) this.#held++
    }
  }

  /** Every page of the batch is settled, and there are more. */
  get isBatchDone(): boolean {
    return this.#held > 0 && this.#open === 0
  }

  /** Choose the next batch from all that is held. What is left of the last one, on sites that rest, goes with it. */
  beginBatch(): void {
    if (this.#batch === undefined || this.#held === 0) return
    this.ranking.beginBatch?.()
    const pages = this.#heldPages()
    const ranks = Float64Array.from(pages, (page) => this.#rankOf(page))
    const sites = Uint32Array.from(pages, (page) => this.#table.siteOf(page))
    const places = chooseBatch({ pages, ranks, sites }, this.#batch.size, this.#batch.spread)
    const touched = new Set<Site>()
    for (const at of places) {
      const site = this.#sites.at(sites[at]!)
      this.#table.setRank(pages[at]!, ranks[at]!)
      site.pages.push(pages[at]!)
      touched.add(site)
    }
    this.#open += places.length
    this.#held -= places.length
    this.#chosen = { number: (this.#chosen?.number ?? 0) + 1, pages: places.length, sites: touched.size }
    for (const site of touched) this.#parts.onChange(site)
  }

  #heldPages(): Uint32Array {
    const pages = new Uint32Array(this.#held)
    for (let page = 0, n = 0; n < pages.length && page < this.#table.count; page++) {
      if (this.#table.stateOf(page) === WAITING && this.#table.placeOf(page) === NOWHERE) pages[n++] = page
    }
    return pages
  }

  #push(site: Site, page: number): void {
    this.#table.setRank(page, this.#rankOf(page))
    site.pages.push(page)
  }

  #rankOf(page: number): number {
    const turn = this.#again.get(page)
    const rank = turn === undefined ? this.ranking.rankPage(page) : turn - REVISIT_LEAD
    return rank + this.#table.triesOf(page) * RETRY_PENALTY
  }

  #allMoved(): void {
    for (const site of this.#sites.all) {
      if (site.pages.size === 0) continue
      for (const page of site.pages) this.#table.setRank(page, this.#rankOf(page))
      site.pages.reorder()
      this.#parts.onChange(site)
    }
  }

  #web(): Parameters<Order['start']>[0] {
    const [table, sites] = [this.#table, this.#sites]
    return {
      get count() {
        return table.count
      },
      depthOf: (page) => table.depthOf(page),
      siteOf: (page) => sites.ofPage(page),
      isWaiting: (page) => table.stateOf(page) === WAITING,
      urlOf: this.#parts.urlOf,
      moved: (page) => this.moved(page),
      allMoved: () => this.#allMoved(),
    }
  }
}
