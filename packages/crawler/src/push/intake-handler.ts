/**
 * IntakeHandler: what sites send unasked (002 §6.3), taken out of the inbox in the order it came.
 *
 *   notice ──────────────▶ signal: the page is due sooner, as far as the channel deserves it (`push/notice-handler.ts`)
 *   page, difference ──▶ newer than what is held? ──yes──▶ reading ──▶ deposit, source `push`
 *                              │ same: our copy is as new as that     └─ some are fetched too, and compared (`push/push-checks.ts`)
 *                              │ older: late; a hint
 *                              └ unsure, no base, being visited: the page is visited
 *   news of a dump, or what cannot be read ──▶ the site is asked what changed
 *   what an agent of ours says there ──▶ signals, and the site's order of its pages (`push/agent-handler.ts`)
 *   what a gateway saw pass ──▶ pages, hits, and which copies are fresh (`push/gateway-handler.ts`)
 *
 * Each item, and each page and notice in it, is worked on apart: what we fail on is kept aside (`faults/fault-isolation.ts` of ingest), the site is
 * asked what changed, and the next goes on.
 *
 * Nothing is lost: the number of the last item that was dealt with goes with the commit that holds what followed from it, and
 * only then is the item let go. Nothing counts twice: whatever comes again has the same digest. And nobody is obeyed: scope
 * and robots.txt hold for what is sent as for what is fetched, and who sends other pages than it serves is not believed.
 */
import { canonicalUrl, headerOf, siteOf, TOO_MUCH_WORK } from '@comity/protocol'
import type { BatchPage, Instant, Signal, TooMuchWork } from '@comity/protocol'
import { forgottenSites, inboxCursor } from '@comity/collection'
import type { Collection, DeadLetter, InboxItem, PageRow, Scheme } from '@comity/collection'
import { DONE, FAILED, FORGOTTEN, LEASED, WAITING } from '@comity/frontier'
import type { Frontier } from '@comity/frontier'
import { AgentHandler } from './agent-handler.ts'
import type { CooperationStore } from '@comity/follow'
import { sentIn, FAULT, judgePush, headOfWords, TurnTaking } from '@comity/ingest'
import type { PageAnswer, GatewayRows, IntakeOutcome, PageTask, SettledVisit, SentWords } from '@comity/ingest'
import { GatewayHandler } from './gateway-handler.ts'
import { HeldVersion } from '../fetch/held-version.ts'
import { aboutClaim, aboutItem, aboutNotice, aboutPage, NOTICES } from './intake-letter.ts'
import type { IntakePort } from './intake-port.ts'
import { NoticeHandler } from './notice-handler.ts'
import type { CrawlOptions } from '../options.ts'
import { PushChecks } from './push-checks.ts'
import type { VersionKey } from './push-checks.ts'
import { readPushed } from './pushed-pages.ts'
import { changeOfSent } from './searchable-delay.ts'
import { answerOfSent } from '@comity/follow'
import type { VisitParts } from '../fetch/visit.ts'

export interface IntakeHandlerParts {
  readonly inbox: Pick<IntakePort, 'last' | 'read' | 'acknowledged' | 'agents' | 'gateways'>
  readonly options: CrawlOptions
  readonly frontier: Frontier
  readonly collection: Collection
  readonly store: CooperationStore
  readonly visits: VisitParts
  readonly dayMs: number
  /** In this time what was read comes to count half. */
  readonly halfLifeMs: number
  readonly now: () => Instant
  readonly random: () => number
  readonly onSignal: (signal: Signal) => string
  /** A gateway saw that our copy of a page was as the page then. */
  readonly onConfirmed?: ((page: number, at: Instant) => void) | undefined
  /** A site's own order of its pages, best first. */
  readonly onOrder?: ((pages: readonly number[]) => void) | undefined
  /** A site has news that did not come along: it is to be asked what changed. */
  readonly onNews?: ((origin: string) => void) | undefined
  readonly onTaken?: ((item: InboxItem, outcome: IntakeOutcome) => void) | undefined
  /** A version of a page that we lack is on its way, changed then by its site's clock, where that is said. */
  readonly onAwaited?: ((page: number, changedAt: Instant | undefined, heardAt: Instant) => void) | undefined
}

