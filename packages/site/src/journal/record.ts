/**
 * Journal record: one change as it stands in the file, in a frame that tells whether it is whole.
 *
 *   marker 4 bytes · payload length u32 · CRC-32 of the payload u32 · payload
 *   payload: number f64 · at f64 · modified f64 · bytes f64 · importance f64 · digest 32 · flags u8 · type length u8 ·
 *            type · path to the end; numbers little-endian
 *
 * The marker says whether everything before the frame was durable when it was written ("sealed") or belongs to the same
 * write. That is how damage is told from a torn end: a power cut may leave any part of the last write undone, but never
 * of one that a sealed frame follows. No path can hold a marker, for it ends in a byte that no path has.
 */
import { crc32 } from 'node:zlib'
import { hasMark, nextMark, NO_FRAME_HERE, SHORT_FRAME } from '@comity/disk'
import type { LogFrame, LogFraming } from '@comity/disk'
import { faultOf, MAX_PATH, MAX_TYPE } from './observation.ts'
import type { Change } from './journal.ts'
import { CHANGE_KINDS, flagsOf, KIND_BITS, MASKED_BIT } from './packed-rows.ts'

const SEALED: Buffer = Buffer.from('CJs\n', 'latin1')
const JOINED: Buffer = Buffer.from('CJj\n', 'latin1')
const FRAME_HEAD = 12
const PAYLOAD_HEAD = 74
const MAX_FRAME: number = FRAME_HEAD + PAYLOAD_HEAD + MAX_TYPE + MAX_PATH

export const frameBytes = (change: Change): number =>
  FRAME_HEAD + PAYLOAD_HEAD + change.type.length + change.path.length

/** A change as bytes. */
export function encodeFrame(change: Change, isSealed: boolean): Buffer {
  const frame = Buffer.allocUnsafe(frameBytes(change))
  ;(isSealed ? SEALED : JOINED).copy(frame)
  const payload = frame.subarray(FRAME_HEAD)
  payload.writeDoubleLE(change.number, 0)
  payload.writeDoubleLE(change.at, 8)
  payload.writeDoubleLE(change.modifiedAt, 16)
  payload.writeDoubleLE(change.bytes, 24)
  payload.writeDoubleLE(change.importance ?? Number.NaN, 32)
  payload.write(change.digest.slice('sha-256:'.length), 40, 32, 'hex')
  payload[72] = flagsOf(change)
  payload[73] = change.type.length
  payload.write(change.type + change.path, PAYLOAD_HEAD, 'latin1')
  frame.writeUInt32LE(payload.length, 4)
  frame.writeUInt32LE(crc32(payload), 8)
  return frame
}

type DecodedFrame = LogFrame<Change>

/** The frame that starts at `at`. Never throws. */
export function decodeFrame(bytes: Buffer, at: number): DecodedFrame {
  if (bytes.length - at < FRAME_HEAD) return SHORT_FRAME
  const isSealed = hasMark(bytes, SEALED, at)
  if (!isSealed && !hasMark(bytes, JOINED, at)) return NO_FRAME_HERE
  const length = bytes.readUInt32LE(at + 4)
  if (length <= PAYLOAD_HEAD || length + FRAME_HEAD > MAX_FRAME) return NO_FRAME_HERE
  const end = at + FRAME_HEAD + length
  if (end > bytes.length) return SHORT_FRAME
  const payload = bytes.subarray(at + FRAME_HEAD, end)
  if (crc32(payload) !== bytes.readUInt32LE(at + 8)) return NO_FRAME_HERE
  const change = decodePayload(payload)
  return change === undefined ? NO_FRAME_HERE : { kind: 'entry', entry: change, isSealed, end }
}

/** Bytes with the right sum can still have been written by somebody else. */
function decodePayload(payload: Buffer): Change | undefined {
  const typeEnd = PAYLOAD_HEAD + payload[73]!
  const importance = payload.readDoubleLE(32)
  const kind = CHANGE_KINDS[payload[72]! & KIND_BITS]
  if (kind === undefined) return undefined
  const change: { -readonly [Key in keyof Change]: Change[Key] } = {
    number: payload.readDoubleLE(0),
    change: kind,
    at: payload.readDoubleLE(8),
    path: payload.toString('latin1', typeEnd),
    modifiedAt: payload.readDoubleLE(16),
    digest: `sha-256:${payload.toString('hex', 40, 72)}`,
    bytes: payload.readDoubleLE(24),
    type: payload.toString('latin1', PAYLOAD_HEAD, typeEnd),
  }
  if (!Number.isNaN(importance)) change.importance = importance
  if ((payload[72]! & MASKED_BIT) !== 0) change.masked = true
  const isNumbered = Number.isSafeInteger(change.number) && change.number > 0 && Number.isFinite(change.at)
  return isNumbered && faultOf(change) === undefined ? change : undefined
}

/** Behind what is no frame only a sealed one counts. */
export const journalFraming: LogFraming<Change> = {
  encode: encodeFrame,
  decode: decodeFrame,
  next: (bytes, at) => nextMark(bytes, SEALED, at),
}
