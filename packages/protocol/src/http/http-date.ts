/**
 * HTTP dates (RFC 9110 §5.6.7): one form is written, three are read.
 *
 *   Sun, 06 Nov 1994 08:49:37 GMT     the form to write
 *   Sunday, 06-Nov-94 08:49:37 GMT    obsolete, with a year of two digits
 *   Sun Nov  6 08:49:37 1994          obsolete, what C's asctime() gives
 *
 * Anything else is no date: a field that must be ignored when it is wrong should not be guessed at.
 */
import type { Instant } from '../instant.ts'

/** The date in the form to write; parts of a second are dropped, as the form has none. */
export function writeHttpDate(at: Instant): string {
  return new Date(at).toUTCString()
}

/** The instant, or undefined when the text is no date. `now` decides the century of years with two digits. */
export function parseHttpDate(text: string, now: Instant): Instant | undefined {
  const trimmed = text.trim()
  if (trimmed.length > LONGEST) return undefined
  const { day, month, year, time } =
    (FIXED.exec(trimmed) ?? DASHED.exec(trimmed) ?? ASCTIME.exec(trimmed))?.groups ?? {}
  if (day === undefined || month === undefined || year === undefined || time === undefined) return undefined
  const [hour = 0, minute = 0, second = 0] = time.split(':').map(Number)
  const monthNumber = MONTHS.indexOf(month.toLowerCase())
  if (monthNumber < 0 || hour > 23 || minute > 59 || second > 60) return undefined
  return instant(year.length === 2 ? century(Number(year), now) : Number(year), monthNumber, Number(day), [
    hour,
    minute,
    second,
  ])
}

const LONGEST = 40
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
// Names are matched in any case: servers write them so, and nothing else could be meant.
const FIXED = /^[a-z]{3}, (?<day>\d\d) (?<month>[a-z]{3}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) gmt$/i
const DASHED = /^[a-z]{6,9}, (?<day>\d\d)-(?<month>[a-z]{3})-(?<year>\d\d) (?<time>\d\d:\d\d:\d\d) gmt$/i
const ASCTIME = /^[a-z]{3} (?<month>[a-z]{3}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/i

/** A year that would be more than fifty years ahead is of the past. */
function century(twoDigits: number, now: Instant): number {
  const thisYear = new Date(now).getUTCFullYear()
  const year = thisYear - (thisYear % 100) + twoDigits
  return year > thisYear + 50 ? year - 100 : year
}

function instant(
  year: number,
  month: number,
  day: number,
  [hour, minute, second]: readonly [number, number, number],
): Instant | undefined {
  const midnight = new Date(0)
  // Not Date.UTC, which takes the years 0 to 99 for 1900 to 1999.
  midnight.setUTCFullYear(year, month, day)
  // The 30th of February would roll over into March.
  if (midnight.getUTCDate() !== day) return undefined
  return midnight.getTime() + ((hour * 60 + minute) * 60 + second) * 1_000
}
