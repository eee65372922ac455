/** Many short texts in one buffer: a million URLs as strings would be a million things for the collector to walk. */
export class TextColumn {
  count = 0
  #bytes: Buffer = Buffer.alloc(0)
  #ends = new Float64Array(0)
  #used = 0

  push(text: string): void {
    if (this.count === this.#ends.length) {
      const ends = new Float64Array(Math.max(1_024, this.count * 2))
      ends.set(this.#ends)
      this.#ends = ends
    }
    // UTF-8 takes at most three bytes for each unit of a string.
    const room = this.#used + text.length * 3
    if (room > this.#bytes.length) {
      const bytes = Buffer.allocUnsafe(Math.max(65_536, room * 2))
      this.#bytes.copy(bytes, 0, 0, this.#used)
      this.#bytes = bytes
    }
    this.#used += this.#bytes.write(text, this.#used)
    this.#ends[this.count++] = this.#used
  }

  /** Empty for a place that has no text. */
  at(index: number): string {
    if (index < 0 || index >= this.count) return ''
    return this.#bytes.toString('utf8', index === 0 ? 0 : this.#ends[index - 1], this.#ends[index])
  }
}
