/**
 * PageHandler: what happens to a page after its visit. The answer becomes a capture, its links become offers, and page,
 * links, validators, timings and the page's disposition go into the collection as one deposit.
 */
import { gzipRecord, headerOf, payloadDigest, responseHead, revisitRecord } from '@comity/protocol'
import type { CaptureSource, HeaderList, Instant, UrlRules } from '@comity/protocol'
import { encodeLinks } from '@comity/collection'
import type {
  AttemptNote,
  BodyRow,
  CaptureRow,
  Collection,
  PageRow,
  Scheme,
  Timings,
  WarcPosition,
} from '@comity/collection'
import { reasonCode } from '@comity/frontier'
import type { Frontier, Scope, Task } from '@comity/frontier'
import { lazyAnchors } from './earlier-visits.ts'
import { visited } from './events.ts'
import { timingsOf } from './exchange.ts'
import type { AnsweredExchange, PageAnswer } from './exchange.ts'
import { fold } from './fold.ts'
import type { Ending } from './fold.ts'
import type { Followed, LinkHandler } from './deposit/link-handler.ts'
import { locationOf } from './location.ts'
import type { Hooks } from './hooks.ts'
import { isRedirect, meaningOf, outcomeOfStatus } from './outcome.ts'
import type { Outcome } from './outcome.ts'
import { isMeans } from './media-type-wish.ts'
import type { TypeWish } from './media-type-wish.ts'
import type { Answered, PageSense, Reading } from './read/reading.ts'
import type { ReadingPool } from './read/pool.ts'
import { readingOfWords } from './read/sent-words.ts'
import type { SentWords } from './read/sent-words.ts'
import type { IngestStream } from './ingest-stream.ts'
import type { Tally } from './tally.ts'

export type PageTask = Extract<Task, { kind: 'page' }>

/** A visit that has ended: what was known of the page before, and what is now. */
export interface SettledVisit {
  readonly page: number
  readonly outcome: Outcome
  readonly at: Instant
  readonly before: PageRow | undefined
  readonly row: PageRow
  /** Of the body, as it was sent. */
  readonly bytes: number
  readonly scheme?: Scheme | undefined
  /** Of the answer; undefined when the page had none of its own. */
  readonly headers?: HeaderList | undefined
  /** A capability list of its site that the page names. */
  readonly capabilityList?: string | undefined
}

interface Stored {
  readonly positions: { readonly record?: WarcPosition; readonly body?: WarcPosition | undefined }
  readonly body: WarcPosition | undefined
  readonly newBody?: { readonly digest: string; readonly row: BodyRow }
}

/** How an answer came, where it was not the page itself. */
export interface Sent {
  /** Of the body on its way; the page's own length when not given. */
  readonly wireBytes?: number | undefined
  readonly scheme?: Scheme | undefined
  /** `crawl` when not given. */
  readonly source?: CaptureSource | undefined
  /** By the site's clock, as of when it was sent; when not given, the answer's own `Date`. */
  readonly servedAt?: Instant | undefined
  /** Why it came, where nobody asked for it. */
  readonly why?: string | undefined
}

/** A page that came, whichever way: what to do with it does not depend on that. */
export interface Arrived {
  readonly task: PageTask
  readonly site: number
  readonly answer: PageAnswer
  /** Of our own request; absent where we made none. */
  readonly timings?: Timings | undefined
  /** Empty when nobody was connected to. */
  readonly address: string
  readonly origin: Answered['origin']
  readonly sent?: Sent | undefined
  /** It came as its extracted text. */
  readonly words?: SentWords | undefined
}

/** What of a crawl's options counts once a page is here. */
export interface PageOptions extends TypeWish {
  readonly gzipLevel: number
  readonly urlRules: UrlRules
  readonly maxRedirects: number
  readonly hooks: Hooks
}

export interface PageHandlerParts {
  readonly pool: Pick<ReadingPool, 'read'>
  readonly frontier: Frontier
  readonly collection: Collection
  readonly links: LinkHandler
  readonly scope: Scope
  readonly tally: Tally
  readonly options: PageOptions
  /** A start page redirects: its target takes its place in the scope. */
  readonly onSeedMoved: (url: string) => void
  /** Told of what is stored and deposited. */
  readonly taken: IngestStream
  /** Why a page was asked for again, in words. */
  readonly whyOf?: ((page: number) => string | undefined) | undefined
}

