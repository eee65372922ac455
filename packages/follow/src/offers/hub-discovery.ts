/**
 * Hub discovery: who sends what changes at a topic, found by asking for the topic once (W3C WebSub §4).
 *
 *   Link fields of the answer ──▶ otherwise link elements of the document, HTML in its head, XML at its root
 *
 * `rel="self"` names the topic that is subscribed to, which may be another than was asked for, but not another site's.
 * Hubs may be anywhere; those that are called over https come first (§8.2).
 */
import {
  decodeText,
  headerOf,
  HUB_REL,
  linkedFormat,
  readEmbeddedLinks,
  readHubLinks,
  SELF_REL,
} from '@comity/protocol'
import type { Conversation } from '../conversation.ts'
import type { DocumentReply } from '@comity/ingest'
import { ownUrl } from '../offer-poll.ts'

export type HubSearch =
  | {
      readonly kind: 'found'
      /** What to subscribe to. */
      readonly topic: string
      /** Where, best first; at least one. */
      readonly hubs: readonly string[]
    }
  /** The topic is there, or was never, and names no hub. */
  | { readonly kind: 'none'; readonly problem: string }
  /** Nobody knows: to be asked again later. */
  | { readonly kind: 'trouble'; readonly problem: string }

/** Links stand at the beginning. */
const MAX_TOPIC_BYTES = 1 << 18
/** Publishers name two or three; a list without end is no help. */
const MAX_HUBS = 5

export function* discoverHub(url: string): Conversation<HubSearch> {
  const reply = yield { url, maxBytes: MAX_TOPIC_BYTES }
  if (reply.kind === 'trouble') return { kind: 'trouble', problem: reply.problem }
  if (reply.kind !== 'document') return { kind: 'none', problem: reply.problem }
  return hubOf(reply, url)
}

/** What one answer says; pure. */
export function hubOf({ headers, body }: Pick<DocumentReply, 'headers' | 'body'>, url: string): HubSearch {
  const named = readHubLinks(headers, url)
  const { hubs, topic } = named.hubs.length > 0 ? named : embedded(headers, body, url)
  if (hubs.length === 0) return { kind: 'none', problem: 'it names no hub' }
  // Without one, the address that was asked for is all that anybody could subscribe to.
  const own = ownUrl(topic ?? url, new URL(url).origin)
  if (own === undefined) return { kind: 'none', problem: `its topic is ${topic}, which is another site's` }
  const best = [...new Set(hubs)].toSorted((a, b) => isSecure(b) - isSecure(a))
  return { kind: 'found', topic: own, hubs: best.slice(0, MAX_HUBS) }
}

const isSecure = (hub: string): number => Number(hub.startsWith('https:'))

function embedded(
  headers: DocumentReply['headers'],
  body: Uint8Array,
  url: string,
): { readonly hubs: readonly string[]; readonly topic: string | undefined } {
  const type = headerOf(headers, 'content-type')
  const format = linkedFormat(type)
  if (format === undefined) return { hubs: [], topic: undefined }
  const links = readEmbeddedLinks(decodeText(body, type).text, format, url)
  const ofRel = (rel: string): string[] => links.filter(({ rels }) => rels.includes(rel)).map(({ href }) => href)
  return { hubs: ofRel(HUB_REL), topic: ofRel(SELF_REL)[0] }
}
