/**
 * ReadingRow: how often a page is read (001 §IV's hit frequency), people and robots apart. The counts fade by half in a time
 * that is given, so that what was much read once gives way; beside them stand the plain counts of the last two days, by hour.
 * Of readers nothing is kept but how many.
 *
 *   byte version 1 · f64 as of · f64 last read · f64 people · f64 robots · u16 hours, each: u32 hour · u32 people · u32 robots
 *   little-endian; hours since 1970, the newest last
 *
 * Hits may come late and in any order: adding them is the same in every order.
 */
import type { Instant } from '@comity/protocol'

export interface HourHits {
  /** Hours since 1970. */
  readonly hour: number
  readonly people: number
  readonly robots: number
}

export interface ReadingRow {
  /** As of when the faded counts are. */
  readonly asOf: Instant
  readonly lastAt: Instant
  readonly people: number
  readonly robots: number
  /** Of the last `HOURS_KEPT` hours before the newest, those with hits, oldest first. */
  readonly hours: readonly HourHits[]
}

export interface NewHits {
  readonly at: Instant
  readonly people: number
  readonly robots: number
}

export const HOUR_MS = 3_600_000
/** Of each page. */
export const HOURS_KEPT = 48
const VERSION = 1
const HEAD_BYTES = 35
const HOUR_BYTES = 12
const MOST = 0xffff_ffff

export function withHits(row: ReadingRow | undefined, hits: NewHits, halfLifeMs: number): ReadingRow {
  const { at, people, robots } = hits
  if (row === undefined) return { asOf: at, lastAt: at, people, robots, hours: addHour([], hits, HOURS_KEPT) }
  const asOf = Math.max(row.asOf, at)
  const [before, now] = [fading(asOf - row.asOf, halfLifeMs), fading(asOf - at, halfLifeMs)]
  return {
    asOf,
    lastAt: Math.max(row.lastAt, at),
    people: row.people * before + people * now,
    robots: row.robots * before + robots * now,
    hours: addHour(row.hours, hits, HOURS_KEPT),
  }
}

/** The counts as they are at a later moment. */
export function fadedTo(
  { asOf, people, robots }: ReadingRow,
  now: Instant,
  halfLifeMs: number,
): Pick<ReadingRow, 'people' | 'robots'> {
  const share = fading(Math.max(0, now - asOf), halfLifeMs)
  return { people: people * share, robots: robots * share }
}

const fading = (ms: number, halfLifeMs: number): number => 2 ** (-ms / halfLifeMs)

/** Add to a list of hours, which stays sorted and reaches `kept` hours back from its newest. */
export function addHour(hours: readonly HourHits[], { at, people, robots }: NewHits, kept: number): HourHits[] {
  const hour = Math.floor(at / HOUR_MS)
  const known = hours.find((one) => one.hour === hour) ?? { hour, people: 0, robots: 0 }
  const sum = { hour, people: clipped(known.people + people), robots: clipped(known.robots + robots) }
  const others = hours.filter((one) => one.hour !== hour)
  const all = [...others, sum].toSorted((a, b) => a.hour - b.hour)
  const newest = all.at(-1)!.hour
  return all.filter((one) => one.hour > newest - kept)
}

const clipped = (count: number): number => Math.min(count, MOST)

export function encodeReading({ asOf, lastAt, people, robots, hours }: ReadingRow): Uint8Array {
  const bytes = Buffer.alloc(HEAD_BYTES + HOUR_BYTES * hours.length)
  bytes[0] = VERSION
  for (const [i, value] of [asOf, lastAt, people, robots].entries()) bytes.writeDoubleLE(value, 1 + 8 * i)
  bytes.writeUInt16LE(hours.length, HEAD_BYTES - 2)
  for (const [i, one] of hours.entries()) {
    const at = HEAD_BYTES + HOUR_BYTES * i
    bytes.writeUInt32LE(one.hour, at)
    bytes.writeUInt32LE(one.people, at + 4)
    bytes.writeUInt32LE(one.robots, at + 8)
  }
  return bytes
}

/** Undefined for a row of another version, or one that is damaged: then counting begins anew. */
export function decodeReading(row: Uint8Array | undefined): ReadingRow | undefined {
  if (row === undefined || row[0] !== VERSION || row.length < HEAD_BYTES) return undefined
  const bytes = Buffer.from(row.buffer, row.byteOffset, row.length)
  const count = bytes.readUInt16LE(HEAD_BYTES - 2)
  if (bytes.length !== HEAD_BYTES + HOUR_BYTES * count) return undefined
  const [asOf, lastAt, people, robots] = [1, 9, 17, 25].map((at) => bytes.readDoubleLE(at)) as Four
  if (![asOf, lastAt, people, robots].every(Number.isFinite)) return undefined
  const hours = Array.from({ length: count }, (_, i): HourHits => {
    const at = HEAD_BYTES + HOUR_BYTES * i
    return { hour: bytes.readUInt32LE(at), people: bytes.readUInt32LE(at + 4), robots: bytes.readUInt32LE(at + 8) }
  })
  return { asOf, lastAt, people, robots, hours }
}

type Four = [number, number, number, number]
