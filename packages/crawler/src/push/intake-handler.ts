/**
 * IntakeHandler: what sites send unasked (002 §6.3), taken out of the inbox in the order it came.
 *
 *   notice ──────────────▶ signal: the page is due sooner, as far as the channel deserves it (`push/notice-handler.ts`)
 *   page, difference ────▶ taken in, if it is newer than what is held (`push/sent-pages.ts`)
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
import type { BatchPage, Instant, Signal, TooMuchWork } from '@comity/protocol'
import { FACTS, forgottenSites, inboxCursor } from '@comity/collection'
import type { Collection, DeadLetter, InboxItem } from '@comity/collection'
import type { Frontier } from '@comity/frontier'
import { AgentHandler } from './agent-handler.ts'
import type { CooperationStore } from '@comity/follow'
import { sentIn, FAULT, TurnTaking } from '@comity/ingest'
import type { GatewayRows, IntakeOutcome, SettledVisit } from '@comity/ingest'
import { GatewayHandler } from './gateway-handler.ts'
import { aboutItem, aboutNotice, aboutPage, NOTICES } from './intake-letter.ts'
import type { IntakeListener } from './intake-listener.ts'
import type { IntakeInbox, IntakeSpeakers } from './intake-port.ts'
import { NoticeHandler } from './notice-handler.ts'
import type { CrawlOptions } from '../options.ts'
import { PushChecks } from './push-checks.ts'
import { readPushedParts } from './pushed-pages.ts'
import { SentPages, urlOfSite } from './sent-pages.ts'
import type { VisitParts } from '../fetch/visit.ts'
import type { HeardPages } from '../watch/heard-pages.ts'

interface IntakeHandlerParts {
  readonly inbox: Pick<IntakeInbox, 'last' | 'read' | 'acknowledged'> & IntakeSpeakers
  readonly options: CrawlOptions
  readonly frontier: Frontier
  readonly collection: Collection
  readonly store: CooperationStore
  readonly visits: VisitParts
  readonly heard: HeardPages
  readonly listener: IntakeListener
  readonly dayMs: number
  /** In this time what was read comes to count half. */
  readonly halfLifeMs: number
  readonly now: () => Instant
  readonly random: () => number
}

/** Items looked at in one turn. */
const ITEMS_A_TURN = 200

export class IntakeHandler {
  readonly #parts: IntakeHandlerParts
  readonly #notices: NoticeHandler
  readonly #checks: PushChecks
  readonly #sent: SentPages
  readonly #agents: AgentHandler | undefined
  readonly #gateways: GatewayHandler | undefined
  /** What was forgotten stays out. */
  readonly #forgotten: ReadonlySet<string>
  #readUpTo: number
  /** The cursor that the commit under way carries. */
  #saved: number
  /** Tried again, and not committed yet. */
  readonly #retried: DeadLetter[] = []
  readonly #retriedInCommit: DeadLetter[] = []
  #isBusy = false
  /** There was something when we last looked, so there may be more: also from an earlier run. */
  #isFull = true
  #hasRetried = false

  constructor(parts: IntakeHandlerParts) {
    this.#parts = parts
    const { collection, visits, inbox, heard } = parts
    this.#notices = new NoticeHandler({ ...parts, sitemaps: visits.sitemaps })
    this.#checks = new PushChecks(parts)
    this.#sent = new SentPages({ ...parts, notices: this.#notices, checks: this.#checks })
    this.#agents = this.#createAgents()
    const forgotten = (this.#forgotten = forgottenSites(collection))
    const { gateways } = inbox
    if (gateways !== undefined)
      this.#gateways = new GatewayHandler({
        ...parts,
        gateways,
        forgotten,
        onConfirmed: (page, at) => heard.confirmed(page, at),
      })
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
    this.#sent.settled(visit.page)
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
    if (this.#readUpTo !== this.#saved) this.#parts.collection.putFact(FACTS.inbox, (this.#saved = this.#readUpTo))
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
    this.#sent.failed()
    this.#parts.listener.onNews(item.origin)
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
    this.#parts.listener.onNews(item.origin)
    this.#tell(item, 'announced')
  }

  async #takePages(item: InboxItem): Promise<void> {
    const { options, visits } = this.#parts
    const turns = new TurnTaking()
    for await (const pushed of readPushedParts(item, options.maxDecodedBytes, visits.pool)) {
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
    const came = await this.#parts.visits.faults.apart(aboutPage(item, page), () => this.#sent.take(item, page))
    if (came === FAULT) this.#failed(item, url)
    else this.#tell(item, came, url)
  }

  /** The site thinks that we have it. */
  #missed(item: InboxItem, outcome: 'unreadable' | TooMuchWork): void {
    this.#parts.listener.onNews(item.origin)
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
      const url = urlOfSite(item, signal.url, this.#parts.options.urlRules)
      if (!isOfKnownPage || (url !== undefined && this.#parts.frontier.findUrl(url) !== -1)) this.#hear(item, signal)
    })
  }

  #hear(item: InboxItem, signal: Signal): void {
    const url = urlOfSite(item, signal.url, this.#parts.options.urlRules)
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
    const { commit, faults } = this.#parts.visits
    const { urlRules } = this.#parts.options
    const [notices, checks, sent] = [this.#notices, this.#checks, this.#sent]
    return new AgentHandler({ ...this.#parts, agents, notices, checks, sent, faults, commit, urlRules })
  }

  #tell(item: InboxItem, outcome: IntakeOutcome, url?: string): void {
    const { origin, scheme, door } = item
    this.#parts.listener.onTaken(item, outcome)
    if (sentIn.hasSubscribers) sentIn.publish({ origin, url, scheme, door, outcome })
  }
}

function linesOf({ body }: InboxItem): string[] {
  const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8')
  return text.split('\n').filter((line) => line !== '')
}
