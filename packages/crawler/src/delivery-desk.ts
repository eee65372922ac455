/**
 * DeliveryDesk: pages that come many at a time, in the answer to one request (`batch.ts` of protocol). Each is an answer
 * of its own, goes the way of any answer, and its capture says which scheme brought it.
 *
 * Nothing is lost when a delivery goes wrong: a page that was asked for and about which the answer says nothing sure is
 * visited by itself. Nor is it believed blindly: of what was delivered, some pages are fetched too, and a site that
 * delivers other pages than it serves delivers no more.
 */
import { BATCH_TYPE, decodeBody, headerOf, readBatchAnswer, writeBatch } from '@comity/protocol'
import type { BatchPage, Instant } from '@comity/protocol'
import type { Collection, Scheme } from '@comity/collection'
import type { Frontier } from '@comity/frontier'
import type { AnsweredExchange, Exchange } from './exchange.ts'
import { HeldVersion } from './held-version.ts'
import type { PageDesk, PageTask, SettledVisit } from './page-desk.ts'
import type { Questions } from './questions.ts'
import type { ReadingPool } from './reading-pool.ts'

export interface DeliveryDeskParts {
  readonly frontier: Frontier
  readonly collection: Collection
  readonly pages: PageDesk
  readonly pool: ReadingPool
  readonly questions: Questions
  readonly now: () => Instant
  readonly random: () => number
  readonly maxDecodedBytes: number
  readonly room: () => Promise<void>
  readonly track: (settled: Promise<void>, bytes: number) => void
  /** Visit a page by itself. */
  readonly visitAlone: (page: number) => void
  /** A delivery was of no use, or not to be believed: the site is asked for none for a while. */
  readonly onBroken: (site: number, problem: string) => void
  /** What one request brought, and what it weighed. */
  readonly onDelivered?: ((delivered: Delivered) => void) | undefined
}

export interface Delivered {
  readonly site: number
  readonly scheme: Scheme
  readonly asked: number
  readonly sent: number
  readonly bytes: number
}

/** An answer of this many bytes, packed, is as much as one request should bring. */
const MAX_ANSWER_BYTES = 64 << 20
const MAX_UNPACKED_BYTES = 256 << 20
/** Of the pages that were delivered, those that are fetched too. */
const CHECKED_SHARE = 0.03
/** A page fetched this soon after its delivery and found to be another one was not what the site serves. */
const CHECKED_WITHIN_MS = 60_000

/** An errand that was not run after this time was lost with its site. */
const PATIENCE_MS = 600_000

/** Methods by preference: QUERY says that nothing is changed by asking (RFC 10008); some proxies know only POST. */
type Method = 'QUERY' | 'POST'

export class DeliveryDesk {
  readonly #parts: DeliveryDeskParts
  readonly #methods = new Map<number, Method>()
  /** What was asked for, and when; the oldest first. */
  readonly #waiting = new Map<readonly number[], Instant>()
  /** Delivered pages that are being fetched to be compared, and when they came. */
  readonly #checks = new Map<number, Instant>()

  constructor(parts: DeliveryDeskParts) {
    this.#parts = parts
  }

  /** Ask for pages of one site together; `path` is where it takes such requests. */
  ask(site: number, path: string, pages: readonly number[]): void {
    const { frontier, collection, questions } = this.#parts
    const lines = pages.map((page) => {
      const etag = collection.page(page)?.etag
      return { url: frontier.urlOf(page), etag, delta: etag !== undefined }
    })
    this.#waiting.set(pages, this.#parts.now())
    questions.ask({
      site,
      path,
      method: this.#methods.get(site) ?? 'QUERY',
      headers: { 'content-type': BATCH_TYPE, accept: 'application/warc' },
      body: writeBatch(lines),
      maxBodyBytes: MAX_ANSWER_BYTES,
      answered: (exchange, address) => this.#answered(site, path, pages, exchange, address),
    })
  }

  /** A site that was given up answers nothing any more: its pages wait for their turn elsewhere. */
  giveUpWaiting(now: Instant): void {
    for (const [pages, since] of this.#waiting) {
      if (now - since < PATIENCE_MS) return
      this.#waiting.delete(pages)
      for (const page of pages) this.#parts.visitAlone(page)
    }
  }

  /** A visit ended; perhaps it was to see whether a delivery was right. */
  settled({ page, outcome, row, before, at }: SettledVisit): void {
    const deliveredAt = this.#checks.get(page)
    if (deliveredAt === undefined || at === deliveredAt) return
    this.#checks.delete(page)
    const isOther = outcome === 'ok' && row.changes > (before?.changes ?? 0)
    if (isOther && at - deliveredAt < CHECKED_WITHIN_MS) {
      this.#parts.onBroken(row.site, 'it delivered another page than it serves')
    }
  }

