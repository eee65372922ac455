/**
 * SearchableDelay: how long it takes from the change of a page at its site until the new version can be found.
 *
 *   site says: changed at t ──▶ taken in or visited, and another than before ──▶ commit n ──▶ the index has come to n: now − t
 *
 * Only the site knows when the page changed, by its own clock; what cannot be right is not measured: an instant after it was
 * sent counts as the moment it came, and one before our last copy is of another change. HTTP's dates are whole seconds, so a
 * page that was sent whole counts from the beginning of its second: up to a second too long, never too short.
 */
import { headerOf } from '@comity/protocol'
import type { BatchPage, Instant } from '@comity/protocol'
import type { SettledVisit } from '@comity/ingest'
import { answersError } from '../watch/held-version-facts.ts'
import { RecentDelays } from './recent-delays.ts'
import type { DelayFigures } from '@comity/follow'

interface Reported {
  readonly changedAt: Instant
  /** By our clock. */
  readonly heardAt: Instant
}

const MOST_TOLD = 10_000
const MOST_COMMITS = 1_000
const SECOND = 1_000

export class SearchableDelay {
  /** Pages that are said to have changed and have not been had since. */
  readonly #told = new Map<number, Reported>()
  readonly #delays = new RecentDelays()
  /** Of pages that are deposited, that go with the commit under way, and that are durable and not searchable yet. */
  #deposited: Instant[] = []
  #committing: Instant[] = []
  #committed: { readonly number: number; readonly changes: readonly Instant[] }[] = []
  /** The last change that can be found. */
  #reached = 0

  /** A site says when a page changed. */
  told(page: number, changedAt: Instant | undefined, heardAt: Instant): void {
    if (changedAt === undefined || (this.#told.size >= MOST_TOLD && !this.#told.has(page))) return
    const before = this.#told.get(page)
    // Of two changes that we lack, the first is the one that is waited for.
    const earliest = Math.min(changedAt, heardAt, before?.changedAt ?? Infinity)
    this.#told.set(page, { changedAt: earliest, heardAt: before?.heardAt ?? heardAt })
  }

  /** A page was had, by whatever way. */
  settled({ page, outcome, row, before, at }: SettledVisit): void {
    const told = this.#told.get(page)
    if (told === undefined) return
    const isUnchanged = outcome === 'not-modified'
    if (!isUnchanged && outcome !== 'ok' && outcome !== 'client-error') return
    const isOther =
      !isUnchanged &&
      (before === undefined || row.changes > before.changes || answersError(row) !== answersError(before))
    // A visit that was under way when we heard of it, and did not find it, leaves it to the next.
    if (!isOther && at < told.heardAt) return
    this.#told.delete(page)
    const isOlder = before?.servedAt !== undefined && told.changedAt + SECOND <= before.servedAt
    if (isOther && !isOlder) this.#deposited.push(told.changedAt)
  }

  /** What is deposited goes with a commit. */
  save(): void {
    this.#committing.push(...this.#deposited)
    this.#deposited = []
  }

  /** It is durable, up to this change of the collection. */
  committed(number: number, now: Instant): void {
    if (this.#committing.length === 0) return
    this.#committed.push({ number, changes: this.#committing })
    this.#committing = []
    // Without an index nobody ever says that something can be found.
    if (this.#committed.length > MOST_COMMITS) this.#committed.shift()
    // Whoever indexes may have seen it before we were told that it is durable.
    this.searchable(this.#reached, now)
  }

  /** The index has come to this change of the collection. */
  searchable(number: number, now: Instant): void {
    this.#reached = number
    while (this.#committed.length > 0 && this.#committed[0]!.number <= number)
      for (const changedAt of this.#committed.shift()!.changes) this.#delays.add(now - changedAt)
  }

  /** Undefined before the first. */
  get figures(): DelayFigures | undefined {
    return this.#delays.figures
  }
}

/** When a page that was sent had changed; undefined when that is not said. */
export function changeOfSent({ headers, status, at }: BatchPage): Instant | undefined {
  const modified = Date.parse(headerOf(headers, 'last-modified') ?? '')
  if (!Number.isNaN(modified)) return modified
  return status >= 400 ? at : undefined
}
