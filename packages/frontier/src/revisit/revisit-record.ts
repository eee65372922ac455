/**
 * Revisit record: all that the calendar of visits knows of one page, as it is stored with the page.
 *
 *   u8 version · u8 flags · u16 visits · f64 visited at · f64 last event at · u32 our mark · u32 last mark
 *   u32 events (three bits a channel) · u16 channels heard · u16 channel of the last event
 *   f32 × 9: importance, bytes, interval, quiet days, dated, changed, log days, log squares, change rate
 *
 * Channels are numbered as in SIGNAL_CHANNELS. A record that cannot be read is no record: the page begins anew, which
 * costs some visits and breaks nothing.
 */
import type { Instant } from '@comity/protocol'

export interface RevisitRecord {
  readonly flags: number
  /** Up to 65,535. */
  readonly visits: number
  readonly visitedAt: Instant
  /** `-Infinity` when there was none since the last visit. */
  readonly lastEventAt: Instant
  readonly ourMark: number
  readonly lastMark: number
  readonly events: number
  readonly heard: number
  readonly lastChannel: number
  readonly importance: number
  readonly bytes: number
  readonly intervalDays: number
  readonly quietDays: number
  readonly dated: number
  readonly changed: number
  readonly logDays: number
  readonly logSquares: number
  readonly changeRate: number
}

const VERSION = 1
const FLOATS = [
  'importance',
  'bytes',
  'intervalDays',
  'quietDays',
  'dated',
  'changed',
  'logDays',
  'logSquares',
  'changeRate',
] as const
/** A sum of logarithms is below 0 for intervals below a day; nothing else is. */
const MAY_BE_NEGATIVE = 'logDays'
const FLOATS_AT = 36
const RECORD_BYTES = FLOATS_AT + FLOATS.length * 4

export function encodeRevisitRecord(record: RevisitRecord): Uint8Array {
  const bytes = new Uint8Array(RECORD_BYTES)
  const view = new DataView(bytes.buffer)
  view.setUint8(0, VERSION)
  view.setUint8(1, record.flags)
  view.setUint16(2, record.visits, true)
  view.setFloat64(4, record.visitedAt, true)
  view.setFloat64(12, record.lastEventAt, true)
  view.setUint32(20, record.ourMark, true)
  view.setUint32(24, record.lastMark, true)
  view.setUint32(28, record.events, true)
  view.setUint16(32, record.heard, true)
  view.setUint16(34, record.lastChannel, true)
  for (const [i, name] of FLOATS.entries()) view.setFloat32(FLOATS_AT + i * 4, record[name], true)
  return bytes
}

/** Undefined for bytes of another version, or that no encoder wrote. */
export function decodeRevisitRecord(bytes: Uint8Array): RevisitRecord | undefined {
  if (bytes.byteLength !== RECORD_BYTES || bytes[0] !== VERSION) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const floats: Partial<Record<(typeof FLOATS)[number], number>> = {}
  for (const [i, name] of FLOATS.entries()) {
    const value = view.getFloat32(FLOATS_AT + i * 4, true)
    if (!Number.isFinite(value) || (value < 0 && name !== MAY_BE_NEGATIVE)) return undefined
    floats[name] = value
  }
  const [visitedAt, lastEventAt] = [view.getFloat64(4, true), view.getFloat64(12, true)]
  if (!Number.isFinite(visitedAt) || Number.isNaN(lastEventAt) || lastEventAt === Infinity) return undefined
  return {
    flags: view.getUint8(1),
    visits: view.getUint16(2, true),
    visitedAt,
    lastEventAt,
    ourMark: view.getUint32(20, true),
    lastMark: view.getUint32(24, true),
    events: view.getUint32(28, true),
    heard: view.getUint16(32, true),
    lastChannel: view.getUint16(34, true),
    ...(floats as Record<(typeof FLOATS)[number], number>),
  }
}
