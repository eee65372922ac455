/**
 * Offer search: finding out what a site offers crawlers. Four places, each asked for once:
 *
 *   robots.txt, read already      sitemaps, metadata archives (000 §3.3)
 *   pages, read already           feeds; of the sitemaps in robots.txt, those that turned out to be feeds
 *   /.well-known/api-catalog      filter, batch, dictionary, WACZ, ResourceSync, hub and topics (RFC 9727)
 *   /.well-known/resourcesync     description ─▶ capability list ─▶ resource list, change list, dumps (ResourceSync 1.1 §6)
 *   /robots.rdf                   only its beginning, to see that it is one (002 §6.5)
 *
 * Many sites answer 200 to anything, so what comes must be what it should be. Redirects are not followed, and only what
 * stands on the site's own origin is an offer of the site's.
 */
import {
  API_CATALOG_PATH,
  HUB_REL,
  RESOURCESYNC_WELL_KNOWN,
  ROBOTS_RDF,
  archivesOfRobots,
  headerOf,
  isLinkset,
  readApiCatalog,
} from '@comity/protocol'
import type {
  ApiCatalog,
  HeaderList,
  Robots,
  SyncCapability,
  SyncEntry,
  SyncLink,
  SyncReference,
} from '@comity/protocol'
import type { Inquiry } from '../inquiry.ts'
import type { Ask, DocumentReply } from '@comity/ingest'
import { ownUrl } from '../offer-poll.ts'
import { MAX_FEEDS } from '../polls/feed-poll.ts'
import { newOffer } from '../site-offers.ts'
import type { Offer, OfferKind, PushOffer } from '../site-offers.ts'

interface SearchParts {
  readonly origin: string
  readonly robots: Robots | undefined
  /** Capability lists that pages named in a `Link`. */
  readonly capabilityLists: readonly string[]
  /** Feeds that are known of the site: none of them is asked for here. */
  readonly feeds?: readonly string[] | undefined
  /** Whether robots.txt lets us ask for it: nobody has invited us to guess. */
  readonly allows: (url: string) => boolean
}

export interface FoundOffers {
  readonly offers: readonly Offer[]
  readonly dictionary?: string | undefined
  readonly push?: PushOffer | undefined
  /** Something could not be asked: it may be there all the same. */
  readonly isTroubled: boolean
  /** Documents that lead to offers, and are not what whoever named them says. */
  readonly broken?: readonly BrokenDocument[] | undefined
}

export interface BrokenDocument {
  readonly url: string
  readonly problem: string
}

const MAX_SITEMAPS = 50
/** What a catalog has topics of, besides what changes. */
const PUSHED = ['differences', 'pages', 'batches', 'site', 'agent'] as const
const MAX_SYNC_DOCUMENTS = 6
/** Enough to see what a document is. */
const PROBE_BYTES = 4_096

/** What leads on to offers, or is one. */
const LEADING: ReadonlySet<SyncCapability | undefined> = new Set(['description', 'capabilitylist', 'resourcedump'])

const isXml = (headers: HeaderList): boolean =>
  /[/+]xml\b(?<!xhtml\+xml)/i.test(headerOf(headers, 'content-type') ?? '')
const isJson = (headers: HeaderList): boolean => /\bjson\b/i.test(headerOf(headers, 'content-type') ?? '')

export function* searchOffers(parts: SearchParts): Inquiry<FoundOffers> {
  const search = new Search(parts)
  yield* search.catalog()
  yield* search.resourcesync()
  yield* search.robotsRdf()
  search.robots()
  return search.found()
}

class Search {
  readonly #parts: SearchParts
  readonly #offers: Offer[] = []
  readonly #syncDocuments: string[]
  /** Also where one would have been looked for anyway. */
  readonly #named = new Set<string>()
  #dictionary: string | undefined
  #hub: string | undefined
  readonly #topics: Partial<Record<(typeof PUSHED)[number] | 'changes', string>> = {}
  #isTroubled = false
  readonly #broken: BrokenDocument[] = []

