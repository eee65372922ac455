/** W3C datetime (https://www.w3.org/TR/NOTE-datetime) in UTC, as sitemaps and ResourceSync write it. */
import type { Instant } from '../instant.ts'

/** To the second, or to the millisecond where it is not a whole one; undefined for what has no year of four digits. */
export function w3cDate(at: Instant): string | undefined {
  if (!(at >= EARLIEST && at <= LATEST)) return undefined
  return new Date(at).toISOString().replace('.000Z', 'Z')
}

const EARLIEST = Date.UTC(1_000, 0)
const LATEST = Date.UTC(9_999, 11, 31, 23, 59, 59, 999)
