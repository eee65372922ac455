/**
 * NoticeHandler: what sites say of their pages without sending them. A page that is known is due sooner, as far as the channel
 * deserves it; one that is not is listed, and one that had nothing to show is looked at like a new one.
 *
 * A page that is being visited just now may have been answered before it changed, and its visit would take the notice with
 * it; so the notice waits until the visit has ended. And clocks differ: whether a change is newer than our copy is asked of
 * the site's own clock, and who says nothing of when has told it when it came.
 */
import type { Instant, Signal } from '@comity/protocol'
import type { Collection } from '@comity/collection'
import { FORGOTTEN, LEASED } from '@comity/frontier'
import type { Frontier } from '@comity/frontier'
import type { IntakeOutcome } from '@comity/ingest'
import { comparableChange } from '@comity/ingest'
import type { SitemapHandler } from '../fetch/sitemap-handler.ts'
import type { HeardPages } from '../watch/heard-pages.ts'
import type { IntakeListener } from './intake-listener.ts'

interface NoticeHandlerParts {
  readonly frontier: Frontier
  readonly collection: Pick<Collection, 'page'>
  readonly sitemaps: Pick<SitemapHandler, 'list'>
  readonly heard: HeardPages
  readonly listener: Pick<IntakeListener, 'onAwaited'>
}

interface Deferred {
  readonly signal: Signal
  readonly heardAt: Instant
}

/** Pages that are being visited, and were heard of: more than there are ever visits under way. */
const MOST_DEFERRED = 10_000

export class NoticeHandler {
  readonly #parts: NoticeHandlerParts
  readonly #deferred = new Map<number, Deferred>()

  constructor(parts: NoticeHandlerParts) {
    this.#parts = parts
  }

  /** `signal` names a canonical URL of the site that says it. */
  hear(signal: Signal, heardAt: Instant): IntakeOutcome {
    const { frontier } = this.#parts
    const page = frontier.findUrl(signal.url)
    const state = page === -1 ? undefined : frontier.pages.stateOf(page)
    if (state === FORGOTTEN) return 'forgotten'
    if (state !== LEASED || this.#deferred.size >= MOST_DEFERRED) return this.#tell(page, { signal, heardAt })
    this.#deferred.set(page, { signal, heardAt })
    return 'heard'
  }

  /** A visit has ended: now it can be seen whether there is something newer than it found. */
  settled(page: number): void {
    const deferred = this.#deferred.get(page)
    if (deferred === undefined) return
    this.#deferred.delete(page)
    this.#tell(page, deferred)
  }

  #tell(page: number, { signal, heardAt }: Deferred): IntakeOutcome {
    const { frontier, collection, sitemaps, heard, listener } = this.#parts
    const row = page === -1 ? undefined : collection.page(page)
    const changedAt = signal.changedAt ?? heardAt
    const isDated = signal.changedAt !== undefined && row !== undefined
    const verdict = heard.signal({ ...signal, changedAt: isDated ? comparableChange(row, changedAt) : changedAt })
    if (verdict === 'unknown page') {
      if (signal.change === 'deleted' || sitemaps.list(signal.url) !== 1) return 'outside'
      // It was asked for before and had nothing to show: now it may. It waits like any page that is new.
      if (page !== -1) frontier.admit(page)
    }
    if (verdict === 'unknown page' || verdict === 'counted')
      listener.onAwaited(frontier.findUrl(signal.url), signal.changedAt, heardAt)
    return 'heard'
  }
}
