/**
 * Calendar: numbered things, each due at one instant. Setting one anew moves it; what is due comes out earliest first.
 *
 * A binary heap with the old places left in it: a place counts only while the thing is still due at that instant. When
 * most places are old ones the heap is built anew, so it never holds more than twice what is in the calendar.
 */
import type { Instant } from '@comity/protocol'

interface Place {
  readonly key: number
  readonly at: Instant
}

export class Calendar {
  readonly #due = new Map<number, Instant>()
  #heap: Place[] = []

  get size(): number {
    return this.#due.size
  }

  has(key: number): boolean {
    return this.#due.has(key)
  }

  at(key: number): Instant | undefined {
    return this.#due.get(key)
  }

  set(key: number, at: Instant): void {
    if (this.#due.get(key) === at) return
    this.#due.set(key, at)
    this.#heap.push({ key, at })
    this.#rise(this.#heap.length - 1)
    if (this.#heap.length > 2 * this.#due.size + 16) this.#rebuild()
  }

  delete(key: number): void {
    this.#due.delete(key)
  }

  /** When the first is due; Infinity when there is none. */
  nextAt(): Instant {
    this.#dropOld()
    return this.#heap[0]?.at ?? Infinity
  }

  /** The first that is due at `now`, taken out. */
  take(now: Instant): number | undefined {
    if (this.nextAt() > now) return undefined
    const { key } = this.#pop()
    this.#due.delete(key)
    return key
  }

  #dropOld(): void {
    for (let top = this.#heap[0]; top !== undefined && this.#due.get(top.key) !== top.at; top = this.#heap[0])
      this.#pop()
  }

  #rebuild(): void {
    // Sorted is a heap, too.
    this.#heap = [...this.#due].map(([key, at]) => ({ key, at })).toSorted(inTime)
  }

  #pop(): Place {
    const top = this.#heap[0]!
    const last = this.#heap.pop()!
    if (this.#heap.length > 0) {
      this.#heap[0] = last
      this.#sink(0)
    }
    return top
  }

  #rise(from: number): void {
    for (let at = from; at > 0;) {
      const up = (at - 1) >> 1
      if (!this.#swapIfBefore(at, up)) return
      at = up
    }
  }

  #sink(from: number): void {
    for (let at = from; ;) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      if (left >= this.#heap.length) return
      const isRightFirst = right < this.#heap.length && inTime(this.#heap[right]!, this.#heap[left]!) < 0
      const first = isRightFirst ? right : left
      if (!this.#swapIfBefore(first, at)) return
      at = first
    }
  }

  #swapIfBefore(lower: number, upper: number): boolean {
    const [low, up] = [this.#heap[lower]!, this.#heap[upper]!]
    if (inTime(low, up) >= 0) return false
    this.#heap[lower] = up
    this.#heap[upper] = low
    return true
  }
}

/** Of those due at one instant the lower number first, so that a run can be repeated. */
const inTime = (a: Place, b: Place): number => a.at - b.at || a.key - b.key
