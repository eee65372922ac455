/**
 * Push look: what a page that was sent, and was then fetched to be compared, says of who sent it. Pure.
 *
 *   the same page                                                                         ──▶ same
 *   an answer that a cache made before the page was as it was sent (RFC 9111)             ──▶ stale: look when it has expired
 *   neither a page nor that there is none (401, 403 …)                                    ──▶ refused: look again
 *   another page: one of before, or older by its `Last-Modified` than what was sent       ──▶ different
 *                 another one at each visit, of the kind that was sent                    ──▶ restless
 *                 one that may be newer than what was sent, and is like it                ──▶ edited
 *                 the same, and nothing like it, or gone                                  ──▶ rewritten
 *
 * All instants are the site's own, so that clocks need not agree with ours.
 */
import { hammingDistance, headerOf, parseHttpDate } from '@comity/protocol'
import type { HeaderList, Instant } from '@comity/protocol'
import type { PageRow } from '@comity/collection'
import { isSameKey } from '@comity/ingest'
import type { PushFinding } from './push-record.ts'

/** A version of a page. */
interface PageVersion {
  /** Undefined for a page that is gone. */
  readonly key: Uint8Array | undefined
  readonly simhash?: PageRow['simhash']
}

/** A page as it was sent. */
export interface SentClaim extends PageVersion {
  readonly asOf: Instant | undefined
  /** What it was before, as far as we know; and what was found of it while it was sent otherwise. */
  readonly known: readonly PageVersion[]
}

/** A page as it was served. */
export interface PageLook extends PageVersion {
  readonly status: number
  /** When the answer was made; a cache may have held it since. */
  readonly madeAt: Instant | undefined
  readonly ageMs: number
  readonly maxAgeMs: number | undefined
  readonly modifiedAt: Instant | undefined
}

const SECOND = 1_000

export function pageLookOf(
  { status, contentKey, simhash, servedAt }: PageRow,
  headers: HeaderList,
  now: Instant,
): PageLook {
  const isThere = status < 400
  const field = (name: string): string => headerOf(headers, name) ?? ''
  return {
    status,
    key: isThere ? contentKey : undefined,
    simhash: isThere ? simhash : undefined,
    madeAt: servedAt,
    ageMs: Number(/^\s*(\d{1,9})\s*$/.exec(field('age'))?.[1] ?? 0) * SECOND,
    maxAgeMs: maxAgeOf(field('cache-control')),
    modifiedAt: isThere ? parseHttpDate(field('last-modified'), now) : undefined,
  }
}

/** Of a cache that others share, `s-maxage` comes first (RFC 9111 §5.2.2.10). */
function maxAgeOf(cacheControl: string): number | undefined {
  const seconds =
    /(?:^|[\s,])s-maxage="?(\d{1,9})/i.exec(cacheControl)?.[1] ??
    /(?:^|[\s,])max-age="?(\d{1,9})/i.exec(cacheControl)?.[1]
  return seconds === undefined ? undefined : Number(seconds) * SECOND
}

export function judgeUnfetched(sent: SentClaim, look: PageLook): 'same' | 'stale' | 'refused' | 'other' {
  if (look.status >= 400 && look.status !== 404 && look.status !== 410) return 'refused'
  if (isSameVersion(sent.key, look.key)) return 'same'
  return isMadeBefore(look, sent.asOf) ? 'stale' : 'other'
}

/**
 * `Date` has whole seconds: within the second nobody can tell, and a copy is thought to be the older. What was sent is of before
 * it was looked at, also by the server's clock: who says that it is of tomorrow would not be looked at until then.
 */
const isMadeBefore = ({ madeAt, ageMs }: PageLook, asOf: Instant | undefined): boolean =>
  madeAt !== undefined &&
  asOf !== undefined &&
  madeAt + (ageMs > 0 ? 0 : SECOND) <= asOf &&
  asOf <= madeAt + ageMs + CLOCKS_APART

/** How far the clock by which a site sends may be ahead of the one by which it answers. */
const CLOCKS_APART = 120 * SECOND

