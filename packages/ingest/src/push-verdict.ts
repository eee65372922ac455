/**
 * PushVerdict: whether a version of a page that its site sent is newer than the one we hold.
 *
 * What is sent may be late, doubled or out of order, and the page may have been visited meanwhile. Both versions have an
 * instant by the site's own clock: what is sent says as of when it was right, and the `Date` of our last visit is kept with the
 * page (`servedAt`), so our clocks need not agree. HTTP's dates count whole seconds: within the second nobody can tell, nor
 * where a server has no clock. Then a visit tells.
 */
import type { Instant } from '@comity/protocol'
import type { PageRow } from '@comity/collection'
import { isSameKey } from './content-key.ts'

export type PushVerdict = 'same' | 'newer' | 'older' | 'unsure'

export interface PushedVersion {
  /** Undefined for a page that is said to be gone. */
  readonly key: Uint8Array | undefined
  /** By the site's clock: the page was this at that time. Undefined when it was not said. */
  readonly asOf: Instant | undefined
}

export function judgePush(held: PageRow | undefined, { key, asOf }: PushedVersion): PushVerdict {
  const isGone = held !== undefined && held.status >= 400
  if (held === undefined || (held.body === undefined && !isGone)) return 'newer'
  if (key === undefined ? isGone : !isGone && isSameKey(held.contentKey, key)) return 'same'
  const { servedAt } = held
  if (asOf === undefined || servedAt === undefined) return 'unsure'
  if (asOf < servedAt) return 'older'
  return asOf > servedAt + (isWholeSecond(servedAt) ? SECOND - 1 : 0) ? 'newer' : 'unsure'
}

/**
 * When a page changed, such that it can be compared with our visit of it: later when the site's own clock says so, and not
 * when it does not, whatever ours says.
 */
export function comparableChange(held: Pick<PageRow, 'servedAt' | 'visitedAt'>, changedAt: Instant): Instant {
  const { servedAt, visitedAt } = held
  if (servedAt === undefined) return changedAt
  const isLater = changedAt > servedAt || (changedAt === servedAt && isWholeSecond(servedAt))
  return isLater ? Math.max(changedAt, visitedAt + 1) : Math.min(changedAt, visitedAt)
}

const SECOND = 1_000

/** An instant out of a `Date`: it may have been any moment of that second. */
const isWholeSecond = (instant: Instant): boolean => instant % SECOND === 0

/** By the site's clock, when an answer was made. */
export function servedAtOf(date: string | undefined): Instant | undefined {
  const served = date === undefined ? NaN : Date.parse(date)
  return Number.isNaN(served) ? undefined : served
}
