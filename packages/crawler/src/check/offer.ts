/**
 * Offer check: is what a site offers what it says? Lists are read by the readers that crawls use, once from nothing and once
 * more as a crawler that comes back. What is made of it stands in `check/offer-verdict.ts`; what brings pages is looked at in
 * `check/bulk-offer.ts`, who pushes in `check/pushing.ts`.
 */
import { addCount } from '@comity/protocol'
import type { Instant, Robots } from '@comity/protocol'
import { OFFER_POLLS, OfferMemory, CHANGE_OFFERS } from '@comity/follow'
import type { Reply } from '@comity/ingest'
import type { Offer, OfferKind, OfferPollEnd, PolledKind, ReportedPage } from '@comity/follow'
import type { Asker } from './asker.ts'
import { checkBulkOffer } from './bulk-offer.ts'
import { DocumentLinks } from './document-links.ts'

export interface OfferFacts {
  readonly kind: OfferKind | 'push'
  readonly url: string
  /** What is wrong with it; undefined when all that was read is right. */
  readonly problem?: string | undefined
  /** Pages of the site that it told of, or holds. */
  readonly pages?: number | undefined
  /** Pages that it told of and that are no pages of this site. */
  readonly foreign?: number | undefined
  /** What could not be read of it, by what is wrong. */
  readonly unread?: Readonly<Record<string, number>> | undefined
  /** The newest change that it tells of; of a list of changes without any, when it begins. */
  readonly newestAt?: Instant | undefined
  readonly requests: number
  readonly bytes: number
  /** It goes on, and was not read to its end. */
  readonly isCut?: boolean | undefined
  /** robots.txt forbids what the site offers. */
  readonly isForbidden?: boolean | undefined
  /** What a crawler pays that comes back and finds nothing new. */
  readonly poll?: { readonly requests: number; readonly bytes: number } | undefined
}

interface CheckedOffer {
  /** Undefined when nothing of it is what it was taken for. */
  readonly facts: OfferFacts | undefined
  /** Pages as they were told of. */
  readonly told: readonly ReportedPage[]
  /** Digests that pages had before their last change, where a change list names them. */
  readonly earlier: ReadonlyMap<string, string>
  /** Documents that turned out to be feeds. */
  readonly feeds?: readonly string[] | undefined
}

/** Enough for an index and some of its parts. */
const POLL_REQUESTS = 5
const MAX_TOLD = 100_000

export async function checkOffer(
  asker: Asker,
  offer: Offer,
  robots: Robots | undefined,
  pages: readonly string[],
): Promise<CheckedOffer> {
  if (isPolled(offer.kind)) return await checkPolled(asker, offer, offer.kind, robots)
  const before = { requests: asker.requests, bytes: asker.bytes }
  const found = await checkBulkOffer(asker, offer.kind, offer.url, pages)
  const [requests, bytes] = [asker.requests - before.requests, asker.bytes - before.bytes]
  return { facts: { kind: offer.kind, url: offer.url, requests, bytes, ...found }, told: [], earlier: new Map() }
}

const isPolled = (kind: OfferKind): kind is PolledKind =>
  kind === 'feed' || (CHANGE_OFFERS as readonly OfferKind[]).includes(kind)

async function checkPolled(
  asker: Asker,
  offer: Offer,
  kind: PolledKind,
  robots: Robots | undefined,
): Promise<CheckedOffer> {
  const { origin } = asker
  const seen = new Seen(origin)
  const parts = { origin, offer, memory: new OfferMemory(), robots, keep: () => undefined }
  const pollOffer = OFFER_POLLS[kind]
  const first = { ...parts, tell: (one: ReportedPage) => seen.tell(one) }
  const { result, requests, bytes } = await asker.inquire(pollOffer(first), POLL_REQUESTS, (url, reply) =>
    seen.read(url, reply),
  )
  const { told, earlier } = seen
  const feeds = result?.feeds ?? []
  if (feeds.length > 0 && feeds.length === 1 + (offer.also?.length ?? 0))
    return { facts: undefined, told, earlier, feeds }
  const isCut = result === undefined
  const facts = { kind, url: offer.url, ...seen.facts(kind, result), requests, bytes, isCut }
  const dead = facts.problem ?? (await seen.links.dead(asker))
  if (isCut || dead !== undefined) return { facts: { ...facts, problem: dead }, told, earlier, feeds }
  const again = await asker.inquire(pollOffer({ ...parts, tell: () => undefined }), POLL_REQUESTS)
  const problem = again.result?.problem === undefined ? undefined : `asked once more: ${again.result.problem}`
  const poll = again.result === undefined ? undefined : { requests: again.requests, bytes: again.bytes }
  return { facts: { ...facts, problem, poll }, told, earlier, feeds }
}