/** How long until no cache may serve what was made before the page was as it was sent, whichever of them answers. */
export function staleForMs({ asOf = 0 }: SentClaim, { madeAt = 0, ageMs, maxAgeMs = 0 }: PageLook): number {
  return Math.max(0, asOf + SECOND + maxAgeMs - (madeAt + ageMs))
}

/** Worth a second look: a cache that does not say how old its copy is, or a page that may be another at each visit. */
export const isWorthAnother = (sent: SentClaim, look: PageLook): boolean =>
  (look.maxAgeMs ?? 0) + look.ageMs > 0 || (look.key !== undefined && !isKnown(sent, look) && isPerhapsNear(sent, look))

const isKnown = ({ known }: SentClaim, { key }: PageLook): boolean => known.some((one) => isSameVersion(one.key, key))

/** Of some pages no text is known. */
const isPerhapsNear = (sent: SentClaim, look: PageLook): boolean => (distance(sent, look) ?? 0) <= MOST_UNREST + NEAR

/** `again`: what another look found, where there was one. */
export function findingOf(sent: SentClaim, look: PageLook, again?: PageLook): PushFinding {
  const isOther = again !== undefined && !isSameVersion(look.key, again.key)
  // A copy in a cache is the same at each visit.
  if (!isOther) return explanationOf(sent, look, again !== undefined && look.ageMs === 0)
  // Of its kind, though both were edited in between.
  if (isNear(sent, again, 0)) return 'restless'
  const unrest = distance(look, again) ?? Infinity
  // Another page by now: a copy had expired, or it is edited all the time.
  if (unrest > MOST_UNREST) {
    const first = explanationOf(sent, look, true)
    return first === 'different' ? explanationOf(sent, again, true) : first
  }
  if (isNear(sent, look, unrest)) return 'restless'
  return sent.known.some((one) => isNear(one, look, unrest)) ? 'different' : explanationOf(sent, look, true)
}

/** `isCertain`: it was seen twice. */
function explanationOf(sent: SentClaim, look: PageLook, isCertain: boolean): 'different' | 'edited' | 'rewritten' {
  const [{ asOf, known }, { key, modifiedAt }] = [sent, look]
  // To be gone, a page has to have been there.
  if (key === undefined) return known.some((one) => one.key !== undefined) ? 'rewritten' : 'different'
  if (isKnown(sent, look)) return 'different'
  // It may be one that differs at each visit.
  if (!isCertain && isNear(sent, look, 0)) return 'edited'
  // Who does not say when a page changed may have changed it, if it is another one than we knew.
  const isUnsaid = modifiedAt === undefined || asOf === undefined
  // Within the second it is thought to be the very change that was sent otherwise.
  if (isUnsaid ? known.length === 0 : modifiedAt <= asOf) return 'different'
  return isOfItsKind(sent, look) ? 'edited' : 'rewritten'
}

/**
 * An edit leaves most of a page as it was: of 6,786 edits of OpenBSD's pages 95 in a hundred moved it by no more than this. Pages
 * of a few words have no simhash.
 */
const isOfItsKind = (sent: PageVersion, look: PageVersion): boolean =>
  sent.simhash === look.simhash || isNear(sent, look, MOST_UNREST)

/** Bits of the simhash in which two visits of one page differ, when it is a date or a counter that does. */
const MOST_UNREST = 12
/** As near as copies are (`html/simhash.ts`). */
const NEAR = 3

const isNear = (one: PageVersion, look: PageVersion, unrest: number): boolean =>
  (distance(one, look) ?? Infinity) <= unrest + NEAR

const distance = (one: PageVersion, other: PageVersion): number | undefined =>
  one.simhash === undefined || other.simhash === undefined ? undefined : hammingDistance(one.simhash, other.simhash)

export const isSameVersion = (one: PageVersion['key'], other: PageVersion['key']): boolean =>
  one === undefined || other === undefined ? one === other : isSameKey(one, other)
