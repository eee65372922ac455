/**
 * Page ids: from the numbers a file gives its pages to ours, which are dense and in the order of first appearance.
 *
 * While the file numbers its pages 0, 1, 2… itself, as most tables do, there is nothing to keep. From the first
 * exception on, small numbers are looked up in a plain array, which the processor's cache can hold, and large ones in
 * a hash table of two typed arrays (open addressing, at most half full), which the collector never walks.
 */
/** Numbers below have a place in the plain array: at most 64 MB, for a file that has one such number only. */
const SMALL = 1 << 24
const FREE = -1

export class PageIds {
  count = 0
  #isDense = true
  #numbers: Float64Array = new Float64Array(0)
  /** The page of each small number plus 1; 0 for none. */
  #small: Uint32Array = new Uint32Array(0)
  #keys: Float64Array = new Float64Array(2).fill(FREE)
  #pages: Uint32Array = new Uint32Array(2)
  #hashed = 0

  /** The page of a number; -1 when there is none. */
  find(number: number): number {
    if (this.#isDense) return number < this.count ? number : -1
    if (number < SMALL) return number < this.#small.length ? this.#small[number]! - 1 : -1
    const slot = slotOf(this.#keys, number)
    return this.#keys[slot] === FREE ? -1 : this.#pages[slot]!
  }

  /** The page of a number, a new one when it has none. Numbers are whole and not negative. */
  add(number: number): number {
    const known = this.find(number)
    if (known >= 0) return known
    if (this.#isDense && number !== this.count) this.#endDense()
    if (!this.#isDense) this.#put(this.count, number)
    return this.count++
  }

  /** The number a page had in the file. */
  numberOf(page: number): number {
    return this.#isDense ? page : this.#numbers[page]!
  }

  #endDense(): void {
    this.#isDense = false
    for (let page = 0; page < this.count; page++) this.#put(page, page)
  }

  #put(page: number, number: number): void {
    if (page >= this.#numbers.length) {
      const numbers = new Float64Array(Math.max(1_024, page * 2))
      numbers.set(this.#numbers)
      this.#numbers = numbers
    }
    this.#numbers[page] = number
    if (number < SMALL) this.#putSmall(page, number)
    else this.#putLarge(page, number)
  }

  #putSmall(page: number, number: number): void {
    if (number >= this.#small.length) {
      const small = new Uint32Array(Math.min(SMALL, Math.max(1_024, number * 2)))
      small.set(this.#small)
      this.#small = small
    }
    this.#small[number] = page + 1
  }

  #putLarge(page: number, number: number): void {
    if (++this.#hashed * 2 > this.#keys.length) this.#rehash()
    const slot = slotOf(this.#keys, number)
    this.#keys[slot] = number
    this.#pages[slot] = page
  }

  #rehash(): void {
    const [keys, pages] = [this.#keys, this.#pages]
    this.#keys = new Float64Array(keys.length * 4).fill(FREE)
    this.#pages = new Uint32Array(keys.length * 4)
    for (const [old, key] of keys.entries()) {
      if (key === FREE) continue
      const slot = slotOf(this.#keys, key)
      this.#keys[slot] = key
      this.#pages[slot] = pages[old]!
    }
  }
}

function slotOf(keys: Float64Array, number: number): number {
  const mask = keys.length - 1
  // The finaliser of MurmurHash3 (Austin Appleby): neighbouring numbers must not become neighbouring slots, or runs
  // of ids grow into each other.
  let hash = (number >>> 0) ^ Math.imul(Math.floor(number / 0x1_0000_0000), 0x9e3779b1)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  let slot = (hash ^ (hash >>> 16)) & mask
  while (keys[slot] !== number && keys[slot] !== FREE) slot = (slot + 1) & mask
  return slot
}
