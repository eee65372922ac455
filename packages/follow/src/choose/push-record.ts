/**
 * PushRecord: how far the pages that a site sends can be taken for those it serves (002 §6.4.2: whoever is interrupted must
 * stay in control). Of what was sent some pages are fetched too; each that is another one is weighed by how well an honest
 * site explains it (`PushFinding`):
 *
 *   different   a page that we knew before, or one that its server says is older than what was sent    a whole lie
 *   rewritten   a page nobody has seen before, that may be newer and is nothing like what was sent     half of one
 *   edited      the same, and it is like what was sent                                                 an eighth of one
 *   restless    it differs at every visit, and what was sent is one of its kind                        nothing
 *
 * Two, and more than one in twenty, are a strike: for a time, which doubles with each strike and ends, what the site sends is a
 * hint that its pages changed and nothing more; probes that agree end it earlier. An eighth, as a whole site is sent for many
 * minutes, in which two in five of its busy pages may be edited, and half a lie, as an edit seldom leaves nothing of a page:
 * else who says that all it serves has just changed could lie about two pages in five for ever. What agreed long ago is no licence: only the last eighty or so count.
 *
 * Pure; one row a site, field names are part of the format: add, never rename.
 */
import type { Instant } from '@comity/protocol'

export interface PushRecord {
  /** Pages that were taken as they were sent. */
  readonly taken: number
  /** Pages that were fetched to be compared, and those that were other ones. */
  readonly checked: number
  readonly different: number
  /** Pages that may have been edited since, and that differ at every visit. Absent in what older versions wrote, as below. */
  readonly edited?: number | undefined
  readonly rewritten?: number | undefined
  readonly restless?: number | undefined
  /** The same since the last strike; of many, the last ones. */
  readonly recentlyChecked: number
  readonly recentlyDifferent: number
  readonly recentlyEdited?: number | undefined
  readonly recentlyRewritten?: number | undefined
  readonly recentlyRestless?: number | undefined
  readonly strikes: number
  /** Until then what is sent is a hint. */
  readonly restsUntil: Instant
  /** Probes in a row that agreed, while it rests. */
  readonly agreed: number
}

/** What became of a page that was sent and fetched too. */
export type PushFinding = 'same' | 'different' | 'rewritten' | 'edited' | 'restless'

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
const HONEST_SHARE = 0.05
/** How far each is a lie. */
export const LIE_WEIGHTS: Readonly<Record<PushFinding, number>> = {
  same: 0,
  different: 1,
  rewritten: 1 / 2,
  edited: 1 / 8,
  restless: 0,
}
/** More than these are halved, and all that was found of them. */
const MOST_RECENT = 80
/** So many probes in a row that agree, and a site is believed again before its time. */
const PROBES = 5

/** Of the pages that a site sent, those that are fetched too: the first few, also after a rest, then some. */
const FIRST_CHECKED = 3
const CHECKED_SHARE = 0.03
const PROBED_SHARE = 0.2
/** Of who was found to send one other page lately, more are fetched, so that the next is not long in coming. */
const SUSPECTED_SHARE = 0.5
const SUSPICIOUS = 0.9

export function isHintOnly(record: PushRecord, now: Instant): boolean {
  return now < record.restsUntil
}

/** Pages of a site that are being compared. */
interface PushSuspicion {
  /** On their way, or looked at later. */
  readonly underWay: number
  /** Those that were another page, each as far as it is a lie by what is known as yet. */
  readonly doubted: number
}

export function isToBeChecked(
  record: PushRecord,
  now: Instant,
  random: () => number,
  { underWay, doubted }: PushSuspicion = { underWay: 0, doubted: 0 },
): boolean {
  if (isHintOnly(record, now)) return random() < PROBED_SHARE
  const { recentlyChecked, recentlyEdited = 0, recentlyRestless = 0 } = record
  // An edited page has shown little: another one is looked at in its place.
  const first = recentlyChecked - recentlyEdited + recentlyRestless + underWay
  const share = doubted + grossLies(record) >= SUSPICIOUS ? SUSPECTED_SHARE : CHECKED_SHARE
  return first < FIRST_CHECKED || random() < share
}

