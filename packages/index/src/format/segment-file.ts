/**
 * The file of a segment: frames one after another, a directory of them, and a tail that says where the directory is.
 *
 *   "COMITYSG" · frames … · directory (a frame) · tail
 *   tail (40 bytes): u32 format · u64 offset · u64 packed · u64 raw · u32 sum of the directory · u32 sum of the tail ·
 *   "SG"+2 zero bytes
 *
 * Written once under a name of its own, synced, and only then named in the manifest: a torn file is never looked at.
 */
import { closeSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { segmentDamaged, segmentUnknown } from '../errors.ts'
import { QUICK, packFrame, unpackFrame } from './frame.ts'
import type { FrameRef } from './frame.ts'

const FORMAT = 1
const MAGIC = Buffer.from('COMITYSG')
const TAIL_BYTES = 40
const TAIL_MAGIC = 0x4753
const BUFFER_BYTES = 1 << 20

export class SegmentFileWriter {
  readonly #fd: number
  readonly #buffer = Buffer.allocUnsafe(BUFFER_BYTES)
  #buffered = 0
  #offset = 0

  constructor(path: string) {
    this.#fd = openSync(path, 'wx', 0o644)
    this.#write(MAGIC)
  }

  frame(bytes: Uint8Array, level: number = QUICK): FrameRef {
    const { bytes: packed, raw, sum } = packFrame(bytes, level)
    const offset = this.#offset
    this.#write(packed)
    return { offset, packed: packed.length, raw, sum }
  }

  /** Write the directory and make the file durable; gives its length. */
  finish(directory: Uint8Array): number {
    const frame = this.frame(directory)
    const tail = Buffer.alloc(TAIL_BYTES)
    tail.writeUInt32LE(FORMAT, 0)
    tail.writeBigUInt64LE(BigInt(frame.offset), 4)
    tail.writeBigUInt64LE(BigInt(frame.packed), 12)
    tail.writeBigUInt64LE(BigInt(frame.raw), 20)
    tail.writeUInt32LE(frame.sum, 28)
    tail.writeUInt32LE(crc32(tail.subarray(0, 32)), 32)
    tail.writeUInt32LE(TAIL_MAGIC, 36)
    this.#write(tail)
    this.#flush()
    fsyncSync(this.#fd)
    return this.#offset
  }

  close(): void {
    closeSync(this.#fd)
  }

  #write(bytes: Uint8Array): void {
    this.#offset += bytes.length
    if (this.#buffered + bytes.length > BUFFER_BYTES) this.#flush()
    if (bytes.length > BUFFER_BYTES) writeAll(this.#fd, bytes)
    else {
      this.#buffer.set(bytes, this.#buffered)
      this.#buffered += bytes.length
    }
  }

  #flush(): void {
    writeAll(this.#fd, this.#buffer.subarray(0, this.#buffered))
    this.#buffered = 0
  }
}

function writeAll(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at)
}

export class SegmentFile {
  readonly path: string
  readonly bytes: number
  readonly #fd: number

  constructor(path: string) {
    this.path = path
    try {
      this.#fd = openSync(path, 'r')
    } catch (cause) {
      throw segmentDamaged(path, 'it cannot be opened', cause)
    }
    this.bytes = fstatSync(this.#fd).size
  }

  /** The directory, after everything about the file's ends was found right. */
  directory(): Uint8Array {
    if (this.bytes < MAGIC.length + TAIL_BYTES || !this.#read(0, MAGIC.length).equals(MAGIC))
      throw segmentDamaged(this.path, 'it does not begin as a segment does')
    const tail = this.#read(this.bytes - TAIL_BYTES, TAIL_BYTES)
    if (tail.readUInt32LE(36) !== TAIL_MAGIC || tail.readUInt32LE(32) !== crc32(tail.subarray(0, 32)))
      throw segmentDamaged(this.path, 'its last bytes are not what was written')
    const format = tail.readUInt32LE(0)
    if (format > FORMAT || format === 0) throw segmentUnknown(this.path, format, FORMAT)
    return this.frame({
      offset: Number(tail.readBigUInt64LE(4)),
      packed: Number(tail.readBigUInt64LE(12)),
      raw: Number(tail.readBigUInt64LE(20)),
      sum: tail.readUInt32LE(28),
    })
  }

  frame(frame: FrameRef): Uint8Array {
    let bytes: Uint8Array | undefined
    try {
      bytes = unpackFrame(this.#read(frame.offset, frame.packed), frame)
    } catch (cause) {
      throw segmentDamaged(this.path, `its bytes from ${frame.offset} on cannot be read`, cause)
    }
    if (bytes === undefined)
      throw segmentDamaged(this.path, `its bytes from ${frame.offset} on are not what was written`)
    return bytes
  }

  close(): void {
    closeSync(this.#fd)
  }

  #read(offset: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length)
    for (let at = 0; at < length;) {
      const count = readSync(this.#fd, bytes, at, length - at, offset + at)
      if (count === 0) throw segmentDamaged(this.path, 'it is shorter than it was')
      at += count
    }
    return bytes
  }
}
