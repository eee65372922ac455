/**
 * Change list poll: a ResourceSync change list, read on from the last change that it told us.
 *
 *   the open part ──200──▶ what stands behind the last change we know ──▶ still open: done
 *        │ closed, or gone                                             └─▶ closed: by way of the index to what came after
 *        └──▶ the list itself, or its index of parts: those behind the last one that we have read
 *
 * Changes and parts stand in the order they were noted, so the place of the last one tells what is new, and a clock that was
 * set back does no harm. Where that place is not in the list any more, dates have to do. A list that begins after the last change we
 * know, or after we were last told everything, does not tell all: then the site's pages are to be listed once.
 */
import { changeEntryOf } from '@comity/protocol'
import type { Instant, SyncChange, SyncEntry, SyncReference, SyncSummary } from '@comity/protocol'
import { inTurns } from '../inquiry.ts'
import type { Inquiry } from '../inquiry.ts'
import type { DocumentReply, Reply } from '@comity/ingest'
import { ownUrl } from '../offer-poll.ts'
import type { OfferPollEnd, OfferPollParts, ReportedPage } from '../offer-poll.ts'

const SYNC = { reader: 'sync' } as const

/** Parts of one poll, the newest: who was away for longer knows these pages by their dates. */
const MAX_PARTS = 200
/** How far the clocks of a site and ours may be apart. */
const CLOCK_SKEW_MS = 3_600_000

export function* pollChangeList(parts: OfferPollParts): Inquiry<OfferPollEnd> {
  const { memory, offer, toldAt } = parts
  const since = memory.changesUntil
  const open = memory.openList
  if (open !== undefined && open !== offer.url) {
    const reply = yield { url: open, mark: memory.mark(open), reads: SYNC }
    if (reply.kind === 'same') return {}
    if (reply.kind === 'trouble') return { problem: reply.problem }
    const read = reply.kind === 'document' ? yield* readPart(parts, open, reply, since) : undefined
    if (read?.isOpen === true) return { problem: read.problem }
  }
  const reply = yield { url: offer.url, mark: memory.mark(offer.url), reads: SYNC }
  if (reply.kind !== 'document') return reply.kind === 'same' ? {} : { problem: reply.problem }
  const { entries, summary } = reply.read.sync!
  if (summary.format !== 'sitemapindex') {
    const { problem, from } = yield* readPart(parts, offer.url, reply, memory.changesUntil)
    return { problem, isBehind: isBehind(since ?? toldAt, from) }
  }
  return yield* followIndex(parts, reply, entries, summary)
}

function* followIndex(
  parts: OfferPollParts,
  reply: DocumentReply,
  entries: readonly SyncEntry[],
  summary: SyncSummary,
): Inquiry<OfferPollEnd> {
  const { memory, offer, toldAt, keep } = parts
  if (!reply.isWhole || reply.read.sync!.isTorn) return { problem: 'the index of parts broke off' }
  const since = memory.changesUntil
  if (memory.openList === offer.url) memory.openList = undefined
  for (const { url, isNew } of partsToRead(parts, entries)) {
    const part: Reply = yield { url, mark: memory.mark(url), reads: SYNC }
    if (part.kind === 'same') continue
    if (part.kind !== 'document') return { problem: part.problem }
    const { problem } = yield* readPart(parts, url, part, isNew ? undefined : memory.changesUntil)
    if (problem !== undefined) return { problem }
    keep()
  }
  // Only now: until all its parts were read the index is worth reading again. One that is polled by its open part is
  // asked for when that is closed, and is another one then.
  if (memory.openList === undefined) memory.remember(offer.url, reply.mark)
  const first = entries.find((entry): entry is SyncReference => entry.kind === 'document')
  return { isBehind: isBehind(since ?? toldAt, summary.from ?? first?.from) }
}

function isBehind(since: Instant | undefined, from: Instant | undefined): boolean {
  return since === undefined || (from !== undefined && from > since)
}

