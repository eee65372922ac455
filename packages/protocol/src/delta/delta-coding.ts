/**
 * Delta coding (RFC 3229): a page as its difference from a version that the client has. Both sides, without a socket.
 *
 *   GET /page                              226 IM Used
 *   If-None-Match: "old"                   IM: vcdiff, gzip
 *   A-IM: vcdiff, gzip                     ETag: "new"
 *                                          Delta-Base: "old"
 *                                          Cache-Control: no-store, im
 *
 * Differences are of bytes without content coding, and tags must be strong, as a base has to be equal byte by byte. The
 * answer carries the Repr-Digest of the new version, since a delta put on a wrong base gives a wrong page
 * without complaint. `no-store` keeps caches that know nothing of 226 away, `im` lets those that do know it
 * store it all the same (§10.8.2).
 */
import { gzipSync } from 'node:zlib'
import { headerOf, type HeaderList } from '../capture.ts'
import { combinedField } from '../http/combined-field.ts'
import { decodeBody } from '../coding/content-coding.ts'
import { isWeak, parseEntityTag, parseEntityTags } from '../http/entity-tag.ts'
import { parseQualityList, qualityOf } from '../http/quality-list.ts'
import { checkUnencoded, writeDigestField } from '../archive/repr-digest.ts'
import { decodeVcdiff, type VcdiffFault } from './vcdiff-decoder.ts'
import { TOO_MUCH_WORK, type TooMuchWork } from '../work-budget.ts'
import { encodeVcdiff } from './vcdiff-encoder.ts'

/** What a client takes: which versions it has, and whether a delta may be compressed once more. */
export interface DeltaWish {
  /** Strong tags. */
  readonly bases: readonly string[]
  readonly mayGzip: boolean
}

/** What a request wishes; undefined when it wishes no delta that we can make. */
export function parseDeltaWish(request: HeaderList): DeltaWish | undefined {
  const wishes = parseQualityList(combinedField(request, 'a-im')).filter(({ name }) => name !== '*')
  if (qualityOf(wishes, 'vcdiff') === 0) return undefined
  const tags = parseEntityTags(combinedField(request, 'if-none-match') ?? '')
  if (tags === '*') return undefined
  const bases = tags.filter((tag) => !isWeak(tag))
  // Manipulations may be applied in the order they are listed in, and in no other (§10.5.3).
  const names = wishes.filter(({ quality }) => quality > 0).map(({ name }) => name)
  const mayGzip = names.indexOf('gzip') > names.indexOf('vcdiff')
  return bases.length === 0 ? undefined : { bases, mayGzip }
}

export interface DeltaInstance {
  readonly etag: string
  /** Without content coding. */
  readonly body: Uint8Array
}

export interface DeltaAnswer {
  readonly status: 226
  /** To be sent besides Date, Content-Type, Last-Modified and the like; replaces ETag and Cache-Control. */
  readonly headers: HeaderList
  readonly body: Uint8Array
  /** The tag of the version it is a difference from. */
  readonly base: string
}

export interface DeltaOptions {
  /** What the page would take otherwise, compressed maybe; a delta must be shorter. Default: the body's length. */
  readonly otherwiseBytes?: number
  /** For how long a base is kept: advice to the client (§10.8.1). */
  readonly retainSeconds?: number
}

/** The 226 for a wish; undefined when no base is known or nothing would be saved: then send 200. */
export function deltaAnswer(
  wish: DeltaWish,
  instance: DeltaInstance,
  baseOf: (etag: string) => Uint8Array | undefined,
  options: DeltaOptions = {},
): DeltaAnswer | undefined {
  if (isWeak(instance.etag)) return undefined
  for (const etag of wish.bases) {
    const base = baseOf(etag)
    if (base !== undefined) return answerFrom(etag, base, wish, instance, options)
  }
  return undefined
}

function answerFrom(
  base: string,
  baseBody: Uint8Array,
  wish: DeltaWish,
  { etag, body }: DeltaInstance,
  { otherwiseBytes = body.length, retainSeconds }: DeltaOptions,
): DeltaAnswer | undefined {
  const delta = encodeVcdiff(baseBody, body)
  const zipped = wish.mayGzip && delta.length > GZIP_FROM_BYTES ? gzipSync(delta) : delta
  const isZipped = zipped.length < delta.length
  const shortest = isZipped ? zipped : delta
  if (shortest.length >= otherwiseBytes) return undefined
  const retain = retainSeconds === undefined ? '' : `, retain=${Math.floor(retainSeconds)}`
  const headers: HeaderList = [
    ['IM', isZipped ? 'vcdiff, gzip' : 'vcdiff'],
    ['ETag', etag],
    ['Delta-Base', base],
    ['Cache-Control', `no-store, im${retain}`],
    ['Repr-Digest', writeDigestField(body)],
  ]
  return { status: 226, headers, body: shortest, base }
}

