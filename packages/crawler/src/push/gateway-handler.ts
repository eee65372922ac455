/**
 * GatewayHandler: what gateways saw pass (001 §IV), taken out of the inbox: one copy of each page and version, whatever comes
 * twice or late, from however many gateways and visits together.
 *
 *   batch ── number taken before? ──yes──▶ repeated
 *     │ page, whole or as its words ──▶ newer than what is held? ──yes──▶ deposit, source `gateway`; its links are offered
 *     │ seen again ──▶ as it is held? ──yes──▶ known to be fresh, nobody need ask; no ──▶ visited, where we may
 *     │ gone ──▶ gone
 *     └ hits ──▶ counted, in the same commit as the number of the batch: once
 *
 * A gateway speaks for the hosts that its operator is known to answer for, and for no others. Its pages need no start page:
 * what is outside the scope only as no start page leads there is held and found, and never asked for. The rest of the scope
 * holds, and robots.txt where it is known; it is not asked for, as nobody visits.
 */
import { TOO_MUCH_WORK } from '@comity/protocol'
import type { BatchPage, Instant } from '@comity/protocol'
import type { Collection, InboxItem, PageRow } from '@comity/collection'
import { LEASED, EXCLUDED } from '@comity/frontier'
import type { Frontier } from '@comity/frontier'
import type { ShippedDocument } from '@comity/index'
import {
  keyOfDigest,
  FAULT,
  GatewayStore,
  GATEWAY_ORIGIN,
  lastConfirmedAt,
  judgeSeen,
  shippedLinks,
  headOfWords,
  wordsOf,
  TurnTaking,
} from '@comity/ingest'
import type {
  GatewayRows,
  UnpackedGatewayBatch,
  GatewayOutcome,
  GatewayPort,
  PageTask,
  ReadingOptions,
  SentWords,
} from '@comity/ingest'
import type { CrawlOptions } from '../options.ts'
import { GatewayScope } from './gateway-scope.ts'
import { versionOfBody } from './sent-version.ts'
import { countReading } from '@comity/search'
import { readingOptions } from '../fetch/run-reading.ts'
import { answerOfSent } from '@comity/follow'
import type { VisitParts } from '../fetch/visit.ts'

interface GatewayHandlerParts {
  readonly gateways: GatewayPort
  readonly options: CrawlOptions
  readonly frontier: Frontier
  readonly collection: Collection
  readonly visits: Pick<VisitParts, 'robots' | 'filter' | 'pool' | 'pages' | 'sitemaps' | 'start' | 'faults'> & {
    readonly room: Pick<VisitParts['room'], 'forPage'>
  }
  /** Origins of sites that were forgotten. */
  readonly forgotten: ReadonlySet<string>
  readonly dayMs: number
  /** In this time a hit comes to count half. */
  readonly halfLifeMs: number
  /** Our copy of a page is as the page was then. */
  readonly onConfirmed?: ((page: number, at: Instant) => void) | undefined
}

/** A page as it passed. */
interface Passed {
  readonly url: string
  readonly page: number
  readonly at: Instant
  readonly sent: BatchPage
  readonly words: SentWords | undefined
  readonly key: Uint8Array | undefined
}

type Tally = Map<GatewayOutcome, number>

/** Rows without a page between two looks at whether there is room. */
const ROWS_A_LOOK = 500

export class GatewayHandler {
  readonly #parts: GatewayHandlerParts
  readonly #scope: GatewayScope
  readonly #store: GatewayStore
  readonly #reading: ReadingOptions
  /** Taken out of the frontier, and not deposited yet. */
  #takenOut: number | undefined

  constructor(parts: GatewayHandlerParts) {
    this.#parts = parts
    this.#scope = new GatewayScope(parts)
    this.#reading = readingOptions(parts.options)
    this.#store = new GatewayStore(parts.collection)
  }

  get rows(): GatewayRows {
    return this.#store.rows
  }

  /** Goes with the next commit. */
  save(): void {
    this.#store.save()
  }

