/**
 * Compaction: what a journal may forget. Every page keeps its last change; of the others only the recent ones stay, as
 * many as all of the limits allow, and `since` moves up to them. Tombstones go when they are too old or too many: who asks
 * for what came after `since` never needs an older one, and everybody else begins anew and sees that the page is missing.
 */
import type { Instant } from '@comity/protocol'
import type { ChangeTable } from './change-table.ts'
import { optionInvalid } from '../errors.ts'
import type { Change } from './journal.ts'
import { frameBytes } from './record.ts'

export interface JournalLimits {
  /** Changes that stay whole at most: by number, by age, and by the bytes they take in the file. */
  readonly changes: number
  readonly changeAgeMs: number
  readonly changeBytes: number
  readonly tombstones: number
  readonly tombstoneAgeMs: number
  /** More pages than this are refused by name. */
  readonly maxPages: number
}

const DAY_MS = 86_400_000

/** A crawler that comes once in three months is still told what changed. */
const defaultJournalLimits: JournalLimits = {
  changes: 100_000,
  changeAgeMs: 90 * DAY_MS,
  changeBytes: 64 * 1024 * 1024,
  tombstones: 100_000,
  tombstoneAgeMs: 365 * DAY_MS,
  maxPages: 5_000_000,
}

/** Bad and unknown limits throw. */
export function journalLimits(given: Partial<JournalLimits> = {}): JournalLimits {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(defaultJournalLimits, name)) throw optionInvalid(`A journal has no limit named ${name}.`)
    if (!(value >= 0)) throw optionInvalid(`The journal's limit ${name} has to be a number from 0 on, not ${value}.`)
  }
  return { ...defaultJournalLimits, ...given }
}

/** The new `since`, and what is kept, in the order of numbers. */
interface Kept {
  readonly since: number
  readonly changes: Iterable<Change>
}

export function keptOf(table: ChangeTable, limits: JournalLimits, now: Instant): Kept {
  const since = newSince(table, limits, now)
  return { since, changes: keptChanges(table, limits, now, since) }
}

function newSince(table: ChangeTable, limits: JournalLimits, now: Instant): number {
  let [number, bytes] = [table.last, 0]
  for (let row = table.rowCount - 1; number > table.since; row--, number--) {
    const change = table.change(row)
    bytes += frameBytes(change)
    const isTooMuch = table.last - number >= limits.changes || bytes > limits.changeBytes
    if (isTooMuch || change.at < now - limits.changeAgeMs) return number
  }
  return table.since
}

function* keptChanges(table: ChangeTable, limits: JournalLimits, now: Instant, since: number): Iterable<Change> {
  const firstWhole = table.rowCount - (table.last - since)
  let excess = table.tombstoneCount - limits.tombstones
  for (let row = 0; row < table.rowCount; row++) {
    if (row >= firstWhole) yield table.change(row)
    else if (table.isLastWord(row)) {
      const change = table.change(row)
      const isDropped = change.change === 'deleted' && (excess-- > 0 || change.at < now - limits.tombstoneAgeMs)
      if (!isDropped) yield change
    }
  }
}

/**
 * Is it worth it? There has to be more to drop than may stay, and a good part of the table must be new since the last
 * time, so that a journal that is as small as it gets is not written again and again.
 */
export function isCompactionDue(table: ChangeTable, limits: JournalLimits, rowsAfterLast: number): boolean {
  const superseded = table.rowCount - table.pageCount
  const added = table.rowCount - rowsAfterLast
  // A row of a usual path takes some 150 bytes in the file.
  return superseded > Math.min(limits.changes, limits.changeBytes / 150) && added > Math.max(1_000, table.rowCount / 4)
}
