/**
 * Batch and Partial of 004 §5: PageRank that is solved anew from time to time, not kept true at every page.
 *
 * Batch: solved when a batch of K pages has been fetched, and the next batch are the K best at that moment.
 * Partial: solved every K pages; in between a page that is new has a temporary rank, the sum of the normalised ranks of
 * the pages that point to it, and may be taken at once.
 */
import type { PageVisit, RankedWeb, Ranking } from './order.ts'
import { PageRank } from './page-rank.ts'

export class BatchRanking implements Ranking {
  readonly #ranks = new PageRank()

  rankPage(page: number): number {
    return -this.#ranks.valueOf(page)
  }

  visited(page: number, { links }: PageVisit): void {
    this.#ranks.set(page, links)
  }

  beginBatch(): void {
    this.#ranks.solve()
  }
}

export class PartialRanking implements Ranking {
  readonly #web: RankedWeb
  readonly #every: number
  readonly #ranks = new PageRank()
  /** Temporary ranks of the pages that were found since the last solution. */
  readonly #temporary = new Map<number, number>()
  /** Pages that were known then. */
  #known = 0
  #visits = 0

  constructor(web: RankedWeb, every: number) {
    this.#web = web
    this.#every = every
  }

  rankPage(page: number): number {
    return -this.#rankOf(page)
  }

  visited(page: number, { links }: PageVisit): void {
    this.#ranks.set(page, links)
    if (++this.#visits % this.#every === 0) return this.#solve()
    const share = this.#rankOf(page) / links.length
    for (let i = 0; i < links.length; i++) {
      const to = links[i]!
      if (to < this.#known) continue
      this.#temporary.set(to, (this.#temporary.get(to) ?? 0) + share)
      this.#web.moved(to)
    }
  }

  restore(visits: Iterable<readonly [page: number, visit: PageVisit]>): void {
    for (const [page, { links }] of visits) this.#ranks.set(page, links)
    this.#solve()
  }

  /** Before the first solution every start page has the same (004 §5), and so has a page that nobody points to. */
  #rankOf(page: number): number {
    return page < this.#known ? this.#solved[page]! : (this.#temporary.get(page) ?? 1)
  }

  #solved = new Float64Array(0)

  #solve(): void {
    this.#ranks.grow(this.#web.count)
    this.#ranks.solve()
    this.#known = this.#web.count
    this.#solved = Float64Array.from({ length: this.#known }, (_, page) => this.#ranks.rankOf(page))
    this.#temporary.clear()
    this.#web.allMoved()
  }
}
