/** Byte queue: bytes that came in pieces and are not used up yet. Pieces are joined only when they are looked at. */
export class ByteQueue {
  #pieces: Buffer[] = []
  #size = 0

  get size(): number {
    return this.#size
  }

  push(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    this.#pieces.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
    this.#size += bytes.length
  }

  /** All bytes, in one piece; a view where they came as one. */
  bytes(): Buffer {
    const [only] = this.#pieces
    if (only !== undefined && this.#pieces.length === 1) return only
    const joined = Buffer.concat(this.#pieces)
    this.#pieces = [joined]
    return joined
  }

  /** Forget the first `count` bytes. */
  drop(count: number): void {
    let left = Math.min(count, this.#size)
    this.#size -= left
    for (let first = this.#pieces[0]; first !== undefined && left > 0; first = this.#pieces[0]) {
      if (first.length > left) this.#pieces[0] = first.subarray(left)
      else this.#pieces.shift()
      left -= Math.min(left, first.length)
    }
  }
}
