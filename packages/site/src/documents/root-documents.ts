/**
 * Root documents: how a crawler finds out what a site offers. robots.txt names sitemap, resource list and archives, the
 * description leads to the capability list, and the catalog has what no standard names a place for.
 */
import {
  API_CATALOG_PATH,
  API_CATALOG_REL,
  API_CATALOG_TYPE,
  HUB_REL,
  metadataRecords,
  RESOURCESYNC_REL,
  writeApiCatalog,
  writeSyncDocument,
} from '@comity/protocol'
import type { ApiCatalog, Instant, SyncCapability, SyncFacts } from '@comity/protocol'
import type { PublicView } from '../privacy/public-view.ts'
import { keyFilePath, pushSchemes } from '../push-options.ts'
import type { DocumentSource, SiteDocument } from './site-document.ts'
import type { SiteScheme, SiteSetting } from '../site-options.ts'
import { SYNC_TYPE, syncHead } from './sync-head.ts'
import { topicHubs } from './topic-hubs.ts'

export class RootDocuments implements DocumentSource {
  readonly #view: PublicView
  readonly #setting: SiteSetting
  readonly #hasDumps: () => boolean
  readonly #seen = new Map<string, { readonly version: string; readonly at: Instant }>()

  /** `hasDumps`: a site that is too large to be sent as a whole does not say that it can be. */
  constructor(view: PublicView, setting: SiteSetting, hasDumps: () => boolean) {
    this.#view = view
    this.#setting = setting
    this.#hasDumps = hasDumps
  }

  *documents(): Iterable<SiteDocument> {
    const { paths } = this.#view
    const { offered } = this.#setting
    if (offered.has('robots'))
      yield this.#document('robots', paths.robots, 'text/plain; charset=utf-8', () => this.#robots())
    if (offered.has('resourcesync')) {
      yield this.#document('resourcesync', paths.description, SYNC_TYPE, () => this.#description())
      yield this.#document('resourcesync', paths.capabilityList, SYNC_TYPE, () => this.#capabilityList())
    }
    if (offered.has('catalog')) yield this.#document('catalog', paths.catalog, API_CATALOG_TYPE, () => this.#catalog())
    yield* this.#keyFile()
  }

