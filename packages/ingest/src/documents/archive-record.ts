/**
 * Archive record: what a record of somebody's WARC file means to a collection. Pure: a record in; an answer, a revisit,
 * or the reason why it is neither out.
 *
 * What a server answered to a question about a web page becomes a capture, and a page that was archived without an answer.
 * Requests, notes about the archive and name look-ups are counted, so that every record of a file is accounted for.
 */
import {
  canonicalUrl,
  entityBody,
  parseHttpBlock,
  resourceTypeOf,
  responseHead,
  warcMessage,
  warcDate,
  warcField,
  warcTarget,
  warcType,
} from '@comity/protocol'
import type { HeaderList, Instant, UrlRules, WarcRecord } from '@comity/protocol'
import type { Truncation } from '../exchange.ts'

/** What every record that counts says. */
interface Observed {
  readonly url: string
  readonly at: Instant
  /** A bare UUID; undefined when the record is named in another way. */
  readonly recordId: string | undefined
  readonly ip: string | undefined
}

/** What a server answered, whole enough to be read. */
export interface ArchivedAnswer extends Observed {
  readonly kind: 'answer'
  readonly status: number
  readonly headers: HeaderList
  /** As the archive has it, but for a transfer coding that is off now. */
  readonly httpHead: Uint8Array
  /** There was no HTTP answer: the page alone was archived, as one of this type. */
  readonly resourceType?: string | undefined
  /** Transfer codings off, content codings on. */
  readonly body: Uint8Array
  readonly truncated: Truncation | undefined
}

/** The same content as another record's (ISO 28500:2017 §6.7), or a 304: nothing has changed. */
export interface ArchivedRevisit extends Observed {
  readonly kind: 'revisit'
  readonly isNotModified: boolean
  /** The head of this answer; undefined when the archive has kept none. */
  readonly head: { readonly status: number; readonly headers: HeaderList; readonly bytes: Uint8Array } | undefined
  readonly resourceType?: string | undefined
  readonly digest: string | undefined
  readonly refersTo: { readonly url: string; readonly at: Instant } | undefined
}

interface SkippedRecord {
  readonly kind: 'skipped'
  readonly reason: SkipReason
}

export type Archived = ArchivedAnswer | ArchivedRevisit | SkippedRecord

/** One table: what `skipped` of a summary can hold besides the problems of the WARC reader. */
export const SKIP_REASONS = {
  request: 'what was asked; the answer says the rest',
  warcinfo: 'a note about the archive',
  metadata: 'a note about another record',
  resource: 'a file that is no page of the Web',
  conversion: 'made from another record',
  continuation: 'a part of a record in several parts',
  segmented: 'the first of several parts: not whole',
  'other-type': 'a kind of record that nobody has defined',
  dns: 'a name that was looked up',
  robots: 'a robots.txt: rules of that day, not of today',
  'not-http': 'not asked over HTTP',
  'bad-url': 'its URL cannot be read or is too long',
  'bad-date': 'its date is missing, cannot be read, or is in the future',
  'bad-http': 'its block does not begin with an HTTP status',
  known: 'this page at this moment is in the collection',
  forgotten: 'its page or site was forgotten, and stays out',
  'no-room': 'its site has as many pages as one may have',
  fault: 'a fault of ours while it was worked on: kept aside as a dead letter',
  'revisit-without-original': 'what it repeats is neither in these archives nor in the collection',
} as const
export type SkipReason = keyof typeof SKIP_REASONS

/** Clocks of archiving machines go wrong by minutes; a date past that would be the newest capture for years. */
const MAX_AHEAD_MS = 86_400_000

const BY_TYPE: ReadonlySet<string> = new Set<SkipReason>([
  'request',
  'warcinfo',
  'metadata',
  'conversion',
  'continuation',
])

const PAGES: ReadonlySet<string> = new Set(['response', 'resource', 'revisit'])

