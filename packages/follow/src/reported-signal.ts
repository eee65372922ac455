/** Reported signal: what a site says of a page that is held, as a signal; and whether it is another version than ours. */
import { judgeSignal, markOf } from '@comity/frontier'
import type { Instant, Signal, SignalChannel } from '@comity/protocol'
import type { PageRow } from '@comity/collection'
import type { ReportedPage } from './offer-poll.ts'

/** A date that a page has only because it was answered just then is no date of its content. */
const OWN_DATE_MS = 60_000

/** Undefined when it names the page and says nothing of it. */
export function signalOfReport(
  url: string,
  channel: SignalChannel,
  told: ReportedPage,
  held: Pick<PageRow, 'lastModified' | 'visitedAt'> | undefined,
): Signal | undefined {
  const { change, digest } = told
  if (told.changedAt === undefined && digest === undefined && change !== 'deleted') return undefined
  const changedAt = isPutBack(told, held) ? undefined : told.changedAt
  return { url, change, channel, changedAt, digest }
}

/** Put back from a backup: listed after we were there, with an older date than that of our copy. */
function isPutBack(
  { modifiedAt, digest, listedAfter }: ReportedPage,
  held: Pick<PageRow, 'lastModified' | 'visitedAt'> | undefined,
): boolean {
  if (listedAfter === undefined || modifiedAt === undefined || digest !== undefined) return false
  if (held?.lastModified === undefined || held.visitedAt > listedAfter) return false
  const ours = Date.parse(held.lastModified)
  return modifiedAt < ours - 1_000 && ours < held.visitedAt - OWN_DATE_MS
}

/** Whether a signal is news of a page that nothing was heard of since it was visited. */
export function isNewsOf(
  { visitedAt, contentKey }: Pick<PageRow, 'visitedAt' | 'contentKey'>,
  signal: Pick<Signal, 'changedAt' | 'digest'>,
  now: Instant,
): boolean {
  const ours = keptDigest(contentKey)
  const before = {
    visitedAt,
    ourMark: ours === undefined ? 0 : markOf(ours),
    lastEventAt: -Infinity,
    lastMark: 0,
  }
  return judgeSignal({ ...signal, digest: shortDigest(signal.digest) }, before, now) === 'counted'
}

const SHORT_HEX = 32

/** Digests are compared by the part of them that is kept with a page. */
export function shortDigest(digest: string | undefined): string | undefined {
  return /^sha-256:[0-9a-f]{64}$/i.test(digest ?? '') ? digest!.slice(0, 8 + SHORT_HEX).toLowerCase() : undefined
}

export function keptDigest(contentKey: Uint8Array | undefined): string | undefined {
  return contentKey === undefined ? undefined : `sha-256:${Buffer.from(contentKey).toString('hex')}`
}
