/**
 * FrameCache: unpacked frames that were asked for lately, up to a number of bytes, over all segments. What was not
 * asked for longest goes first.
 */

export interface Weighed {
  /** Bytes it keeps in memory, about. */
  readonly weight: number
}

export class FrameCache {
  readonly #maxBytes: number
  readonly #held = new Map<number, Weighed>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  /** What is held under a key, made when it is not. A key belongs to one kind of thing. */
  get<Thing extends Weighed>(key: number, make: () => Thing): Thing {
    const known = this.#held.get(key)
    if (known !== undefined) {
      this.#held.delete(key)
      this.#held.set(key, known)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above: it was made by the same caller.
      return known as Thing
    }
    const made = make()
    this.#held.set(key, made)
    this.#bytes += made.weight
    for (const [oldest, thing] of this.#held) {
      if (this.#bytes <= this.#maxBytes || this.#held.size === 1) break
      this.#held.delete(oldest)
      this.#bytes -= thing.weight
    }
    return made
  }

  /** Let go of all whose key is in a range: a segment that is gone. */
  drop(from: number, to: number): void {
    for (const [key, thing] of this.#held) {
      if (key < from || key >= to) continue
      this.#held.delete(key)
      this.#bytes -= thing.weight
    }
  }
}
