/**
 * Change table: every change a journal remembers, in the order of their numbers, and the last one of each path.
 *
 * A page's state is its last change, so there is one table for both: a row is a change, and a map leads from a path to
 * the last row about it. Rows beyond `since` are all there, one for each number; older ones only while they are the last
 * word on their path.
 *
 *   rows      ... 17 · 23 · 24 ... | since + 1 · since + 2 · ... · last
 *             last words only        every change
 *
 * A row is 80 bytes in a large buffer (`PackedRows`), because a million objects with their strings would take five times
 * that. A table only grows; compaction makes a new one (`journal/compaction.ts`), and whoever still walks the old one may finish.
 */
import type { Instant } from '@comity/protocol'
import type { Change, JournaledPage } from './journal.ts'
import { PackedRows } from './packed-rows.ts'

export class ChangeTable {
  readonly since: number
  #last: number
  #lastAt: Instant
  readonly #rows = new PackedRows()
  readonly #rowOf = new Map<string, number>()
  #pageCount = 0
  /** Paths in order, as of the last time somebody wanted them, and those that came since. */
  #sorted: string[] = []
  #unsorted: string[] = []

  constructor(since = 0, last = 0, lastAt: Instant = -Infinity) {
    this.since = since
    this.#last = last
    this.#lastAt = lastAt
  }

  get last(): number {
    return this.#last
  }

  /** When the last change was noticed; no later one may be noticed before. */
  get lastAt(): Instant {
    return this.#lastAt
  }

  get pageCount(): number {
    return this.#pageCount
  }

  get rowCount(): number {
    return this.#rows.count
  }

  get tombstoneCount(): number {
    return this.#rowOf.size - this.#pageCount
  }

  /** Numbers have to rise; beyond `since` none may be left out. */
  append(change: Change): void {
    const before = this.#rowOf.get(change.path)
    // A path is held once, however often its page changes.
    const path = before === undefined ? change.path : this.#rows.pathOf(before)
    const row = this.#rows.add(change, path)
    const wasThere = before !== undefined && !this.#rows.isDeleted(before)
    const isThere = change.change !== 'deleted'
    this.#rowOf.set(path, row)
    if (before === undefined) this.#unsorted.push(path)
    this.#pageCount += Number(isThere) - Number(wasThere)
    this.#last = Math.max(this.#last, change.number)
    this.#lastAt = Math.max(this.#lastAt, change.at)
  }

  page(path: string): JournaledPage | undefined {
    const row = this.#rowOf.get(path)
    return row === undefined || this.#rows.isDeleted(row) ? undefined : this.#rows.state(row)
  }

  numberOf(path: string): number | undefined {
    const row = this.#rowOf.get(path)
    return row === undefined ? undefined : this.#rows.numberOf(row)
  }

  /** By path, in the order of their characters. Pages that come or go meanwhile may or may not be seen. */
  *pages(): Iterable<JournaledPage> {
    for (const path of this.#paths()) {
      const page = this.page(path)
      if (page !== undefined) yield page
    }
  }

  *tombstones(): Iterable<Change> {
    for (const row of this.lastRows()) if (this.#rows.isDeleted(row)) yield this.#rows.change(row)
  }

  changesAfter(number: number, limit: number = Infinity): readonly Change[] | undefined {
    if (!(number >= this.since && number <= this.#last)) return undefined
    const first = this.rowCount - (this.#last - Math.floor(number))
    const end = Math.min(this.rowCount, first + limit)
    const changes: Change[] = []
    for (let row = first; row < end; row++) changes.push(this.#rows.change(row))
    return changes
  }

  setImportance(path: string, importance: number | undefined): void {
    const row = this.#rowOf.get(path)
    if (row !== undefined) this.#rows.setImportance(row, importance)
  }

  change(row: number): Change {
    return this.#rows.change(row)
  }

  isDeleted(row: number): boolean {
    return this.#rows.isDeleted(row)
  }

  /** Is this row the last word on its path? */
  isLastWord(row: number): boolean {
    return this.#rowOf.get(this.#rows.pathOf(row)) === row
  }

  *lastRows(): Iterable<number> {
    for (let row = 0; row < this.rowCount; row++) if (this.isLastWord(row)) yield row
  }

  /** Sorting what is nearly sorted takes little more than one look at each. */
  #paths(): readonly string[] {
    if (this.#unsorted.length > 0) {
      this.#sorted = this.#sorted.concat(this.#unsorted).toSorted()
      this.#unsorted = []
    }
    return this.#sorted
  }
}
