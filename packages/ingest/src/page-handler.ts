/**
 * PageHandler: what happens to a page after its visit. The answer becomes a capture, its links become offers, and page,
 * links, validators, timings and the page's disposition go into the collection as one deposit.
 */
import { headerOf, payloadDigest } from '@comity/protocol'
import type { CaptureSource, HeaderList, Instant } from '@comity/protocol'
import { encodeLinks } from '@comity/collection'
import type { AttemptNote, CaptureRow, Collection, PageRow, Scheme, Timings } from '@comity/collection'
import { lazyAnchors } from './earlier-visits.ts'
import { visited } from './events.ts'
import type { Head, PageAnswer, Truncation } from './exchange.ts'
import { fold } from './fold.ts'
import type { Ending } from './fold.ts'
import type { FollowUp, PageTask } from './deposit/follow-up.ts'
import type { Followed, LinkHandler } from './deposit/link-handler.ts'
import { NOTHING_STORED, storeAnswer, storeConfirmation } from './deposit/stored-records.ts'
import type { ArchivedConfirmation } from './deposit/stored-records.ts'
import type { Hooks } from './hooks.ts'
import { isRedirect, outcomeOfStatus } from './outcome.ts'
import type { Outcome } from './outcome.ts'
import { isMeans } from './media-type-wish.ts'
import type { TypeWish } from './media-type-wish.ts'
import { seenCapture } from './seen-capture.ts'
import type { Answered, ArchivedAs, PageSense, Reading } from './read/reading.ts'
import type { ReadingPool } from './read/pool.ts'
import { release } from './documents/leftovers.ts'
import { readingOfWords } from './read/sent-words.ts'
import type { SentWords } from './read/sent-words.ts'
import type { IngestEvents } from './ingest-events.ts'
import type { Tally } from './tally.ts'

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
  /** `crawl` when not given. */
  readonly source?: CaptureSource | undefined
  /** Of the answer; undefined when the page had none of its own. */
  readonly headers?: HeaderList | undefined
  /** A capability list of its site that the page names. */
  readonly capabilityList?: string | undefined
  /** Feeds that it links to. */
  readonly feeds?: readonly string[] | undefined
}

/** How an answer came, where it was not the page itself. */
interface Sent {
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
  /** Somebody else has archived it. */
  readonly archived?: Archived | undefined
}

/** The archive's record is the one that is kept; it may be older than what is known of the page. */
interface Archived {
  readonly record: ArchivedAs
  readonly takenAt: Instant
  /** Deposited after this, so that the same archive always makes the same collection. */
  readonly after?: Promise<unknown> | undefined
}

/** 304: the copy that was held then is still good (RFC 9110 §15.4.5). */
interface Unchanged extends Pick<Arrived, 'task' | 'site' | 'timings' | 'address'> {
  readonly head: Head
  readonly at: Instant
  readonly sent?: Sent | undefined
  readonly archived?: ArchivedConfirmation | undefined
}

/** What of a crawl's options counts once a page is here. */
interface PageOptions extends TypeWish {
  readonly gzipLevel: number
  readonly hooks: Hooks
}

interface PageHandlerParts {
  readonly pool: Pick<ReadingPool, 'read'>
  readonly collection: Collection
  readonly links: LinkHandler
  readonly followUp: FollowUp
  readonly tally: Tally
  readonly options: PageOptions
  /** Told of what is stored and deposited. */
  readonly taken: IngestEvents
  /** Why a page was asked for again, in words. */
  readonly whyOf?: ((page: number) => string | undefined) | undefined
}

