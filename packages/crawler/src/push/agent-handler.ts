/**
 * AgentHandler: what the engine's own agents say of the pages of the sites they are at (scheme 12 of 002 Table 6.1).
 *
 *   claim of a page we hold as it was said ──▶ same: nothing to do
 *   of another version, a new page, one that is gone ──▶ signal, as far as the channel deserves it
 *   words of a page that we do not hold whole ──▶ held as words, and found by them, without a request (`read/sent-words.ts` of ingest)
 *   importance ──▶ the order of the site's pages among themselves, and never what the site is worth
 *
 * A site runs the program, so what it says is a claim like any other: some of it is looked into (`push/agent-audits.ts`), and a
 * site whose claims do not hold is heard as one that hints.
 */
import type { Instant, SignalChannel, UrlRules } from '@comity/protocol'
import type { Collection, InboxItem } from '@comity/collection'
import type { Frontier } from '@comity/frontier'
import { AgentAudits } from './agent-audits.ts'
import type { AgentClaim, AgentClaims, AgentPort } from './agent-port.ts'
import { keyOfDigest, FAULT, sentWords, TurnTaking } from '@comity/ingest'
import { judgeClaim } from '@comity/follow'
import type { CooperationStore } from '@comity/follow'
import type { FaultIsolation, GroupCommit, IntakeOutcome, SentWords } from '@comity/ingest'
import type { HeardPages } from '../watch/heard-pages.ts'
import { aboutClaim } from './intake-letter.ts'
import type { NoticeHandler } from './notice-handler.ts'
import type { PushChecks } from './push-checks.ts'
import { urlOfSite } from './sent-pages.ts'
import type { SentPages } from './sent-pages.ts'

interface AgentHandlerParts {
  readonly agents: AgentPort
  readonly frontier: Frontier
  readonly collection: Collection
  readonly store: CooperationStore
  readonly faults: FaultIsolation
  readonly commit: Pick<GroupCommit, 'soon'>
  readonly heard: HeardPages
  readonly sent: SentPages
  readonly urlRules: UrlRules
  readonly notices: Pick<NoticeHandler, 'hear'>
  readonly checks: Pick<PushChecks, 'isHintOnly' | 'sent' | 'took' | 'hinted'>
  readonly dayMs: number
  readonly now: () => Instant
  readonly random: () => number
}

/** Pages that a site may put in order: its best. */
const MOST_ORDERED = 1_000

export class AgentHandler {
  readonly #parts: AgentHandlerParts
  readonly #audits: AgentAudits

  constructor(parts: AgentHandlerParts) {
    this.#parts = parts
    this.#audits = new AgentAudits({ ...parts, onLearnt: () => parts.commit.soon() })
  }

  /** One result; says of each page what came of it. */
  async *hear(item: InboxItem): AsyncIterable<{ readonly outcome: IntakeOutcome; readonly url?: string | undefined }> {
    const news = await this.#parts.agents.read(item.body)
    if ('problem' in news) {
      yield { outcome: news.outcome }
      return
    }
    const turns = new TurnTaking()
    for (const claim of news.claims) {
      await turns.next()
      const came = await this.#parts.faults.apart(aboutClaim(item, claim), () => this.#take(item, news, claim))
      yield { outcome: came === FAULT ? 'fault' : came, url: claim.url }
    }
    this.#order(item, news)
    this.#audits.step()
  }

  mustBeWhole(page: number): boolean {
    return this.#audits.mustBeWhole(page)
  }

  /** What was fetched since is in the archive. */
  committed(): void {
    this.#audits.step()
  }

  end(): void {
    this.#audits.end()
  }

  async #take(item: InboxItem, news: AgentClaims, claim: AgentClaim): Promise<IntakeOutcome> {
    const { frontier, collection, checks, urlRules } = this.#parts
    const url = urlOfSite(item, claim.url, urlRules)
    if (url === undefined) return 'foreign'
    const { digest } = claim
    const page = frontier.findUrl(url)
    const row = page === -1 ? undefined : collection.page(page)
    const choice = judgeClaim(row, { digest, change: claim.change, hasWords: claim.words !== undefined })
    // Nothing that could be compared: only that a page is gone can be said so.
    if (digest === undefined)
      return choice === 'gone'
        ? this.#parts.notices.hear({ url, change: 'deleted', channel: channelOf(item) }, item.at)
        : 'same'
    if (page !== -1) checks.sent(page, frontier.pages.siteOf(page), { key: keyOfDigest(digest), asOf: undefined })
    const words = choice === 'words' ? sentWords(claim.words!, digest, news.at) : undefined
    const outcome = choice === 'same' ? 'same' : await this.#hearOf(item, { ...claim, url, digest }, words)
    const known = frontier.findUrl(url)
    const isKnown = known !== -1 && (outcome === 'same' || outcome === 'heard' || outcome === 'applied')
    if (isKnown) this.#audits.said(known, frontier.pages.siteOf(known), news, { url: claim.url, digest })
    return outcome
  }

  /** Of another version than we hold. */
  async #hearOf(
    item: InboxItem,
    { url, digest, change = 'updated' }: AgentClaim & { readonly digest: string },
    words: SentWords | undefined,
  ): Promise<IntakeOutcome> {
    const { frontier, notices, checks, sent } = this.#parts
    if (words !== undefined) return await sent.take(item, words.page, words)
    const outcome = notices.hear({ url, change, channel: channelOf(item), digest }, item.at)
    const page = frontier.findUrl(url)
    if (outcome !== 'heard' || page === -1) return outcome
    const site = frontier.pages.siteOf(page)
    const told = { key: keyOfDigest(digest), asOf: undefined }
    const row = this.#parts.collection.page(page)
    if (!checks.isHintOnly(site)) {
      checks.took(page, site, told, row)
      return outcome
    }
    checks.hinted(page, site, told, row)
    return 'hint'
  }

  /** Claims of importance never leave their site: pages change places, and what they are worth together stays. */
  #order(item: InboxItem, { claims }: AgentClaims): void {
    const { frontier, store, checks, urlRules, heard } = this.#parts
    const ranked = claims.filter(({ importance = NaN }) => Number.isFinite(importance))
    if (ranked.length < 2) return
    const pages = ranked
      .toSorted((a, b) => b.importance! - a.importance!)
      .slice(0, MOST_ORDERED)
      .map(({ url }) => frontier.findUrl(urlOfSite(item, url, urlRules) ?? ''))
      .filter((page) => page !== -1)
    const site = pages.length === 0 ? undefined : frontier.pages.siteOf(pages[0]!)
    if (site === undefined || checks.isHintOnly(site)) return
    store.note(site, { order: pages })
    heard.ordered(pages)
  }
}

/** Trust is learnt for each channel of a site. */
const channelOf = ({ door }: InboxItem): SignalChannel => (door === 'indexnow' ? 'indexnow' : 'websub')
