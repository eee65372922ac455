/**
 * Page list poll: sitemaps and ResourceSync resource lists, whole or in parts. A part is asked for when the index gives
 * another time for it than when we read it; one without a time is asked for at every poll, only if modified. Together they
 * name all pages, so a page that none of them names any more is missing.
 */
import { isNewestOnly } from '@comity/protocol'
import type { Instant, SyncEntry } from '@comity/protocol'
import { inTurns } from '../conversation.ts'
import type { Conversation } from '../conversation.ts'
import type { DocumentReply } from '@comity/ingest'
import { ownUrl } from '../offer-poll.ts'
import type { OfferPollEnd, OfferPollParts } from '../offer-poll.ts'

/** An index names lists, which name pages; an index below an index is followed once more. */
const MAX_DEPTH = 2
const MAX_LISTS = 2_000

interface Wanted {
  readonly url: string
  readonly depth: number
  /** As the index says. */
  readonly listed?: Instant | undefined
}

export function* pollPageList(parts: OfferPollParts): Conversation<OfferPollEnd> {
  const { memory, offer, origin, keep } = parts
  const waiting: Wanted[] = [offer.url, ...(offer.also ?? [])].map((url) => ({ url, depth: 0 }))
  const seen = new Set<string>()
  let problem: string | undefined
  let up: string | undefined
  let [isWhole, isIndexKnown] = [true, true]
  for (let wanted = waiting.shift(); wanted !== undefined; wanted = waiting.shift()) {
    const url = ownUrl(wanted.url, origin)
    if (seen.size >= MAX_LISTS) isWhole = false
    if (url === undefined || seen.has(url) || seen.size >= MAX_LISTS) continue
    seen.add(url)
    const { listed, depth } = wanted
    const mark = memory.mark(url)
    if (listed !== undefined && mark?.listed === listed) continue
    const reply = yield { url, mark, reads: { reader: 'sync' } }
    if (reply.kind === 'same') {
      // An index that is as it was has the parts that it had.
      if (!memory.named.has(url)) isIndexKnown = false
      if (listed !== undefined && mark !== undefined) memory.remember(url, { ...mark, listed })
      waiting.push(...(mark?.parts ?? []).map((part) => ({ url: part, depth: depth + 1 })))
    } else if (reply.kind !== 'document') problem ??= `${url}: ${reply.problem}`
    else {
      const read = yield* readList(parts, url, reply, listed)
      up ??= read.up
      problem ??= read.problem
      isWhole &&= read.isWhole
      if (depth < MAX_DEPTH) for (const part of read.parts) waiting.push({ ...part, depth: depth + 1 })
      keep()
    }
  }
  // An index that stays the same would hide that one of its parts is still to be read.
  if (problem !== undefined) for (const url of [offer.url, ...(offer.also ?? [])]) memory.forget(url)
  const isComplete = problem === undefined && isWhole
  return { problem, up, isComplete, documents: isIndexKnown ? [...seen] : undefined }
}

interface ReadList {
  readonly parts: readonly Omit<Wanted, 'depth'>[]
  /** It names all pages: nothing in it was beyond our limits, and it is no feed. */
  readonly isWhole: boolean
  readonly problem?: string | undefined
  readonly up?: string | undefined
}

function* readList(
  { memory, tell }: OfferPollParts,
  url: string,
  reply: DocumentReply,
  listed: Instant | undefined,
): Conversation<ReadList> {
  const { entries, summary, isTorn } = reply.read.sync!
  const parts = partsIn(entries)
  const isWhole = summary.dropped === 0 && !isNewestOnly(summary.format)
  memory.named.begin(url)
  yield* inTurns(entries, (entry) => {
    if (entry.kind === 'page') tell({ ...entry, change: 'updated', changedAt: entry.modifiedAt }, url)
    else if (entry.kind === 'change') tell(entry, url)
  })
  const up = summary.capability === 'resourcelist' ? summary.links.find(({ rel }) => rel === 'up')?.href : undefined
  if (entries.length === 0 && summary.format === 'unknown')
    return { parts, up, isWhole, problem: `${url} is no list of pages` }
  if (!reply.isWhole || isTorn) return { parts, up, isWhole, problem: `${url} broke off` }
  const untimed = parts.filter((part) => part.listed === undefined).map((part) => part.url)
  memory.remember(url, { ...reply.mark, listed, parts: untimed })
  return { parts, up, isWhole }
}

function partsIn(entries: readonly SyncEntry[]): readonly Omit<Wanted, 'depth'>[] {
  return entries.flatMap((entry) => (entry.kind === 'document' ? [{ url: entry.url, listed: entry.modifiedAt }] : []))
}
