/**
 * Filter look: "give me all the pages that have changed since" (002 §6.2), with the token of the answer before. Without a
 * token, or when it is too old, all pages are told of as they are now.
 *
 *   QUERY ──405, 501──▶ POST ──405, 501──▶ GET       whatever works is remembered
 *   more  ──▶ asked on at once, as long as there is something new in it
 *   410   ──▶ the token is dropped, and everything asked for, once
 */
import { QUERY_TYPE, readChanges, writeChangeQuery } from '@comity/protocol'
import type { ChangeQuery } from '@comity/protocol'
import type { Ask, Conversation, Reply } from './conversation.ts'
import type { LookEnd, LookParts } from './look.ts'

const METHODS = ['QUERY', 'POST', 'GET'] as const
type Method = (typeof METHODS)[number]

/** Pages in one answer; the site may send fewer. */
const PAGES_PER_ANSWER = 5_000
/** Answers of one look; the token goes on from there at the next. */
const MAX_ANSWERS = 200
/** Answers in a row that say there is more and tell nothing. */
const MAX_EMPTY = 3

export function* lookAtFilter(parts: LookParts): Conversation<LookEnd> {
  const { memory, tell, keep } = parts
  const tokens = new Set<string | undefined>()
  for (let answers = 0, empty = 0; answers < MAX_ANSWERS; answers++) {
    if (tokens.has(memory.token)) return { problem: 'it says there is more behind a token that it gave before' }
    tokens.add(memory.token)
    const reply = yield* askFilter(parts)
    if (reply.kind === 'absent' && reply.status === 410 && memory.token !== undefined) {
      memory.token = undefined
      continue
    }
    if (reply.kind !== 'document') return { problem: reply.problem }
    const { entries, end, unreadable } = readChanges(Buffer.from(reply.body).toString('utf8'))
    for (const entry of entries) tell(entry)
    if (end === undefined || !reply.isWhole) return { problem: 'the answer broke off' }
    if (entries.length === 0 && unreadable > 0) return { problem: 'the answer cannot be read' }
    memory.token = end.token
    keep()
    if (!end.more) return {}
    empty = entries.length === 0 ? empty + 1 : 0
    if (empty >= MAX_EMPTY) return { problem: 'it says there is more and tells nothing' }
  }
  return {}
}

function* askFilter(parts: LookParts): Conversation<Reply> {
  const { memory } = parts
  const first = METHODS.indexOf(memory.method ?? 'QUERY')
  let reply: Reply | undefined
  for (const method of METHODS.slice(first)) {
    reply = yield questionOf(parts, method)
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

function questionOf({ offer, memory, types }: LookParts, method: Method): Ask {
  const query: ChangeQuery = { since: memory.token, types, fields: 'meta', limit: PAGES_PER_ANSWER }
  if (method !== 'GET') {
    return { url: offer.url, method, headers: { 'content-type': QUERY_TYPE }, body: writeChangeQuery(query) }
  }
  const url = new URL(offer.url)
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, Array.isArray(value) ? value.join(',') : String(value))
  }
  return { url: url.href }
}
