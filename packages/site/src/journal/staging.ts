/**
 * Staging: from what was noticed to the changes it means, before anything is written. Several observations of one page
 * follow each other here as they will in the journal, although the table does not know the first of them yet.
 */
import type { Instant } from '@comity/protocol'
import type { ChangeTable } from './change-table.ts'
import type { JournalLimits } from './compaction.ts'
import { journalFull } from '../errors.ts'
import { checkObservation, isSamePage } from './observation.ts'
import type { Change, Observation, JournaledPage } from './journal.ts'

/** A change, the body that came with it, and the digest of the body it takes the place of. */
export interface StagedChange {
  readonly change: Change
  readonly body?: Uint8Array | undefined
  readonly replaced?: string | undefined
}

export class Staging {
  readonly changes: StagedChange[] = []
  /** Pages that are as before, but of another importance. */
  readonly importances: [path: string, importance: number | undefined][] = []
  readonly #table: ChangeTable
  readonly #limits: JournalLimits
  readonly #pages = new Map<string, JournaledPage | undefined>()
  #last: number
  #lastAt: Instant
  #pageCount: number

  constructor(table: ChangeTable, limits: JournalLimits) {
    this.#table = table
    this.#limits = limits
    this.#last = table.last
    this.#lastAt = table.lastAt
    this.#pageCount = table.pageCount
  }

  /**
   * The changes that these observations mean, in their order. Throws before anything is staged when there is no room.
   * A clock that was set back does not bring time back: `at` is at least that of the change before.
   */
  add(observations: readonly Observation[], at: Instant): readonly Change[] {
    this.#checkRoom(observations)
    const noticedAt = Math.max(at, this.#lastAt)
    const before = this.changes.length
    for (const seen of observations) this.#addOne(seen, noticedAt)
    if (this.changes.length > before) this.#lastAt = noticedAt
    return this.changes.slice(before).map(({ change }) => change)
  }

  /** What was staged, now that it is durable. */
  applyTo(table: ChangeTable): void {
    for (const { change } of this.changes) table.append(change)
    for (const [path, importance] of this.importances) table.setImportance(path, importance)
  }

  #addOne(seen: Observation, at: Instant): void {
    const before = this.#page(seen.path)
    if ('gone' in seen) {
      if (before !== undefined) this.#stage({ ...before, number: this.#last + 1, change: 'deleted', at }, before)
      return
    }
    const { body, ...page } = seen
    if (before === undefined || !isSamePage(before, page)) {
      const change = before === undefined ? 'created' : 'updated'
      const path = before?.path ?? ownString(page.path)
      this.#stage({ ...stateOf(page), path, number: this.#last + 1, change, at }, before, body)
    } else if (page.importance !== undefined && before.importance !== page.importance) {
      this.importances.push([page.path, page.importance])
    }
  }

  #stage(change: Change, before: JournaledPage | undefined, body?: Uint8Array): void {
    const isThere = change.change !== 'deleted'
    this.changes.push({ change, body, replaced: before?.digest })
    this.#pages.set(change.path, isThere ? stateOf(change) : undefined)
    this.#pageCount += Number(isThere) - Number(before !== undefined)
    this.#last = change.number
  }

  #page(path: string): JournaledPage | undefined {
    return this.#pages.has(path) ? this.#pages.get(path) : this.#table.page(path)
  }

  #checkRoom(observations: readonly Observation[]): void {
    if (this.#pageCount + observations.length <= this.#limits.maxPages) return
    const news = new Set(observations.filter((seen) => !('gone' in seen) && this.#page(seen.path) === undefined))
    const paths = new Set([...news].map(({ path }) => path))
    const [first] = paths
    if (first !== undefined && this.#pageCount + paths.size > this.#limits.maxPages)
      throw journalFull(first, this.#limits.maxPages)
  }
}

/** Only what a state is made of: callers may hand in more. */
function stateOf({ path, modifiedAt, digest, bytes, type, importance, masked }: JournaledPage): JournaledPage {
  const state = { path, modifiedAt, digest, bytes, type }
  return {
    ...state,
    ...(importance === undefined ? {} : { importance }),
    ...(masked === true ? { masked } : {}),
  }
}

/** All of them, checked; throws for the first that no journal may hold. */
export function checkedObservations(observations: Iterable<Observation>): readonly Observation[] {
  const list = [...observations]
  for (const seen of list) checkObservation(seen)
  return list
}

/** A copy that does not hold on to what it was cut from: a line of a list would keep the whole list in memory. */
function ownString(path: string): string {
  return Buffer.from(path, 'latin1').toString('latin1')
}