  #answered(site: number, path: string, pages: readonly number[], exchange: Exchange, address: string): void {
    if (!this.#waiting.delete(pages)) return
    const refused = exchange.kind === 'answered' && [405, 501].includes(exchange.head.status)
    if (refused && this.#methods.get(site) === undefined) {
      this.#methods.set(site, 'POST')
      return this.ask(site, path, pages)
    }
    const taken = this.#takeIn(site, pages, exchange, address)
    this.#parts.track(taken, exchange.kind === 'answered' ? exchange.body.length : 0)
  }

  async #takeIn(site: number, asked: readonly number[], exchange: Exchange, address: string): Promise<void> {
    const { frontier, onBroken, onDelivered, visitAlone } = this.#parts
    const answer = readAnswer(exchange)
    const open = new Map(asked.map((page) => [frontier.urlOf(page), page]))
    if ('problem' in answer) {
      onBroken(site, answer.problem)
      for (const page of open.values()) visitAlone(page)
      return
    }
    const { pages, closing } = answer
    const at = this.#parts.now()
    for (const page of pages) {
      const id = open.get(page.url)
      // What nobody asked for is not taken.
      if (id === undefined || !(await this.#take(site, id, page, address, at))) continue
      open.delete(page.url)
    }
    const unsure = new Set([...(closing?.rest ?? []), ...(closing?.refused ?? [])])
    for (const [url, page] of open) {
      const isUnchanged = closing !== undefined && !unsure.has(url) && this.#unchanged(page, at)
      if (!isUnchanged) visitAlone(page)
    }
    if (closing === undefined) onBroken(site, 'the answer was cut off')
    onDelivered?.({ site, scheme: 'batch', asked: asked.length, sent: pages.length, bytes: answer.bytes })
  }

  /** False: this page could not be made whole. */
  async #take(site: number, page: number, sent: BatchPage, address: string, at: Instant): Promise<boolean> {
    const { collection, pool, pages, room, random, maxDecodedBytes, visitAlone } = this.#parts
    const exchange = exchangeOf(sent, at)
    const row = collection.page(page)
    const options = { differences: true, maxBytes: maxDecodedBytes }
    const held = row?.body === undefined ? undefined : new HeldVersion(sent.url, row, collection, options)
    const rebuilt = held?.rebuild(exchange) ?? { kind: 'whole', exchange }
    if (rebuilt.kind === 'broken' || rebuilt.exchange.head.status === 226) return false
    await room()
    const { head, body } = rebuilt.exchange
    const read = await pool.read({ url: sent.url, at, address, ...head, requestHeaders: [], body })
    const delivered = { wireBytes: sent.body.length, scheme: 'batch' } as const
    pages.answered(this.#taskOf(page, sent.url), site, rebuilt.exchange, read, address, delivered)
    if (random() < CHECKED_SHARE) {
      this.#checks.set(page, at)
      visitAlone(page)
    }
    return true
  }

  #unchanged(page: number, at: Instant): boolean {
    const { collection, pages, frontier } = this.#parts
    const row = collection.page(page)
    if (row?.body === undefined) return false
    pages.confirmed(this.#taskOf(page, frontier.urlOf(page)), row, 'batch', at)
    return true
  }

  #taskOf(page: number, url: string): PageTask {
    return { kind: 'page', page, url, depth: this.#parts.frontier.pages.depthOf(page), tries: 0 }
  }
}

type Answer = ReturnType<typeof readBatchAnswer> & { readonly bytes: number }

function readAnswer(exchange: Exchange): Answer | { readonly problem: string } {
  if (exchange.kind === 'failed') return { problem: exchange.message }
  const { head, body, truncated } = exchange
  if (head.status !== 200) return { problem: `asked for many pages, it answered ${head.status}` }
  const coding = headerOf(head.headers, 'content-encoding')
  const decoded = decodeBody(body, coding, { maxBytes: MAX_UNPACKED_BYTES })
  if (!('body' in decoded)) return { problem: `its answer cannot be unpacked: ${decoded.kind}` }
  const read = readBatchAnswer(decoded.body)
  const isWhole = truncated === undefined && decoded.kind === 'ok'
  return { ...read, closing: isWhole ? read.closing : undefined, bytes: body.length }
}

/** As if the page had been asked for by itself. */
function exchangeOf({ status, headers, body }: BatchPage, at: Instant): AnsweredExchange {
  const timed = { startedAt: at, endedAt: at, connectMs: undefined, firstByteMs: 0, transferMs: 0 }
  const head = { status, statusText: '', headers }
  return { kind: 'answered', head, body: Uint8Array.from(body), declined: false, ...timed }
}
