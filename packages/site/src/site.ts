/**
 * Site: six schemes out of one journal, as one request handler that knows no framework.
 *
 *   const site = createSite({ journal, base: 'https://a.example/', now: Date.now, read })
 *   const answer = await site.answer(request)      undefined: not ours, the site answers as always
 */
import { headerOf } from '@comity/protocol'
import { takesCoding } from './conventional-bytes.ts'
import type { Instant } from '@comity/protocol'
import { BatchService } from './serve/batch-service.ts'
import { ChangesService } from './serve/changes-service.ts'
import { answerPrivately, CrawlerAdmission } from './serve/crawler-admission.ts'
import { withCheckedBody } from './serve/crawler-proof.ts'
import { answerDocument } from './serve/document-answer.ts'
import { documentPath } from './document-paths.ts'
import { EventStreamService } from './hub/event-stream-service.ts'
import { HubService } from './hub/hub-service.ts'
import { PageBodies } from './serve/page-bodies.ts'
import { StreamLimit } from './serve/page-bundle.ts'
import { PreviousChanges } from './journal/previous-changes.ts'
import { Publication } from './documents/publication.ts'
import { PublicView } from './privacy/public-view.ts'
import { keyFilePath } from './push-options.ts'
import { discoveryLink } from './documents/root-documents.ts'
import { countedAnswer } from './serve/served-answer.ts'
import { readContent } from './documents/site-document.ts'
import { SiteKeys } from './site-keys.ts'
import { siteSetting } from './site-options.ts'
import type { SiteScheme, SiteOptions, SiteSetting } from './site-options.ts'
import { sentenceAnswer } from './site-request.ts'
import type { SiteAnswer, SiteRequest } from './site-request.ts'
import type { Subscriptions } from './hub/subscriptions.ts'
import { Tally } from './tally.ts'

/** One file of a static export. */
export interface SiteFile {
  /** From the host's root on. */
  readonly path: string
  readonly type: string
  readonly modifiedAt: Instant
  readonly scheme: SiteScheme
  readonly bytes: number
  readonly content: () => AsyncIterable<Uint8Array>
}

export interface Site extends Disposable {
  /** Whether a request for this path may be ours, without looking at anything else. */
  isOurs(path: string): boolean
  /** Never throws for what a stranger sends. */
  answer(request: SiteRequest): Promise<SiteAnswer | undefined>
  /** All documents as they are now, one by one; services are not among them. */
  documents(): AsyncIterable<SiteFile>
  /** Value of a `Link` field that every page should carry; undefined when ResourceSync is not offered. */
  readonly link: string | undefined
  /** Who subscribed, where there is a hub. */
  readonly subscriptions: Subscriptions | undefined
  /** For whom the offers are. */
  readonly gate: CrawlerAdmission
  /** Something was recorded: whoever listens is told now and not some moments later. */
  wake(): void
}

export function createSite(options: SiteOptions): Site {
  return new JournalSite(siteSetting(options))
}

class JournalSite implements Site {
  readonly link: string | undefined
  readonly gate: CrawlerAdmission
  readonly #setting: SiteSetting
  readonly #view: PublicView
  readonly #publication: Publication
  readonly #batch: BatchService
  readonly #changes: ChangesService
  readonly #hub: HubService
  readonly #events: EventStreamService
  readonly #keys: SiteKeys | undefined

