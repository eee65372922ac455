/**
 * Inbox segment: one file of the inbox, a log with a header that has a mark of its own.
 *
 *   header 36 bytes: "comity inbox N\n" and zeros to 16 · mark 8 · number of its first item f64 · CRC-32 of these u32
 *   then records (`inbox/record.ts`), one after the other
 *
 * What is not a record is passed over up to the next mark. At the end of the newest file that is a write that a crash tore,
 * and it is cut: nobody was told that it was kept. Anywhere else the disk has lost something; the rest is still good.
 */
import { crc32 } from 'node:zlib'
import type { LogTerms } from '@comity/disk'
import { inboxFraming, MARK_BYTES } from './record.ts'
import type { InboxRecord } from './record.ts'

export const INBOX_FORMAT = 1
export const SEGMENT_HEADER_BYTES: number = 16 + MARK_BYTES + 8 + 4
const NAME = 'comity inbox '

export interface SegmentHeader {
  readonly mark: Uint8Array
  /** The number of the first item in it, or of the one that will be. */
  readonly first: number
}

export function encodeSegmentHeader({ mark, first }: SegmentHeader): Buffer {
  const header = Buffer.alloc(SEGMENT_HEADER_BYTES)
  header.write(`${NAME}${INBOX_FORMAT}\n`, 'latin1')
  header.set(mark, 16)
  header.writeDoubleLE(first, 16 + MARK_BYTES)
  header.writeUInt32LE(crc32(header.subarray(0, SEGMENT_HEADER_BYTES - 4)), SEGMENT_HEADER_BYTES - 4)
  return header
}

type DecodedHeader =
  | { readonly kind: 'header'; readonly header: SegmentHeader }
  /** A newer version wrote it. */
  | { readonly kind: 'format'; readonly found: string }
  | { readonly kind: 'damaged' }

export function decodeSegmentHeader(bytes: Buffer): DecodedHeader {
  if (bytes.length < SEGMENT_HEADER_BYTES) return { kind: 'damaged' }
  const sum = bytes.readUInt32LE(SEGMENT_HEADER_BYTES - 4)
  if (crc32(bytes.subarray(0, SEGMENT_HEADER_BYTES - 4)) !== sum) return { kind: 'damaged' }
  const found = /^comity inbox (\d{1,2})\n/.exec(bytes.toString('latin1', 0, 16))?.[1]
  if (found === undefined) return { kind: 'damaged' }
  if (Number(found) !== INBOX_FORMAT) return { kind: 'format', found }
  const mark = Uint8Array.from(bytes.subarray(16, 16 + MARK_BYTES))
  return { kind: 'header', header: { mark, first: bytes.readDoubleLE(16 + MARK_BYTES) } }
}

/** How a segment whose header was good is read. Numbers that do not grow are left out: they cannot be ours. */
export function segmentTerms(
  { mark, first }: SegmentHeader,
  take: (record: InboxRecord, at: number, end: number) => void,
): LogTerms<InboxRecord> {
  let least = first
  const takeGrowing = (record: InboxRecord, at: number, end: number): boolean => {
    if (record.number < least) return false
    least = record.number + 1
    take(record, at, end)
    return true
  }
  return { framing: inboxFraming(mark), from: SEGMENT_HEADER_BYTES, damage: 'passed over', take: takeGrowing }
}
