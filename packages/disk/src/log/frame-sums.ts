/**
 * Frame sums: a CRC-32 that says of a frame, besides that it is whole, of which file it is, and whether all before it was durable
 * when it was written ("sealed") or it belongs to the same write as the frame before it ("joined").
 *
 *   sealed joined joined   sealed joined   sealed ....... joined
 *                                          └ the last write: what a power cut left of it is a torn end
 *
 * That is how a hole in the last write is told from damage: a power cut may leave any part of the last write undone, zeros or what the
 * disk had there before, but never of one that a sealed frame follows. Each file begins its sums with a name of its own, so that an old
 * block of another one, whole frames and all, says nothing here.
 */
import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const FILE_BYTES = 8
/** Letters of a file's name for itself. */
export const FILE_LETTERS: number = 2 * FILE_BYTES

/** A name that no other file has. */
export const newFileName = (): string => randomBytes(FILE_BYTES).toString('hex')

export class FrameSums {
  readonly #sealed: number
  readonly #joined: number

  constructor(file: string) {
    this.#sealed = crc32(`sealed ${file}`)
    this.#joined = crc32(`joined ${file}`)
  }

  of(bytes: Uint8Array | string, isSealed: boolean): number {
    return crc32(bytes, isSealed ? this.#sealed : this.#joined)
  }

  /** Whether it is sealed; undefined when it is not whole, or of another file. */
  sealOf(bytes: Uint8Array | string, sum: number): boolean | undefined {
    if (sum === this.of(bytes, true)) return true
    return sum === this.of(bytes, false) ? false : undefined
  }
}
