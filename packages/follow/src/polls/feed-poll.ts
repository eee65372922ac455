/**
 * Feed poll: the feeds of a site: RSS, Atom, JSON Feed. A feed is a window onto the newest pages: each that it names is told of,
 * and of one that it names no more nothing is said, so that none is ever missing. No feed leads to another document; what
 * pages of other sites it names is for `tell` to leave out, as with any list.
 */
import { isFeed } from '@comity/protocol'
import { inTurns } from '../inquiry.ts'
import type { Inquiry } from '../inquiry.ts'
import { ownUrl } from '../offer-poll.ts'
import type { OfferPollEnd, OfferPollParts } from '../offer-poll.ts'

/** Feeds of one site, by whatever way they became known. */
export const MAX_FEEDS = 8
/** A feed with the whole texts of its pages has a few hundred kilobytes. */
const MAX_FEED_BYTES = 4 << 20

export function* pollFeeds(parts: OfferPollParts): Inquiry<OfferPollEnd> {
  const { offer, origin, keep } = parts
  const own = [offer.url, ...(offer.also ?? [])].flatMap((url) => ownUrl(url, origin) ?? [])
  const problems: string[] = []
  const urls = [...new Set(own)].slice(0, MAX_FEEDS)
  for (const url of urls) {
    const problem = yield* readFeed(parts, url)
    if (problem !== undefined) problems.push(problem)
    keep()
  }
  // One that is gone does not silence the others.
  return { problem: problems.length === urls.length ? (problems[0] ?? 'no feed is its own') : undefined }
}

/** Returns what went wrong, if anything did. */
function* readFeed({ memory, tell }: OfferPollParts, url: string): Inquiry<string | undefined> {
  const reply = yield { url, mark: memory.mark(url), maxBytes: MAX_FEED_BYTES, reads: { reader: 'sync' } }
  if (reply.kind === 'same') return undefined
  if (reply.kind !== 'document') return `${url}: ${reply.problem}`
  const { entries, summary } = reply.read.sync!
  if (!isFeed(summary.format)) return `${url} is no feed`
  yield* inTurns(entries, (entry) => {
    if (entry.kind === 'page') tell({ ...entry, change: 'updated', changedAt: entry.modifiedAt })
  })
  // Newest first: of one that broke off the best part came.
  if (reply.isWhole) memory.remember(url, reply.mark)
  return undefined
}
