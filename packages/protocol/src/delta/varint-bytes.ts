/**
 * Bytes with numbers in them, to be sent: seven bits a byte, lowest first, the eighth says that more follow (LEB128).
 * Whoever reads them may be reading a stranger's: nothing is taken beyond the end, and each fault is a RangeError that says
 * what is wrong.
 */

export class VarintWriter {
  readonly #parts: Uint8Array[] = []
  #bytes: Uint8Array = new Uint8Array(1 << 12)
  #length = 0

  /** Any whole number from 0 to 2^53 - 1. */
  number(value: number): void {
    this.#need(8)
    let rest = value
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 0x80) | 0x80
      rest = Math.floor(rest / 0x80)
    }
    this.#bytes[this.#length++] = rest
  }

  /** A number that may be below zero. */
  signed(value: number): void {
    this.number(value < 0 ? -2 * value - 1 : 2 * value)
  }

  /** As they are: whoever reads has to know how many. */
  raw(bytes: Uint8Array): void {
    if (bytes.length > LARGE) {
      this.#flush()
      this.#parts.push(bytes)
      return
    }
    this.#need(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  /** Their number, and they. */
  bytes(bytes: Uint8Array): void {
    this.number(bytes.length)
    this.raw(bytes)
  }

  text(text: string): void {
    this.bytes(Buffer.from(text, 'utf8'))
  }

  end(): Uint8Array {
    this.#flush()
    return Buffer.concat(this.#parts)
  }

  #need(count: number): void {
    if (this.#length + count <= this.#bytes.length) return
    this.#flush()
    if (count > this.#bytes.length) this.#bytes = new Uint8Array(count)
  }

  #flush(): void {
    if (this.#length > 0) this.#parts.push(this.#bytes.slice(0, this.#length))
    this.#length = 0
  }
}

/** Larger parts are not copied twice. */
const LARGE = 1 << 14

export class VarintReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get left(): number {
    return this.#bytes.length - this.#at
  }

  number(): number {
    let value = 0
    for (let scale = 1; scale < 2 ** 54; scale *= 0x80) {
      const byte = this.#bytes[this.#at++]
      if (byte === undefined) throw new RangeError('it ends in the middle of a number')
      value += (byte & 0x7f) * scale
      if (byte < 0x80) {
        if (value > Number.MAX_SAFE_INTEGER) break
        return value
      }
    }
    throw new RangeError('a number is too large')
  }

  signed(): number {
    const value = this.number()
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2
  }

  raw(count: number): Uint8Array {
    if (count > this.left) throw new RangeError('it ends too soon')
    this.#at += count
    return this.#bytes.subarray(this.#at - count, this.#at)
  }

  bytes(most: number = Infinity): Uint8Array {
    const count = this.number()
    if (count > most) throw new RangeError(`a part of it has more than ${most} bytes`)
    return this.raw(count)
  }

  text(most: number): string {
    const bytes = this.bytes(most)
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')
  }

  /** How many of something follow. Each takes a byte at least, so that a count cannot promise more than there is. */
  count(most: number, what: string): number {
    const count = this.number()
    if (count > most || count > this.left) throw new RangeError(`it has too many ${what}`)
    return count
  }
}