  /** One batch. It counts once it is dealt with to its end; what was taken before that is taken again without a trace. */
  async take(item: InboxItem): Promise<void> {
    const name = item.origin.slice(GATEWAY_ORIGIN.length)
    const read = await this.#parts.visits.pool.work('news', { body: item.body })
    if (read === TOO_MUCH_WORK || read.kind === 'refused') return this.#store.passedOver(name, 'unreadable', item.at)
    const { batch } = read.news
    if (this.#store.isTaken(name, batch.run, batch.number)) return this.#store.passedOver(name, 'repeated', item.at)
    const outcomes: Tally = new Map()
    const count = (outcome: GatewayOutcome): void => void outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    for await (const outcome of this.#takePages(name, item, read.news)) count(outcome)
    const confirmedToday = await this.#confirm(name, item, read.news, count)
    const hits = await this.#hits(name, item, read.news, count)
    // From here on nothing is waited for: hits and the number that says that they are counted go into one commit.
    const at = Math.min(batch.to, item.at)
    const { people, robots } = countReading(this.#parts.collection, hits, { at, halfLifeMs: this.#parts.halfLifeMs })
    const { run, number, to, figures } = batch
    const bytes = item.body.length
    this.#store.took(name, { run, number, to, at: item.at, bytes, figures, outcomes, people, robots, confirmedToday })
  }

  /** We failed on a batch as a whole. */
  failed({ origin, at }: InboxItem): void {
    this.#letGo()
    this.#store.passedOver(origin.slice(GATEWAY_ORIGIN.length), 'fault', at)
  }

  async *#takePages(
    name: string,
    item: InboxItem,
    { batch, documents, pages }: UnpackedGatewayBatch,
  ): AsyncIterable<GatewayOutcome> {
    const whole = new Set<string>()
    const turns = new TurnTaking()
    for (const sent of pages) {
      await turns.next()
      const outcome = await this.#apart(item, sent, sent.body, () => this.#takePage(name, item, sent))
      yield outcome
      if (outcome !== 'unreadable') whole.add(sent.url)
    }
    // Of a page that came whole, its words say nothing more.
    for (const document of documents) {
      if (whole.has(document.url)) continue
      await turns.next()
      yield await this.#apart(item, document, undefined, () => this.#takeWords(name, item, document))
    }
    for (const { url, status, at } of batch.gone) {
      await turns.next()
      // 451 too: what may not be shown there is not to be found here.
      const sent = { url, status: status === 404 ? 404 : 410, headers: [], body: new Uint8Array(0), at }
      yield await this.#apart(item, sent, undefined, () => this.#takePage(name, item, sent))
    }
  }

  /** One page of a batch: what we fail on is kept aside, and the next is taken. */
  async #apart(
    item: InboxItem,
    { url }: { readonly url: string },
    body: Uint8Array | undefined,
    work: () => GatewayOutcome | Promise<GatewayOutcome>,
  ): Promise<GatewayOutcome> {
    const about = { key: `inbox ${item.number} ${url}`, kind: 'shipped', url, origin: item.origin, body } as const
    const came = await this.#parts.visits.faults.apart(about, work)
    if (came !== FAULT) return came
    this.#letGo()
    return 'fault'
  }

  /** The same for a row that brings no page. */
  #rowApart<T>(item: InboxItem, url: string, work: () => T): T | 'fault' {
    const came = this.#parts.visits.faults.apartNow({ kind: 'shipped', url, origin: item.origin }, work)
    return came === FAULT ? 'fault' : came
  }

  /** A page that was on its way into the collection goes back to where it was. */
  #letGo(): void {
    if (this.#takenOut !== undefined) this.#parts.frontier.settle(this.#takenOut, 'waiting')
    this.#takenOut = undefined
  }

  async #takeWords(name: string, item: InboxItem, document: ShippedDocument): Promise<GatewayOutcome> {
    const words = wordsOf(document)
    if (words === undefined) return 'unreadable'
    const links = shippedLinks(document, this.#reading)
    return await this.#take(name, item, words.page, { ...words, links })
  }

