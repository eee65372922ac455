/**
 * PushRecord: how far the pages that a site sends can be taken for those it serves (002 §6.4.2: whoever is interrupted must
 * stay in control). Of what was sent some pages are fetched too. Now and then one differs for an honest reason, as it has
 * changed once more. Two, and more than one in ten, are a strike: for a time, which doubles with each strike and ends, what
 * the site sends is a hint that its pages changed and nothing more; probes that agree end it earlier. Pure; one row a site,
 * field names are part of the format: add, never rename.
 */
import type { Instant } from '@comity/protocol'

export interface PushRecord {
  /** Pages that were taken as they were sent. */
  readonly taken: number
  /** Pages that were fetched to be compared, and those that were other ones. */
  readonly checked: number
  readonly different: number
  /** The same since the last strike. */
  readonly recentlyChecked: number
  readonly recentlyDifferent: number
  readonly strikes: number
  /** Until then what is sent is a hint. */
  readonly restsUntil: Instant
  /** Probes in a row that agreed, while it rests. */
  readonly agreed: number
}

export const NEW_PUSH_RECORD: PushRecord = {
  taken: 0,
  checked: 0,
  different: 0,
  recentlyChecked: 0,
  recentlyDifferent: 0,
  strikes: 0,
  restsUntil: 0,
  agreed: 0,
}

const MOST_STRIKES = 5
const LEAST_DIFFERENT = 2
const HONEST_SHARE = 0.1
/** So many probes in a row that agree, and a site is believed again before its time. */
const PROBES = 5

/** Of the pages that a site sent, those that are fetched too: the first few, also after a rest, then some. */
const FIRST_CHECKED = 3
const CHECKED_SHARE = 0.03
const PROBED_SHARE = 0.2

export function isHintOnly(record: PushRecord, now: Instant): boolean {
  return now < record.restsUntil
}

export function isToBeChecked(record: PushRecord, now: Instant, random: () => number): boolean {
  if (isHintOnly(record, now)) return random() < PROBED_SHARE
  return record.recentlyChecked < FIRST_CHECKED || random() < CHECKED_SHARE
}

export function tookPush(record: PushRecord): PushRecord {
  return { ...record, taken: record.taken + 1 }
}

/** A page that was sent has been fetched: was it the same? `dayMs`: how long the first rest lasts. */
export function checkedPush(record: PushRecord, isSame: boolean, now: Instant, dayMs: number): PushRecord {
  const differs = isSame ? 0 : 1
  const counted = { ...record, checked: record.checked + 1, different: record.different + differs }
  if (isHintOnly(record, now)) return probed(counted, isSame, now)
  const recentlyChecked = record.recentlyChecked + 1
  const recentlyDifferent = record.recentlyDifferent + differs
  const isStrike = recentlyDifferent >= LEAST_DIFFERENT && recentlyDifferent > HONEST_SHARE * recentlyChecked
  if (!isStrike) return { ...counted, recentlyChecked, recentlyDifferent }
  const restsUntil = now + dayMs * 2 ** Math.min(record.strikes, MOST_STRIKES)
  return { ...counted, recentlyChecked: 0, recentlyDifferent: 0, agreed: 0, strikes: record.strikes + 1, restsUntil }
}

/** What was found while it rests makes the rest no longer: it may have been sent before the strike. */
function probed(record: PushRecord, isSame: boolean, now: Instant): PushRecord {
  if (!isSame) return { ...record, agreed: 0 }
  const agreed = record.agreed + 1
  return agreed < PROBES ? { ...record, agreed } : { ...record, agreed: 0, restsUntil: now }
}
