/**
 * Page verdict: whether a page that goes by is new, or another one than when it was shipped (001 §IV: "we should only
 * index changed and new pages"). Pure.
 *
 * The bytes decide where they are the same. Where they differ, an entity tag or a date of Last-Modified that is the
 * same says that the difference is none of the page's (a counter, a token), and an older one that a cache gave an old
 * copy. A page without either that differs each time it is asked for rests after it was shipped, until its Expires or
 * for a while: it would be shipped for each reader otherwise.
 */
import { headerOf, parseHttpDate } from '@comity/protocol'
import type { HeaderList, Instant } from '@comity/protocol'
import { hash } from 'node:crypto'
import { judgedFields } from './judged-fields.ts'
import { NO_TAG } from '../node/shipped-page-table.ts'
import type { ShippedPageRow } from '../node/shipped-page-table.ts'
import type { ObservedExchange } from '../http/observed-exchange.ts'

export const PAGE_VERDICTS = [
  'new',
  'changed',
  'same',
  /** Other bytes, but its entity tag or date says that it is the same. */
  'same-version',
  /** Older than what was shipped. */
  'older',
  /** Changed again so soon that it is not worth it yet. */
  'resting',
] as const
export type PageVerdict = (typeof PAGE_VERDICTS)[number]

/** What an answer says of its version; seconds, 0 for none. */
export interface PageVersion {
  /** Without its mark of weakness: a weak tag promises the same content, if not the same bytes (RFC 9110 §8.8.1). */
  readonly etag: string
  readonly lastModified: number
  readonly expires: number
}

export interface RestLimits {
  /** A page is shipped again no sooner than this. */
  readonly leastSeconds: number
  /** A page that differs each time, and has no version: no later than this. */
  readonly mostSeconds: number
}

export const restLimits: RestLimits = { leastSeconds: 60, mostSeconds: 3_600 }

export function versionOf(headers: HeaderList, at: Instant): PageVersion {
  const etag = headerOf(headers, 'etag')
  const lastModified = secondsOf(headerOf(headers, 'last-modified'), at)
  return {
    etag: etag === undefined ? NO_TAG : shortHash(etag.trim().replace(/^W\//, '')),
    // What says that it was changed in the future says nothing.
    lastModified: lastModified > at / 1_000 ? 0 : lastModified,
    expires: secondsOf(headerOf(headers, 'expires'), at),
  }
}

const secondsOf = (field: string | undefined, now: Instant): number =>
  field === undefined ? 0 : Math.max(0, Math.floor((parseHttpDate(field, now) ?? 0) / 1_000))

/** 16 hexadecimal digits, never those of `NO_TAG`. */
export function shortHash(text: string | Uint8Array): string {
  const digits = hash('sha256', text, 'hex').slice(0, 16)
  return digits === NO_TAG ? '0000000000000001' : digits
}

export function judgePage(
  known: ShippedPageRow | undefined,
  digest: string,
  version: PageVersion,
  at: Instant,
  rest: RestLimits = restLimits,
): PageVerdict {
  if (known === undefined) return 'new'
  if (known.digest === digest) return 'same'
  if (version.etag !== NO_TAG && version.etag === known.etag) return 'same-version'
  const hasDates = version.lastModified > 0 && known.lastModified > 0
  if (hasDates && version.lastModified < known.lastModified) return 'older'
  const hasNoTags = version.etag === NO_TAG || known.etag === NO_TAG
  if (hasDates && version.lastModified === known.lastModified && hasNoTags) return 'same-version'
  const isNewer = hasDates || (version.etag !== NO_TAG && known.etag !== NO_TAG)
  return at / 1_000 < restsUntil(known, isNewer, rest) ? 'resting' : 'changed'
}

function restsUntil(
  { shippedAt, expires }: ShippedPageRow,
  isNewer: boolean,
  { leastSeconds, mostSeconds }: RestLimits,
): number {
  const least = shippedAt + leastSeconds
  return isNewer ? least : Math.max(least, Math.min(expires, shippedAt + mostSeconds))
}

/** Whether an answer without a body (304, HEAD) speaks of the version that was shipped. Without a word of it, no. */
export function isSameVersion(known: ShippedPageRow, version: PageVersion): boolean {
  if (version.etag !== NO_TAG && known.etag !== NO_TAG) return version.etag === known.etag
  return version.lastModified > 0 && version.lastModified === known.lastModified
}

/** What was said last of the same content: its server may have been moved. */
export const newerOf = (known: PageVersion, { etag, lastModified, expires }: PageVersion): PageVersion => ({
  etag,
  lastModified: Math.max(known.lastModified, lastModified),
  expires,
})

/**
 * An answer as it came, and by which rules it is judged (`judgedBy` of the gate): whatever has the same is judged the same. `digest`: of
 * its body, in hexadecimal digits, where somebody knows it.
 */
export function codedOf(
  { response, body }: Pick<ObservedExchange, 'response' | 'body'>,
  judgedBy: string,
  digest?: string,
): string {
  const type = headerOf(response?.headers ?? [], 'content-type') ?? ''
  const of = digest === undefined ? hash('sha256', body, 'base64') : Buffer.from(digest, 'hex').toString('base64')
  return shortHash(`${judgedBy}\n${type}\n${judgedFields(response?.headers)}\n${of}`)
}