  constructor(parts: SearchParts) {
    this.#parts = parts
    const known = parts.capabilityLists.flatMap((url) => this.#own(url) ?? [])
    this.#syncDocuments = [...known, `${parts.origin}${RESOURCESYNC_WELL_KNOWN}`]
  }

  *catalog(): Inquiry<void> {
    const url = `${this.#parts.origin}${API_CATALOG_PATH}`
    const reply = yield* this.#reply(url)
    if (reply === undefined) return
    const text = Buffer.from(reply.body).toString('utf8')
    // Some answer everything with a page: that is no catalog, and no fault of one.
    if (isJson(reply.headers) && !isLinkset(text))
      this.#broken.push({ url, problem: 'it is no set of links (RFC 9264)' })
    const catalog = readApiCatalog(text, url)
    const { batch, changes, dictionary, resourcesync, wacz } = catalog
    this.#push(catalog)
    this.#add('filter', changes)
    this.#add('batch', batch)
    this.#add('wacz', wacz)
    this.#dictionary = this.#own(dictionary)
    const description = this.#own(resourcesync)
    if (description !== undefined) this.#syncDocuments.unshift(description)
    if (description !== undefined) this.#named.add(description)
  }

  /** Down from whatever is known; once a capability list was read, the description is not needed. */
  *resourcesync(): Inquiry<void> {
    const asked = new Set<string>()
    let hasCapabilities = false
    for (let url = this.#syncDocuments.shift(); url !== undefined; url = this.#syncDocuments.shift()) {
      const isGuess = url.endsWith(RESOURCESYNC_WELL_KNOWN)
      if (asked.has(url) || asked.size >= MAX_SYNC_DOCUMENTS || (isGuess && hasCapabilities)) continue
      asked.add(url)
      const isNamed = !isGuess || this.#named.has(url)
      const reply = yield* this.#reply(url, { reads: { reader: 'sync' } }, isNamed)
      const sync = reply?.read.sync
      if (sync === undefined) continue
      const { entries, summary } = sync
      const isMeant = isNamed || isXml(reply!.headers)
      if (isMeant && !LEADING.has(summary.capability)) this.#broken.push({ url, problem: 'it leads to no offers' })
      else if (isMeant && sync.isTorn) this.#broken.push({ url, problem: 'it broke off' })
      if (summary.capability === 'capabilitylist') hasCapabilities = true
      if (summary.capability === 'description' || summary.capability === 'capabilitylist') this.#capabilities(entries)
      else if (summary.capability === 'resourcedump') this.#dump(url, entries)
    }
  }

  *robotsRdf(): Inquiry<void> {
    const url = `${this.#parts.origin}/${ROBOTS_RDF}`
    const asked = { maxBytes: PROBE_BYTES, reads: { reader: 'robots-rdf' } } as const
    const { robotsRdf } = (yield* this.#reply(url, asked))?.read ?? {}
    if (robotsRdf === undefined) return
    const { pages, complete, problems } = robotsRdf
    if (problems['unknown-root'] === undefined && (pages.length > 0 || complete)) this.#add('robots-rdf', url)
  }

  /** Last, as it does not say which of its sitemaps is the resource list that we may know already. */
  robots(): void {
    const { robots, origin } = this.#parts
    const own = (robots?.sitemaps ?? []).slice(0, MAX_SITEMAPS).flatMap((line) => this.#own(line) ?? [])
    const feeds = (this.#parts.feeds ?? []).slice(0, MAX_FEEDS).flatMap((feed) => this.#own(feed) ?? [])
    this.#addTogether('feed', feeds)
    this.#addTogether('sitemap', own)
    const { archives, lists } = archivesOfRobots(robots?.metadata ?? [], `${origin}/robots.txt`)
    const list = lists.map((one) => this.#own(one.url)).find((one) => one !== undefined)
    const isListed = archives.some((archive) => this.#own(archive.url) !== undefined)
    this.#add('metadata-archive', list ?? (isListed ? `${origin}/robots.txt` : undefined))
  }

  found(): FoundOffers {
    const list = this.#offers.find(({ kind }) => kind === 'change-list')?.url
    // The topic of what changes is the change list itself.
    const topics = { ...(list === undefined ? {} : { changes: list }), ...this.#topics }
    const push = this.#hub === undefined ? undefined : { hub: this.#hub, topics }
    return {
      offers: this.#offers,
      dictionary: this.#dictionary,
      push,
      isTroubled: this.#isTroubled,
      broken: this.#broken,
    }
  }

  /** A hub may be anybody's; what it is asked for is the site's own. */
  #push(catalog: ApiCatalog): void {
    if (catalog.hub === undefined || !/^https?:/.test(catalog.hub)) return
    this.#hub = catalog.hub
    for (const scheme of PUSHED) {
      const topic = this.#own(catalog[`push-${scheme}`])
      if (topic !== undefined) this.#topics[scheme] = topic
    }
  }

  /** ResourceSync Change Notification 1.0 §5: the channel, with its hub. */
  #notified(topic: string, links: readonly SyncLink[]): void {
    const hub = links.find(({ rel }) => rel === HUB_REL)?.href
    if (this.#hub !== undefined || hub === undefined || !/^https?:/.test(hub)) return
    this.#hub = hub
    this.#topics.changes = topic
  }

  #capabilities(entries: readonly SyncEntry[]): void {
    const documents = entries.filter((entry): entry is SyncReference => entry.kind === 'document')
    for (const { url, capability, extension, links = [] } of documents) {
      const own = this.#own(url)
      if (own === undefined) continue
      if (capability === 'capabilitylist' || capability === 'resourcedump') this.#syncDocuments.unshift(own)
      else if (capability === 'resourcelist') this.#add('sitemap', own)
      else if (capability === 'changelist') this.#add('change-list', own)
      else if (capability === 'changedump') this.#add('change-dump', own)
      else if (capability === 'change-notification') this.#notified(own, links)
      // Filter and batch may be named here where there is no catalog.
      this.#add('filter', extension?.['changes'])
      this.#add('batch', extension?.['batch'])
    }
  }

  /** What all its packages weigh together says whether it is worth taking. */
  #dump(url: string, entries: readonly SyncEntry[]): void {
    const packages = entries.filter(({ kind }) => kind === 'package')
    const isSized = packages.length > 0 && packages.every(({ bytes }) => bytes !== undefined)
    const bytes = isSized ? packages.reduce((sum, one) => sum + (one.bytes ?? 0), 0) : undefined
    this.#add('dump', url)
    const at = this.#offers.findIndex((offer) => offer.kind === 'dump' && offer.url === url)
    if (at !== -1) this.#offers[at] = { ...this.#offers[at]!, bytes }
  }

  #add(kind: OfferKind, url: string | undefined): void {
    const own = this.#own(url)
    const isKnown = this.#offers.some((offer) => offer.kind === kind && offer.url === own)
    if (own !== undefined && !isKnown) this.#offers.push(newOffer(kind, own))
  }

  /** Several documents that are one offer. */
  #addTogether(kind: OfferKind, urls: readonly string[]): void {
    const isKnown = new Set(this.#offers.flatMap((offer) => [offer.url, ...(offer.also ?? [])]))
    const [url, ...also] = [...new Set(urls)].filter((one) => !isKnown.has(one))
    if (url !== undefined) this.#offers.push({ ...newOffer(kind, url), ...(also.length > 0 ? { also } : {}) })
  }

  #own(url: string | undefined): string | undefined {
    return url === undefined ? undefined : ownUrl(url, this.#parts.origin)
  }

  *#reply(url: string, asked: Omit<Ask, 'url'> = {}, isNamed = false): Inquiry<DocumentReply | undefined> {
    if (!this.#parts.allows(url)) return undefined
    const reply = yield { url, ...asked }
    if (reply.kind === 'trouble') this.#isTroubled = true
    if (isNamed && reply.kind !== 'document' && reply.kind !== 'same')
      this.#broken.push({ url, problem: reply.problem })
    return reply.kind === 'document' ? reply : undefined
  }
}
