/**
 * GrowingBytes: one buffer that takes what arrives. Keeping the chunks instead would keep a whole read of the socket for
 * each of them alive, which a server that sends single bytes can make fifty times the size of its body.
 */
const FIRST_BYTES = 16_384

export class GrowingBytes {
  #bytes = new Uint8Array(0)
  #size = 0

  get size(): number {
    return this.#size
  }

  append(chunk: Uint8Array): void {
    const needed = this.#size + chunk.length
    if (needed > this.#bytes.length) {
      const length = Math.max(needed, this.#bytes.length * 2, FIRST_BYTES)
      this.#bytes = new Uint8Array(this.#bytes.buffer.transfer(length))
    }
    this.#bytes.set(chunk, this.#size)
    this.#size = needed
  }

  /** What came so far, in a buffer of its own that can go to another thread. It is empty afterwards. */
  take(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(this.#bytes.buffer.transfer(this.#size))
    this.#bytes = new Uint8Array(0)
    this.#size = 0
    return bytes
  }
}
