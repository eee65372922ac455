/**
 * Claimed date: when a page changed, as sitemaps and feeds write it. W3C datetime in all its precisions
 * (https://www.w3.org/TR/NOTE-datetime, used by sitemaps and Atom) or RFC 822 with RFC 2822's years (RSS 2.0).
 */
import type { Instant } from '../instant.ts'
import { tableOf } from '../lookup.ts'

/** The instant a text names, the earliest where it names a day, month or year; undefined when it is no date. */
export function parseClaimedDate(text: string): Instant | undefined {
  const trimmed = text.trim()
  if (trimmed.length > LONGEST) return undefined
  return /^\d{4}/.test(trimmed) ? parseW3c(trimmed) : parseRfc822(trimmed)
}

const LONGEST = 64

function parseW3c(text: string): Instant | undefined {
  const [, year, month = '1', day = '1', hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] =
    W3C.exec(text) ?? []
  if (year === undefined) return undefined
  const milliseconds = Number(fraction.padEnd(3, '0').slice(0, 3))
  return instant([year, month, day, hour, minute, second].map(Number), milliseconds, offsetMinutes(zone))
}

/** Wider than the note by what sites really write: a space for the T, a zone without colon, no zone at all. */
const W3C =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,12}))?)?\s?([Zz]|[+-]\d\d(?::?\d\d)?)?)?)?)?$/

function parseRfc822(text: string): Instant | undefined {
  const [, day, monthName = '', yearText = '', hour, minute, second = '0', zone = ''] = RFC822.exec(text) ?? []
  if (day === undefined) return undefined
  const month = MONTHS.indexOf(monthName.slice(0, 3).toLowerCase()) / 3 + 1
  // Two digits up to 49 are of this century (RFC 2822 §4.3).
  const short = Number(yearText)
  const year = yearText.length > 2 ? short : short + (short < 50 ? 2_000 : 1_900)
  return instant([year, month, ...[day, hour, minute, second].map(Number)], 0, offsetMinutes(zone))
}

const RFC822 =
  /^(?:[A-Za-z]{2,9}\.?,?\s+)?(\d{1,2})[\s-]([A-Za-z]{3,9})[\s-](\d{2}|\d{4})\s+(\d{1,2}):(\d\d)(?::(\d\d))?\s+([A-Za-z]{1,5}|[+-]\d\d:?\d\d)$/
const MONTHS = 'janfebmaraprmayjunjulaugsepoctnovdec'

function offsetMinutes(zone: string): number {
  const [, sign, hours, minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? []
  if (hours === undefined) return ZONES.get(zone.toUpperCase()) ?? NaN
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

/** The zones RFC 822 §5.1 names; its military letters were defined backwards and mean nothing (RFC 2822 §4.3). */
const ZONES: ReadonlyMap<string, number> = tableOf({
  Z: 0,
  UT: 0,
  UTC: 0,
  GMT: 0,
  EST: -300,
  EDT: -240,
  CST: -360,
  CDT: -300,
  MST: -420,
  MDT: -360,
  PST: -480,
  PDT: -420,
})

function instant(parts: readonly number[], milliseconds: number, offset: number): Instant | undefined {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
  // Years before 1000 are some system's "never"; no page changed then.
  if (year < 1_000 || !Number.isInteger(month) || hour > 24 || minute > 59 || second > 60) return undefined
  const midnight = Date.UTC(year, month - 1, day)
  // Date.UTC rolls 30 February over into March; we do not.
  if (new Date(midnight).getUTCDate() !== day || new Date(midnight).getUTCMonth() !== month - 1) return undefined
  const at = midnight + ((hour * 60 + minute - offset) * 60 + second) * 1_000 + milliseconds
  return Number.isNaN(at) || Math.abs(offset) > 1_440 ? undefined : at
}
