/**
 * robots.rdf look: all pages with the times of their last changes, in one file or in parts (002 §6.5). Each part is asked for
 * only if modified; the first names the others, also while it stays as it is. A page that none of them names is missing.
 */
import { inTurns } from '../conversation.ts'
import type { Conversation } from '../conversation.ts'
import { ownUrl } from '../offer-poll.ts'
import type { OfferPollEnd, OfferPollParts } from '../offer-poll.ts'

const MAX_PARTS = 1_000

export function* pollRobotsRdf(parts: OfferPollParts): Conversation<OfferPollEnd> {
  const { memory, offer, origin, keep } = parts
  const first = yield* readFile(parts, offer.url)
  if (first.problem !== undefined) return { problem: first.problem }
  const others = [...new Set(first.parts.flatMap((url) => ownUrl(url, origin) ?? []))]
  for (const url of others.slice(0, MAX_PARTS)) {
    if (url === offer.url) continue
    const { problem } = yield* readFile(parts, url)
    // A part that has a fault leaves the first to be read again, which leads to it.
    if (problem !== undefined) {
      memory.forget(offer.url)
      return { problem }
    }
    keep()
  }
  return { isComplete: others.length <= MAX_PARTS, documents: [offer.url, ...others] }
}

function* readFile(
  { memory, tell }: OfferPollParts,
  url: string,
): Conversation<{ readonly parts: readonly string[]; readonly problem?: string | undefined }> {
  const mark = memory.mark(url)
  const reply = yield { url, mark, reads: { reader: 'robots-rdf' } }
  if (reply.kind === 'same') return { parts: mark?.parts ?? [] }
  if (reply.kind !== 'document') return { parts: [], problem: reply.problem }
  const rdf = reply.read.robotsRdf!
  memory.named.begin(url)
  yield* inTurns(rdf.pages, (page) => tell({ ...page, change: 'updated', changedAt: page.modifiedAt }, url))
  if (rdf.problems['unknown-root'] !== undefined) return { parts: [], problem: 'it is no robots.rdf' }
  if (!rdf.complete || !reply.isWhole) return { parts: rdf.parts, problem: 'robots.rdf is cut off' }
  memory.remember(url, { ...reply.mark, parts: rdf.parts })
  return { parts: rdf.parts }
}
