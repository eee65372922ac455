/**
 * LimitedBuffer: what a crawl keeps that has room for only so many pages (003 §3, Limited Buffer Crawl). When it is full,
 * each new page costs one: the least important by what is known at that moment.
 *
 * Scores rise while a crawl learns, far more often than a page is dropped, so nobody tells the buffer. It is a heap of
 * the scores as they were when last looked at; the lowest is looked at again until one is found that has not risen.
 * That one is the least of all, as the others are at least what they were.
 *
 * Scores must not fall. Links only add to backlinks and to `PageRank.valueOf`; ranks scaled to a mean of 1 do fall.
 */
export class LimitedBuffer {
  readonly #capacity: number
  readonly #scoreOf: (page: number) => number
  /** Binary heaps in step: the page, its score when last looked at, and when it came. */
  readonly #pages: Uint32Array
  readonly #scores: Float64Array
  readonly #arrivals: Float64Array
  #size = 0
  #arrived = 0

  constructor(capacity: number, scoreOf: (page: number) => number) {
    if (!Number.isSafeInteger(capacity) || capacity < 0) throw new RangeError(`a buffer cannot hold ${capacity} pages`)
    this.#capacity = capacity
    this.#scoreOf = scoreOf
    this.#pages = new Uint32Array(capacity)
    this.#scores = new Float64Array(capacity)
    this.#arrivals = new Float64Array(capacity)
  }

  get size(): number {
    return this.#size
  }

  /** Every page that is kept, in no particular order. */
  get pages(): Uint32Array {
    return this.#pages.slice(0, this.#size)
  }

  /** Take in a page that is not kept yet. Returns the one that had to go, which may be this one. */
  add(page: number): number | undefined {
    const score = this.#scoreOf(page)
    const arrival = this.#arrived++
    if (this.#size < this.#capacity) {
      this.#rise(this.#size++, page, score, arrival)
      return undefined
    }
    if (this.#capacity === 0) return page
    this.#refreshLeast()
    // As good as the least is good enough: of equals the one kept longest goes, as it had most time to gain.
    if (score < this.#scores[0]!) return page
    const dropped = this.#pages[0]!
    this.#sink(page, score, arrival)
    return dropped
  }

  #refreshLeast(): void {
    for (;;) {
      const page = this.#pages[0]!
      const score = this.#scoreOf(page)
      if (!(score > this.#scores[0]!)) return
      this.#sink(page, score, this.#arrivals[0]!)
    }
  }

  #isLess(score: number, arrival: number, at: number): boolean {
    return score < this.#scores[at]! || (score === this.#scores[at] && arrival < this.#arrivals[at]!)
  }

  #rise(from: number, page: number, score: number, arrival: number): void {
    let at = from
    while (at > 0) {
      const up = (at - 1) >> 1
      if (!this.#isLess(score, arrival, up)) break
      this.#move(up, at)
      at = up
    }
    this.#put(at, page, score, arrival)
  }

  /** Into the root, and down to where it belongs. */
  #sink(page: number, score: number, arrival: number): void {
    let at = 0
    for (;;) {
      let child = at * 2 + 1
      if (child >= this.#size) break
      if (child + 1 < this.#size && this.#isLess(this.#scores[child + 1]!, this.#arrivals[child + 1]!, child)) child++
      if (this.#isLess(score, arrival, child)) break
      this.#move(child, at)
      at = child
    }
    this.#put(at, page, score, arrival)
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#pages[from]!, this.#scores[from]!, this.#arrivals[from]!)
  }

  #put(at: number, page: number, score: number, arrival: number): void {
    this.#pages[at] = page
    this.#scores[at] = score
    this.#arrivals[at] = arrival
  }
}