/** Said of a document and no fault of an entry. */
const HARMLESS: ReadonlySet<string> = new Set([
  'doctype-ignored',
  'undefined-entity',
  'too-many-marks',
  'unknown-capability',
  'late-md',
  'repeated-md',
  'repeated',
  'unknown-root',
])

/** What an offer told, and what came of each of its documents. */
class Seen {
  readonly told: ReportedPage[] = []
  /** The reader tells of a page once, as it is now; that it was another before stands in the list itself. */
  readonly earlier = new Map<string, string>()
  readonly links: DocumentLinks
  readonly #origin: string
  readonly #newest = new Map<string, string>()
  readonly #foreign = new Set<string>()
  readonly #unread: Record<string, number> = {}
  #newestAt: Instant | undefined
  #from: Instant | undefined
  #failure: string | undefined

  constructor(origin: string) {
    this.#origin = origin
    this.links = new DocumentLinks(origin)
  }

  tell(one: ReportedPage): void {
    if (one.channel === 'feed') return
    const at = one.modifiedAt ?? one.changedAt
    if (at !== undefined) this.#newestAt = Math.max(this.#newestAt ?? at, at)
    if (URL.parse(one.url)?.origin !== this.#origin) this.#foreign.add(one.url)
    else if (this.told.length < MAX_TOLD) this.told.push(one)
  }

  read(url: string, reply: Reply): void {
    if (reply.kind === 'absent' || reply.kind === 'trouble') this.#failure ??= `${url}: ${reply.problem}`
    if (reply.kind !== 'document') return
    const { sync, archive, robotsRdf, changes } = reply.read
    if (sync !== undefined) this.links.read(url, sync.summary)
    this.#count(sync?.summary.problems)
    this.#count(archive?.problems)
    this.#count(robotsRdf?.problems)
    this.#count(changes === undefined ? {} : { 'bad-line': changes.unreadable })
    this.#from ??= sync?.summary.from
    for (const entry of sync?.entries ?? []) {
      if (entry.kind !== 'change' || entry.digest === undefined || this.#newest.size >= MAX_TOLD) continue
      const before = this.#newest.get(entry.url)
      if (before !== undefined && before !== entry.digest) this.earlier.set(entry.url, before)
      this.#newest.set(entry.url, entry.digest)
    }
  }

  facts(
    kind: PolledKind,
    result: OfferPollEnd | undefined,
  ): Pick<OfferFacts, 'problem' | 'pages' | 'foreign' | 'unread' | 'newestAt'> {
    const pages = new Set(this.told.map(({ url }) => url)).size
    const newestAt = this.#newestAt ?? (kind === 'change-list' ? this.#from : undefined)
    // Of what was not read to its end the poll does not say how it went.
    const problem = result === undefined && pages === 0 ? this.#failure : result?.problem
    return {
      problem,
      pages,
      ...(this.#foreign.size > 0 && { foreign: this.#foreign.size }),
      ...(Object.keys(this.#unread).length > 0 && { unread: this.#unread }),
      ...(newestAt !== undefined && { newestAt }),
    }
  }

  #count(problems: Readonly<Partial<Record<string, number>>> = {}): void {
    for (const [problem, count = 0] of Object.entries(problems))
      if (count > 0 && !HARMLESS.has(problem)) addCount(this.#unread, problem, count)
  }
}
