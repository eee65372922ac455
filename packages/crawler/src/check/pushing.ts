/**
 * Push check: can be subscribed to what a site says it sends (W3C WebSub)? Nothing is subscribed to: the hub and the topics are
 * only asked for, and a hub of somebody else's is not.
 */
import { HUB_REL, linkTargets } from '@comity/protocol'
import type { PushOffer } from '@comity/follow'
import { statusOf } from './asker.ts'
import type { Asker } from './asker.ts'
import type { OfferFacts } from './offer.ts'

const MAX_TOPICS = 3
const MAX_BYTES = 1 << 20

export async function checkPush(
  asker: Asker,
  { hub, topics }: PushOffer,
  allows: (url: string) => boolean,
): Promise<OfferFacts> {
  const before = { requests: asker.requests, bytes: asker.bytes }
  const found = await pushProblem(asker, hub, [...new Set(Object.values(topics))].slice(0, MAX_TOPICS), allows)
  const [requests, bytes] = [asker.requests - before.requests, asker.bytes - before.bytes]
  return { kind: 'push', url: hub, requests, bytes, ...found }
}

async function pushProblem(
  asker: Asker,
  hub: string,
  topics: readonly string[],
  allows: (url: string) => boolean,
): Promise<Pick<OfferFacts, 'problem' | 'isCut'>> {
  if (topics.length === 0) return { problem: 'it names nothing that can be subscribed to' }
  if (new URL(hub).origin === asker.origin && allows(hub)) {
    const status = await asker.ask(hub, { maxBytes: MAX_BYTES })
    if (status === undefined) return { isCut: true }
    if (status.kind !== 'answered') return { problem: status.message }
    // A hub need not answer GET: what is not there is not there for POST either (§5.1).
    if ([404, 410].includes(statusOf(status)) || statusOf(status) >= 500)
      return { problem: `status ${statusOf(status)}` }
  }
  for (const topic of topics.filter(allows)) {
    const exchange = await asker.ask(topic, { maxBytes: MAX_BYTES })
    if (exchange === undefined) return { isCut: true }
    const { pathname } = new URL(topic)
    if (exchange.kind !== 'answered') return { problem: `topic ${pathname}: ${exchange.message}` }
    if (statusOf(exchange) !== 200) return { problem: `topic ${pathname}: status ${statusOf(exchange)}` }
    const hubs = linkTargets(exchange.head.headers, HUB_REL, topic)
    if (hubs.length > 0 && !hubs.includes(hub)) return { problem: `topic ${pathname} names another hub (WebSub §4)` }
  }
  return {}
}
