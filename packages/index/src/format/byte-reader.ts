/**
 * Reads what `ByteWriter` wrote. Bytes reach a reader only after their checksum was found right, so a number that does
 * not end is a fault of the writer; still, it throws and never runs past the end.
 */

export class ByteReader {
  readonly bytes: Uint8Array
  at: number
  readonly end: number

  constructor(bytes: Uint8Array, at = 0, end: number = bytes.length) {
    this.bytes = bytes
    this.at = at
    this.end = end
  }

  get isAtEnd(): boolean {
    return this.at >= this.end
  }

  byte(): number {
    if (this.at >= this.end) throw new RangeError('the bytes end too soon')
    return this.bytes[this.at++] as number
  }

  varint(): number {
    const { bytes, end } = this
    let at = this.at
    let value = 0
    for (let shift = 0; shift < 28; shift += 7) {
      if (at >= end) throw new RangeError('the bytes end in the middle of a number')
      const byte = bytes[at++] as number
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) {
        this.at = at
        return value
      }
    }
    for (let scale = 2 ** 28; scale < 2 ** 54; scale *= 0x80) {
      if (at >= end) throw new RangeError('the bytes end in the middle of a number')
      const byte = bytes[at++] as number
      value += (byte & 0x7f) * scale
      if (byte < 0x80) {
        this.at = at
        return value
      }
    }
    throw new RangeError('a number does not end')
  }

  zigzag(): number {
    const value = this.varint()
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2
  }

  take(count: number): Uint8Array {
    if (count > this.end - this.at) throw new RangeError('the bytes end too soon')
    this.at += count
    return this.bytes.subarray(this.at - count, this.at)
  }

  text(): string {
    const bytes = this.take(this.varint())
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')
  }
}
