/**
 * DeliveryHandler: many pages of a site in the answer to one request (`bulk/batch.ts` of protocol).
 *
 * Nothing is lost when a delivery goes wrong: a page that was asked for and about which the answer says nothing sure is
 * visited by itself. What came is taken in, and checked, by `bulk/delivered-pages.ts`.
 */
import type { Instant } from '@comity/protocol'
import type { Collection } from '@comity/collection'
import type { Frontier } from '@comity/frontier'
import type { DeliveredPages } from './delivered-pages.ts'
import type { Documents, Exchange, FaultAbout, FaultIsolation } from '@comity/ingest'
import { FAULT, cutProblem } from '@comity/ingest'
import { batchQuestion, readBatchOf, sortBatch } from '@comity/follow'
import type { Questions } from '@comity/follow'

interface DeliveryHandlerParts {
  readonly frontier: Frontier
  readonly collection: Collection
  readonly delivered: DeliveredPages
  readonly questions: Questions
  readonly faults: FaultIsolation
  readonly now: () => Instant
  readonly track: (settled: Promise<void>, bytes: number) => void
  /** Visit a page by itself. */
  readonly visitAlone: (page: number) => void
  /** A delivery was of no use: the site is asked for none for a while. */
  readonly onBroken: (site: number, problem: string) => void
  /** What one request brought, as sent. */
  readonly onDelivered?: ((bytes: number) => void) | undefined
}

/** A prerequisite that was not run after this time was lost with its site. */
const PATIENCE_MS = 600_000

/** Methods by preference: QUERY says that nothing is changed by asking (RFC 10008); some proxies know only POST. */
type Method = 'QUERY' | 'POST'

export class DeliveryHandler {
  readonly #parts: DeliveryHandlerParts
  readonly #methods = new Map<number, Method>()
  /** What was asked for, and when; the oldest first. */
  readonly #waiting = new Map<readonly number[], Instant>()

  constructor(parts: DeliveryHandlerParts) {
    this.#parts = parts
  }

  /** Ask for pages of one site together; `path` is where it takes such requests. */
  ask(site: number, path: string, pages: readonly number[]): void {
    const { frontier, collection, questions } = this.#parts
    const wishes = pages.map((page) => ({ url: frontier.urlOf(page), etag: collection.page(page)?.etag }))
    this.#waiting.set(pages, this.#parts.now())
    questions.ask({
      site,
      path,
      method: this.#methods.get(site) ?? 'QUERY',
      ...batchQuestion(wishes),
      answered: (exchange, address, documents) => this.#answered(site, path, pages, exchange, address, documents),
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

  #answered(
    site: number,
    path: string,
    pages: readonly number[],
    exchange: Exchange,
    address: string,
    documents: Documents,
  ): void {
    const askedAt = this.#waiting.get(pages)
    if (askedAt === undefined) return
    this.#waiting.delete(pages)
    const refused = exchange.kind === 'answered' && [405, 501].includes(exchange.head.status)
    if (refused && this.#methods.get(site) === undefined) {
      this.#methods.set(site, 'POST')
      return this.ask(site, path, pages)
    }
    const { frontier, faults, track } = this.#parts
    const url = (frontier.sites[site]?.origin ?? '') + path
    const body = exchange.kind === 'answered' ? exchange.body : undefined
    const about = { kind: 'question', url, body } as const
    const taken = faults
      .apart(about, () => this.#takeIn(site, pages, { exchange, address, askedAt, documents, about }))
      .then((came) => (came === FAULT ? this.#failed(site, pages) : undefined))
    track(taken, body?.length ?? 0)
  }

  #failed(site: number, pages: readonly number[]): void {
    this.#parts.onBroken(site, 'a fault of ours while it was read')
    for (const page of pages) this.#parts.visitAlone(page)
  }

  async #takeIn(
    site: number,
    asked: readonly number[],
    { exchange, address, askedAt, documents, about }: Answered,
  ): Promise<void> {
    const { frontier, faults, delivered, now, onBroken, onDelivered, visitAlone } = this.#parts
    const answer = await readBatchOf(exchange, documents)
    const ids = new Map(asked.map((page) => [frontier.urlOf(page), page]))
    if ('problem' in answer) {
      onBroken(site, answer.problem)
      for (const page of asked) visitAlone(page)
      return
    }
    // The pages they were of are visited, as nothing is said of them.
    for (const fault of answer.faults) faults.failed({ ...about, kind: 'delivered' }, new Error(fault))
    const arrival = { site, way: 'batch', address, at: now(), askedAt } as const
    const { came, unchanged, unsure } = sortBatch(ids.keys(), answer)
    for (const page of came) {
      const id = ids.get(page.url)!
      // Something of it came, so it is not one of those that have not changed.
      if (!(await delivered.take(id, page, arrival))) visitAlone(id)
    }
    for (const url of unchanged) {
      const id = ids.get(url)!
      if (!delivered.confirm(id, arrival.way, arrival.at)) visitAlone(id)
    }
    for (const url of unsure) visitAlone(ids.get(url)!)
    if (answer.closing === undefined) onBroken(site, cutProblem(answer))
    onDelivered?.(answer.bytes)
  }
}

interface Answered {
  readonly exchange: Exchange
  readonly address: string
  readonly askedAt: Instant
  readonly documents: Documents
  /** What a fault of ours would be kept aside with. */
  readonly about: FaultAbout
}