const NOTHING_FOLLOWED: Followed = { targets: [], anchors: new Uint8Array(0) }
const NOTHING_STORED: Stored = { positions: {}, body: undefined }

export class PageHandler {
  readonly #parts: PageHandlerParts

  constructor(parts: PageHandlerParts) {
    this.#parts = parts
  }

  /** No answer came: the page comes back later, or is given up. */
  failed(task: PageTask, site: number, ending: Ending, at: Instant, tookMs = 0): void {
    const before = this.#parts.collection.page(task.page)
    const { row } = fold(before, { site, at, came: { kind: 'failed', ending } })
    const capture: CaptureRow = {
      source: 'crawl',
      outcome: ending.outcome,
      status: 0,
      bytes: 0,
      problem: ending.problem,
    }
    this.#parts.collection.deposit({ page: task.page, row, at, capture: this.#explained(task, capture) })
    this.#conclude(task, ending, tookMs, { page: task.page, outcome: ending.outcome, at, before, row, bytes: 0 })
  }

  /** 304: the copy we have is still good (RFC 9110 §15.4.5). */
  unchanged(task: PageTask, site: number, { head, ...timed }: AnsweredExchange, address: string): void {
    const { collection } = this.#parts
    const at = timed.startedAt
    const before = collection.page(task.page) as PageRow
    const record = revisitRecord({
      url: task.url,
      at,
      ip: address,
      profile: 'server-not-modified',
      refersToUri: task.url,
      refersToDate: before.changedAt ?? before.visitedAt,
      ...(before.digest === undefined ? {} : { payloadDigest: before.digest }),
      httpHead: responseHead(head),
    })
    const position = collection.appendRecord(gzipRecord(record, this.#parts.options.gzipLevel), at)
    const ending: Ending = { outcome: 'not-modified' }
    const came = { kind: 'unchanged', headers: head.headers } as const
    const { row } = fold(before, { site, at, timings: timingsOf(timed), came })
    const { digest, body } = before
    const scheme = 'not-modified'
    const seen = { ...ending, scheme, status: 304, digest, bytes: 0, record: position, body } as const
    const capture = this.#explained(task, { source: 'crawl', ...seen })
    collection.deposit({ page: task.page, row, at, capture })
    const { headers } = head
    const visit = { page: task.page, outcome: ending.outcome, at, before, row, bytes: 0, scheme, headers } as const
    this.#conclude(task, ending, timed.firstByteMs, visit)
  }

  /** The site says, for many pages at once, that our copy is still good: there is no answer of the page's own to keep. */
  confirmed(task: PageTask, before: PageRow, at: Instant, { scheme, source = 'crawl', servedAt, why }: Sent): void {
    const ending: Ending = { outcome: 'not-modified' }
    const { row } = fold(before, { site: before.site, at, servedAt, came: { kind: 'unchanged' } })
    const seen = { ...ending, scheme, status: 304, digest: before.digest, bytes: 0, body: before.body, why }
    const capture = this.#explained(task, { source, ...seen })
    this.#parts.collection.deposit({ page: task.page, row, at, capture })
    this.#conclude(task, ending, 0, { page: task.page, outcome: ending.outcome, at, before, row, bytes: 0, scheme })
  }

  /** The one way in: a page that came is told to who listens, read, and deposited. */
  async ingest(
    { task, site, answer, timings, address, origin, sent = {}, words }: Arrived,
    note?: AttemptNote,
  ): Promise<void> {
    const { head, body, startedAt: at, truncated } = answer
    this.#announce(task, answer, sent.source ?? 'crawl')
    const read = await this.#parts.pool.read({ url: task.url, at, address, ...head, origin, body, truncated }, note)
    const reading = words === undefined ? read : readingOfWords(read, words)
    this.answered(task, site, answer, reading, address, sent, timings)
  }

  /** A copy, as the thread that reads takes the body itself. What is not whole is no capture. */
  #announce({ url }: PageTask, answer: PageAnswer, source: CaptureSource): void {
    const { onCapture } = this.#parts.options.hooks
    if (onCapture === undefined || answer.truncated !== undefined || answer.declined) return
    const { head, startedAt: at } = answer
    const body = answer.body.slice()
    onCapture({ url, at, source, status: head.status, headers: head.headers, body, digest: payloadDigest(body) })
  }

  /** An answer came and was read. */
  answered(
    task: PageTask,
    site: number,
    answer: PageAnswer,
    reading: Reading,
    address: string,
    { wireBytes, scheme, source = 'crawl', servedAt, why }: Sent = {},
    timings?: Timings,
  ): void {
    const { collection, links, options } = this.#parts
    const { page } = task
    const { status, headers } = answer.head
    const at = answer.startedAt
    const before = collection.page(page)
    const redirect = isRedirect(status) ? this.#redirect(task, headers) : undefined
    const ending = redirect ?? endingOf(answer, reading)
    const bytes = reading.bodyBytes
    const type = headerOf(headers, 'content-type')
    // What is read for its links alone is not kept; but what is held already stays a page that is.
    const isKept = before?.body !== undefined || !isMeans(options, type, task.url)
    const stored = isKept ? this.#store(task, answer, reading, address, at) : NOTHING_STORED
    const { sense, digest } = reading
    const nearDuplicateOf = this.#nearDuplicate(page, ending, sense)
    const came = { kind: 'answer', status, headers, ending, reading, body: stored.body, nearDuplicateOf } as const
    const { row, isContent } = fold(before, { site, at, servedAt, timings, came })
    const { targets, anchors } = isContent ? links.follow(task, reading.links) : NOTHING_FOLLOWED
    const seen = { outcome: ending.outcome, scheme, status, digest, bytes, ...stored.positions, why }
    collection.deposit({
      page,
      row,
      at,
      capture: this.#explained(task, { source, ...seen }),
      // A page that had links and has none now must lose them.
      links: isContent && (targets.length > 0 || before !== undefined) ? encodeLinks(targets, anchors) : undefined,
      newBody: stored.newBody,
    })
    this.#parts.tally.totals.links += targets.length
    if (isContent) this.#teach(page, targets, anchors, sense)
    if (row.body !== undefined) this.#parts.taken.tell('content', { page })
    const sent = { bytes: wireBytes ?? bytes, scheme, headers, capabilityList: sense.capabilityList }
    const visit = { page, outcome: ending.outcome, at, before, row, ...sent }
    this.#conclude(task, ending, timings?.firstByteMs ?? 0, visit)
  }

  #nearDuplicate(page: number, { outcome }: Ending, { simhash }: PageSense): number | undefined {
    return outcome === 'ok' && simhash !== undefined ? this.#parts.collection.nearDuplicate(simhash, page) : undefined
  }

