/**
 * GrowingBytes: one buffer that takes what arrives. Keeping the chunks instead would keep a whole read of the socket for
 * each of them alive, which a server that sends single bytes can make fifty times the size of its body.
 */
const FIRST_BYTES = 16_384
/** A promise of more is believed when it comes. */
const MAX_EXPECTED_BYTES = 65_536

export class GrowingBytes {
  #bytes = new Uint8Array(0)
  #size = 0
  #first = FIRST_BYTES

  get size(): number {
    return this.#size
  }

  /** What came so far, until the next call. */
  get view(): Buffer {
    return Buffer.from(this.#bytes.buffer, 0, this.#size)
  }

  /** So much is promised: a buffer of that size is never too large, and most often never too small. */
  expect(bytes: number): void {
    this.#first = Math.min(Math.max(bytes, 1), MAX_EXPECTED_BYTES)
  }

  append(chunk: Uint8Array): void {
    const needed = this.#size + chunk.length
    if (needed > this.#bytes.length) {
      const length = Math.max(needed, this.#bytes.length * 2, this.#first)
      this.#bytes = new Uint8Array(this.#size === 0 ? new ArrayBuffer(length) : this.#bytes.buffer.transfer(length))
    }
    this.#bytes.set(chunk, this.#size)
    this.#size = needed
  }

  /** What came so far, in a buffer of its own that can go to another thread. It is empty afterwards. */
  take(): Uint8Array<ArrayBuffer> {
    const isExact = this.#bytes.length === this.#size
    const bytes = isExact ? this.#bytes : new Uint8Array(this.#bytes.buffer.transfer(this.#size))
    this.#bytes = new Uint8Array(0)
    this.#size = 0
    return bytes
  }
}
