/**
 * VCDIFF's instructions, written: ADD and COPY of one window, in the three sections of RFC 3284 §4.3.
 *
 * One instruction is held back until the next is known, since the code table has single codes for a short ADD with the
 * COPY behind it and for a COPY of four with an ADD of one (§5.6). RUN is never written: a COPY that overlaps its own
 * output says the same in as many bytes.
 */
import { AddressCache } from './vcdiff-addresses.ts'
import { ADD, COPY, NOOP, addCode, addCopyCode, copyAddCode, copyCode } from './vcdiff-format.ts'

export class InstructionWriter {
  readonly data: ByteSink = new ByteSink()
  readonly instructions: ByteSink = new ByteSink()
  readonly addresses: ByteSink = new ByteSink()
  readonly cache: AddressCache = new AddressCache()
  #heldType = NOOP
  #heldSize = 0
  #heldMode = 0

  add(bytes: Uint8Array, from: number, to: number): void {
    if (to <= from) return
    this.data.append(bytes, from, to)
    const size = to - from
    const pair = this.#heldType === COPY ? copyAddCode(this.#heldSize, this.#heldMode, size) : 0
    if (pair !== 0) this.#writePair(pair)
    else this.#hold(ADD, size, 0)
  }

  copy(address: number, size: number, here: number): void {
    const { cache, addresses } = this
    cache.choose(address, here)
    cache.note(address)
    const { mode, value } = cache
    if (cache.isSame(mode)) addresses.byte(value)
    else addresses.integer(value)
    const pair = this.#heldType === ADD ? addCopyCode(this.#heldSize, size, mode) : 0
    if (pair !== 0) this.#writePair(pair)
    else this.#hold(COPY, size, mode)
  }

  /** Writes what was held back; nothing may be added afterwards. */
  end(): void {
    this.#hold(NOOP, 0, 0)
  }

  #writePair(code: number): void {
    this.instructions.byte(code)
    this.#heldType = NOOP
  }

  #hold(type: number, size: number, mode: number): void {
    if (this.#heldType !== NOOP) this.#writeHeld()
    this.#heldType = type
    this.#heldSize = size
    this.#heldMode = mode
  }

  #writeHeld(): void {
    const size = this.#heldSize
    const isAdd = this.#heldType === ADD
    this.instructions.byte(isAdd ? addCode(size) : copyCode(size, this.#heldMode))
    const inCode = isAdd ? size <= 17 : size >= 4 && size <= 18
    if (!inCode) this.instructions.integer(size)
  }
}

/** Bytes in a row, in an array that doubles. */
export class ByteSink {
  #bytes: Uint8Array = new Uint8Array(256)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** A view of what was written, good until more is. */
  get written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#grow(1)
    this.#bytes[this.#length++] = value
  }

  /** An integer of RFC 3284 §2: seven bits a byte, the highest first, the eighth set on all but the last. */
  integer(value: number): void {
    let divisor = 1
    while (value / divisor >= 128) divisor *= 128
    for (let rest = value; divisor >= 1; divisor /= 128) {
      const digit = Math.floor(rest / divisor)
      rest -= digit * divisor
      this.byte(divisor === 1 ? digit : digit | 128)
    }
  }

  append(bytes: Uint8Array, from: number, to: number): void {
    if (this.#length + to - from > this.#bytes.length) this.#grow(to - from)
    if (to - from > 32) this.#bytes.set(bytes.subarray(from, to), this.#length)
    else for (let at = from, into = this.#length; at < to; at++, into++) this.#bytes[into] = bytes[at]!
    this.#length += to - from
  }

  #grow(by: number): void {
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + by))
    grown.set(this.written)
    this.#bytes = grown
  }
}