  #teach(
    page: number,
    links: readonly number[],
    anchors: Uint8Array,
    { similarity = 0, isHot = false }: PageSense,
  ): void {
    this.#parts.frontier.visited(page, { links, anchorOf: lazyAnchors(anchors), similarity, isHot })
  }

  /** A capture says why the page was asked for, where there is more to say than that it was new. */
  #explained({ page }: PageTask, capture: CaptureRow): CaptureRow {
    const why = capture.why ?? this.#parts.whyOf?.(page)
    return why === undefined ? capture : { ...capture, why }
  }

  #conclude(task: PageTask, { outcome, problem }: Ending, tookMs: number, visit: SettledVisit): void {
    const { frontier, tally } = this.#parts
    const { before, bytes, row } = visit
    // A page has a body once it was fetched whole; a revisit makes it no second page.
    tally.count(outcome, bytes, row.body !== undefined && before?.body === undefined)
    frontier.settle(task.page, meaningOf(outcome).disposition, bytes)
    this.#parts.taken.tell('deposit', visit)
    if (!visited.hasSubscribers) return
    visited.publish({ url: task.url, outcome, status: row.status, bytes, tookMs, problem })
  }

  /** The WARC records of a visit. A body that is stored already is referred to, not stored again. */
  #store(task: PageTask, answer: PageAnswer, reading: Reading, address: string, at: Instant): Stored {
    const { collection, options } = this.#parts
    const { digest, resourceType } = reading
    const whole = answer.truncated === undefined && reading.bodyBytes > 0 && answer.head.status === 200
    const twin = whole ? collection.body(digest) : undefined
    if (twin !== undefined) {
      const record = revisitRecord({
        url: task.url,
        at,
        ...(address === '' ? {} : { ip: address }),
        profile: 'identical-payload-digest',
        refersToUri: twin.url,
        refersToDate: twin.at,
        payloadDigest: digest,
        httpHead: resourceType === undefined ? responseHead(answer.head) : new Uint8Array(0),
        resourceType,
        recordId: reading.recordId,
      })
      const position = collection.appendRecord(gzipRecord(record, options.gzipLevel), at)
      collection.appendRecord(reading.beside, at)
      const body = { file: twin.file, offset: twin.offset, length: twin.length }
      return { positions: { record: position, body }, body }
    }
    const position = collection.appendRecord(reading.record, at)
    collection.appendRecord(reading.beside, at)
    const stored = { positions: { record: position, body: position }, body: position }
    return whole ? { ...stored, newBody: { digest, row: { ...position, url: task.url, at } } } : stored
  }

  /** Where a redirect leads: a page of its own, at the same depth, with its own lease, politeness and scope check. */
  #redirect(task: PageTask, headers: HeaderList): Ending {
    const { frontier, scope, options } = this.#parts
    const to = locationOf(headers, task.url, options.urlRules)
    if (to === undefined) return { outcome: 'redirect-nowhere', problem: 'no usable Location' }
    const hops = this.#hopsTo(task) + 1
    if (to === task.url || this.#leadsBack(to, task.url)) return { outcome: 'redirect-loop', to }
    if (hops > options.maxRedirects) return { outcome: 'redirect-too-long', to, hops }
    if (task.depth === 0) this.#parts.onSeedMoved(to)
    const outside = scope(to, { depth: task.depth, listed: task.depth === 0 })
    const seed = frontier.pages.seedOf(task.page)
    if (frontier.findUrl(to) === -1 && !frontier.hasRoomFor(to)) return { outcome: 'redirect', to, hops }
    const found = { depth: task.depth, seed, parent: task.page }
    frontier.offer(to, outside === undefined ? found : { ...found, outside: reasonCode(outside) })
    return { outcome: outside === undefined ? 'redirect' : 'redirect-out-of-scope', to, hops, problem: outside }
  }

  /** Redirects in a row that led to this page, read from the page it was found on. */
  #hopsTo({ page, url }: PageTask): number {
    const { parent } = this.#parts.frontier.textOf(page)
    const from = this.#parts.collection.page(parent)
    return from?.redirectTo === url ? (from.hops ?? 0) : 0
  }

  #leadsBack(from: string, home: string): boolean {
    const { frontier, collection, options } = this.#parts
    for (let url: string | undefined = from, steps = 0; url !== undefined && steps <= options.maxRedirects; steps++) {
      const page = frontier.findUrl(url)
      url = page === -1 ? undefined : collection.page(page)?.redirectTo
      if (url === home) return true
    }
    return false
  }
}