export function tookPush(record: PushRecord): PushRecord {
  return { ...record, taken: record.taken + 1 }
}

/** A page that was sent has been fetched: what was found? `dayMs`: how long the first rest lasts. */
export function checkedPush(record: PushRecord, finding: PushFinding, now: Instant, dayMs: number): PushRecord {
  const counted = { ...record, ...countedAs(record, finding) }
  if (isHintOnly(record, now)) return probed(counted, finding, now)
  const recent = { ...counted, ...recentlyCountedAs(record, finding) }
  if (!isStrike(recent)) return { ...recent, ...faded(recent) }
  const restsUntil = now + dayMs * 2 ** Math.min(record.strikes, MOST_STRIKES)
  return { ...recent, ...NOTHING_RECENT, agreed: 0, strikes: record.strikes + 1, restsUntil }
}

function countedAs(
  { checked, different, edited = 0, rewritten = 0, restless = 0 }: PushRecord,
  finding: PushFinding,
): Partial<PushRecord> {
  // It could not be compared.
  if (finding === 'restless') return { restless: restless + 1 }
  return {
    checked: checked + 1,
    ...(finding === 'different' && { different: different + 1 }),
    ...(finding === 'edited' && { edited: edited + 1 }),
    ...(finding === 'rewritten' && { rewritten: rewritten + 1 }),
  }
}

function recentlyCountedAs(record: PushRecord, finding: PushFinding): Partial<PushRecord> {
  const { recentlyChecked, recentlyDifferent, recentlyEdited = 0, recentlyRewritten = 0, recentlyRestless = 0 } = record
  if (finding === 'restless') return { recentlyRestless: recentlyRestless + 1 }
  return {
    recentlyChecked: recentlyChecked + 1,
    ...(finding === 'different' && { recentlyDifferent: recentlyDifferent + 1 }),
    ...(finding === 'edited' && { recentlyEdited: recentlyEdited + 1 }),
    ...(finding === 'rewritten' && { recentlyRewritten: recentlyRewritten + 1 }),
  }
}

const NOTHING_RECENT = {
  recentlyChecked: 0,
  recentlyDifferent: 0,
  recentlyEdited: 0,
  recentlyRewritten: 0,
  recentlyRestless: 0,
}

/** Without those that edits explain well. */
const grossLies = ({ recentlyDifferent, recentlyRewritten = 0 }: PushRecord): number =>
  recentlyDifferent + LIE_WEIGHTS.rewritten * recentlyRewritten

function isStrike(record: PushRecord): boolean {
  const { recentlyChecked, recentlyEdited = 0, recentlyRestless = 0 } = record
  const lies = grossLies(record) + LIE_WEIGHTS.edited * recentlyEdited
  return lies >= LEAST_DIFFERENT && lies > HONEST_SHARE * (recentlyChecked + recentlyRestless)
}

function faded(record: PushRecord): Partial<PushRecord> {
  const { recentlyChecked, recentlyDifferent, recentlyEdited = 0, recentlyRewritten = 0, recentlyRestless = 0 } = record
  if (recentlyChecked + recentlyRestless <= MOST_RECENT) return {}
  return {
    recentlyChecked: recentlyChecked / 2,
    recentlyDifferent: recentlyDifferent / 2,
    recentlyEdited: recentlyEdited / 2,
    recentlyRewritten: recentlyRewritten / 2,
    recentlyRestless: recentlyRestless / 2,
  }
}

/** What was found while it rests makes the rest no longer: it may have been sent before the strike. */
function probed(record: PushRecord, finding: PushFinding, now: Instant): PushRecord {
  if (finding === 'different') return { ...record, agreed: 0 }
  if (finding !== 'same') return record
  const agreed = record.agreed + 1
  return agreed < PROBES ? { ...record, agreed } : { ...record, agreed: 0, restsUntil: now }
}
