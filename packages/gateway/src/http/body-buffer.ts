/** BodyBuffer: a body while it comes in, copied once or twice, up to a limit of its own and within what all may take together. */
import type { MemoryBudget } from '../memory-budget.ts'

/** Room made before anything came: what a head says of its body is only a word. */
const FIRST = 32_768

export class BodyBuffer {
  readonly #limit: number
  readonly #expected: number
  readonly #budget: MemoryBudget
  #bytes: Uint8Array = NOTHING
  #length = 0
  /** Bytes that came, kept or not. */
  total = 0
  /** There was no room for it among the others. */
  isRefused = false

  /** `expected`: how much will come, when that is known. */
  constructor(limit: number, budget: MemoryBudget, expected: number = 0) {
    this.#limit = limit
    this.#budget = budget
    this.#expected = expected
  }

  get isTooLarge(): boolean {
    return this.total > this.#limit
  }

  add(bytes: Uint8Array): void {
    this.total += bytes.length
    if (this.isRefused) return
    if (this.isTooLarge) return this.release()
    const end = this.#length + bytes.length
    if (end > this.#bytes.length && !this.#grow(end)) return
    this.#bytes.set(bytes, this.#length)
    this.#length = end
  }

  /** What came, if all of it is here. */
  bytes(): Uint8Array {
    return this.isTooLarge || this.isRefused ? NOTHING : this.#bytes.subarray(0, this.#length)
  }

  /** It is somebody else's now, or nobody's. */
  release(): void {
    this.#budget.give(this.#bytes.length)
    this.#bytes = NOTHING
    this.#length = 0
  }

  #grow(least: number): boolean {
    const wish = Math.max(2 * this.#bytes.length, FIRST)
    const size = Math.min(this.#limit, Math.max(least, this.#expected > 0 ? Math.min(wish, this.#expected) : wish))
    if (!this.#budget.take(size - this.#bytes.length)) {
      this.isRefused = true
      this.release()
      return false
    }
    const grown = Buffer.allocUnsafeSlow(size)
    grown.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = grown
    return true
  }
}

const NOTHING = new Uint8Array(0)