function endingOf(answer: PageAnswer, reading: Reading): Ending {
  const byStatus = outcomeOfStatus(answer.head.status)
  if (answer.declined) return { outcome: 'skipped-type', problem: headerOf(answer.head.headers, 'content-type') }
  if (byStatus === 'truncated') return { outcome: byStatus, problem: 'status 206: a part that nobody asked for' }
  if (byStatus !== 'ok') return { outcome: byStatus, problem: `status ${answer.head.status}` }
  if (answer.truncated === 'time') return { outcome: 'timeout-body', problem: 'the body did not end in time' }
  // Asking again would bring the same bytes again.
  if (answer.truncated === 'length') return { outcome: 'too-large', problem: 'the body passes the limit' }
  if (answer.truncated !== undefined) return { outcome: 'truncated', problem: 'the connection broke off' }
  const coding = unknownTransferCoding(answer.head.headers)
  if (coding !== undefined) return { outcome: 'bad-coding', problem: `unknown transfer coding ${coding}` }
  if (reading.problem !== undefined) return { outcome: reading.problem.outcome, problem: reading.problem.message }
  return { outcome: 'ok' }
}

/** A body in a coding of the connection's that nobody undid (RFC 9112 §6.1) is not what the page says. */
function unknownTransferCoding(headers: HeaderList): string | undefined {
  const codings = (headerOf(headers, 'transfer-encoding') ?? '').slice(0, 200).toLowerCase().split(',')
  return codings.map((coding) => coding.trim()).find((coding) => !['', 'chunked', 'identity'].includes(coding))
}
