/**
 * Coded cache: bodies in a coding, or as a difference, by what they were made of. A key names its value for good (digest,
 * coding, base), so nothing in here is ever wrong; it only goes, the least recently used first.
 */
import { ownBytes } from '../own-bytes.ts'

export interface Sized {
  readonly body: Uint8Array
}

/** Held for a value that is known to be of no use, so that it is not made again. */
export type Held<T extends Sized> = T | 'useless'

/** What a key and an entry take besides the body. */
const ENTRY_BYTES = 300

export class CodedCache<T extends Sized> {
  readonly #maxBytes: number
  /** In the order of use. */
  readonly #held = new Map<string, Held<T>>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  get(key: string): Held<T> | undefined {
    const held = this.#held.get(key)
    if (held === undefined) return undefined
    this.#held.delete(key)
    this.#held.set(key, held)
    return held
  }

  set(key: string, value: Held<T>): void {
    this.#remove(key)
    this.#held.set(key, value === 'useless' ? value : { ...value, body: ownBytes(value.body) })
    this.#bytes += sizeOf(value)
    for (const oldest of this.#held.keys()) {
      if (this.#bytes <= this.#maxBytes) return
      this.#remove(oldest)
    }
  }

  #remove(key: string): void {
    const held = this.#held.get(key)
    if (held === undefined) return
    this.#held.delete(key)
    this.#bytes -= sizeOf(held)
  }
}

const sizeOf = (value: Held<Sized>): number => ENTRY_BYTES + (value === 'useless' ? 0 : value.body.length)
