/**
 * Frame: some bytes of a segment, packed with zstd where that helps, with a checksum over what is on disk. A frame is
 * read whole or not at all, and a flipped bit in it is noticed before anything is believed.
 */
import { constants, crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { ByteReader } from './byte-reader.ts'
import type { ByteWriter } from './byte-writer.ts'

/** Where a frame stands in its file. `packed` equals `raw` when it is stored as it is. */
export interface FrameRef {
  readonly offset: number
  readonly packed: number
  readonly raw: number
  readonly sum: number
}

/**
 * How hard to pack. On columns of small numbers level 15 saves a thirtieth over level 6 and takes four times as long:
 * worth it where a frame stays, not in a segment that is merged away in a minute. Positions do not pack at all.
 */
export const STORED = 0
export const QUICK = 6
export const DENSE = 15

/** The least that Node takes. */
const MIN_CHUNK = 64

interface Packed {
  readonly bytes: Uint8Array
  readonly raw: number
  readonly sum: number
}

export function packFrame(bytes: Uint8Array, level: number): Packed {
  if (level === STORED) return { bytes, raw: bytes.length, sum: crc32(bytes) }
  // To be told the length, zstd makes smaller tables; a frame's place says it already, so it need not write it down.
  const packed = zstdCompressSync(bytes, {
    pledgedSrcSize: bytes.length,
    params: { [constants.ZSTD_c_compressionLevel]: level, [constants.ZSTD_c_contentSizeFlag]: 0 },
  })
  const best = packed.length < bytes.length ? packed : bytes
  return { bytes: best, raw: bytes.length, sum: crc32(best) }
}

/** Undo `packFrame`; undefined when the bytes are not what was written. */
export function unpackFrame(packed: Uint8Array, frame: FrameRef): Uint8Array | undefined {
  if (packed.length !== frame.packed || crc32(packed) !== frame.sum) return undefined
  if (frame.packed === frame.raw) return packed
  // Into one piece, with a byte of room left: a piece that is full makes zlib ask for another one and join the two.
  const chunkSize = Math.max(MIN_CHUNK, frame.raw + 1)
  const bytes = zstdDecompressSync(packed, { maxOutputLength: frame.raw, chunkSize })
  return bytes.length === frame.raw ? bytes : undefined
}

export function writeFrameRef(out: ByteWriter, frame: FrameRef, before: number): void {
  out.varint(frame.offset - before)
  out.varint(frame.packed)
  out.varint(frame.raw)
  for (let shift = 0; shift < 32; shift += 8) out.byte((frame.sum >>> shift) & 0xff)
}

export function readFrameRef(from: ByteReader, before: number): FrameRef {
  const offset = before + from.varint()
  const packed = from.varint()
  const raw = from.varint()
  let sum = 0
  for (let shift = 0; shift < 32; shift += 8) sum |= from.byte() << shift
  return { offset, packed, raw, sum: sum >>> 0 }
}
