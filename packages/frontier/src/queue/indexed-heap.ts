/**
 * IndexedHeap: a 4-ary heap of things that know their place in it, so that any of them can be re-ordered or removed.
 *
 * `before(a, b)` says which comes first and may read anything. When what it reads changes for an item, call `update`:
 * 004 §5 wants the sites heap "re-arranged dynamically". An item is in one heap at a time; several heaps may share items.
 *
 * Invariant: for every held item, `#items[item.heapAt] === item`, and no child comes before its parent.
 */
const ARITY = 4

export interface HeapItem {
  /** Kept by the heap that holds the item. Any number will do before it is held. */
  heapAt: number
}

export class IndexedHeap<Item extends HeapItem> {
  readonly #before: (a: Item, b: Item) => boolean
  readonly #items: Item[] = []

  constructor(before: (a: Item, b: Item) => boolean) {
    this.#before = before
  }

  get size(): number {
    return this.#items.length
  }

  has(item: Item): boolean {
    return this.#items[item.heapAt] === item
  }

  peek(): Item | undefined {
    return this.#items[0]
  }

  /** Put an item in; one that is in already is put right. */
  push(item: Item): void {
    if (this.has(item)) return this.#settle(item.heapAt, item)
    this.#items.push(item)
    this.#rise(this.#items.length - 1, item)
  }

  pop(): Item | undefined {
    const top = this.#items[0]
    if (top !== undefined) this.remove(top)
    return top
  }

  /** Harmless for an item that is not held. */
  remove(item: Item): void {
    if (!this.has(item)) return
    const last = this.#items.pop()!
    if (last !== item) this.#settle(item.heapAt, last)
  }

  /** The item's place in the order may have changed; put it right. Harmless for an item that is not held. */
  update(item: Item): void {
    if (this.has(item)) this.#settle(item.heapAt, item)
  }

  #settle(at: number, item: Item): void {
    if (this.#rise(at, item) === at) this.#sink(at, item)
  }

  #rise(from: number, item: Item): number {
    let at = from
    while (at > 0) {
      const up = (at - 1) >> 2
      const parent = this.#items[up]!
      if (!this.#before(item, parent)) break
      this.#put(at, parent)
      at = up
    }
    this.#put(at, item)
    return at
  }

  #sink(from: number, item: Item): void {
    const items = this.#items
    let at = from
    for (;;) {
      const first = at * ARITY + 1
      if (first >= items.length) break
      const end = Math.min(first + ARITY, items.length)
      let best = first
      for (let child = first + 1; child < end; child++) {
        if (this.#before(items[child]!, items[best]!)) best = child
      }
      const child = items[best]!
      if (!this.#before(child, item)) break
      this.#put(at, child)
      at = best
    }
    this.#put(at, item)
  }

  #put(at: number, item: Item): void {
    this.#items[at] = item
    item.heapAt = at
  }
}
