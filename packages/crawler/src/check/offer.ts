/**
 * Offer check: is what a site offers what it says? Lists are read by the readers that crawls use, once from nothing and once
 * more as a crawler that comes back; of dumps only the ends are looked at; a batch is asked for two pages.
 */
import { BATCH_TYPE, readBatchAnswer, readSync, writeBatch } from '@comity/protocol'
import type { Robots } from '@comity/protocol'
import { isTelling, OFFER_POLLS, OfferMemory } from '@comity/follow'
import { replyOf } from '@comity/ingest'
import type { Reply } from '@comity/ingest'
import type { OfferPoll, ReportedPage, Offer, OfferKind } from '@comity/follow'
import { fieldOf, statusOf } from './asker.ts'
import type { Asker } from './asker.ts'

export interface OfferFacts {
  readonly kind: OfferKind
  readonly url: string
  /** What is wrong with it; undefined when all that was read is right. */
  readonly problem?: string | undefined
  /** Pages that it told of, or holds. */
  readonly pages?: number | undefined
  readonly requests: number
  readonly bytes: number
  /** It goes on, and was not read to its end. */
  readonly isCut?: boolean | undefined
  /** What a crawler pays that comes back and finds nothing new. */
  readonly poll?: { readonly requests: number; readonly bytes: number } | undefined
}

interface CheckedOffer {
  readonly facts: OfferFacts
  /** Pages as they were told of. */
  readonly told: readonly ReportedPage[]
  /** Digests that pages had before their last change, where a change list names them. */
  readonly earlier: ReadonlyMap<string, string>
}

/** Enough for an index and some of its parts. */
const POLL_REQUESTS = 5
const MAX_TOLD = 100_000
/** Of a ZIP file: its end, with the place of its directory (APPNOTE §4.3.16). */
const ZIP_END = Buffer.from('PK\x05\x06', 'latin1')
const ZIP_END_BYTES = 22

export async function checkOffer(
  asker: Asker,
  offer: Offer,
  robots: Robots | undefined,
  pages: readonly string[],
): Promise<CheckedOffer> {
  if (isTelling(offer.kind)) return await checkTelling(asker, offer, OFFER_POLLS[offer.kind], robots)
  const before = { requests: asker.requests, bytes: asker.bytes }
  const found = await checkBringing(asker, offer, pages)
  const [requests, bytes] = [asker.requests - before.requests, asker.bytes - before.bytes]
  return { facts: { kind: offer.kind, url: offer.url, requests, bytes, ...found }, told: [], earlier: new Map() }
}

async function checkTelling(
  asker: Asker,
  offer: Offer,
  pollOffer: OfferPoll,
  robots: Robots | undefined,
): Promise<CheckedOffer> {
  const { kind, url } = offer
  const { origin } = asker
  const memory = new OfferMemory()
  const told: ReportedPage[] = []
  const tell = (one: ReportedPage): void => void (told.length < MAX_TOLD && told.push(one))
  const parts = { origin, offer, memory, robots, tell, keep: () => undefined }
  const versions = new Versions()
  const { result, requests, bytes } = await asker.converse(pollOffer(parts), POLL_REQUESTS, (_url, reply) => {
    if (kind === 'change-list') versions.read(reply)
  })
  const { earlier } = versions
  const isCut = result === undefined
  const pages = new Set(told.map((one) => one.url)).size
  const facts = { kind, url, problem: result?.problem, pages, requests, bytes, isCut }
  if (isCut || result.problem !== undefined) return { facts, told, earlier }
  const again = await asker.converse(pollOffer({ ...parts, tell: () => undefined }), POLL_REQUESTS)
  const poll = again.result === undefined ? undefined : { requests: again.requests, bytes: again.bytes }
  return { facts: { ...facts, poll }, told, earlier }
}

/** The reader tells of a page once, as it is now; that it was another before stands in the list itself. */
class Versions {
  readonly earlier = new Map<string, string>()
  readonly #newest = new Map<string, string>()