interface PartToRead {
  readonly url: string
  /** Everything in it came after what we know. */
  readonly isNew: boolean
}

/** Oldest first: those that may have changes that we do not know. */
function partsToRead(parts: OfferPollParts, entries: readonly SyncEntry[]): readonly PartToRead[] {
  const { memory, origin, toldAt, hasOtherLists } = parts
  const listed = inOrder(entries.filter((entry): entry is SyncReference => entry.kind === 'document'))
  const own = listed.flatMap(({ url, until }) => {
    const absolute = ownUrl(url, origin)
    return absolute === undefined ? [] : [{ url: absolute, until, mark: memory.mark(absolute) }]
  })
  const last = own.findLastIndex(({ mark }) => mark !== undefined)
  if (last !== -1) {
    const behind = own.slice(last).filter(({ until, mark }) => until === undefined || mark?.listed !== until)
    return behind.map(({ url, mark }) => ({ url, isNew: mark === undefined })).slice(-MAX_PARTS)
  }
  const since = memory.changesUntil ?? (toldAt === undefined ? undefined : toldAt - CLOCK_SKEW_MS)
  // All pages are going to be listed: of the changes before that none matters.
  if (since === undefined && hasOtherLists === true) return own.slice(-1).map(({ url }) => ({ url, isNew: true }))
  const recent = own.filter(({ until }) => since === undefined || until === undefined || until >= since)
  return recent.map(({ url }) => ({ url, isNew: since === undefined })).slice(-MAX_PARTS)
}

/** Some write the newest first. */
function inOrder(listed: readonly SyncReference[]): readonly SyncReference[] {
  const [first, last] = [listed[0]?.from, listed.at(-1)?.from]
  return first !== undefined && last !== undefined && first > last ? listed.toReversed() : listed
}

interface ReadPart {
  readonly isOpen: boolean
  /** When the first of its changes was. */
  readonly from: Instant | undefined
  readonly problem?: string | undefined
}

function* readPart(
  parts: OfferPollParts,
  url: string,
  reply: DocumentReply,
  since: Instant | undefined,
): Inquiry<ReadPart> {
  const { memory, tell } = parts
  const { entries, summary, isTorn } = reply.read.sync!
  const isOpen = summary.until === undefined
  const changes = entries.filter((entry): entry is SyncChange => entry.kind === 'change')
  const from = summary.from ?? changes[0]?.changedAt
  const isList = summary.capability === 'changelist' || changes.length > 0
  if (!isList) return { isOpen, from, problem: 'it is no change list' }
  yield* inTurns(latestOf(changesBehind(changes, since)), (change) => tell(change))
  if (!reply.isWhole || isTorn) return { isOpen, from, problem: 'the list broke off' }
  memory.changesUntil = changes.findLast(({ changedAt }) => changedAt !== undefined)?.changedAt ?? since
  memory.openList = isOpen ? url : memory.openList === url ? undefined : memory.openList
  memory.remember(url, { ...reply.mark, listed: summary.until })
  return { isOpen, from }
}

/** Those noted after the last one that we know; those of the same instant once more, as there may be new ones among them. */
function changesBehind(changes: readonly SyncChange[], since: Instant | undefined): readonly SyncChange[] {
  if (since === undefined) return changes
  let at = changes.findLastIndex(({ changedAt }) => changedAt === since)
  if (at === -1) return changes.filter(({ changedAt }) => changedAt === undefined || changedAt >= since)
  while (at > 0 && changes[at - 1]?.changedAt === since) at--
  return changes.slice(at)
}

/** A page that changed several times is as its last change left it. */
function latestOf(changes: readonly SyncChange[]): readonly ReportedPage[] {
  const latest = new Map<string, ReportedPage>()
  for (const change of changes) {
    latest.delete(change.url)
    latest.set(change.url, changeEntryOf(change))
  }
  return [...latest.values()]
}