export function archivedOf(record: WarcRecord, now: Instant, rules: UrlRules): Archived {
  const type = warcType(record) ?? ''
  const target = warcTarget(record) ?? ''
  if (!PAGES.has(type)) return skipped(isReason(type) ? type : 'other-type')
  if (/^dns:/i.test(target)) return skipped('dns')
  if (!/^https?:/i.test(target)) return skipped(type === 'resource' ? type : 'not-http')
  if (warcField(record, 'WARC-Segment-Number') !== undefined) return skipped('segmented')
  const url = canonicalUrl(target, undefined, rules)
  if (url === undefined) return skipped('bad-url')
  const at = warcDate(record)
  if (at === undefined || at < 0 || at > now + MAX_AHEAD_MS) return skipped('bad-date')
  if (new URL(url).pathname === '/robots.txt') return skipped('robots')
  const observed = { url, at, recordId: uuidOf(record), ip: warcField(record, 'WARC-IP-Address')?.slice(0, 100) }
  if (type === 'revisit') return revisitOf(record, observed, rules)
  return type === 'response' ? answerOf(record, observed) : resourceOf(record, observed)
}

function answerOf(record: WarcRecord, observed: Observed): Archived {
  const http = parseHttpBlock(record.block)
  const { status, headers } = http
  if (status === undefined) return skipped('bad-http')
  const bytes = record.block.subarray(0, record.block.length - http.body.length)
  // Archives hold the answers to a crawler's conditional requests as responses too.
  if (status === 304) {
    const head = { status, headers, bytes }
    return { kind: 'revisit', ...observed, isNotModified: true, head, digest: undefined, refersTo: undefined }
  }
  const body = entityBody(http)
  const isAsSent = body === http.body
  const statusText = /^\S+ +\d{3} ?(.*)$/.exec(http.startLine)?.[1] ?? ''
  const httpHead = isAsSent ? bytes : responseHead({ status, statusText, headers })
  return { kind: 'answer', ...observed, status, headers, httpHead, body, truncated: truncationOf(record) }
}

/** Nobody said a status: it was there, so it is 200. */
function resourceOf(record: WarcRecord, observed: Observed): Archived {
  const { headers, body, resourceType } = warcMessage(record)
  const httpHead = new Uint8Array(0)
  const truncated = truncationOf(record)
  return { kind: 'answer', ...observed, status: 200, headers, httpHead, body, truncated, resourceType }
}

function revisitOf(record: WarcRecord, observed: Observed, rules: UrlRules): Archived {
  const { status, headers, body } = parseHttpBlock(record.block)
  const bytes = record.block.subarray(0, record.block.length - body.length)
  const head = status === undefined ? undefined : { status, headers, bytes }
  const profile = warcField(record, 'WARC-Profile') ?? ''
  const url = canonicalUrl(warcField(record, 'WARC-Refers-To-Target-URI') ?? '', undefined, rules)
  const at = Date.parse(warcField(record, 'WARC-Refers-To-Date') ?? '')
  return {
    kind: 'revisit',
    ...observed,
    resourceType: resourceTypeOf(record),
    isNotModified: /server-not-modified$/i.test(profile) || status === 304,
    head,
    digest: warcField(record, 'WARC-Payload-Digest')?.slice(0, 200),
    refersTo: url === undefined || Number.isNaN(at) ? undefined : { url, at },
  }
}

/** §5.13. A reason that nobody gave still means that the body is not whole. */
function truncationOf(record: WarcRecord): Truncation | undefined {
  const reason = warcField(record, 'WARC-Truncated')?.toLowerCase()
  if (reason === undefined) return undefined
  return reason === 'length' || reason === 'time' ? reason : 'disconnect'
}

function uuidOf(record: WarcRecord): string | undefined {
  const id = warcField(record, 'WARC-Record-ID') ?? ''
  return /^<?urn:uuid:([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})>?$/i.exec(id)?.[1]
}

const isReason = (type: string): type is SkipReason => BY_TYPE.has(type)
const skipped = (reason: SkipReason): SkippedRecord => ({ kind: 'skipped', reason })
