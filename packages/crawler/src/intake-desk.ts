/**
 * IntakeDesk: what sites send unasked (002 §6.3), taken out of the inbox in the order it came.
 *
 *   notice ──────────────▶ signal: the page is due sooner, as far as the channel deserves it
 *   page, difference ──▶ newer than what is held? ──yes──▶ reading ──▶ deposit, source `push`
 *                              │ same: nothing to do        └─ some are fetched too, and compared (`push-record.ts`)
 *                              │ older: late; a hint
 *                              └ unsure, no base, being visited: the page is visited
 *
 * Nothing is lost: the number of the last item that was dealt with goes with the commit that holds what followed from it, and
 * only then is the item let go. Nothing counts twice: whatever comes again has the same digest. And nobody is obeyed: scope
 * and robots.txt hold for what is sent as for what is fetched, and who sends other pages than it serves is not believed.
 */
import { canonicalUrl, headerOf, siteOf } from '@comity/protocol'
import type { BatchPage, Instant, Signal } from '@comity/protocol'
import type { Collection, InboxItem, Scheme } from '@comity/collection'
import { DONE, FAILED, LEASED, WAITING } from '@comity/frontier'
import type { Frontier } from '@comity/frontier'
import { contentKey } from './content-key.ts'
import type { CooperationBook } from './cooperation-book.ts'
import { HeldVersion } from './held-version.ts'
import type { IntakeOutcome } from './intake-outcome.ts'
import type { IntakePort } from './intake-port.ts'
import { readPushed } from './pushed-pages.ts'
import type { CrawlOptions } from './options.ts'
import type { PageTask, SettledVisit } from './page-desk.ts'
import { NEW_PUSH_RECORD, checkedPush, isHintOnly, isToBeChecked, tookPush } from './push-record.ts'
import type { PushRecord } from './push-record.ts'
import { judgePush } from './push-verdict.ts'
import { changeOfSent } from './searchable-delay.ts'
import { exchangeOfSent } from './sent-page.ts'
import type { VisitParts } from './visit.ts'

export interface IntakeDeskParts {
  readonly inbox: Pick<IntakePort, 'last' | 'read' | 'acknowledged'>
  readonly options: CrawlOptions
  readonly frontier: Frontier
  readonly collection: Collection
  readonly book: CooperationBook
  readonly visits: VisitParts
  readonly dayMs: number
  readonly now: () => Instant
  readonly random: () => number
  readonly onSignal: (signal: Signal) => string
  readonly onTaken?: ((item: InboxItem, outcome: IntakeOutcome) => void) | undefined
  /** A version of a page that we lack is on its way, changed then by its site's clock, where that is said. */
  readonly onAwaited?: ((page: number, changedAt: Instant | undefined, heardAt: Instant) => void) | undefined
}

/** Items looked at in one turn. */
const ITEMS_A_TURN = 200
/** A page fetched this soon after it was sent and found to be another one was not what the site serves. */
const CHECKED_WITHIN_MS = 60_000
const MOST_CHECKS = 10_000

/** Pages that were sent and are being fetched to be compared. */
interface Check {
  readonly at: Instant
  readonly key: Uint8Array | undefined
}

const CURSOR = 'inbox'

/** The last item whose consequences are durable. */
export function intakeCursor(collection: Collection): number {
  return (collection.meta(CURSOR) as number | undefined) ?? 0
}

export class IntakeDesk {
  readonly #parts: IntakeDeskParts
  readonly #checks = new Map<number, Check>()
  /** Pages that were being visited when something newer came: they are visited once more. */
  readonly #again = new Set<number>()
  #readUpTo: number
  /** The cursor that the commit under way carries. */
  #saved: number
  #isBusy = false
  /** There was something when we last looked, so there may be more: also from an earlier run. */
  #isFull = true

  constructor(parts: IntakeDeskParts) {
    this.#parts = parts
    this.#readUpTo = this.#saved = intakeCursor(parts.collection)
  }

