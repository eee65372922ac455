/**
 * Back-off: when somebody who did not take what was sent is called again. Each failure in a row doubles the wait, and
 * chance spreads it, so that a hundred senders do not come back to a server at the moment it does. Retry-After is a floor:
 * whoever is called may lengthen the wait, never shorten it.
 */
import type { Instant } from '@comity/protocol'

interface BackOff {
  readonly firstMs: number
  readonly mostMs: number
  /** A receiver that asks for more is called after this; a slip of the pen must not silence a site for years. */
  readonly mostAskedMs: number
}

export const defaultBackOff: BackOff = { firstMs: 2_000, mostMs: 3_600_000, mostAskedMs: 30 * 86_400_000 }

/** `failures` in a row, this one among them; `random` is from 0 to 1; `askedAt` is what Retry-After came to. */
export function nextTryAt(
  failures: number,
  now: Instant,
  random: number,
  askedAt: Instant = now,
  { firstMs, mostMs, mostAskedMs }: BackOff = defaultBackOff,
): Instant {
  // Doubling a thousand times is no number any more.
  const fullMs = Math.min(mostMs, firstMs * 2 ** Math.min(Math.max(0, failures - 1), 40))
  // Half of it is certain: chance alone may come to nothing.
  const waitMs = Math.round(fullMs / 2 + (random * fullMs) / 2)
  return Math.max(now + waitMs, Math.min(askedAt, now + mostAskedMs))
}

/** A pause between deliveries for whoever said that there are too many: doubled by each such answer, halved by each other. */
export function nextPaceMs(paceMs: number, isAskedToSlow: boolean): number {
  if (isAskedToSlow) return Math.min(Math.max(2 * paceMs, SLOWEST.firstMs), SLOWEST.mostMs)
  return paceMs < SLOWEST.firstMs ? 0 : Math.floor(paceMs / 2)
}

const SLOWEST = { firstMs: 1_000, mostMs: 600_000 }