  constructor(setting: SiteSetting) {
    this.#setting = setting
    this.#view = new PublicView(setting)
    this.link = discoveryLink(this.#view, setting)
    const bodies = new PageBodies(setting)
    const previous = new PreviousChanges(this.#view)
    const gate = new StreamLimit(setting)
    this.#publication = new Publication(this.#view, setting, bodies)
    this.#batch = new BatchService(this.#view, setting, bodies, previous, gate)
    this.#changes = new ChangesService(this.#view, setting, bodies, previous, gate)
    this.#hub = new HubService(this.#view, setting)
    this.#events = new EventStreamService(this.#view, setting, previous)
    this.#keys = setting.keys === undefined ? undefined : new SiteKeys(setting.keys, setting.origin, setting.now)
    // Search engines that are told by IndexNow look for it, and do not sign.
    const keyFile = keyFilePath(setting.push ?? {})
    this.gate = new CrawlerAdmission(setting.origin, setting, setting.now(), keyFile === undefined ? [] : [keyFile])
  }

  get subscriptions(): Subscriptions | undefined {
    return this.#hub.subscriptions
  }

  wake(): void {
    this.#events.wake()
  }

  /** Ends what would go on by itself: streams of changes, and calls to callbacks. */
  [Symbol.dispose](): void {
    this.#hub[Symbol.dispose]()
    this.#events[Symbol.dispose]()
  }

  isOurs(path: string): boolean {
    return this.#view.paths.isDocument(documentPath(path))
  }

  async answer(request: SiteRequest): Promise<SiteAnswer | undefined> {
    if (!this.isOurs(request.path)) return undefined
    try {
      return await this.#answer(request)
    } catch (error) {
      // What cannot be made is one document less, not a site less. Why is the owner's business only.
      this.#setting.onFailed?.(error, request.path)
      return sentenceAnswer(500, 'This could not be made just now: ask again later.', [['Retry-After', '60']])
    }
  }

  async #answer(given: SiteRequest): Promise<SiteAnswer | undefined> {
    this.#view.refresh()
    const tally = new Tally(takesCoding(given.headers))
    const request = this.gate.isClosed ? withCheckedBody(given) : given
    const [scheme, make] = this.#route(request, tally) ?? []
    if (scheme === undefined || make === undefined) return undefined
    const agent = (headerOf(request.headers, 'user-agent') ?? '').slice(0, 200)
    const admission = await this.gate.admit(request, scheme, this.#setting.now())
    const crawler = admission.kind === 'admitted' ? admission.crawler : undefined
    const what = { scheme, agent, proven: crawler?.host, method: request.method, path: request.path }
    const answer = async (): Promise<SiteAnswer> => {
      if (admission.kind === 'refused') return admission.answer
      return crawler === undefined ? await make() : await answerPrivately(make)
    }
    return await countedAnswer(what, tally, answer, this.#setting.onServed)
  }

  #route(request: SiteRequest, tally: Tally): readonly [SiteScheme, () => Promise<SiteAnswer>] | undefined {
    const path = documentPath(request.path)
    const { paths } = this.#view
    const { offered, now } = this.#setting
    const keys = this.#keys
    if (path === paths.keys && keys !== undefined) return ['keys', async () => keys.answer(request)]
    if (path === paths.batch && offered.has('batch')) return ['batch', () => this.#batch.answer(request, tally)]
    if (path === paths.changes && offered.has('changes')) return ['changes', () => this.#changes.answer(request, tally)]
    if (path === paths.events && offered.has('events'))
      return ['events', async () => this.#events.answer(request, tally)]
    const push = this.#hub.route(request)
    if (push !== undefined) return ['push', async () => await push(request)]
    const document = this.#publication.find(path)
    if (document === undefined) return undefined
    const answer = async (): Promise<SiteAnswer> => {
      const made = await answerDocument(request, document, this.#publication.store, now())
      // Nobody gets a page out of a 304 or of a piece.
      if (made.status === 200) {
        const { pages, pageBytes = 0 } = document
        // The pages in it are packed each for itself, as they would be one by one; who asks for it asks for no coding of a ZIP file.
        const packed = Number(headerOf(made.headers, 'content-length') ?? pageBytes)
        tally.addMany(pages, Math.min(pageBytes, packed))
      }
      const links = this.#hub.links(path)
      return links.length === 0 ? made : { ...made, headers: [...made.headers, ...links] }
    }
    return [document.scheme, answer]
  }

  async *documents(): AsyncIterable<SiteFile> {
    this.#view.refresh()
    for (const document of this.#publication.documents()) {
      const { path, type, modifiedAt, scheme } = document
      const { content, bytes } = await this.#publication.store.made(document)
      yield { path, type, modifiedAt, scheme, bytes, content: () => readContent(content, 0, bytes) }
    }
  }
}
