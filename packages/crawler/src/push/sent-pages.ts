/**
 * SentPages: the pages that sites send, each as it is taken in: whole, as a difference, as its words, or gone.
 *
 *   newer than what is held? ──yes──▶ ingest, source `push`
 *        │ same: our copy is as new as that     └─ some are fetched too, and compared (`push/push-checks.ts`)
 *        │ older: late; a hint
 *        └ unsure, no base, being visited: the page is visited
 */
import { canonicalUrl, headerOf, siteOf, TOO_MUCH_WORK } from '@comity/protocol'
import type { BatchPage, Instant, TooMuchWork, UrlRules } from '@comity/protocol'
import type { Collection, InboxItem, PageRow, Scheme } from '@comity/collection'
import { DONE, FAILED, FORGOTTEN, LEASED, WAITING } from '@comity/frontier'
import type { Frontier } from '@comity/frontier'
import { answerOfSent, HeldVersion, reportedOfSent } from '@comity/follow'
import { headOfWords, keyOfDigest } from '@comity/ingest'
import type { PageAnswer, IntakeOutcome, PageTask, SentWords } from '@comity/ingest'
import type { VisitParts } from '../fetch/visit.ts'
import type { CrawlOptions } from '../options.ts'
import type { IntakeListener } from './intake-listener.ts'
import type { NoticeHandler } from './notice-handler.ts'
import type { PushChecks, VersionKey } from './push-checks.ts'
import { changeOfSent } from './searchable-delay.ts'
import { versionOfBody } from './sent-version.ts'

interface SentPagesParts {
  readonly options: CrawlOptions
  readonly frontier: Frontier
  readonly collection: Collection
  readonly visits: VisitParts
  readonly notices: NoticeHandler
  readonly checks: PushChecks
  readonly listener: Pick<IntakeListener, 'onAwaited'>
  readonly now: () => Instant
}

/** The canonical URL of a page of the site that speaks; undefined for any other. */
export function urlOfSite({ origin }: InboxItem, said: string, rules: UrlRules): string | undefined {
  const url = canonicalUrl(said, undefined, rules)
  return url !== undefined && siteOf(url) === origin ? url : undefined
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

export class SentPages {
  readonly #parts: SentPagesParts
  /** Pages that were being visited when something newer came: they are visited once more. */
  readonly #again = new Set<number>()
  /** Taken out of the frontier, and not deposited yet. */
  #takenOut: number | undefined

  constructor(parts: SentPagesParts) {
    this.#parts = parts
  }

  settled(page: number): void {
    if (this.#again.delete(page)) this.#parts.frontier.revisit(page)
  }

  /** We failed on the one under way: it waits again. */
  failed(): void {
    if (this.#takenOut !== undefined) this.#parts.frontier.settle(this.#takenOut, 'waiting')
    this.#takenOut = undefined
  }

  /** One page that was sent, whole, as a difference, as its words, or gone. */
  async take(item: InboxItem, sent: BatchPage, words?: SentWords): Promise<IntakeOutcome> {
    const { frontier, options, visits, collection, notices, checks, now } = this.#parts
    const url = urlOfSite(item, sent.url, options.urlRules)
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
    const expect = (): void => this.#parts.listener.onAwaited(page, changeOfSent(sent), item.at)
    if (frontier.pages.stateOf(page) === LEASED) {
      expect()
      this.#again.add(page)
      // The visit may find just that.
      if (version !== undefined && version !== TOO_MUCH_WORK)
        checks.sent(page, site, { key: version.key, asOf: sent.at })
      return 'visited'
    }
    const row = collection.page(page)
    if (answer === undefined) {
      expect()
      const { digest } = reportedOfSent(sent)
      if (digest !== undefined) checks.sent(page, site, { key: keyOfDigest(digest), asOf: sent.at })
      return this.#visit(page)
    }
    if (version === undefined) return 'unreadable'
    if (version === TOO_MUCH_WORK) return TOO_MUCH_WORK
    const head = words === undefined ? answer.head : headOfWords(answer.head, words)
    if (!visits.filter.wants(head, url, site)) return 'outside'
    const { key } = version
    const told = { key, asOf: sent.at }
    const choice = checks.came(page, site, told, row)
    if (choice === 'confirm') return this.#confirm(page, row, sent.at)
    // How long a hint waits says nothing of those who are believed.
    if (choice === 'visit' || choice === 'take') expect()
    if (choice === 'visit') return this.#visit(page)
    if (choice !== 'take') {
      // By its digest, and as it came just now, it is news, whatever its own clock says; the channel's trust says the rest.
      const change = key === undefined ? 'deleted' : 'updated'
      notices.hear({ url, change, channel: 'websub', digest: version.digest }, item.at)
      if (choice === 'late') return 'older'
      checks.hinted(page, site, told, row)
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
    checks.took(page, site, told, row)
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
    const limits = { differences: 'none', maxBytes: options.maxDecodedBytes } as const
    const held = HeldVersion.of(url, row, collection, limits)
    const rebuilt = (await held?.fromPushed(received, visits.pool)) ?? { kind: 'whole', answer: received }
    return rebuilt.kind === 'broken' || rebuilt.answer.head.status === 226 ? undefined : rebuilt.answer
  }

  /** By the body without its content coding; undefined when that cannot be undone. */
  async #versionOf({ head, body }: PageAnswer): Promise<Version | TooMuchWork | undefined> {
    if (head.status !== 200) return { key: undefined }
    const { options, visits } = this.#parts
    return await versionOfBody(visits.pool, head.headers, body, options.maxDecodedBytes)
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
}