const NOTHING_FOLLOWED: Followed = { targets: [], anchors: new Uint8Array(0) }
const NOT_MODIFIED = { scheme: 'not-modified' } as const

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

  unchanged({ task, site, head, at, timings, address, sent = NOT_MODIFIED, archived }: Unchanged): void {
    const { collection, options } = this.#parts
    const { page, url } = task
    const before = collection.page(page)
    const record = storeConfirmation(collection, { url, at, address, head, archived }, before, options.gzipLevel)
    const { headers } = head
    const came = { kind: 'unchanged', headers, body: archived?.body } as const
    const isOlder = archived !== undefined && isOlderThan(before, at)
    const { row } = fold(before, { site, at, isOlder, timings, came })
    const ending: Ending = { outcome: 'not-modified' }
    const { scheme, source = 'crawl' } = sent
    const body = archived?.body ?? before?.body
    const seen = { ...ending, scheme, status: 304, digest: before?.digest, bytes: 0, record, body } as const
    collection.deposit({ page, row, at, capture: this.#explained(task, { source, ...seen }) })
    const visit = { page, outcome: ending.outcome, at, before, row, bytes: 0, scheme, headers } as const
    this.#conclude(task, ending, timings?.firstByteMs ?? 0, visit)
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
  async ingest(arrived: Arrived, note?: AttemptNote): Promise<void> {
    const { task, answer, address, origin, sent = {}, words, archived } = arrived
    const { head, body, startedAt: at, truncated } = answer
    const told = this.#announce(task, answer, sent.source ?? 'crawl')
    const seen = { url: task.url, at, address, ...head, origin, body, truncated, archived: archived?.record }
    const [read, heard] = await Promise.allSettled([this.#parts.pool.read(seen, note), told, archived?.after])
    if (heard.status === 'rejected') throw heard.reason
    if (read.status === 'rejected') throw read.reason
    this.answered(arrived, words === undefined ? read.value : readingOfWords(read.value, words))
    releaseReading(read.value)
  }

  /** A copy, as the thread that reads takes the body itself. What is not whole is no capture. */
  #announce({ url }: PageTask, answer: PageAnswer, source: CaptureSource): unknown {
    const { onCapture } = this.#parts.options.hooks
    if (onCapture === undefined || answer.truncated !== undefined || answer.declined) return undefined
    const { head, startedAt: at } = answer
    const body = new Uint8Array(answer.body)
    const { status, headers } = head
    return onCapture(seenCapture({ url, at, source, status, headers, body, digest: payloadDigest(body) }))
  }

  /** An answer came and was read. */
  answered({ task, site, answer, timings, address, sent = {}, archived }: Arrived, reading: Reading): void {
    const { collection, links, options } = this.#parts
    const { wireBytes, scheme, source = 'crawl', servedAt, why } = sent
    const { page, url } = task
    const { status, headers } = answer.head
    const at = answer.startedAt
    const before = collection.page(page)
    const redirect = isRedirect(status) ? this.#parts.followUp.redirect(task, headers) : undefined
    const ending = redirect ?? endingOf(answer, reading, archived !== undefined)
    const bytes = reading.bodyBytes
    const type = headerOf(headers, 'content-type')
    // What is read for its links alone is not kept; but what is held already stays a page that is.
    const isKept = before?.body !== undefined || !isMeans(options, type, url)
    const observed = { url, address, archived: archived?.record, takenAt: archived?.takenAt ?? at }
    const stored = isKept ? storeAnswer(collection, observed, answer, reading, options.gzipLevel) : NOTHING_STORED
    const { sense, digest } = reading
    const nearDuplicateOf = this.#nearDuplicate(page, ending, sense)
    const came = { kind: 'answer', status, headers, ending, reading, body: stored.body, nearDuplicateOf } as const
    const isOlder = archived !== undefined && isOlderThan(before, at)
    const { row, isContent } = fold(before, { site, at, isOlder, servedAt, timings, came })
    const { targets, anchors } = isContent ? links.follow(task, reading.links) : NOTHING_FOLLOWED
    const { outcome, problem } = ending
    const seen = { outcome, problem, scheme, status, digest, bytes, ...stored.positions, why }
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
    const { capabilityList, feeds } = sense
    const sentAs = { bytes: wireBytes ?? bytes, scheme, source, headers, capabilityList, feeds }
    this.#conclude(task, ending, timings?.firstByteMs ?? 0, { page, outcome, at, before, row, ...sentAs })
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
    this.#parts.followUp.learn(page, { links, anchorOf: lazyAnchors(anchors), similarity, isHot })
  }

  /** A capture says why the page was asked for, where there is more to say than that it was new. */
  #explained({ page }: PageTask, capture: CaptureRow): CaptureRow {
    const why = capture.why ?? this.#parts.whyOf?.(page)
    return why === undefined ? capture : { ...capture, why }
  }

  #conclude(task: PageTask, { outcome, problem }: Ending, tookMs: number, visit: SettledVisit): void {
    const { followUp, tally } = this.#parts
    const { before, bytes, row } = visit
    // A page has a body once it was fetched whole; a revisit makes it no second page.
    tally.count(outcome, bytes, row.body !== undefined && before?.body === undefined)
    tally.countScripts(task.page, before, row)
    followUp.settle(task.page, outcome, bytes)
    this.#parts.taken.tell('deposit', visit)
    if (!visited.hasSubscribers) return
    visited.publish({ url: task.url, outcome, status: row.status, bytes, tookMs, problem })
  }
}

/** All of it is deposited. */
function releaseReading({ record, beside, links }: Reading): void {
  for (const bytes of [record, beside, links.texts, links.rows, links.anchors]) release(bytes)
}

/** Made before the newest that is known. */
const isOlderThan = (before: PageRow | undefined, at: Instant): boolean => before !== undefined && at < before.visitedAt

function endingOf(answer: PageAnswer, reading: Reading, isArchived: boolean): Ending {
  const byStatus = outcomeOfStatus(answer.head.status)
  if (answer.declined) return { outcome: 'skipped-type', problem: headerOf(answer.head.headers, 'content-type') }
  if (byStatus === 'truncated') return { outcome: byStatus, problem: 'status 206: a part that nobody asked for' }
  if (byStatus !== 'ok') return { outcome: byStatus, problem: `status ${answer.head.status}` }
  if (isArchived && answer.truncated !== undefined) return cutByArchive(answer.truncated)
  if (answer.truncated === 'time') return { outcome: 'timeout-body', problem: 'the body did not end in time' }
  // Asking again would bring the same bytes again.
  if (answer.truncated === 'length') return { outcome: 'too-large', problem: 'the body passes the limit' }
  if (answer.truncated !== undefined) return { outcome: 'truncated', problem: 'the connection broke off' }
  const coding = unknownTransferCoding(answer.head.headers)
  if (coding !== undefined) return { outcome: 'bad-coding', problem: `unknown transfer coding ${coding}` }
  if (reading.problem !== undefined) return { outcome: reading.problem.outcome, problem: reading.problem.message }
  return { outcome: 'ok' }
}

/** Whoever archived it may have cut it as well: nobody can ask again for what came that day. */
function cutByArchive(truncated: Truncation): Ending {
  const outcome = truncated === 'length' ? 'too-large' : 'truncated'
  return { outcome, problem: 'the archive has a part of the body only' }
}

/** A body in a coding of the connection's that nobody undid (RFC 9112 §6.1) is not what the page says. */
function unknownTransferCoding(headers: HeaderList): string | undefined {
  const codings = (headerOf(headers, 'transfer-encoding') ?? '').slice(0, 200).toLowerCase().split(',')
  return codings.map((coding) => coding.trim()).find((coding) => !['', 'chunked', 'identity'].includes(coding))
}
