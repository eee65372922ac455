/**
 * PageHeap: the waiting pages of one site, lowest rank first and oldest first among equals (004 Figure 4, lower level).
 *
 * A hundred thousand of these exist at once, so one is a bare id array; ranks and places live in the PageTable, or in
 * whatever else keeps them for all pages.
 */
import { NOWHERE } from './page-table.ts'

const SMALLEST = 4

/** Where ranks and places live. A page is in one heap at a time. */
export interface HeapColumns {
  rankOf(page: number): number
  placeOf(page: number): number
  setPlace(page: number, at: number): void
}

export class PageHeap {
  readonly #table: HeapColumns
  #items: Uint32Array = new Uint32Array(SMALLEST)
  #size = 0

  constructor(table: HeapColumns) {
    this.#table = table
  }

  get size(): number {
    return this.#size
  }

  peek(): number | undefined {
    return this.#size === 0 ? undefined : this.#items[0]
  }

  push(page: number): void {
    if (this.#size === this.#items.length) this.#resize(this.#size + (this.#size >> 1))
    this.#rise(this.#size++, page)
  }

  /**
   * Take these pages, all at once, into an empty heap. Their places are set already, in the order given; `inOrder` says
   * that this is also the order they are to come out in.
   */
  fill(pages: Uint32Array, inOrder: boolean): void {
    this.#items = pages
    this.#size = pages.length
    if (!inOrder) this.reorder()
  }

  /** Any number of ranks have changed. */
  reorder(): void {
    for (let at = (this.#size >> 1) - 1; at >= 0; at--) this.#sink(at, this.#items[at]!)
  }

  pop(): number | undefined {
    if (this.#size === 0) return undefined
    const top = this.#items[0]!
    this.remove(top)
    return top
  }

  remove(page: number): void {
    const hole = this.#table.placeOf(page)
    if (hole === NOWHERE) return
    this.#table.setPlace(page, NOWHERE)
    const last = this.#items[--this.#size]!
    if (last !== page) this.#settle(hole, last)
    if (this.#items.length > SMALLEST && this.#size * 4 < this.#items.length) this.#resize(this.#items.length >> 1)
  }

  /** The page's rank has changed. */
  update(page: number): void {
    const at = this.#table.placeOf(page)
    if (at !== NOWHERE) this.#settle(at, page)
  }

  /** Every waiting page, in no particular order. */
  *[Symbol.iterator](): Generator<number> {
    for (let i = 0; i < this.#size; i++) yield this.#items[i]!
  }

  #before(a: number, b: number): boolean {
    const [ra, rb] = [this.#table.rankOf(a), this.#table.rankOf(b)]
    return ra < rb || (ra === rb && a < b)
  }

  #settle(at: number, page: number): void {
    if (this.#rise(at, page) === at) this.#sink(at, page)
  }

  #rise(from: number, page: number): number {
    let at = from
    while (at > 0) {
      const up = (at - 1) >> 1
      const parent = this.#items[up]!
      if (!this.#before(page, parent)) break
      this.#put(at, parent)
      at = up
    }
    this.#put(at, page)
    return at
  }

  #sink(from: number, page: number): void {
    let at = from
    for (;;) {
      let child = at * 2 + 1
      if (child >= this.#size) break
      if (child + 1 < this.#size && this.#before(this.#items[child + 1]!, this.#items[child]!)) child++
      const below = this.#items[child]!
      if (!this.#before(below, page)) break
      this.#put(at, below)
      at = child
    }
    this.#put(at, page)
  }

  #put(at: number, page: number): void {
    this.#items[at] = page
    this.#table.setPlace(page, at)
  }

  #resize(length: number): void {
    const items = new Uint32Array(Math.max(SMALLEST, length))
    items.set(this.#items.subarray(0, this.#size))
    this.#items = items
  }
}
