/**
 * Delivery plan: what a subscriber is told next, out of the journal and how far it has been told. Pure; nothing is copied
 * out of the journal to wait, the cursor is the outbox.
 *
 *   following   the changes after the cursor; of each page the newest only, so ten edits become one
 *   walking     all pages as they are, by path, then those that are gone: when changes behind the cursor were dropped, or
 *               other rules or another journal make it unknown which pages the subscriber was told of
 *
 * Pages are told in the order of their newest changes. So all changes up to the last one told are either told or are
 * changes of pages with a newer one, which is told later: the number of the last is the new cursor, wherever a delivery ends.
 */
import type { Instant } from '@comity/protocol'
import type { Change, JournaledPage } from '../journal/journal.ts'
import type { PublicView } from '../privacy/public-view.ts'

/** How far a subscriber has been told. */
export interface Position {
  readonly journal: string
  /** The journal under its rules (`PublicView.edition`). */
  readonly edition: string
  /** Changes up to this number were told. */
  readonly cursor: number
  readonly walk?: Walk | undefined
}

type Walk = {
  /** Where the cursor will stand when it is over. */
  readonly upTo: number
  readonly startedAt: Instant
} & (
  | { /** Pages up to this path were told; empty before the first. */ readonly path: string }
  | { /** Of pages that are gone, those up to this number were told. */ readonly gone: number }
)

export interface PlanLimits {
  readonly pages: number
  /** Sum of the pages' sizes; one page is told in any case. */
  readonly bytes: number
  readonly lookedAt: number
}

export interface DeliveryPlan {
  readonly changes: readonly Change[]
  /** Where the subscriber is once it took them. */
  readonly next: Position
  /** Pages that changed more than once since the cursor. */
  readonly repeated: ReadonlySet<string>
}

/** Where somebody begins who wants to be told of what comes after a number. */
export const positionAfter = ({ journal, edition }: PublicView, cursor: number): Position => ({
  journal: journal.id,
  edition,
  cursor,
})

/** Where somebody begins who wants everything. */
export function walkOf(view: PublicView, cursor: number, now: Instant): Position {
  const walk = { upTo: view.journal.last, startedAt: now, path: '' }
  return { ...positionAfter(view, cursor), walk }
}

/** The position as it is under this journal and these rules. */
export function currentPosition(position: Position, view: PublicView, now: Instant): Position {
  const { journal, edition } = view
  // Numbers of another journal mean nothing in this one; and what was passed over under other rules was told to nobody.
  if (position.journal !== journal.id || position.edition !== edition) return walkOf(view, 0, now)
  if (position.walk !== undefined || journal.changesAfter(position.cursor, 0) !== undefined) return position
  return walkOf(view, position.cursor, now)
}

/** Is there anything that the subscriber might have to be told? Cheap. */
export function isBehind({ journal, edition, cursor, walk }: Position, view: PublicView): boolean {
  return walk !== undefined || cursor !== view.journal.last || journal !== view.journal.id || edition !== view.edition
}

/** `position` is a current one. */
export function planDelivery(position: Position, view: PublicView, limits: PlanLimits): DeliveryPlan {
  if (position.walk === undefined) return following(position, view, limits)
  return 'path' in position.walk ? walkingPages(position, view, limits) : walkingGone(position, view, limits)
}

/** Of a subscriber that is sent what waits by itself (`WaitingContent`): no changes; that none waits behind its position is all the position says. */
export const waitingPlan = (view: PublicView): DeliveryPlan => ({
  changes: [],
  next: positionAfter(view, view.journal.last),
  repeated: NONE,
})

function following(position: Position, view: PublicView, limits: PlanLimits): DeliveryPlan {
  const looked = view.journal.changesAfter(position.cursor, limits.lookedAt) ?? []
  const newest = new Map<string, Change>()
  const repeated = new Set<string>()
  for (const change of looked) {
    if (newest.has(change.path)) repeated.add(change.path)
    // Set anew, it stands at the end: in the order of newest changes.
    newest.delete(change.path)
    newest.set(change.path, change)
  }
  const room = new Room(limits)
  const changes: Change[] = []
  for (const change of newest.values()) {
    if (!isLastWord(change, view) || !view.isPublic(change.path)) continue
    if (!room.take(sizeOf(change))) return { changes, next: { ...position, cursor: changes.at(-1)!.number }, repeated }
    changes.push(change)
  }
  return { changes, next: { ...position, cursor: looked.at(-1)?.number ?? position.cursor }, repeated }
}

/** A newer change may stand behind those that were looked at. */
function isLastWord(change: Change, { journal }: PublicView): boolean {
  const page = journal.page(change.path)
  return change.change === 'deleted' ? page === undefined : page?.digest === change.digest
}

function walkingPages(position: Position, view: PublicView, limits: PlanLimits): DeliveryPlan {
  const walk = position.walk as Extract<Walk, { path: string }>
  const room = new Room(limits)
  const changes: Change[] = []
  for (const page of view.pages()) {
    if (page.path <= walk.path) continue
    if (!room.take(page.bytes))
      return { changes, next: { ...position, walk: { ...walk, path: changes.at(-1)!.path } }, repeated: NONE }
    changes.push(asChange(page, view))
  }
  const { upTo, startedAt } = walk
  return { changes, next: { ...position, walk: { upTo, startedAt, gone: position.cursor } }, repeated: NONE }
}

/** What is known of a page without its change. */
export const asChange = (page: JournaledPage, { journal }: PublicView): Change => ({
  ...page,
  change: 'updated',
  number: journal.numberOf(page.path) ?? journal.last,
  at: page.modifiedAt,
})

/** Those that are gone for so long that it is forgotten, nobody can tell of. */
function walkingGone(position: Position, view: PublicView, limits: PlanLimits): DeliveryPlan {
  const walk = position.walk as Extract<Walk, { gone: number }>
  const changes: Change[] = []
  for (const change of view.journal.tombstones()) {
    if (change.number <= walk.gone || !view.isPublic(change.path)) continue
    if (changes.length >= limits.pages)
      return { changes, next: { ...position, walk: { ...walk, gone: changes.at(-1)!.number } }, repeated: NONE }
    changes.push(change)
  }
  const { journal, edition } = position
  return { changes, next: { journal, edition, cursor: walk.upTo }, repeated: NONE }
}

const NONE: ReadonlySet<string> = new Set()

const sizeOf = ({ change, bytes }: Change): number => (change === 'deleted' ? 0 : bytes)

class Room {
  readonly #limits: PlanLimits
  #pages = 0
  #bytes = 0

  constructor(limits: PlanLimits) {
    this.#limits = limits
  }

  take(bytes: number): boolean {
    this.#pages++
    this.#bytes += bytes
    return this.#pages === 1 || (this.#pages <= this.#limits.pages && this.#bytes <= this.#limits.bytes)
  }
}
