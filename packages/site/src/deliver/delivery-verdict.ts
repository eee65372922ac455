/**
 * Delivery verdict: what an answer says about what was sent, and so what follows. Pure.
 *
 * Two kinds of refusal are told apart. One is of this content (400, 413, 415, 422 …): sending it again gains nothing, so it
 * is cut smaller and in the end set aside as a dead letter. The other is of the endpoint (401, 403, 404, 5xx …): a key that is
 * being changed or a server that is being mended; nothing that waits may be lost for it, so it is tried again.
 */
import type { Subscriber } from '../hub/subscriber.ts'

export type DeliveryVerdict =
  | 'delivered'
  /** The subscriber says that it is none any more (WebSub §7). */
  | 'ended'
  /** Too large: send less at a time. */
  | 'halve'
  /** It cannot take packed content (RFC 9110 §15.5.16). */
  | 'unpack'
  /** It does not hold what differences were made from. */
  | 'whole'
  /** Something in it is not taken, and will not be. */
  | 'refused'
  /** Too much, or too often. */
  | 'slower'
  | 'later'

export interface Sent {
  readonly by: Subscriber['by']
  /** A content coding was on. */
  readonly isPacked: boolean
  readonly hasDifferences: boolean
}

export function deliveryVerdict(status: number, { by, isPacked, hasDifferences }: Sent): DeliveryVerdict {
  if (status >= 200 && status < 300) return 'delivered'
  if (status === 410 && by === 'websub') return 'ended'
  if (status === 413) return 'halve'
  if (status === 415 && isPacked) return 'unpack'
  if ((status === 409 || status === 412) && hasDifferences) return 'whole'
  if (status === 429 || status === 503) return 'slower'
  return OF_CONTENT.has(status) ? 'refused' : 'later'
}

const OF_CONTENT: ReadonlySet<number> = new Set([400, 406, 411, 415, 417, 422])
