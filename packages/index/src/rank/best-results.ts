/**
 * The best k of what is offered: a heap with the worst on top. Of two equal scores the lower key wins, so that the
 * answer does not depend on the order in which documents come.
 */

export interface Hit {
  readonly score: number
  readonly key: number
  readonly segment: number
  readonly doc: number
}

export class BestResults {
  readonly #most: number
  readonly #heap: Hit[] = []

  constructor(most: number) {
    this.#most = most
  }

  /** A document with less than this cannot get in. One with as much may, by its key. */
  get threshold(): number {
    return this.#heap.length < this.#most ? 0 : (this.#heap[0]?.score ?? Infinity)
  }

  offer(score: number, key: number, segment: number, doc: number): void {
    const heap = this.#heap
    if (heap.length < this.#most) {
      heap.push({ score, key, segment, doc })
      this.#up(heap.length - 1)
      return
    }
    const worst = heap[0]
    if (worst === undefined || score < worst.score || (score === worst.score && key > worst.key)) return
    heap[0] = { score, key, segment, doc }
    this.#down()
  }

  /** Best first. */
  ranked(): Hit[] {
    return this.#heap.toSorted((a, b) => b.score - a.score || a.key - b.key)
  }

  #up(from: number): void {
    const heap = this.#heap
    for (let at = from; at > 0;) {
      const parent = (at - 1) >> 1
      if (!isWorse(heap[at] as Hit, heap[parent] as Hit)) return
      ;[heap[at], heap[parent]] = [heap[parent] as Hit, heap[at] as Hit]
      at = parent
    }
  }

  #down(): void {
    const heap = this.#heap
    for (let at = 0; ;) {
      let worst = at
      for (const child of [2 * at + 1, 2 * at + 2])
        if (child < heap.length && isWorse(heap[child] as Hit, heap[worst] as Hit)) worst = child
      if (worst === at) return
      ;[heap[at], heap[worst]] = [heap[worst] as Hit, heap[at] as Hit]
      at = worst
    }
  }
}

const isWorse = (a: Hit, b: Hit): boolean => a.score < b.score || (a.score === b.score && a.key > b.key)