/** Items looked at in one turn. */
const ITEMS_A_TURN = 200

const CURSOR = 'inbox'

export class IntakeHandler {
  readonly #parts: IntakeHandlerParts
  readonly #notices: NoticeHandler
  readonly #checks: PushChecks
  readonly #agents: AgentHandler | undefined
  readonly #gateways: GatewayHandler | undefined
  /** What was forgotten stays out. */
  readonly #forgotten: ReadonlySet<string>
  /** Pages that were being visited when something newer came: they are visited once more. */
  readonly #again = new Set<number>()
  #readUpTo: number
  /** The cursor that the commit under way carries. */
  #saved: number
  /** Taken out of the frontier, and not deposited yet. */
  #takenOut: number | undefined
  /** Tried again, and not committed yet. */
  readonly #retried: DeadLetter[] = []
  readonly #retriedInCommit: DeadLetter[] = []
  #isBusy = false
  /** There was something when we last looked, so there may be more: also from an earlier run. */
  #isFull = true
  #hasRetried = false

  constructor(parts: IntakeHandlerParts) {
    this.#parts = parts
    this.#notices = new NoticeHandler({ ...parts, sitemaps: parts.visits.sitemaps })
    this.#checks = new PushChecks(parts)
    this.#agents = this.#createAgents()
    this.#forgotten = forgottenSites(parts.collection)
    const { gateways } = parts.inbox
    if (gateways !== undefined) this.#gateways = new GatewayHandler({ ...parts, gateways, forgotten: this.#forgotten })
    this.#readUpTo = this.#saved = inboxCursor(parts.collection)
  }

