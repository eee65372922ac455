/**
 * SlotHeap: a heap of small numbers, the slots 0 … n − 1, by a key of each; any of them can be taken out. Equal keys
 * come in the order of their slots, so that a simulation is the same on every machine.
 *
 * Invariant: the key of a slot does not change while the heap holds it.
 */
const ABSENT = -1

export class SlotHeap {
  readonly #keys: Float64Array
  readonly #sign: number
  readonly #slots: Int32Array
  readonly #placeOf: Int32Array
  #size = 0

  /** `keys` belongs to the caller, who sets a key before the slot goes in. */
  constructor(keys: Float64Array, first: 'smallest' | 'largest' = 'smallest') {
    this.#keys = keys
    this.#sign = first === 'smallest' ? 1 : -1
    this.#slots = new Int32Array(keys.length)
    this.#placeOf = new Int32Array(keys.length).fill(ABSENT)
  }

  get size(): number {
    return this.#size
  }

  has(slot: number): boolean {
    return this.#placeOf[slot] !== ABSENT
  }

  /** -1 when the heap is empty. */
  peek(): number {
    return this.#size === 0 ? ABSENT : this.#slots[0]!
  }

  push(slot: number): void {
    this.#rise(this.#size++, slot)
  }

  remove(slot: number): void {
    const at = this.#placeOf[slot]!
    this.#placeOf[slot] = ABSENT
    const last = this.#slots[--this.#size]!
    if (last !== slot && this.#rise(at, last) === at) this.#sink(at, last)
  }

  #goesFirst(a: number, b: number): boolean {
    const difference = (this.#keys[a]! - this.#keys[b]!) * this.#sign
    return difference < 0 || (difference === 0 && a < b)
  }

  #rise(from: number, slot: number): number {
    let at = from
    while (at > 0) {
      const up = (at - 1) >> 1
      if (!this.#goesFirst(slot, this.#slots[up]!)) break
      this.#put(at, this.#slots[up]!)
      at = up
    }
    this.#put(at, slot)
    return at
  }

  #sink(from: number, slot: number): void {
    let at = from
    for (let child = 2 * at + 1; child < this.#size; child = 2 * at + 1) {
      const right = child + 1
      const best = right < this.#size && this.#goesFirst(this.#slots[right]!, this.#slots[child]!) ? right : child
      if (!this.#goesFirst(this.#slots[best]!, slot)) break
      this.#put(at, this.#slots[best]!)
      at = best
    }
    this.#put(at, slot)
  }

  #put(at: number, slot: number): void {
    this.#slots[at] = slot
    this.#placeOf[slot] = at
  }
}
