/**
 * Hub fields: what every content that is sent to a subscription carries besides its type (WebSub §7): where it comes from, and
 * the proof that it does. Whoever packs a body signs it packed: the signature is over the bytes of the request.
 */
import { hubLinks, hubSignature } from '@comity/protocol'
import type { HeaderList } from '@comity/protocol'
import type { Subscriber } from '../hub/subscriber.ts'

const HUB_SIGNATURE = 'X-Hub-Signature'

/** Nothing for a subscriber that is no subscription of a topic. */
export function hubFields({ topic, hub, secret }: Subscriber, body: Uint8Array): HeaderList {
  if (topic === undefined) return []
  return [
    ['Link', hubLinks(hub === undefined ? [] : [hub], topic)],
    ...(secret === undefined ? [] : ([[HUB_SIGNATURE, hubSignature(secret, body)]] as const)),
  ]
}
