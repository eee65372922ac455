/**
 * Block index: where blocks of so many bytes have been seen, by a rolling hash; the way to matches in `delta/vcdiff-matches.ts`.
 *
 * The hash is "gear" (Xia et al. 2014, doi:10.1016/j.peva.2014.07.016): shift left, add the byte's random word. A byte
 * has left the 32 bits after 32 / shift steps, so it rolls without being told what leaves. Places with equal hash are
 * chained from the newest to the oldest. A hash only proposes: whoever asks compares the bytes.
 */
export class BlockIndex {
  readonly block: number
  /** Of the places in order every so-manieth is entered. */
  readonly #stride: number
  readonly #step: number
  readonly #shift: number
  readonly #heads: Int32Array
  readonly #chain: Int32Array
  readonly #mask: number

  constructor(block: number, stride: number, length: number, tables: IndexTables) {
    this.block = block
    this.#stride = stride
    this.#step = Math.ceil(32 / block)
    const bits = Math.max(4, 32 - Math.clz32(Math.floor(length / stride)))
    this.#shift = 32 - bits
    this.#mask = (1 << bits) - 1
    this.#heads = tables.heads(1 << bits)
    this.#chain = tables.chain(1 << bits)
  }

  /** Enters the block at `at` under the number `place`. */
  add(bytes: Uint8Array, at: number, place: number): void {
    const bucket = this.#bucket(bytes, at)
    this.#chain[(place / this.#stride) & this.#mask] = this.#heads[bucket]!
    this.#heads[bucket] = place + 1
  }

  /** Enters every n-th block of all the bytes. */
  addAll(bytes: Uint8Array): void {
    const stride = this.#stride
    const step = this.#step
    const shift = this.#shift
    const heads = this.#heads
    const chain = this.#chain
    const gear = GEAR
    const before = this.block - 1
    let hash = 0
    for (let at = 0; at < before && at < bytes.length; at++) hash = ((hash << step) + gear[bytes[at]!]!) | 0
    let slot = 0
    for (let at = before; at < bytes.length; at++) {
      hash = ((hash << step) + gear[bytes[at]!]!) | 0
      const bucket = hash >>> shift
      chain[slot++] = heads[bucket]!
      heads[bucket] = at - before + 1
      if (stride === 1) continue
      const stop = Math.min(at + stride, bytes.length) - 1
      while (at < stop) hash = ((hash << step) + gear[bytes[++at]!]!) | 0
    }
  }

  /** The newest place that may hold the block at `at`; -1 when there is none. */
  first(bytes: Uint8Array, at: number): number {
    return this.#heads[this.#bucket(bytes, at)]! - 1
  }

  /** The next older one; -1 when there is none. */
  next(place: number): number {
    const older = this.#chain[(place / this.#stride) & this.#mask]! - 1
    // With more places than slots the chain is a ring: what is not older was written over.
    return older < place ? older : -1
  }

  #bucket(bytes: Uint8Array, at: number): number {
    const step = this.#step
    let hash = 0
    for (let byte = at, end = at + this.block; byte < end; byte++) hash = ((hash << step) + GEAR[bytes[byte]!]!) | 0
    return hash >>> this.#shift
  }
}

/** Tables lent to one index after another: for a page of usual size, making them anew takes as long as the search. */
export class IndexTables {
  #heads = new Int32Array(0)
  #chain = new Int32Array(0)

  heads(size: number): Int32Array {
    if (size > MOST_KEPT) return new Int32Array(size)
    if (this.#heads.length < size) this.#heads = new Int32Array(size)
    return this.#heads.subarray(0, size).fill(0)
  }

  /** Not cleared, as a chain is read only from a head on. */
  chain(size: number): Int32Array {
    if (size > MOST_KEPT) return new Int32Array(size)
    if (this.#chain.length < size) this.#chain = new Int32Array(size)
    return this.#chain
  }
}

/** Half a megabyte stays with us for good; larger tables are rare and go. */
const MOST_KEPT = 1 << 16

const GEAR = gearWords()

function gearWords(): Int32Array {
  const words = new Int32Array(256)
  let state = 0x9e3779b9
  for (let byte = 0; byte < 256; byte++) {
    // xorshift32 (Marsaglia 2003); any fixed words without a pattern will do.
    for (let round = 0; round < 4; round++) {
      state ^= state << 13
      state ^= state >>> 17
      state ^= state << 5
    }
    words[byte] = state
  }
  return words
}
