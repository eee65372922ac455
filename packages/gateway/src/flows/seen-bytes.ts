/**
 * SeenBytes: the last bytes of a direction that were handed on, in a ring that grows as far as it is worth it. What is sent
 * again is compared with them: one who sends other bytes under the same numbers plays with whoever listens.
 */
const LEAST = 1_024
const MOST = 32_768
const MOST_GAPS = 16

export class SeenBytes {
  #ring: Uint8Array | undefined
  /** The ring knows the bytes from here on, but for those that were never seen. */
  #from = 0
  #gaps: { readonly from: number; readonly to: number }[] = []
  /** All that was ever added. */
  total = 0

  get size(): number {
    return this.#ring?.length ?? 0
  }

  /** `offset` follows on what was added last. */
  add(bytes: Uint8Array, offset: number): void {
    if (this.#ring === undefined) {
      this.#ring = new Uint8Array(LEAST)
      this.#from = offset
      this.#gaps = []
    }
    this.total += bytes.length
    const end = offset + bytes.length
    if (offset - this.#ring.length > this.#from) this.#from = offset - this.#ring.length
    while (end - this.#from > this.#ring.length && this.#ring.length < MOST) this.#grow(this.#ring, offset)
    const ring = this.#ring
    const size = ring.length
    const last = bytes.length > size ? bytes.subarray(bytes.length - size) : bytes
    const begin = (end - last.length) & (size - 1)
    const room = size - begin
    if (last.length <= room) ring.set(last, begin)
    else {
      ring.set(last.subarray(0, room), begin)
      ring.set(last.subarray(room), 0)
    }
    if (end - size > this.#from) this.#from = end - size
  }

  /** These bytes were not seen. */
  skip(from: number, to: number): void {
    this.#gaps = this.#gaps.filter((gap) => gap.to > this.#from)
    // Too many to tell apart: nothing before is compared any more.
    if (this.#gaps.length >= MOST_GAPS) this.#from = from
    this.#gaps.push({ from, to })
  }

  /** Whether these bytes are those that were handed on, as far as they are known; they end before `end`. */
  agrees(bytes: Uint8Array, offset: number, end: number): boolean {
    const ring = this.#ring
    if (ring === undefined) return true
    const mask = ring.length - 1
    const to = Math.min(offset + bytes.length, end)
    for (let at = Math.max(offset, this.#from); at < to; at++) {
      if (ring[at & mask] !== bytes[at - offset] && !this.#isGap(at)) return false
    }
    return true
  }

  forget(): void {
    this.#ring = undefined
  }

  #isGap(offset: number): boolean {
    return this.#gaps.some(({ from, to }) => offset >= from && offset < to)
  }

  #grow(ring: Uint8Array, end: number): void {
    const grown = new Uint8Array(2 * ring.length)
    for (let at = this.#from; at < end; at++) grown[at & (grown.length - 1)] = ring[at & (ring.length - 1)]!
    this.#ring = grown
  }
}
