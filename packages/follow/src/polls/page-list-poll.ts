/**
 * Page list poll: sitemaps and ResourceSync resource lists, whole or in parts. A part is asked for when the index gives
 * another time for it than when we read it; one without a time is asked for at every poll, only if modified. Together they
 * name all pages, so a page that none of them names any more is missing: if each of them can stand for its part of the site
 * (`isWhole`), which is remembered with the mark, as of one that is not read again nothing else is known. A feed among them is told
 * as such, and left to `polls/feed-poll.ts` from then on.
 */
import { isFeed } from '@comity/protocol'
import type { Instant, SyncEntry } from '@comity/protocol'
import { inTurns } from '../inquiry.ts'
import type { Inquiry } from '../inquiry.ts'
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

export function* pollPageList(parts: OfferPollParts): Inquiry<OfferPollEnd> {
  const { memory, offer, origin, keep } = parts
  const waiting: Wanted[] = [offer.url, ...(offer.also ?? [])].map((url) => ({ url, depth: 0 }))
  const seen = new Set<string>()
  let problem: string | undefined
  let up: string | undefined
  const feeds: string[] = []
  let [isWhole, isIndexKnown] = [true, true]
  for (let wanted = waiting.shift(); wanted !== undefined; wanted = waiting.shift()) {
    const url = ownUrl(wanted.url, origin)
    if (seen.size >= MAX_LISTS) isWhole = false
    if (url === undefined || seen.has(url) || seen.size >= MAX_LISTS) continue
    seen.add(url)
    const { listed, depth } = wanted
    const known = memory.mark(url)
    // Read by an older version, it does not say whether it can stand for all: it is read once more.
    const mark = known?.isWhole === undefined ? undefined : known
    if (listed !== undefined && mark?.listed === listed) {
      isWhole &&= mark.isWhole === true
      continue
    }
    const reply = yield { url, mark, reads: { reader: 'sync' } }
    if (reply.kind === 'same') {
      // An index that is as it was has the parts that it had.
      if (!memory.named.has(url)) isIndexKnown = false
      if (listed !== undefined && mark !== undefined) memory.remember(url, { ...mark, listed })
      isWhole &&= mark?.isWhole === true
      waiting.push(...(mark?.parts ?? []).map((part) => ({ url: part, depth: depth + 1 })))
    } else if (reply.kind !== 'document') problem ??= `${url}: ${reply.problem}`
    else {
      const read = yield* readList(parts, wanted, url, reply)
      up ??= read.up
      problem ??= read.problem
      if (read.isFeed) feeds.push(url)
      else isWhole &&= read.isWhole
      for (const part of read.parts) waiting.push({ ...part, depth: depth + 1 })
      keep()
    }
  }
  // An index that stays the same would hide that one of its parts is still to be read.
  if (problem !== undefined) for (const url of [offer.url, ...(offer.also ?? [])]) memory.forget(url)
  const documents = [...seen].filter((url) => !feeds.includes(url))
  const isComplete = problem === undefined && isWhole && documents.length > 0
  return { problem, up, feeds, isComplete, documents: isIndexKnown ? documents : undefined }
}

interface ReadList {
  /** Those that are followed. */
  readonly parts: readonly Omit<Wanted, 'depth'>[]
  /** It can stand for all pages, as far as it goes, and all that it leads to is followed. */
  readonly isWhole: boolean
  readonly isFeed: boolean
  readonly problem?: string | undefined
  readonly up?: string | undefined
}

function* readList(
  { memory, tell, origin }: OfferPollParts,
  { depth, listed }: Wanted,
  url: string,
  reply: DocumentReply,
): Inquiry<ReadList> {
  const { entries, summary, isTorn } = reply.read.sync!
  const named = partsIn(entries)
  // What stands elsewhere, or further down, may name pages that nothing else names.
  const parts = depth < MAX_DEPTH ? named.filter((part) => ownUrl(part.url, origin) !== undefined) : []
  const isWhole = summary.isWhole && parts.length === named.length
  const read = { parts, isWhole, isFeed: isFeed(summary.format) }
  if (read.isFeed) {
    memory.named.forget(url)
    memory.forget(url)
    yield* inTurns(entries, (entry) => {
      if (entry.kind === 'page') tell({ ...entry, change: 'updated', changedAt: entry.modifiedAt, channel: 'feed' })
    })
    return read
  }
  memory.named.begin(url)
  yield* inTurns(entries, (entry) => {
    if (entry.kind === 'page') tell({ ...entry, change: 'updated', changedAt: entry.modifiedAt }, url)
    else if (entry.kind === 'change') tell(entry, url)
  })
  const up = summary.capability === 'resourcelist' ? summary.links.find(({ rel }) => rel === 'up')?.href : undefined
  if (entries.length === 0 && summary.format === 'unknown')
    return { ...read, up, problem: `${url} is no list of pages` }
  if (!reply.isWhole || isTorn) return { ...read, up, problem: `${url} broke off` }
  const untimed = parts.filter((part) => part.listed === undefined).map((part) => part.url)
  memory.remember(url, { ...reply.mark, listed, parts: untimed, isWhole })
  return { ...read, up }
}

function partsIn(entries: readonly SyncEntry[]): readonly Omit<Wanted, 'depth'>[] {
  return entries.flatMap((entry) => (entry.kind === 'document' ? [{ url: entry.url, listed: entry.modifiedAt }] : []))
}
