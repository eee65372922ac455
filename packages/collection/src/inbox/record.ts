/**
 * Inbox record: one item as it stands in a segment of the inbox, in a frame that tells whether it is whole.
 *
 *   mark 8 bytes · payload length u32 · CRC-32 of the payload u32 · payload
 *   payload: head length u32 · head as JSON · body; numbers little-endian
 *
 * Bodies are a stranger's bytes, and after a torn write we look for the next frame among them. So each segment has a mark
 * of its own, drawn at random: nobody can send a body that is taken for a record when its own record is half there.
 */
import { crc32 } from 'node:zlib'
import { hasMark, nextMark, NO_FRAME_HERE, SHORT_FRAME } from '@comity/disk'
import type { LogFrame, LogFraming } from '@comity/disk'
import { INBOX_DOORS, INBOX_PROOFS, INBOX_SCHEMES, MAX_INLINE_BYTES } from './inbox.ts'
import type { KeyClaim, NewInboxItem } from './inbox.ts'

export const MARK_BYTES = 8
const FRAME_HEAD: number = MARK_BYTES + 8
const PAYLOAD_HEAD = 4
/** Origin, type and claim are capped by the receiver; this is far beyond. */
const MAX_HEAD_BYTES: number = 16 << 10
const MAX_PAYLOAD: number = PAYLOAD_HEAD + MAX_HEAD_BYTES + MAX_INLINE_BYTES
/** A frame has at least this many bytes, so a file of so many holds at most so many items. */
export const MIN_FRAME: number = FRAME_HEAD + PAYLOAD_HEAD + 64

/** An item as it is written: a body in a file is known by the item's number, so only its size stands here. */
export interface InboxRecord extends Omit<NewInboxItem, 'file'> {
  readonly number: number
  readonly fileBytes?: number | undefined
}

export function encodeRecord(record: InboxRecord, mark: Uint8Array): Buffer {
  const { body, ...rest } = record
  const head = Buffer.from(JSON.stringify(rest))
  if (head.length > MAX_HEAD_BYTES || body.length > MAX_INLINE_BYTES)
    throw new RangeError(`a record of ${head.length} + ${body.length} bytes is too large for the inbox`)
  const frame = Buffer.allocUnsafe(FRAME_HEAD + PAYLOAD_HEAD + head.length + body.length)
  frame.set(mark, 0)
  frame.writeUInt32LE(frame.length - FRAME_HEAD, MARK_BYTES)
  frame.writeUInt32LE(head.length, FRAME_HEAD)
  frame.set(head, FRAME_HEAD + PAYLOAD_HEAD)
  frame.set(body, FRAME_HEAD + PAYLOAD_HEAD + head.length)
  frame.writeUInt32LE(crc32(frame.subarray(FRAME_HEAD)), MARK_BYTES + 4)
  return frame
}

/** The record whose frame begins at `at`. Never throws. */
export function decodeRecord(bytes: Buffer, at: number, mark: Uint8Array): LogFrame<InboxRecord> {
  if (bytes.length - at < FRAME_HEAD + PAYLOAD_HEAD) return SHORT_FRAME
  if (!hasMark(bytes, mark, at)) return NO_FRAME_HERE
  const length = bytes.readUInt32LE(at + MARK_BYTES)
  const end = at + FRAME_HEAD + length
  if (length < PAYLOAD_HEAD || length > MAX_PAYLOAD) return NO_FRAME_HERE
  if (end > bytes.length) return SHORT_FRAME
  const payload = bytes.subarray(at + FRAME_HEAD, end)
  if (crc32(payload) !== bytes.readUInt32LE(at + MARK_BYTES + 4)) return NO_FRAME_HERE
  const entry = recordIn(payload)
  return entry === undefined ? NO_FRAME_HERE : { kind: 'entry', entry, end, isSealed: true }
}

export const inboxFraming = (mark: Uint8Array): LogFraming<InboxRecord> => ({
  encode: (record) => encodeRecord(record, mark),
  decode: (bytes, at) => decodeRecord(bytes, at, mark),
  next: (bytes, at) => nextMark(bytes, mark, at),
})

function recordIn(payload: Buffer): InboxRecord | undefined {
  const headEnd = PAYLOAD_HEAD + payload.readUInt32LE(0)
  if (headEnd > payload.length) return undefined
  const head = parseHead(payload.toString('utf8', PAYLOAD_HEAD, headEnd))
  return head === undefined ? undefined : { ...head, body: payload.subarray(headEnd) }
}

/** Bytes with the right sum may still be of a version that knows more endpoints and schemes than this one. */
function parseHead(text: string): Omit<InboxRecord, 'body'> | undefined {
  let head: Partial<Record<keyof InboxRecord, unknown>> | null
  try {
    head = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof head !== 'object' || head === null) return undefined
  const { number, at, origin, door, scheme, proof, type, fileBytes, claim } = head
  const [theEndpoint, theScheme] = [memberOf(INBOX_DOORS, door), memberOf(INBOX_SCHEMES, scheme)]
  const theProof = memberOf(INBOX_PROOFS, proof)
  if (theEndpoint === undefined || theScheme === undefined || theProof === undefined) return undefined
  if (!isCount(number) || typeof at !== 'number' || typeof origin !== 'string' || typeof type !== 'string')
    return undefined
  const plain = { number, at, origin, door: theEndpoint, scheme: theScheme, proof: theProof, type }
  const theClaim = claimOf(claim)
  return {
    ...plain,
    ...(isCount(fileBytes) ? { fileBytes } : {}),
    ...(theClaim === undefined ? {} : { claim: theClaim }),
  }
}

function claimOf(claim: unknown): KeyClaim | undefined {
  if (typeof claim !== 'object' || claim === null) return undefined
  const { key, keyLocation } = claim as Partial<Record<keyof KeyClaim, unknown>>
  return typeof key === 'string' && typeof keyLocation === 'string' ? { key, keyLocation } : undefined
}

const memberOf = <Member extends string>(all: readonly Member[], value: unknown): Member | undefined =>
  all.find((one) => one === value)

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
