/**
 * Conditional requests (RFC 9110 §13): must the page be sent, or is what the client has still good?
 *
 * Conditions are looked at in the order of §13.2.2, and tags go before dates. A condition that cannot be read is
 * ignored where that only costs bytes, and fails where it was meant to protect something.
 */
import type { HeaderList } from '../capture.ts'
import { combinedField } from './combined-field.ts'
import { matchesStrongly, matchesWeakly, parseEntityTag, parseEntityTags } from './entity-tag.ts'
import { parseHttpDate } from './http-date.ts'
import type { Instant } from '../instant.ts'

/** What the page is now; undefined where it is unknown. */
export interface Validators {
  /** As sent in ETag. */
  readonly etag?: string | undefined
  readonly lastModified?: Instant | undefined
}

export interface ConditionalRequest {
  readonly method: string
  readonly headers: HeaderList
}

export type ConditionVerdict = 'proceed' | 'not-modified' | 'precondition-failed'

/**
 * What follows from the request's conditions. `current` is undefined when there is no page. Ask only when the answer
 * would be 200 otherwise: a redirect or an error goes out whatever the conditions (§13.2.1).
 */
export function evaluateConditions(
  request: ConditionalRequest,
  current: Validators | undefined,
  now: Instant,
): ConditionVerdict {
  const { method, headers } = request
  if (METHODS_WITHOUT.has(method)) return 'proceed'
  const isRead = method === 'GET' || method === 'HEAD'
  if (!mayProceed(headers, current, now)) return 'precondition-failed'
  const noneMatch = combinedField(headers, 'if-none-match')
  if (noneMatch !== undefined) {
    if (!isListed(noneMatch, current, matchesWeakly)) return 'proceed'
    return isRead ? 'not-modified' : 'precondition-failed'
  }
  return isRead && isUnchangedSince(headers, current, now) ? 'not-modified' : 'proceed'
}

/** They select or change no page (§13.2.1). */
const METHODS_WITHOUT: ReadonlySet<string> = new Set(['CONNECT', 'OPTIONS', 'TRACE'])

/** If-Match, or else If-Unmodified-Since: both guard a change against changes by others. */
function mayProceed(headers: HeaderList, current: Validators | undefined, now: Instant): boolean {
  const match = combinedField(headers, 'if-match')
  if (match !== undefined) return isListed(match, current, matchesStrongly)
  const since = dateOf(headers, 'if-unmodified-since', now)
  const changed = current?.lastModified
  return since === undefined || changed === undefined || wholeSeconds(changed) <= since
}

function isListed(field: string, current: Validators | undefined, matches: (a: string, b: string) => boolean): boolean {
  if (current === undefined) return false
  const listed = parseEntityTags(field)
  if (listed === '*') return true
  const { etag } = current
  return etag !== undefined && listed.some((tag) => matches(tag, etag))
}

function isUnchangedSince(headers: HeaderList, current: Validators | undefined, now: Instant): boolean {
  const since = dateOf(headers, 'if-modified-since', now)
  const changed = current?.lastModified
  return since !== undefined && changed !== undefined && wholeSeconds(changed) <= since
}

/**
 * May the part that Range asks for be sent, or must it be the whole (If-Range, §13.1.5)? True without If-Range. A date
 * counts only when it is exactly ours and a second old: until then the page may change twice within it (§8.8.2.2).
 */
export function mayServeRange(headers: HeaderList, current: Validators, now: Instant): boolean {
  const field = combinedField(headers, 'if-range')
  if (field === undefined) return true
  const tag = parseEntityTag(field)
  if (tag !== undefined) return current.etag !== undefined && matchesStrongly(tag, current.etag)
  const date = parseHttpDate(field, now)
  const changed = current.lastModified
  if (date === undefined || changed === undefined) return false
  return wholeSeconds(changed) === date && changed + 1_000 <= now
}

const dateOf = (headers: HeaderList, name: string, now: Instant): Instant | undefined =>
  parseHttpDate(combinedField(headers, name) ?? '', now)

/** Last-Modified was sent in seconds, and comes back so. */
const wholeSeconds = (at: Instant): Instant => Math.floor(at / 1_000) * 1_000
