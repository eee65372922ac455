/**
 * robots.rdf look: all pages with the times of their last changes, in one file or in parts (002 §6.5). Each part is asked for
 * only if modified; the first names the others, also while it stays as it is. A page that none of them names is missing.
 */
import { inTurns } from '../inquiry.ts'
import type { Inquiry } from '../inquiry.ts'
import { ownUrl } from '../offer-poll.ts'
import type { OfferPollEnd, OfferPollParts } from '../offer-poll.ts'

const MAX_PARTS = 1_000

export function* pollRobotsRdf(parts: OfferPollParts): Inquiry<OfferPollEnd> {
  const { memory, offer, keep } = parts
  const first = yield* readFile(parts, offer.url)
  if (first.problem !== undefined) return { problem: first.problem }
  const others = [...new Set(first.parts)]
  for (const url of others) {
    if (url === offer.url) continue
    const { problem } = yield* readFile(parts, url)
    // A part that has a fault leaves the first to be read again, which leads to it.
    if (problem !== undefined) {
      memory.forget(offer.url)
      return { problem }
    }
    keep()
  }
  return { isComplete: first.isWhole, documents: [offer.url, ...others] }
}

interface ReadFile {
  readonly parts: readonly string[]
  /** All its parts are read, too. */
  readonly isWhole: boolean
  readonly problem?: string | undefined
}

const NOTHING: ReadFile = { parts: [], isWhole: false }

function* readFile({ memory, tell, origin }: OfferPollParts, url: string): Inquiry<ReadFile> {
  const known = memory.mark(url)
  // Read by an older version, it does not say whether all its parts are: it is read once more.
  const mark = known?.isWhole === undefined ? undefined : known
  const reply = yield { url, mark, reads: { reader: 'robots-rdf' } }
  if (reply.kind === 'same') return { parts: mark?.parts ?? [], isWhole: mark?.isWhole === true }
  if (reply.kind !== 'document') return { ...NOTHING, problem: reply.problem }
  const rdf = reply.read.robotsRdf!
  memory.named.begin(url)
  yield* inTurns(rdf.pages, (page) => tell({ ...page, change: 'updated', changedAt: page.modifiedAt }, url))
  if (rdf.problems['unknown-root'] !== undefined) return { ...NOTHING, problem: 'it is no robots.rdf' }
  // What stands elsewhere may name pages that nothing else names, as may what cannot be read.
  const parts = rdf.parts.flatMap((part) => ownUrl(part, origin) ?? []).slice(0, MAX_PARTS)
  const isWhole = parts.length === rdf.parts.length && rdf.problems['bad-url'] === undefined
  if (!rdf.complete || !reply.isWhole) return { parts, isWhole, problem: 'robots.rdf is cut off' }
  memory.remember(url, { ...reply.mark, parts, isWhole })
  return { parts, isWhole }
}