  /** Take in what waits, one item after the other. Harmless to call at any time. */
  turn(now: Instant): void {
    const { visits } = this.#parts
    if (this.#checks.tick(now)) visits.commit.soon()
    if (this.#isBusy || !this.hasNews) return
    this.#isBusy = true
    visits.room.track(
      this.#takeSome().finally(() => (this.#isBusy = false)),
      0,
    )
  }

  /** Something may wait. */
  get hasNews(): boolean {
    return !this.#isBusy && (this.#isFull || this.#parts.inbox.last > this.#readUpTo)
  }

  nextAt(now: Instant): Instant {
    return this.hasNews ? now : this.#checks.nextAt()
  }

  /** It is fetched to be compared with what was sent. */
  mustBeWhole(page: number): boolean {
    return this.#checks.mustBeWhole(page) || this.#agents?.mustBeWhole(page) === true
  }

  settled(visit: SettledVisit): void {
    if (this.#again.delete(visit.page)) this.#parts.frontier.revisit(visit.page)
    this.#notices.settled(visit.page)
    this.#checks.settled(visit)
  }

  /** What gateways came to; undefined where none is heard. */
  get gateways(): GatewayRows | undefined {
    return this.#gateways?.rows
  }

  /** Before a commit: how far we are goes with it. */
  save(): void {
    this.#gateways?.save()
    this.#retriedInCommit.push(...this.#retried.splice(0))
    if (this.#readUpTo !== this.#saved) this.#parts.collection.putMeta(CURSOR, (this.#saved = this.#readUpTo))
  }

  /** What `save` put is durable. */
  async committed(): Promise<void> {
    this.#agents?.committed()
    for (const letter of this.#retriedInCommit.splice(0)) this.#parts.visits.faults.settled(letter)
    if (this.#saved > 0) await this.#parts.inbox.acknowledged(this.#saved)
  }

  /** Nobody is heard any more. */
  end(): void {
    this.#agents?.end()
  }

  // ── what was sent ──────────────────────────────────────────────────────────────────────────────────────────

  async #takeSome(): Promise<void> {
    const { inbox, visits } = this.#parts
    if (!this.#hasRetried) await this.#retry()
    const items = await inbox.read(this.#readUpTo, ITEMS_A_TURN)
    this.#isFull = items.length > 0
    for (const item of items) {
      if (visits.room.isStopping) return
      await this.#takeApart(item)
      this.#readUpTo = item.number
      visits.commit.soon()
    }
  }

  /** What was kept aside before, and somebody wants to be tried again. */
  async #retry(): Promise<void> {
    this.#hasRetried = true
    for (const letter of this.#parts.visits.faults.retries()) {
      const { item, origin = '', body } = letter
      if (item === undefined) continue
      await this.#takeApart({ ...item, origin, body }, letter.name)
      this.#retried.push(letter)
      this.#parts.visits.commit.soon()
    }
  }

  async #takeApart(item: InboxItem, again = ''): Promise<void> {
    const about = { ...aboutItem(item), key: `inbox ${item.number}${again}`, holdsOthers: true }
    const came = await this.#parts.visits.faults.apart(about, () => this.#takeIn(item))
    if (came !== FAULT) return
    if (item.door === 'gateway') this.#gateways?.failed(item)
    else this.#failed(item)
  }

  /** The site thinks that we have it. */
  #failed(item: InboxItem, url?: string): void {
    if (this.#takenOut !== undefined) this.#parts.frontier.settle(this.#takenOut, 'waiting')
    this.#takenOut = undefined
    this.#parts.onNews?.(item.origin)
    this.#tell(item, 'fault', url)
  }

  async #takeIn(item: InboxItem): Promise<void> {
    if (item.door === 'gateway') return await (this.#gateways?.take(item) ?? this.#tell(item, 'unoffered'))
    if (this.#forgotten.has(item.origin)) return this.#tell(item, 'forgotten')
    if (item.type === NOTICES && item.scheme === 'agent') await this.#hearAgent(item)
    else if (item.type === NOTICES && item.scheme === 'changes') {
      await this.#hearLines(item)
    } else if (item.type === NOTICES) await this.#hearOfDumps(item)
    else await this.#takePages(item)
  }

  /** It names a list of dumps, which is no page of the site's; where it names pages that we know, they are heard of. */
  async #hearOfDumps(item: InboxItem): Promise<void> {
    await this.#hearLines(item, true)
    this.#parts.onNews?.(item.origin)
    this.#tell(item, 'announced')
  }

  async #takePages(item: InboxItem): Promise<void> {
    const { options, visits } = this.#parts
    const turns = new TurnTaking()
    for await (const pushed of readPushed(item, options.maxDecodedBytes, visits.pool)) {
      await turns.next()
      if (pushed.kind === 'page') await this.#takePage(item, pushed.page)
      else if (pushed.kind === 'notice') {
        const { signal } = pushed
        this.#hearApart(item, JSON.stringify(signal), () => this.#hear(item, signal))
      } else if (pushed.kind === 'fault') {
        visits.faults.failed(aboutItem(item), new Error(pushed.problem))
        this.#failed(item)
      } else this.#missed(item, pushed.kind)
    }
  }

  async #takePage(item: InboxItem, page: BatchPage): Promise<void> {
    const { url } = page
    const came = await this.#parts.visits.faults.apart(aboutPage(item, page), () => this.#take(item, page))
    if (came === FAULT) this.#failed(item, url)
    else this.#tell(item, came, url)
  }

  /** The site thinks that we have it. */
  #missed(item: InboxItem, outcome: 'unreadable' | TooMuchWork): void {
    this.#parts.onNews?.(item.origin)
    this.#tell(item, outcome)
  }

  async #hearLines(item: InboxItem, isOfKnownPage = false): Promise<void> {
    const turns = new TurnTaking()
    for (const line of linesOf(item)) {
      await turns.next()
      this.#hearLine(item, line, isOfKnownPage)
    }
  }

  /** The receiver wrote it. */
  #hearLine(item: InboxItem, line: string, isOfKnownPage: boolean): void {
    this.#hearApart(item, line, () => {
      const signal = JSON.parse(line) as Signal
      const url = this.#ownUrl(item, signal.url)
      if (!isOfKnownPage || (url !== undefined && this.#parts.frontier.findUrl(url) !== -1)) this.#hear(item, signal)
    })
  }

