/**
 * ReportedPages: from what a site says of a page to what follows. A page that is known gets a signal, if the site says when it
 * changed or what it is now; a page that is not known is listed. Nobody is heard about the pages of another site.
 */
import { canonicalUrl, matchesType, pageEntryOf, siteOf } from '@comity/protocol'
import type { Instant, PageEntry, Signal, SignalChannel, UrlRules } from '@comity/protocol'
import type { Collection } from '@comity/collection'
import { EXCLUDED, WAITING } from '@comity/frontier'
import type { Frontier } from '@comity/frontier'
import { signalOfReport } from '@comity/follow'
import type { PolledKind, ReportedPage } from '@comity/follow'

interface ReportedPagesParts {
  readonly frontier: Frontier
  readonly collection: Collection
  readonly urlRules: UrlRules
  readonly types?: readonly string[] | undefined
  readonly listener: OfferListener
}

/** Who hears what sites tell of their pages. */
export interface OfferListener {
  /** A site says that one of its pages changed; the verdict `counted` makes it news. */
  onSignal(signal: Signal, site: number): string
  /** A site lists a page that is not known yet. */
  onListed(url: string, entry: PageEntry): void
  /** It lists a page that is known and was not visited yet, and perhaps says of which type it is. */
  onListedAgain?(url: string, type: string | undefined): void
  /** A channel of a site's has told all it knows. */
  onTold?(site: number, channel: PolledKind): void
}

interface ReportEffect {
  /** -1 when it is not known, or none of the site's. */
  readonly page: number
  readonly isNews: boolean
}

export class ReportedPages {
  readonly #parts: ReportedPagesParts

  constructor(parts: ReportedPagesParts) {
    this.#parts = parts
  }

  /** News is a page that was not known, or a signal that counts. */
  tell(site: number, origin: string, channel: SignalChannel, told: ReportedPage): ReportEffect {
    const { frontier, urlRules } = this.#parts
    const url = canonicalUrl(told.url, undefined, urlRules)
    if (url === undefined || siteOf(url) !== origin) return { page: -1, isNews: false }
    const page = frontier.findUrl(url)
    if (page !== -1) {
      if (told.change !== 'deleted') this.#listAgain(page, url, told.type)
      return { page, isNews: this.#signal(site, page, url, channel, told) }
    }
    const isNews = this.#list(url, told)
    return { page: frontier.findUrl(url), isNews }
  }

  /** A list that names all pages named this one, and does so no more: perhaps it is gone. True when it is news. */
  miss(site: number, page: number, channel: SignalChannel, now: Instant): boolean {
    const { frontier, collection, listener } = this.#parts
    // What we know to be gone is no news.
    if ((collection.page(page)?.status ?? 0) >= 400) return false
    const signal = { url: frontier.urlOf(page), change: 'deleted', channel, changedAt: now } as const
    return listener.onSignal(signal, site) === 'counted'
  }

  #list(url: string, told: ReportedPage): boolean {
    const { frontier, types, listener } = this.#parts
    if (told.change === 'deleted' || !isWanted(types, told.type)) return false
    listener.onListed(url, { ...pageEntryOf(told), url })
    // Where there is no room for one more page, the same pages are not news at every poll.
    return frontier.findUrl(url) !== -1
  }

  /** A link may have come first, and its page been left alone for its name: what its site lists may be fetched all the same. */
  #listAgain(page: number, url: string, type: string | undefined): void {
    const { frontier, listener } = this.#parts
    const state = frontier.pages.stateOf(page)
    if (state === EXCLUDED || (state === WAITING && type !== undefined)) listener.onListedAgain?.(url, type)
  }

  #signal(site: number, page: number, url: string, channel: SignalChannel, told: ReportedPage): boolean {
    const signal = signalOfReport(url, channel, told, this.#parts.collection.page(page))
    return signal !== undefined && this.#parts.listener.onSignal(signal, site) === 'counted'
  }
}

function isWanted(types: readonly string[] | undefined, type: string | undefined): boolean {
  return types === undefined || type === undefined || types.some((wanted) => matchesType(wanted, type))
}
