/**
 * Change walk: what somebody has to be told who knows a site up to some change and wants to know only of some of its
 * pages (RFC 6578 §3, in spirit). Several changes of one page come to one: from what it was for the asker to what it is.
 *
 *                     now asked for            now not asked for, or gone
 *   was asked for     updated, or nothing      deleted: it has left what the asker wants
 *   was not           created                  nothing
 *   not known         updated                  deleted
 *
 * Importance changes without a change in the journal, so a filter by importance is only as good as the last look.
 */
import { isAskedFor } from '@comity/protocol'
import type { ChangeKind, ChangeQuery } from '@comity/protocol'
import type { Change, JournaledPage } from './journal.ts'
import { isSamePage } from './observation.ts'
import type { PreviousChanges } from './previous-changes.ts'
import type { PublicView } from '../privacy/public-view.ts'

/** One page, and what is to be told of it. */
export interface ReportedChange {
  readonly kind: ChangeKind
  /** As it was after the last change looked at; of a deleted one what it was. */
  readonly page: JournaledPage
  /** When it changed; unknown when all pages are told of. */
  readonly at?: number | undefined
  /** What the asker was told of it before, where that is known. */
  readonly before?: JournaledPage | undefined
}

export interface WalkLimits {
  readonly pages: number
  /** Sum of the pages' sizes; one page is told of in any case. */
  readonly bytes: number
  readonly lookedAt: number
}

interface ChangeWalk {
  readonly told: readonly ReportedChange[]
  /** All changes up to this number are in it. */
  readonly number: number
}

/** What changed after a number; undefined when that is no longer known. */
export function walkChanges(
  view: PublicView,
  previous: PreviousChanges,
  query: ChangeQuery,
  number: number,
  limits: WalkLimits,
): ChangeWalk | undefined {
  const { journal } = view
  const changes = journal.changesAfter(number, limits.lookedAt)
  if (changes === undefined) return undefined
  const pages = new Map<string, { readonly first: Change; last: Change }>()
  let bytes = 0
  let upTo = number
  for (const change of changes) {
    const known = pages.get(change.path)
    if (known !== undefined) known.last = change
    else if (isInView(view, query, change.path)) {
      bytes += view.page(change.path)?.bytes ?? 0
      if (pages.size >= limits.pages || (bytes > limits.bytes && pages.size > 0)) break
      pages.set(change.path, { first: change, last: change })
    }
    upTo = change.number
  }
  const told = [...pages.values()].flatMap(({ first, last }) => toldOf(first, last, previous, query) ?? [])
  return { told, number: upTo }
}

function isInView(view: PublicView, { prefixes }: ChangeQuery, path: string): boolean {
  return (prefixes === undefined || prefixes.some((prefix) => path.startsWith(prefix))) && view.isPublic(path)
}

function toldOf(
  first: Change,
  last: Change,
  previous: PreviousChanges,
  query: ChangeQuery,
): ReportedChange | undefined {
  const earlier = first.change === 'created' ? undefined : previous.before(first)
  const before = earlier?.change === 'deleted' ? undefined : earlier
  const isForgotten = first.change !== 'created' && earlier === undefined
  const wasAsked = before !== undefined && isAskedFor(query, before)
  const isAsked = last.change !== 'deleted' && isAskedFor(query, last)
  const { at } = last
  if (!isAsked) return wasAsked || isForgotten ? { kind: 'deleted', page: last, at } : undefined
  if (!wasAsked) return { kind: isForgotten ? 'updated' : 'created', page: last, at }
  return isSamePage(before, last) ? undefined : { kind: 'updated', page: last, at, before }
}

interface PageWalk {
  readonly told: readonly ReportedChange[]
  /** The last path looked at; undefined when there are no more. */
  readonly after: string | undefined
}

/** All pages as they are, from behind a path on. */
export function walkPages(
  view: PublicView,
  query: ChangeQuery,
  after: string | undefined,
  limits: WalkLimits,
): PageWalk {
  const told: ReportedChange[] = []
  let bytes = 0
  let reached: string | undefined
  for (const page of view.journal.pages()) {
    if (after !== undefined && page.path <= after) continue
    if (view.isPublic(page.path) && isAskedFor(query, page)) {
      bytes += page.bytes
      if (told.length >= limits.pages || (bytes > limits.bytes && told.length > 0)) return { told, after: reached }
      told.push({ kind: 'created', page })
    }
    reached = page.path
  }
  return { told, after: undefined }
}
