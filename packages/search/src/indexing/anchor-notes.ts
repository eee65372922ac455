/**
 * Anchor notes: with which words of links each page stands in the index, in a file beside it. Without them nobody could
 * tell after a restart which pages are called otherwise by now, and all would have to be indexed again.
 *
 *   "CANC" · u32 sum of the rest · f64 settled at · u32 notes
 *
 * A file that is lost or damaged costs work and nothing else.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { writeDurably } from '@comity/disk'

interface AnchorNotes {
  /** Where the index stood when no page was outdated; -1 when some may be. */
  readonly settledAt: number
  /** By page; 0 for none. */
  readonly notes: Uint32Array
}

const MAGIC = 0x434e4143
const HEAD_BYTES = 16
const NAME = 'anchors.notes'
const NOTHING: AnchorNotes = { settledAt: -1, notes: new Uint32Array(0) }

/** Call it only when all that is noted is committed: after a crash the index must not be behind its notes. */
export function writeAnchorNotes(dir: string, { settledAt, notes }: AnchorNotes): void {
  const bytes = Buffer.alloc(HEAD_BYTES + notes.byteLength)
  bytes.writeUInt32LE(MAGIC, 0)
  bytes.writeDoubleLE(settledAt, 8)
  Buffer.from(notes.buffer, notes.byteOffset, notes.byteLength).copy(bytes, HEAD_BYTES)
  bytes.writeUInt32LE(crc32(bytes.subarray(8)), 4)
  writeDurably(join(dir, NAME), bytes)
}

export function readAnchorNotes(dir: string): AnchorNotes {
  let bytes: Buffer
  try {
    bytes = readFileSync(join(dir, NAME))
  } catch {
    return NOTHING
  }
  const isWhole = bytes.length >= HEAD_BYTES && bytes.readUInt32LE(0) === MAGIC && bytes.length % 4 === 0
  if (!isWhole || bytes.readUInt32LE(4) !== crc32(bytes.subarray(8))) return NOTHING
  const notes = Uint32Array.from({ length: (bytes.length - HEAD_BYTES) / 4 }, (_, i) =>
    bytes.readUInt32LE(HEAD_BYTES + i * 4),
  )
  return { settledAt: bytes.readDoubleLE(8), notes }
}
