/**
 * Journal header: the first 64 bytes of a journal's file.
 *
 *   "comityj\n" · version u32 · CRC-32 of what follows u32 · id 16 · since f64 · last f64 · last at f64 · snapshot f64
 *
 * `last` stands here because the newest change may have been a deletion that was forgotten: its number must not be given
 * out again. `snapshot` is how many bytes behind the header were durable before the file got its name.
 */
import { crc32 } from 'node:zlib'
import type { Instant } from '@comity/protocol'
import { journalDamaged, journalFormat } from '../errors.ts'

const JOURNAL_VERSION = 1
export const HEADER_BYTES = 64
const MAGIC: Buffer = Buffer.from('comityj\n', 'latin1')
const BODY = 16

export interface JournalHeader {
  /** A UUID. */
  readonly id: string
  readonly since: number
  readonly last: number
  readonly lastAt: Instant
  readonly snapshotBytes: number
}

export function encodeHeader(header: JournalHeader): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES)
  MAGIC.copy(bytes)
  bytes.writeUInt32LE(JOURNAL_VERSION, 8)
  bytes.write(header.id.replaceAll('-', ''), BODY, 16, 'hex')
  bytes.writeDoubleLE(header.since, 32)
  bytes.writeDoubleLE(header.last, 40)
  bytes.writeDoubleLE(header.lastAt, 48)
  bytes.writeDoubleLE(header.snapshotBytes, 56)
  bytes.writeUInt32LE(crc32(bytes.subarray(BODY)), 12)
  return bytes
}

/** Throws, by name, for what is no journal, one of another version, or damaged. */
export function decodeHeader(bytes: Buffer, file: string): JournalHeader {
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) throw journalFormat(file, 'no journal', JOURNAL_VERSION)
  if (bytes.length < HEADER_BYTES) throw journalDamaged(file, `it ends within its header, after ${bytes.length} bytes`)
  const version = bytes.readUInt32LE(8)
  if (version !== JOURNAL_VERSION) throw journalFormat(file, `a journal of version ${version}`, JOURNAL_VERSION)
  if (crc32(bytes.subarray(BODY, HEADER_BYTES)) !== bytes.readUInt32LE(12))
    throw journalDamaged(file, 'the checksum of its header is wrong')
  const hex = bytes.toString('hex', BODY, BODY + 16)
  return {
    id: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    since: bytes.readDoubleLE(32),
    last: bytes.readDoubleLE(40),
    lastAt: bytes.readDoubleLE(48),
    snapshotBytes: bytes.readDoubleLE(56),
  }
}
