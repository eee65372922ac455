/**
 * IndexedHeap: a 4-ary heap of small integers that can be re-ordered in place.
 *
 * Items are ids (sites); `before(a, b)` says which comes first and may read anything that the owner keeps elsewhere.
 * When what it reads changes for an item, call `update`: 004 §5 wants the sites heap "re-arranged dynamically".
 *
 * Invariant: for every held item, `#items[#at[item]] === item`, and no child comes before its parent.
 */
const ARITY = 4
const ABSENT = -1

export class IndexedHeap {
  readonly #before: (a: number, b: number) => boolean
  readonly #items: number[] = []
  #at = new Int32Array(1024).fill(ABSENT)

  constructor(before: (a: number, b: number) => boolean) {
    this.#before = before
  }

  get size(): number {
    return this.#items.length
  }

  has(item: number): boolean {
    return (this.#at[item] ?? ABSENT) !== ABSENT
  }

  peek(): number | undefined {
    return this.#items[0]
  }

  push(item: number): void {
    if (this.has(item)) return this.update(item)
    this.#reserve(item)
    this.#items.push(item)
    this.#rise(this.#items.length - 1, item)
  }

  pop(): number | undefined {
    const top = this.#items[0]
    if (top !== undefined) this.remove(top)
    return top
  }

  remove(item: number): void {
    const hole = this.#at[item] ?? ABSENT
    if (hole === ABSENT) return
    this.#at[item] = ABSENT
    const last = this.#items.pop() as number
    if (last === item) return
    this.#settle(hole, last)
  }

  /** The item's place in the order may have changed; put it right. Harmless for an item that is not held. */
  update(item: number): void {
    const at = this.#at[item] ?? ABSENT
    if (at !== ABSENT) this.#settle(at, item)
  }

  #settle(at: number, item: number): void {
    if (this.#rise(at, item) === at) this.#sink(at, item)
  }

  #rise(from: number, item: number): number {
    const items = this.#items
    let at = from
    while (at > 0) {
      const up = (at - 1) >> 2
      const parent = items[up] as number
      if (!this.#before(item, parent)) break
      items[at] = parent
      this.#at[parent] = at
      at = up
    }
    items[at] = item
    this.#at[item] = at
    return at
  }

  #sink(from: number, item: number): void {
    const items = this.#items
    let at = from
    for (;;) {
      const first = at * ARITY + 1
      if (first >= items.length) break
      const end = Math.min(first + ARITY, items.length)
      let best = first
      for (let child = first + 1; child < end; child++) {
        if (this.#before(items[child] as number, items[best] as number)) best = child
      }
      const child = items[best] as number
      if (!this.#before(child, item)) break
      items[at] = child
      this.#at[child] = at
      at = best
    }
    items[at] = item
    this.#at[item] = at
  }

  #reserve(item: number): void {
    if (item < this.#at.length) return
    const grown = new Int32Array(Math.max(item + 1, this.#at.length * 2)).fill(ABSENT)
    grown.set(this.#at)
    this.#at = grown
  }
}
