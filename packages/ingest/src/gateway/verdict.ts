/**
 * GatewayVerdict: whether a version of a page that a gateway saw is newer than the one we hold. What is seen by several
 * gateways, and visited besides, comes late, doubled and in any order; of all versions the one that was there last counts.
 *
 * When a page passed is told by the gateway's clock, and when we visited it by ours: both are the operator's, unlike the
 * `Date` of a site. Gateways count whole seconds. Where two versions are of one instant the greater key wins, which says
 * nothing but is the same in every order; and before both what takes the page out: better lost until it passes again than found though
 * it is forbidden. Pure.
 */
import type { Instant } from '@comity/protocol'
import type { PageRow } from '@comity/collection'
import { isSameKey } from '../content-key.ts'

export type GatewayVerdict = 'same' | 'newer' | 'older'

export interface SeenVersion {
  /** Undefined for a page that is gone. */
  readonly key: Uint8Array | undefined
  readonly at: Instant
}

export function judgeSeen(held: PageRow | undefined, { key, at }: SeenVersion): GatewayVerdict {
  if (held === undefined || (held.body === undefined && !isGone(held))) return 'newer'
  const heldKey = isGone(held) ? undefined : held.contentKey
  if (key === undefined ? isGone(held) : isSameKey(heldKey, key)) return 'same'
  const heldAt = lastConfirmedAt(held)
  if (at !== heldAt) return at > heldAt ? 'newer' : 'older'
  if (key === undefined || heldKey === undefined) return key === undefined ? 'newer' : 'older'
  return Buffer.compare(key, heldKey) > 0 ? 'newer' : 'older'
}

/** When our copy was last known to be as the page is. A visit that came to nothing says nothing of it. */
export function lastConfirmedAt(row: PageRow): Instant {
  const isSound = row.outcome === 'ok' || row.outcome === 'not-modified' || isGone(row)
  return isSound ? row.visitedAt : (row.servedAt ?? row.changedAt ?? 0)
}

const isGone = ({ status }: PageRow): boolean => status === 404 || status === 410