  async #takePage(name: string, item: InboxItem, sent: BatchPage): Promise<GatewayOutcome> {
    return sent.status === 200 || sent.status === 404 || sent.status === 410
      ? await this.#take(name, item, sent, undefined)
      : 'unreadable'
  }

  async #take(name: string, item: InboxItem, sent: BatchPage, words: SentWords | undefined): Promise<GatewayOutcome> {
    const { frontier, visits, collection } = this.#parts
    const key = words?.key ?? (await this.#keyOf(sent))
    await this.#scope.rulesFor(sent.url)
    // Between here and the deposit nothing is waited for but the reading of a page that nobody visits meanwhile.
    await visits.room.forPage()
    const isGone = sent.status !== 200
    const found = isGone ? this.#scope.findGone(name, sent.url) : this.#scope.find(name, sent.url, true)
    if (typeof found === 'string') return found
    const { url, page } = found
    if (key === undefined && !isGone) return 'unreadable'
    const at = Math.min(sent.at ?? item.at, item.at)
    const site = frontier.pages.siteOf(page)
    const head = { status: sent.status, statusText: '', headers: sent.headers }
    if (!isGone && !visits.filter.wants(words === undefined ? head : headOfWords(head, words), url, site))
      return 'outside'
    if (frontier.pages.stateOf(page) === LEASED) return 'visited'
    const row = collection.page(page)
    const verdict = judgeSeen(row, { key, at })
    if (verdict === 'older') return 'late'
    if (verdict === 'same') return this.#fresh(page, row!, at)
    await this.#deposit(item, { url, page, at, sent, words, key })
    return key === undefined ? 'gone' : 'taken'
  }

  /** By the body without its content coding; undefined when that cannot be undone, or the page is gone. */
  async #keyOf({ status, headers, body }: BatchPage): Promise<Uint8Array | undefined> {
    if (status !== 200) return undefined
    const version = await versionOfBody(this.#parts.visits.pool, headers, body, this.#parts.options.maxDecodedBytes)
    return version === TOO_MUCH_WORK ? undefined : version?.key
  }

  async #deposit(item: InboxItem, { url, page, at, sent, words }: Passed): Promise<void> {
    const { frontier, visits } = this.#parts
    frontier.revisit(page)
    // What is outside stays there: it is held, and nobody asks for it.
    if (frontier.takeOut(page)) this.#takenOut = page
    const site = frontier.pages.siteOf(page)
    const task: PageTask = { kind: 'page', page, url, depth: frontier.pages.depthOf(page), tries: 0 }
    const answer = answerOfSent(sent, at)
    const as = words === undefined ? 'answer' : 'extracted-text'
    const origin = { how: 'gateway', via: item.origin, as } as const
    const why = `seen by ${item.origin.replace(':', ' ')} as somebody read it`
    const came = { wireBytes: sent.body.length, scheme: 'gateway', source: 'gateway', servedAt: at, why } as const
    await visits.pages.ingest({ task, site, answer, address: '', origin, sent: came, words })
    this.#takenOut = undefined
  }

  /** Rows that name a version and bring none. Gives how many pages it found to be fresh for the first time in a day. */
  async #confirm(
    name: string,
    item: InboxItem,
    { batch }: UnpackedGatewayBatch,
    count: (outcome: GatewayOutcome) => void,
  ): Promise<number> {
    const { collection, visits, dayMs } = this.#parts
    let today = 0
    const turns = new TurnTaking()
    for (const [place, { url, digest, at }] of batch.seen.entries()) {
      await turns.next()
      if (place % ROWS_A_LOOK === 0) await visits.room.forPage()
      await this.#scope.rulesFor(url)
      const outcome = this.#rowApart(item, url, () => {
        const found = this.#scope.find(name, url, false)
        if (typeof found === 'string') return found
        const row = collection.page(found.page)
        const seen = this.#seenAgain(found.page, row, keyOfDigest(digest), Math.min(at, item.at))
        if (seen === 'confirmed' && Math.floor(at / dayMs) > Math.floor(lastConfirmedAt(row!) / dayMs)) today++
        return seen
      })
      count(outcome)
    }
    return today
  }

  #seenAgain(page: number, row: PageRow | undefined, key: Uint8Array | undefined, at: Instant): GatewayOutcome {
    const { frontier } = this.#parts
    const verdict = key === undefined ? 'older' : judgeSeen(row, { key, at })
    if (verdict === 'older') return 'late'
    if (verdict === 'same') return this.#fresh(page, row!, at)
    if (frontier.pages.stateOf(page) === EXCLUDED) return 'missing'
    frontier.revisit(page)
    return 'visited'
  }

  /** We hold what was seen: as of then, and what passed before and comes later is not newer than it. */
  #fresh(page: number, row: PageRow, at: Instant): GatewayOutcome {
    if (at > lastConfirmedAt(row)) {
      this.#parts.collection.amend(page, {
        outcome: row.status >= 400 ? row.outcome : 'not-modified',
        visitedAt: at,
        servedAt: at,
      })
      this.#parts.onConfirmed?.(page, at)
    }
    return 'confirmed'
  }

  /** Hits by page: two spellings may be one. */
  async #hits(
    name: string,
    item: InboxItem,
    { batch }: UnpackedGatewayBatch,
    count: (outcome: GatewayOutcome) => void,
  ): Promise<Iterable<readonly [page: number, people: number, robots: number]>> {
    const turns = new TurnTaking()
    const hits = new Map<number, [page: number, people: number, robots: number]>()
    for (const { url, readers, robots } of batch.hits) {
      await turns.next()
      await this.#scope.rulesFor(url)
      const found = this.#rowApart(item, url, () => this.#scope.find(name, url, true))
      if (found === 'fault' || found === 'foreign') count(found)
      if (typeof found === 'string') continue
      const [, people, others] = hits.get(found.page) ?? [found.page, 0, 0]
      hits.set(found.page, [found.page, people + readers, others + robots])
    }
    return hits.values()
  }
}
