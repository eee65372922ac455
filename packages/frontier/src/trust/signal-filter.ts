/**
 * Signal filter: does this signal say anything we do not know?
 *
 *   known      its digest is that of the copy we hold
 *   late       it tells of a change from before our last visit, or comes so soon after it that it must
 *   repeated   another channel, or the same one again, has told of this change already
 *   counted    news
 *
 * One change often comes as a sitemap entry, a feed item and a notification within minutes; counted three times it would
 * look three times as sure. So signals about one version (same digest or instant), or within ten minutes, are one event.
 */
import type { Instant, Signal } from '@comity/protocol'

/** A signal without an instant this soon after a visit is about what that visit saw. */
const LATE_MS = 600_000
const SAME_EVENT_MS = 600_000
/** A clock that is ahead by more than this is not to be compared with. */
const CLOCK_AHEAD_MS = 86_400_000

export type SignalVerdict = 'known' | 'late' | 'repeated' | 'counted'

/** What is remembered of a page for this. Marks are 32 bits; 0 is none. */
export interface HeardBefore {
  readonly visitedAt: Instant
  /** Mark of the digest of our copy. */
  readonly ourMark: number
  /** When the last event was heard of; `-Infinity` when there was none since the last visit. */
  readonly lastEventAt: Instant
  /** Mark of its version. */
  readonly lastMark: number
}

export function judgeSignal(
  signal: Pick<Signal, 'changedAt' | 'digest'>,
  before: HeardBefore,
  now: Instant,
): SignalVerdict {
  const changedAt = believableInstant(signal.changedAt, now)
  if (signal.digest !== undefined && markOf(signal.digest) === before.ourMark) return 'known'
  // Another digest than ours is news whatever its date says: our visit may have been answered from a stale cache.
  const isDifferent = signal.digest !== undefined && before.ourMark !== 0
  if (!isDifferent && changedAt !== undefined && changedAt <= before.visitedAt) return 'late'
  if (!isDifferent && changedAt === undefined && now - before.visitedAt < LATE_MS) return 'late'
  if (before.lastEventAt === -Infinity) return 'counted'
  const mark = versionMark(signal, now)
  if (mark !== 0 && mark === before.lastMark) return 'repeated'
  return now - before.lastEventAt < SAME_EVENT_MS ? 'repeated' : 'counted'
}

/** What tells one version of a page from another, as far as a signal says; 0 when it does not. */
export function versionMark(signal: Pick<Signal, 'changedAt' | 'digest'>, now: Instant): number {
  if (signal.digest !== undefined) return markOf(signal.digest)
  const changedAt = believableInstant(signal.changedAt, now)
  return changedAt === undefined ? 0 : markOf(String(Math.floor(changedAt / 1000)))
}

/** 32 bits of a text, never 0 (FNV-1a). Two versions share them once in four thousand million: an audit's business. */
export function markOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0 || 1
}

function believableInstant(instant: Instant | undefined, now: Instant): Instant | undefined {
  return instant === undefined || !Number.isFinite(instant) || instant > now + CLOCK_AHEAD_MS ? undefined : instant
}