  #hear(item: InboxItem, signal: Signal): void {
    const url = this.#ownUrl(item, signal.url)
    const outcome = url === undefined ? 'foreign' : this.#notices.hear({ ...signal, url }, item.at)
    this.#tell(item, outcome, signal.url)
  }

  #hearApart(item: InboxItem, said: string, hear: () => void): void {
    if (this.#parts.visits.faults.apartNow(aboutNotice(item, said), hear) === FAULT) this.#failed(item)
  }

  async #hearAgent(item: InboxItem): Promise<void> {
    if (this.#agents === undefined) return this.#tell(item, 'unoffered')
    for await (const { outcome, url } of this.#agents.hear(item)) {
      if (outcome === 'fault') this.#failed(item, url)
      else this.#tell(item, outcome, url)
    }
  }

  #createAgents(): AgentHandler | undefined {
    const { agents } = this.#parts.inbox
    if (agents === undefined) return undefined
    const ownUrl = (item: InboxItem, said: string): string | undefined => this.#ownUrl(item, said)
    return new AgentHandler({
      ...this.#parts,
      agents,
      notices: this.#notices,
      checks: this.#checks,
      ownUrl,
      apart: (item, claim, work) => this.#parts.visits.faults.apart(aboutClaim(item, claim), work),
      takeWords: async (item, words) => await this.#take(item, words.page, words),
      onLearnt: () => this.#parts.visits.commit.soon(),
    })
  }

  #ownUrl({ origin }: InboxItem, said: string): string | undefined {
    const url = canonicalUrl(said, undefined, this.#parts.options.urlRules)
    return url !== undefined && siteOf(url) === origin ? url : undefined
  }

  /** One page that was sent, whole, as a difference, as its words, or gone. */
  async #take(item: InboxItem, sent: BatchPage, words?: SentWords): Promise<IntakeOutcome> {
    const { frontier, options, visits, collection, now } = this.#parts
    const url = this.#ownUrl(item, sent.url)
    if (url === undefined) return 'foreign'
    if (!SENT_STATUSES.has(sent.status)) return 'unreadable'
    // What it is does not depend on what is held by the time it is known: a difference is checked by its digest.
    const answer = await this.#whole(url, answerOfSent(sent, now()))
    const version = words ?? (answer === undefined ? undefined : await this.#versionOf(answer))
    await visits.robots.readyFor(url, visits.pool)
    // Between here and `takeOut` nothing is waited for: the page must not be visited in between.
    await visits.room.forPage()
    const page = this.#pageOf(url, sent.status)
    if (typeof page === 'string') return page
    const site = frontier.pages.siteOf(page)
    if (!options.ignoreRobots && !visits.robots.allows(site, url)) return 'outside'
    const expect = (): void => this.#parts.onAwaited?.(page, changeOfSent(sent), item.at)
    if (frontier.pages.stateOf(page) === LEASED) {
      expect()
      this.#again.add(page)
      return 'visited'
    }
    const row = collection.page(page)
    if (answer === undefined) {
      expect()
      return this.#visit(page)
    }
    if (version === undefined) return 'unreadable'
    if (version === TOO_MUCH_WORK) return TOO_MUCH_WORK
    const head = words === undefined ? answer.head : headOfWords(answer.head, words)
    if (!visits.gate.wants(head, url, site)) return 'outside'
    const { key } = version
    this.#checks.sent(page, site, key)
    const verdict = judgePush(row, { key, asOf: sent.at })
    if (verdict === 'same') return this.#confirm(page, row, sent.at)
    const isHint = verdict === 'older' || this.#checks.isHintOnly(site)
    // How long a hint waits says nothing of those who are believed.
    if (verdict === 'unsure' || !isHint) expect()
    if (verdict === 'unsure') return this.#visit(page)
    if (isHint) {
      // By its digest, and as it came just now, it is news, whatever its own clock says; the channel's trust says the rest.
      const change = key === undefined ? 'deleted' : 'updated'
      this.#notices.hear({ url, change, channel: 'websub', digest: version.digest }, item.at)
      if (verdict === 'older') return 'older'
      this.#checks.hinted(page, site, key)
      return 'hint'
    }
    frontier.revisit(page)
    if (!frontier.takeOut(page)) {
      this.#again.add(page)
      return 'visited'
    }
    this.#takenOut = page
    await this.#deposit(item, sent, { page, url, site, answer, words })
    this.#takenOut = undefined
    this.#checks.took(page, site, key)
    return 'applied'
  }

  async #deposit(item: InboxItem, sent: BatchPage, { page, url, site, answer, words }: Arrival): Promise<void> {
    const { frontier, visits } = this.#parts
    const task: PageTask = { kind: 'page', page, url, depth: frontier.pages.depthOf(page), tries: 0 }
    const as = words === undefined ? 'answer' : 'extracted-text'
    const origin = { how: `${item.scheme} by ${item.door}`, via: item.origin, as } as const
    const came = {
      wireBytes: sent.body.length,
      scheme: schemeOf(item, sent),
      source: 'push',
      servedAt: sent.at,
      why: `sent by the site: ${item.scheme} by ${item.door}`,
    } as const
    await visits.pages.ingest({ task, site, answer, address: '', origin, sent: came, words })
  }

  /** The page as it is now; undefined when it came as a difference from something that is not held. */
  async #whole(url: string, received: PageAnswer): Promise<PageAnswer | undefined> {
    const { collection, frontier, options, visits } = this.#parts
    if (received.head.status !== 226) return received
    const page = frontier.findUrl(url)
    const row = page === -1 ? undefined : collection.page(page)
    const limits = { differences: false, maxBytes: options.maxDecodedBytes }
    const held = row?.body === undefined ? undefined : new HeldVersion(url, row, collection, limits)
    const rebuilt = (await held?.fromPushed(received, visits.pool)) ?? { kind: 'whole', answer: received }
    return rebuilt.kind === 'broken' || rebuilt.answer.head.status === 226 ? undefined : rebuilt.answer
  }

  /** By the body without its content coding; undefined when that cannot be undone. */
  async #versionOf({ head, body }: PageAnswer): Promise<Version | TooMuchWork | undefined> {
    if (head.status !== 200) return { key: undefined }
    const { options, visits } = this.#parts
    const coding = headerOf(head.headers, 'content-encoding')
    return await visits.pool.work('version', { body, coding, maxBytes: options.maxDecodedBytes })
  }

  /** We hold what was sent. As of then: what was made before and comes later is not newer than it. */
  #confirm(page: number, row: PageRow | undefined, asOf: Instant | undefined): IntakeOutcome {
    const { collection } = this.#parts
    if (asOf !== undefined && asOf > (row?.servedAt ?? -Infinity)) collection.amend(page, { servedAt: asOf })
    return 'same'
  }

  /** Its number, when it is known or may be; otherwise why it is not ours to hold. */
  #pageOf(url: string, status: number): number | 'outside' | 'forgotten' {
    const { frontier, visits } = this.#parts
    const isKnown = frontier.findUrl(url) !== -1
    if (!isKnown && status >= 400) return 'outside'
    if (!isKnown) visits.sitemaps.offer(url)
    const page = frontier.findUrl(url)
    const state = page === -1 ? undefined : frontier.pages.stateOf(page)
    if (state === FORGOTTEN) return 'forgotten'
    if (visits.start.reasonSince(url) !== undefined) return 'outside'
    return state === WAITING || state === LEASED || state === DONE || state === FAILED ? page : 'outside'
  }

  #visit(page: number): IntakeOutcome {
    this.#parts.frontier.revisit(page)
    return 'visited'
  }

  #tell(item: InboxItem, outcome: IntakeOutcome, url?: string): void {
    const { origin, scheme, door } = item
    this.#parts.onTaken?.(item, outcome)
    if (sentIn.hasSubscribers) sentIn.publish({ origin, url, scheme, door, outcome })
  }
}

/** A page on its way into the collection. */
interface Arrival {
  readonly page: number
  readonly url: string
  readonly site: number
  readonly answer: PageAnswer
  readonly words: SentWords | undefined
}

/** Whole, a difference, or gone: what else a server answers says nothing of the page. */
const SENT_STATUSES: ReadonlySet<number> = new Set([200, 226, 404, 410])

interface Version {
  readonly key: VersionKey
  /** As signals have it. */
  readonly digest?: string | undefined
}

/** By which scheme of 002 Table 6.1 a page came. */
function schemeOf({ scheme }: InboxItem, { status, headers }: BatchPage): Scheme | undefined {
  if (scheme === 'batches') return 'batch'
  if (scheme === 'site') return 'dump'
  return status === 226 && headerOf(headers, 'im') !== undefined ? 'difference' : undefined
}

function linesOf({ body }: InboxItem): string[] {
  const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8')
  return text.split('\n').filter((line) => line !== '')
}