/** gzip's own head and tail take 18 bytes, and short deltas are addresses rather than words. */
const GZIP_FROM_BYTES = 150

/** What to send for a delta against one of these versions; nothing when no tag is strong, as none can be a base. */
export function deltaRequest(etags: readonly string[]): HeaderList {
  const bases = etags.filter((tag) => parseEntityTag(tag) !== undefined && !isWeak(tag))
  if (bases.length === 0) return []
  return [
    ['A-IM', 'vcdiff, gzip'],
    ['If-None-Match', bases.join(', ')],
  ]
}

export interface ReceivedDelta {
  readonly status: number
  readonly headers: HeaderList
  readonly body: Uint8Array
}

export type AppliedDelta =
  /** `isVerified` is false when the server gave no digest: the page is right only if base and server are. */
  | { readonly kind: 'ok'; readonly body: Uint8Array; readonly etag: string; readonly isVerified: boolean }
  | { readonly kind: DeltaFault; readonly reason?: VcdiffFault | 'corrupt' | 'truncated' }

/** Whatever it is, the way out is the same: ask again without A-IM. */
export type DeltaFault =
  | 'not-a-delta'
  /** IM is missing or names what was not asked for: a proxy may have taken it away. */
  | 'unknown-manipulation'
  /** A content coding is on top of it, which nobody asked for. */
  | 'unexpected-coding'
  | 'no-etag'
  /** It is a difference from a version that was not offered, or does not say from which of several. */
  | 'unknown-base'
  | 'too-large'
  | TooMuchWork
  | 'bad-delta'
  /** Applied, but not to what the server has. */
  | 'digest-differs'

/** The new version out of a 226 and the versions offered in `deltaRequest`. Never throws. */
export function applyDelta(
  answer: ReceivedDelta,
  offered: ReadonlyMap<string, Uint8Array>,
  limits: { readonly maxBytes: number },
): AppliedDelta {
  const { headers } = answer
  if (answer.status !== 226) return { kind: 'not-a-delta' }
  const manipulations = parseQualityList(combinedField(headers, 'im')).map(({ name }) => name)
  if (!['vcdiff', 'vcdiff,gzip'].includes(manipulations.join(','))) return { kind: 'unknown-manipulation' }
  const coding = headerOf(headers, 'content-encoding')?.trim().toLowerCase() ?? 'identity'
  if (coding !== 'identity') return { kind: 'unexpected-coding' }
  const etag = parseEntityTag(headerOf(headers, 'etag') ?? '')
  if (etag === undefined) return { kind: 'no-etag' }
  const base = baseFor(headers, offered)
  if (base === undefined) return { kind: 'unknown-base' }
  const delta = decodeBody(answer.body, manipulations.includes('gzip') ? 'gzip' : undefined, {
    maxBytes: limits.maxBytes + MAX_OVERHEAD_BYTES,
  })
  if (delta.kind === 'too-large') return { kind: 'too-large' }
  if (delta.kind !== 'ok') return { kind: 'bad-delta', reason: delta.kind === 'truncated' ? 'truncated' : 'corrupt' }
  const decoded = decodeVcdiff(base, delta.body, limits)
  if (decoded.kind === 'too-large' || decoded.kind === TOO_MUCH_WORK) return { kind: decoded.kind }
  if (decoded.kind !== 'ok') return { kind: 'bad-delta', reason: decoded.kind }
  const digest = checkUnencoded(headers, decoded.body)
  if (digest === 'differs') return { kind: 'digest-differs' }
  return { kind: 'ok', body: decoded.body, etag, isVerified: digest === 'match' }
}

/** A sane delta is not much longer than what it makes. */
const MAX_OVERHEAD_BYTES = 1_024

/** Delta-Base may be left out when one version only was offered (§10.5.1). */
function baseFor(headers: HeaderList, offered: ReadonlyMap<string, Uint8Array>): Uint8Array | undefined {
  const named = headerOf(headers, 'delta-base')?.trim()
  if (named !== undefined) return offered.get(named)
  return offered.size === 1 ? [...offered.values()][0] : undefined
}