  read(reply: Reply): void {
    if (reply.kind !== 'document') return
    for (const entry of reply.read.sync?.entries ?? []) {
      if (entry.kind !== 'change' || entry.digest === undefined || this.#newest.size >= MAX_TOLD) continue
      const before = this.#newest.get(entry.url)
      if (before !== undefined && before !== entry.digest) this.earlier.set(entry.url, before)
      this.#newest.set(entry.url, entry.digest)
    }
  }
}

type Found = Pick<OfferFacts, 'problem' | 'pages' | 'isCut'>

async function checkBringing(asker: Asker, { kind, url }: Offer, pages: readonly string[]): Promise<Found> {
  if (kind === 'batch') return await checkBatch(asker, url, pages)
  if (kind === 'wacz') return { problem: await zipProblem(asker, url) }
  return await checkDump(asker, url)
}

/** By QUERY, and by POST where that is refused. */
async function checkBatch(asker: Asker, url: string, pages: readonly string[]): Promise<Found> {
  const body = writeBatch(pages.map((page) => ({ url: page })))
  for (const method of ['QUERY', 'POST'] as const) {
    const question = { url, method, body, headers: { 'content-type': BATCH_TYPE } }
    const exchange = await asker.ask(url, question)
    if (exchange === undefined) return { isCut: true }
    if ([405, 501].includes(statusOf(exchange)) && method === 'QUERY') continue
    const reply = replyOf(question, exchange)
    if (reply.kind !== 'document') return { problem: reply.problem }
    const read = readBatchAnswer(reply.body)
    if (read.closing === undefined)
      return { problem: `the answer has no end${read.problems.length > 0 ? `: ${read.problems[0]}` : ''}` }
    if (read.problems.length > 0) return { problem: read.problems[0] }
    const asked = new Set(pages)
    const isComplete = read.pages.every((page) => asked.has(page.url)) && read.pages.length === read.closing.sent
    return isComplete ? { pages: read.pages.length } : { problem: 'it sent other pages than were asked for' }
  }
  return { problem: 'it takes neither QUERY nor POST' }
}

/** The list of packages, and the end of the first. */
async function checkDump(asker: Asker, url: string): Promise<Found> {
  const exchange = await asker.ask(url)
  if (exchange === undefined) return { isCut: true }
  const reply = replyOf({ url }, exchange)
  if (reply.kind !== 'document') return { problem: reply.problem }
  const { entries, summary } = readSync(reply.body, url)
  const [problem] = Object.keys(summary.problems)
  if (problem !== undefined) return { problem }
  const packages = entries.filter(({ kind }) => kind === 'package' || kind === 'document')
  const pages = entries.reduce((sum, { extension }) => sum + (Number(extension?.['pages']) || 0), 0)
  const first = packages.find(
    ({ url: address }) => address.endsWith('.zip') && URL.parse(address)?.origin === asker.origin,
  )
  return {
    pages: pages === 0 ? undefined : pages,
    problem: first === undefined ? undefined : await zipProblem(asker, first.url),
  }
}

/** A file that can be read in parts is as long as it says and ends as a ZIP file does. */
async function zipProblem(asker: Asker, url: string): Promise<string | undefined> {
  const exchange = await asker.ask(url, {
    headers: { range: `bytes=-${ZIP_END_BYTES}`, 'accept-encoding': 'identity' },
    maxBytes: 1 << 16,
  })
  if (exchange?.kind !== 'answered') return exchange?.message
  if (statusOf(exchange) === 200) return 'it cannot be read in parts: Range is ignored'
  if (statusOf(exchange) !== 206) return `status ${statusOf(exchange)}`
  if (fieldOf(exchange, 'etag') === undefined) return 'it has no ETag, so parts of two versions could be put together'
  return Buffer.from(exchange.body).indexOf(ZIP_END) === 0 ? undefined : 'it does not end as a ZIP file does'
}
