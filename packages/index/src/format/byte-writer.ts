/**
 * Bytes that grow, and numbers in them: seven bits a byte, lowest first, the eighth says that more follow (LEB128).
 * A number takes one byte up to 127; what is written here is chosen so that most numbers do.
 */

export class ByteWriter {
  #bytes: Uint8Array
  #length = 0

  constructor(capacity: number = 1 << 12) {
    this.#bytes = new Uint8Array(capacity)
  }

  get length(): number {
    return this.#length
  }

  /** What was written; valid until the next write. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  clear(): void {
    this.#length = 0
  }

  byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#grow(1)
    this.#bytes[this.#length++] = value
  }

  /** Any whole number from 0 to 2^53 - 1. */
  varint(value: number): void {
    if (this.#length + 8 > this.#bytes.length) this.#grow(8)
    const bytes = this.#bytes
    if (value < 0x80) {
      bytes[this.#length++] = value
      return
    }
    let rest = value
    while (rest > 0x7fffffff) {
      bytes[this.#length++] = (rest % 0x80) | 0x80
      rest = Math.floor(rest / 0x80)
    }
    while (rest >= 0x80) {
      bytes[this.#length++] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    bytes[this.#length++] = rest
  }

  /** A number that may be below zero, small either way. */
  zigzag(value: number): void {
    this.varint(value < 0 ? -2 * value - 1 : 2 * value)
  }

  append(bytes: Uint8Array, start = 0, end: number = bytes.length): void {
    const count = end - start
    if (this.#length + count > this.#bytes.length) this.#grow(count)
    // A few bytes are copied faster one by one than by a call.
    if (count < 16) for (let i = start; i < end; i++) this.#bytes[this.#length++] = bytes[i] as number
    else {
      this.#bytes.set(bytes.subarray(start, end), this.#length)
      this.#length += count
    }
  }

  text(text: string): void {
    const bytes = Buffer.from(text, 'utf8')
    this.varint(bytes.length)
    this.append(bytes)
  }

  #grow(by: number): void {
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + by))
    larger.set(this.#bytes)
    this.#bytes = larger
  }
}