  /** Take in what waits, one item after the other. Harmless to call at any time. */
  turn(): void {
    const { visits } = this.#parts
    if (this.#isBusy || !this.hasNews) return
    this.#isBusy = true
    visits.track(
      this.#takeSome().finally(() => (this.#isBusy = false)),
      0,
    )
  }

  /** Something may wait. */
  get hasNews(): boolean {
    return !this.#isBusy && (this.#isFull || this.#parts.inbox.last > this.#readUpTo)
  }

  settled({ page, outcome, row, at, scheme }: SettledVisit): void {
    const { frontier, book } = this.#parts
    if (this.#again.delete(page)) frontier.revisit(page)
    const check = this.#checks.get(page)
    if (check === undefined || at <= check.at) return
    this.#checks.delete(page)
    const hasAnswer = outcome === 'ok' || outcome === 'not-modified' || outcome === 'client-error'
    if (!hasAnswer || at - check.at > CHECKED_WITHIN_MS || scheme !== undefined) return
    const isSame = judgePush(row, { key: check.key, asOf: undefined }) === 'same'
    const record = checkedPush(this.#recordOf(row.site), isSame, at, this.#parts.dayMs)
    book.note(row.site, { pushes: record })
  }

  /** It is fetched to be compared: a condition would ask the site whether it lied. */
  mustBeWhole(page: number): boolean {
    return this.#checks.has(page)
  }

  /** Before a commit: how far we are goes with it. */
  save(): void {
    if (this.#readUpTo !== this.#saved) this.#parts.collection.putMeta(CURSOR, (this.#saved = this.#readUpTo))
  }

  /** What `save` put is durable. */
  async committed(): Promise<void> {
    if (this.#saved > 0) await this.#parts.inbox.acknowledged(this.#saved)
  }

  // ── what was sent ──────────────────────────────────────────────────────────────────────────────────────────

  async #takeSome(): Promise<void> {
    const { inbox, visits } = this.#parts
    const items = await inbox.read(this.#readUpTo, ITEMS_A_TURN)
    this.#isFull = items.length > 0
    for (const item of items) {
      if (visits.isStopping()) return
      if (item.scheme === 'changes') this.#hear(item)
      else await this.#takeIn(item)
      this.#readUpTo = item.number
      visits.learnt()
    }
  }

  async #takeIn(item: InboxItem): Promise<void> {
    for await (const sent of readPushed(item, this.#parts.options.maxDecodedBytes)) {
      this.#tell(item, 'url' in sent ? await this.#take(item, sent) : 'unreadable')
    }
  }

  #hear(item: InboxItem): void {
    for (const signal of signalsOf(item)) {
      const url = canonicalUrl(signal.url, undefined, this.#parts.options.urlRules)
      if (url === undefined || siteOf(url) !== item.origin) this.#tell(item, 'foreign')
      else this.#tell(item, this.#notice(item, signal, url))
    }
  }

  #notice({ at }: InboxItem, signal: Signal, url: string): IntakeOutcome {
    const verdict = this.#parts.onSignal({ ...signal, url })
    const isUnknown = verdict === 'unknown page'
    const isNew = isUnknown && signal.change !== 'deleted' && this.#parts.visits.sitemaps.offer(url) === 1
    if (isNew || verdict === 'counted') {
      this.#parts.onAwaited?.(this.#parts.frontier.findUrl(url), signal.changedAt, at)
    }
    return isUnknown && !isNew ? 'outside' : 'heard'
  }

  /** One page that was sent, whole, as a difference, or gone. */
  async #take(item: InboxItem, sent: BatchPage): Promise<IntakeOutcome> {
    const { frontier, options, visits, collection, now, random } = this.#parts
    const url = canonicalUrl(sent.url, undefined, options.urlRules)
    if (url === undefined || siteOf(url) !== item.origin) return 'foreign'
    const page = this.#pageOf(url, sent.status)
    if (page === undefined) return 'outside'
    const site = frontier.pages.siteOf(page)
    if (!options.ignoreRobots && !visits.robots.allows(site, url)) return 'outside'
    const expect = (): void => this.#parts.onAwaited?.(page, changeOfSent(sent), item.at)
    if (frontier.pages.stateOf(page) === LEASED) {
      expect()
      this.#again.add(page)
      return 'visited'
    }
    const row = collection.page(page)
    const received = exchangeOfSent(sent, now())
    const held = row?.body === undefined ? undefined : new HeldVersion(url, row, collection, this.#baseLimits())
    const rebuilt = held?.fromPushed(received) ?? { kind: 'whole', exchange: received }
    if (rebuilt.kind === 'broken' || rebuilt.exchange.head.status === 226) {
      expect()
      return this.#visit(page)
    }
    const { exchange } = rebuilt
    const key = exchange.head.status === 200 ? contentKey(exchange.body) : undefined
    const verdict = judgePush(row, { key, asOf: sent.at })
    const record = this.#recordOf(site)
    if (verdict === 'same') return 'same'
    if (verdict === 'unsure') {
      expect()
      return this.#visit(page)
    }
    const signal: Signal = { url, change: key === undefined ? 'deleted' : 'updated', channel: 'websub' }
    if (verdict === 'older' || isHintOnly(record, now())) {
      this.#parts.onSignal(signal)
      if (verdict === 'newer' && isToBeChecked(record, now(), random)) this.#check(page, key)
      return verdict === 'older' ? 'older' : 'hint'
    }
    expect()
    await visits.room()
    frontier.revisit(page)
    if (!frontier.takeOut(page)) {
      this.#again.add(page)
      return 'visited'
    }
    const task: PageTask = { kind: 'page', page, url, depth: frontier.pages.depthOf(page), tries: 0 }
    const { head, body } = exchange
    const read = await visits.pool.read({ url, at: exchange.startedAt, address: '', ...head, requestHeaders: [], body })
    visits.pages.answered(task, site, exchange, read, '', {
      wireBytes: sent.body.length,
      scheme: schemeOf(item, sent),
      source: 'push',
      servedAt: sent.at,
      why: `sent by the site: ${item.scheme} by ${item.door}`,
    })
    // Not the one of before: while it was read, another page may have been found out.
    const taken = tookPush(this.#recordOf(site))
    this.#parts.book.note(site, { pushes: taken })
    if (isToBeChecked(taken, now(), random)) this.#check(page, key)
    return 'applied'
  }

  /** Its number, when it is known or may be; undefined: not ours to hold. */
  #pageOf(url: string, status: number): number | undefined {
    const { frontier, visits } = this.#parts
    const isKnown = frontier.findUrl(url) !== -1
    if (!isKnown && (status >= 400 || visits.sitemaps.offer(url) !== 1)) return undefined
    const page = frontier.findUrl(url)
    const state = page === -1 ? undefined : frontier.pages.stateOf(page)
    return state === WAITING || state === LEASED || state === DONE || state === FAILED ? page : undefined
  }

  #visit(page: number): IntakeOutcome {
    this.#parts.frontier.revisit(page)
    return 'visited'
  }

  #check(page: number, key: Uint8Array | undefined): void {
    if (this.#checks.size >= MOST_CHECKS) return
    this.#checks.set(page, { at: this.#parts.now(), key })
    this.#parts.frontier.revisit(page)
  }

  #recordOf(site: number): PushRecord {
    return this.#parts.book.of(site).pushes ?? NEW_PUSH_RECORD
  }

  #baseLimits(): { differences: boolean; maxBytes: number } {
    return { differences: false, maxBytes: this.#parts.options.maxDecodedBytes }
  }

  #tell(item: InboxItem, outcome: IntakeOutcome): void {
    this.#parts.onTaken?.(item, outcome)
  }
}

/** By which scheme of 002 Table 6.1 a page came. */
function schemeOf({ scheme }: InboxItem, { status, headers }: BatchPage): Scheme | undefined {
  if (scheme === 'batches') return 'batch'
  if (scheme === 'site') return 'dump'
  return status === 226 && headerOf(headers, 'im') !== undefined ? 'difference' : undefined
}

/** The receiver wrote them, one a line. */
function* signalsOf({ body }: InboxItem): Iterable<Signal> {
  const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8')
  for (const line of text.split('\n')) if (line !== '') yield JSON.parse(line) as Signal
}
