/**
 * The documents of a segment that are gone: a bit each. The segment itself never changes; this is written beside it
 * under a new name each time, with a checksum, and the manifest says which one counts.
 *
 *   "CGON" · u32 documents · u32 sum of the bits · bits
 */
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { segmentDamaged } from '../errors.ts'

const MAGIC = 0x4e4f4743
const HEAD_BYTES = 12

export class GoneDocuments {
  readonly #bits: Uint8Array
  readonly documents: number
  #count = 0

  constructor(documents: number, bits: Uint8Array = new Uint8Array(Math.ceil(documents / 8))) {
    this.documents = documents
    this.#bits = bits
    for (let doc = 0; doc < documents; doc++) if (this.has(doc)) this.#count++
  }

  static read(path: string, documents: number): GoneDocuments {
    let bytes: Buffer
    try {
      bytes = readFileSync(path)
    } catch (cause) {
      throw segmentDamaged(path, 'it cannot be read', cause)
    }
    const bits = bytes.subarray(HEAD_BYTES)
    const isWhole =
      bytes.length >= HEAD_BYTES &&
      bits.length === Math.ceil(documents / 8) &&
      bytes.readUInt32LE(0) === MAGIC &&
      bytes.readUInt32LE(4) === documents &&
      bytes.readUInt32LE(8) === crc32(bits)
    if (!isWhole) throw segmentDamaged(path, 'it is not what was written')
    return new GoneDocuments(documents, bits)
  }

  get count(): number {
    return this.#count
  }

  has(doc: number): boolean {
    return ((this.#bits[doc >> 3] as number) & (1 << (doc & 7))) !== 0
  }

  add(doc: number): void {
    if (this.has(doc)) return
    this.#bits[doc >> 3] = (this.#bits[doc >> 3] as number) | (1 << (doc & 7))
    this.#count++
  }

  copy(): GoneDocuments {
    return new GoneDocuments(this.documents, this.#bits.slice())
  }

  write(path: string): void {
    const head = Buffer.alloc(HEAD_BYTES)
    head.writeUInt32LE(MAGIC, 0)
    head.writeUInt32LE(this.documents, 4)
    head.writeUInt32LE(crc32(this.#bits), 8)
    const fd = openSync(path, 'wx', 0o644)
    try {
      writeSync(fd, Buffer.concat([head, this.#bits]))
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
  }
}
