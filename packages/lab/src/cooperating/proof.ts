/**
 * Who sent it? As the receiver finds out: by the HMAC of a subscription's secret (WebSub §7.1), by a signature with a key
 * that the site publishes (RFC 9421), or by a key that stands in a file on the site (IndexNow).
 */
import type { KeyObject } from 'node:crypto'
import { checkHubSignature, headerOf, parseIndexNow, PUSH_TAG, verifyMessage } from '@comity/protocol'
import type { HeaderList, Instant } from '@comity/protocol'
import type { Subscriber } from '@comity/site'

/** A request as it came. */
export interface SentMessage {
  readonly method: string
  /** Absolute. */
  readonly url: string
  readonly headers: HeaderList
  readonly body: Uint8Array
}

/** What is known of the sender. */
export interface PushProof {
  readonly secret: string
  readonly indexNowKey: string
  readonly keyOf: (keyId: string) => KeyObject | undefined
}

/** As the receiver has them. */
const SKEW_MS = 60_000
const MUST_COVER = ['@method', '@target-uri', 'content-digest', 'content-type']

/** Why it is not believed; undefined when it is. */
export function refusalOf(
  by: Subscriber['by'],
  message: SentMessage,
  { secret, indexNowKey, keyOf }: PushProof,
  at: Instant,
): string | undefined {
  const { headers, body, method, url } = message
  if (by === 'websub') {
    const verdict = checkHubSignature(secret, headerOf(headers, 'x-hub-signature'), body)
    return verdict === 'good' ? undefined : `its HMAC is ${verdict}`
  }
  if (by === 'push') {
    const terms = { keyOf, at, skewMs: SKEW_MS, mustCover: MUST_COVER, tag: PUSH_TAG, body }
    const verdict = verifyMessage(message, terms)
    return verdict.kind === 'valid' ? undefined : `its signature is ${verdict.kind}`
  }
  const read = parseIndexNow(method, new URL(url).search.slice(1), headerOf(headers, 'content-type'), body)
  if ('problem' in read) return read.problem
  return read.notice.key === indexNowKey ? undefined : 'its key is another one'
}
