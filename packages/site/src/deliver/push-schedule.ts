/**
 * Push schedule: when a site sends batches, `every 6h` or `daily at 03:00` (002 §6.3: "batches of modified pages according
 * to some schedule … for example, in the Web site of a daily or weekly newspaper"). Times are of UTC: a schedule must not
 * skip or repeat a batch when clocks are put forward or back.
 */
import { ownValue } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import { optionInvalid } from '../errors.ts'

export interface PushSchedule {
  /** As it was said. */
  readonly text: string
  /** The next moment to send, later than `now`. */
  next(now: Instant): Instant
}

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const DAY_MS = UNITS.d
const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
/** 1 January 1970 was a Thursday. */
const FIRST_DAY = 4

/** Throws for what is no schedule. */
export function pushSchedule(text: string): PushSchedule {
  const words = text.trim().toLowerCase()
  if (words === 'hourly') return every(text, UNITS.h)
  const [, count, unit] = /^(?:every )?(\d{1,4}) ?([smhd])$/.exec(words) ?? []
  if (Number(count) > 0) return every(text, Number(count) * (ownValue<number>(UNITS, unit ?? '') ?? NaN))
  const [, day, hours = '0', minutes = '0'] = /^([a-z]+)(?: (?:at )?(\d{1,2}):(\d{2}))?$/.exec(words) ?? []
  const [hour, minute] = [Number(hours), Number(minutes)]
  const place = day === 'daily' ? 0 : DAYS.indexOf(day ?? '')
  if (place < 0 || hour > 23 || minute > 59)
    throw optionInvalid(`"${text}" is no schedule: write "every 6h", "hourly", "daily at 03:00" or "sunday at 03:00".`)
  const timeMs = hour * UNITS.h + minute * UNITS.m
  if (day === 'daily') return every(text, DAY_MS, timeMs)
  return every(text, 7 * DAY_MS, ((place - FIRST_DAY + 7) % 7) * DAY_MS + timeMs)
}

/** Moments follow from the clock alone, not from when the process was started. */
function every(text: string, periodMs: number, offsetMs = 0): PushSchedule {
  return { text, next: (now) => Math.floor((now - offsetMs) / periodMs + 1) * periodMs + offsetMs }
}
