/** Retry-After in both its forms (RFC 9110 §10.2.3): seconds from now, or a date. */
import type { Instant } from '../instant.ts'

/** The instant meant, or undefined when the field is missing or says nothing readable. Never before `now`. */
export function retryAfter(value: string | undefined, now: Instant): Instant | undefined {
  const text = value?.trim() ?? ''
  if (/^\d{1,15}$/.test(text)) return now + Number(text) * 1000
  // Date.parse reads nearly anything as a year; a date of HTTP starts with the name of a day.
  if (!/^[A-Za-z]{3,9},? /.test(text)) return undefined
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(now, date)
}