  /** What proves to search engines that an IndexNow notice is the site's own. */
  *#keyFile(): Iterable<SiteDocument> {
    const { push = {} } = this.#setting
    const path = keyFilePath(push)
    if (path !== undefined)
      yield this.#document('push', path, 'text/plain; charset=utf-8', () => push.indexNowKey ?? '')
  }

  find(path: string): SiteDocument | undefined {
    for (const document of this.documents()) if (document.path === path) return document
    return undefined
  }

  /** They change with the site's own robots.txt, and when it outgrows what can be dumped. */
  #document(scheme: SiteScheme, path: string, type: string, text: () => string): SiteDocument {
    const { robots } = this.#view
    const make = (): Uint8Array => Buffer.from(text())
    // Counting the site's pages for it would keep the first who asks for robots.txt waiting.
    const version = scheme === 'robots' ? robots : String(this.#hasDumps())
    const known = this.#seen.get(path)
    // Nobody tells when robots.txt was changed; when we saw it is late enough.
    const modifiedAt =
      known?.version === version ? known.at : known === undefined ? this.#view.startedAt : this.#setting.now()
    this.#seen.set(path, { version, at: modifiedAt })
    return { path, scheme, type, version, modifiedAt, pages: 0, make }
  }

  /** The site's own text, and below it what it does not say itself. Such lines belong to no group (RFC 9309 §2.2.4). */
  #robots(): string {
    const { paths, robots } = this.#view
    const { offered } = this.#setting
    const lines = [
      ...(offered.has('sitemap') ? [`Sitemap: ${this.#view.url(paths.sitemap)}\n`] : []),
      // The third way to find ResourceSync: a sitemap that is a resource list leads up to the capability list.
      ...(offered.has('resourcesync') ? [`Sitemap: ${this.#view.url(paths.resourceList)}\n`] : []),
      ...(offered.has('archives') ? [metadataRecords([this.#view.url(paths.archiveList)])] : []),
    ].filter((line) => !robots.includes(line.trim()))
    if (robots === '' || lines.length === 0) return `${robots}${lines.join('')}`
    return `${robots.trimEnd()}\n\n${lines.join('')}`
  }

  #description(): string {
    const list: SyncFacts = { url: this.#view.url(this.#view.paths.capabilityList), capability: 'capabilitylist' }
    return writeSyncDocument({ capability: 'description' }, [list])
  }

  #capabilityList(): string {
    const { paths } = this.#view
    const { offered } = this.#setting
    const lists: [SyncCapability, string][] = [
      ['resourcelist', paths.resourceList],
      ['changelist', paths.changeList],
    ]
    if (offered.has('dump')) lists.push(['changedump', paths.changeDump])
    if (offered.has('dump') && this.#hasDumps()) lists.push(['resourcedump', paths.resourceDump])
    const entries = lists.map(([capability, path]): SyncFacts => {
      const extension = capability === 'changelist' ? this.#services() : undefined
      return { url: this.#view.url(path), capability, extension }
    })
    const hubs = topicHubs(this.#view, this.#setting)
    if (hubs.length > 0) entries.push(this.#channel(hubs))
    const up = [{ rel: 'up', href: this.#view.url(paths.description) }]
    return writeSyncDocument({ ...syncHead(this.#view, 'capabilitylist')(), links: up }, entries)
  }

  /** Where notifications of changes can be had (ResourceSync Change Notification §5). */
  #channel(hubs: readonly string[]): SyncFacts {
    const url = this.#view.url(this.#view.paths.topics.changes)
    return { url, capability: 'change-notification', links: hubs.map((href) => ({ rel: HUB_REL, href })) }
  }

  /** All but that of changes, which is the change list. */
  #topics(): ApiCatalog {
    const schemes = pushSchemes(this.#setting.push ?? {}).filter((scheme) => scheme !== 'changes')
    const { topics } = this.#view.paths
    return Object.fromEntries(schemes.map((scheme) => [`push-${scheme}`, this.#view.url(topics[scheme])]))
  }

  /** Said beside the change list, whose work they do too: strangers may add attributes only. */
  #services(): Readonly<Record<string, string>> | undefined {
    const { paths } = this.#view
    const named = (['batch', 'changes'] as const).filter((name) => this.#setting.offered.has(name))
    if (named.length === 0) return undefined
    return Object.fromEntries(named.map((name) => [name, this.#view.url(paths[name])]))
  }

  #catalog(): string {
    const { paths } = this.#view
    const { offered, dictionary, base } = this.#setting
    const urlOf = (scheme: SiteScheme, path: string): string | undefined =>
      offered.has(scheme) ? this.#view.url(path) : undefined
    const resourcesync = urlOf('resourcesync', paths.capabilityList)
    const batch = urlOf('batch', paths.batch)
    const changes = urlOf('changes', paths.changes)
    const wacz = this.#hasDumps() ? urlOf('wacz', paths.wacz) : undefined
    const events = urlOf('events', paths.events)
    const hub = urlOf('push', paths.hub)
    return `${writeApiCatalog(base, {
      ...(batch === undefined ? {} : { batch }),
      ...(changes === undefined ? {} : { changes }),
      ...(resourcesync === undefined ? {} : { resourcesync }),
      ...(wacz === undefined ? {} : { wacz }),
      ...(dictionary === undefined ? {} : { dictionary }),
      ...(events === undefined ? {} : { events }),
      ...(hub === undefined ? {} : { hub, ...this.#topics() }),
    })}\n`
  }
}

/**
 * The value of `Link` for every page: the second way to find ResourceSync, and where that is not offered, a sign that there
 * is a catalog (RFC 9727 §3). Undefined when there is neither.
 */
export function discoveryLink(view: PublicView, { offered }: SiteSetting): string | undefined {
  if (offered.has('resourcesync')) return `<${view.paths.capabilityList}>; rel="${RESOURCESYNC_REL}"`
  return offered.has('catalog') ? `<${API_CATALOG_PATH}>; rel="${API_CATALOG_REL}"` : undefined
}
