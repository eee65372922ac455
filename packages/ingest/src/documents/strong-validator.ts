/**
 * Strong validators: what tells two versions of a document apart for certain (RFC 9110 §8.8.1).
 *
 * A `Last-Modified` counts whole seconds. Of a document that was asked for within the second in which it changed nobody
 * knows whether it changed once more in that second: both versions have the same date, and to whoever asks for what is newer
 * than it the server says that nothing is. So it is strong only when the answer was made a second later (§8.8.2.2).
 */
import { headerOf } from '@comity/protocol'
import type { HeaderList, Instant } from '@comity/protocol'
import { servedAtOf } from '../push-verdict.ts'

const SECOND = 1_000
/** Where a server has no clock of its own, ours has to do (§6.6.1), and the two may differ. */
const CLOCKS_DIFFER_MS = 60_000

/** `servedAt`: by the server's clock, its `Date`. `receivedAt`: by ours. */
export function isStrongDate(lastModified: string, servedAt: Instant | undefined, receivedAt: Instant): boolean {
  const modifiedAt = Date.parse(lastModified)
  return modifiedAt + SECOND <= (servedAt ?? receivedAt - CLOCKS_DIFFER_MS)
}

/** Whoever has a part of a file knows by it that another part is of the same (RFC 9110 §13.1.5). */
export function strongValidator(headers: HeaderList, receivedAt: Instant): string | undefined {
  const [etag, lastModified] = [headerOf(headers, 'etag'), headerOf(headers, 'last-modified')]
  if (etag !== undefined && etag.length <= 200) return etag.startsWith('W/') ? undefined : etag
  if (lastModified === undefined || lastModified.length > 100) return undefined
  return isStrongDate(lastModified, servedAtOf(headerOf(headers, 'date')), receivedAt) ? lastModified : undefined
}
