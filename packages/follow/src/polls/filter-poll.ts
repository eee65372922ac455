/**
 * Filter poll: "give me all the pages that have changed since" (002 §6.2), with the token of the answer before. Without a
 * token, or when it is too old, all pages are told of as they are now.
 *
 *   pages ──refused, cut off, more──▶ names       where it is worth it the changed pages are asked for at once, else told of
 *   QUERY ──405, 501──▶ POST ──405, 501──▶ GET    whatever works is remembered
 *   more  ──▶ asked on at once, as long as there is something new in it
 *   410   ──▶ the token is dropped, and everything asked for, once
 */
import { CHANGES_TYPE, QUERY_TYPE, WARC_TYPE, headerOf, writeChangeQuery } from '@comity/protocol'
import type { ChangeFields, ChangeQuery } from '@comity/protocol'
import { inTurns } from '../inquiry.ts'
import type { Inquiry } from '../inquiry.ts'
import type { Ask, Reply } from '@comity/ingest'
import type { ChangedPagesWish, BulkCost, OfferPollEnd, OfferPollParts } from '../offer-poll.ts'
import { cutProblem } from '@comity/ingest'
import { reportedOfSent } from '../sent-page.ts'

const METHODS = ['QUERY', 'POST', 'GET'] as const
type Method = (typeof METHODS)[number]

/** Pages told of in one answer, and pages that come in one; the site may send fewer. */
const PAGES_PER_ANSWER = 5_000
const BROUGHT_PER_ANSWER = 200
/** Answers of one poll; the token goes on from there at the next. */
const MAX_ANSWERS = 200
/** Answers in a row that say there is more and tell nothing. */
const MAX_EMPTY = 3

export function* pollFilter(parts: OfferPollParts): Inquiry<OfferPollEnd> {
  const { bring, memory, offer } = parts
  if (bring === undefined || memory.token === undefined) return yield* askForNames(parts)
  memory.named.begin(offer.url, true)
  const { isDone, ...brought } = yield* askForPages(parts, bring)
  memory.named.end(offer.url)
  return isDone ? { brought } : { ...(yield* askForNames(parts)), brought }
}

/** Once: what there is more is told of by name. A page that was told of before it could be sent is, too. */
function* askForPages(
  parts: OfferPollParts,
  bring: ChangedPagesWish,
): Inquiry<BulkCost & { readonly isDone: boolean }> {
  const { memory, offer, tell, keep } = parts
  const reply = yield* askFilter(parts, bring.fields)
  const spent = { requests: 1, bytes: reply.kind === 'document' ? reply.wireBytes : 0, isDone: false }
  // A token that is too old says nothing about how pages are sent.
  if (reply.kind !== 'document') return { ...spent, problem: reply.status === 410 ? undefined : reply.problem }
  const type = headerOf(reply.headers, 'content-type')?.split(';', 1)[0]?.trim()
  if (type !== WARC_TYPE) return { ...spent, problem: 'asked for pages, it sent something else' }
  const { pages, closing } = reply.read.batch!
  yield* inTurns(pages, (page) => tell(reportedOfSent(page), offer.url))
  bring.take(pages, reply.address)
  const isWhole = reply.isWhole && closing?.token !== undefined && pages.length >= closing.sent
  if (!isWhole) return { ...spent, problem: cutProblem(reply.read.batch!) }
  // What it could not send has changed as well: all of it is told of by name.
  if (closing.refused.length > 0) return spent
  memory.token = closing.token
  keep()
  return { ...spent, isDone: closing.more !== true }
}

function* askForNames(parts: OfferPollParts): Inquiry<OfferPollEnd> {
  const { memory, offer, types, tell, keep } = parts
  let isFromTheStart = memory.token === undefined
  memory.named.begin(offer.url, !isFromTheStart)
  const tokens = new Set<string | undefined>()
  let isRead = true
  for (let answers = 0, empty = 0; answers < MAX_ANSWERS; answers++) {
    if (tokens.has(memory.token)) return { problem: 'it says there is more behind a token that it gave before' }
    tokens.add(memory.token)
    const reply = yield* askFilter(parts, 'meta')
    if (reply.kind === 'absent' && reply.status === 410 && memory.token !== undefined) {
      memory.token = undefined
      isFromTheStart = true
      memory.named.begin(offer.url)
      continue
    }
    if (reply.kind !== 'document') return { problem: reply.problem }
    const { entries, end, unreadable, problem } = reply.read.changes!
    yield* inTurns(entries, (entry) => tell(entry, offer.url))
    if (end === undefined || !reply.isWhole) return { problem: problem ?? 'the answer broke off' }
    if (entries.length === 0 && unreadable > 0) return { problem: 'the answer cannot be read' }
    // A line that cannot be read may have named any page.
    isRead &&= unreadable === 0
    memory.token = end.token
    keep()
    if (!end.more) {
      memory.named.end(offer.url)
      return { isComplete: isFromTheStart && isRead && types === undefined, documents: [offer.url] }
    }
    empty = entries.length === 0 ? empty + 1 : 0
    if (empty >= MAX_EMPTY) return { problem: 'it says there is more and tells nothing' }
  }
  return {}
}

function* askFilter(parts: OfferPollParts, fields: ChangeFields): Inquiry<Reply> {
  const { memory } = parts
  const first = METHODS.indexOf(memory.method ?? 'QUERY')
  let reply: Reply | undefined
  for (const method of METHODS.slice(first)) {
    reply = yield questionOf(parts, method, fields)
    const isRefused = reply.status === 405 || reply.status === 501
    // What an intermediary refuses today it may let through tomorrow: only what worked is remembered.
    if (!isRefused) {
      if (reply.kind === 'document') memory.method = method
      return reply
    }
  }
  memory.method = undefined
  return reply!
}

function questionOf({ offer, memory, types }: OfferPollParts, method: Method, fields: ChangeFields): Ask {
  const limit = fields === 'meta' ? PAGES_PER_ANSWER : BROUGHT_PER_ANSWER
  const query: ChangeQuery = { since: memory.token, types, fields, limit }
  const reads = { reader: fields === 'meta' ? 'changes' : 'batch' } as const
  const accept = { accept: fields === 'meta' ? CHANGES_TYPE : WARC_TYPE }
  if (method !== 'GET') {
    const headers = { ...accept, 'content-type': QUERY_TYPE }
    return { url: offer.url, method, headers, body: writeChangeQuery(query), reads }
  }
  const url = new URL(offer.url)
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, Array.isArray(value) ? value.join(',') : String(value))
  }
  return { url: url.href, headers: accept, reads }
}
