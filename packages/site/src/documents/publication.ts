/**
 * Publication: every document that a site publishes of itself, out of its journal. A document is found by its path and
 * made when somebody wants it; what has not changed since is not made again.
 */
import { ArchiveDocuments } from './archive-documents.ts'
import { ChangeDumps } from './change-dump-documents.ts'
import { ChangeLists } from './change-list-documents.ts'
import { DocumentStore } from './document-store.ts'
import { ResourceDumps } from './dump-documents.ts'
import type { PageBodies } from '../serve/page-bodies.ts'
import { PageParts } from './page-parts.ts'
import type { PublicView } from '../privacy/public-view.ts'
import { RobotsRdfDocuments } from './robots-rdf-documents.ts'
import { RootDocuments } from './root-documents.ts'
import type { DocumentSource, SiteDocument } from './site-document.ts'
import type { SiteScheme, SiteSetting } from '../site-options.ts'
import { resourceListDocuments, sitemapDocuments } from './sitemap-documents.ts'
import { topicLinks } from './topic-hubs.ts'
import { WaczDocuments } from './wacz-documents.ts'

export class Publication {
  readonly store: DocumentStore
  readonly #view: PublicView
  readonly #sources: readonly DocumentSource[]
  readonly #dumps: readonly DocumentSource[]
  readonly #dumpGroups: PageParts
  readonly #maxSiteBytes: number

  constructor(view: PublicView, setting: SiteSetting, bodies: PageBodies) {
    const { limits, offered } = setting
    this.#view = view
    this.store = new DocumentStore(limits.cacheBytes)
    this.#maxSiteBytes = limits.siteBytes
    const lists = new PageParts(view, () => limits.listPages)
    const perPackage = (pages: number, bytes: number): number =>
      Math.floor(limits.dumpBytes / Math.max(1, bytes / Math.max(1, pages)))
    this.#dumpGroups = new PageParts(view, perPackage)
    const when = (scheme: SiteScheme, ...sources: readonly DocumentSource[]): readonly DocumentSource[] =>
      offered.has(scheme) ? sources : []
    this.#sources = [
      new RootDocuments(view, setting, () => this.#hasDumps()),
      ...when('sitemap', sitemapDocuments(view, lists)),
      ...when('archives', new ArchiveDocuments(view, setting)),
      ...when('robots-rdf', new RobotsRdfDocuments(view, setting)),
      ...when('resourcesync', resourceListDocuments(view, lists), new ChangeLists(view, topicLinks(view, setting))),
      ...when('dump', new ChangeDumps(view, bodies)),
    ]
    this.#dumps = [
      ...when('dump', new ResourceDumps(view, this.#dumpGroups, bodies)),
      ...when('wacz', new WaczDocuments(view, this.#dumpGroups, bodies, this.store)),
    ]
  }

  find(asked: string): SiteDocument | undefined {
    const { paths } = this.#view
    if (!paths.isDocument(asked)) return undefined
    const path = paths.moved(asked) ?? asked
    return this.#findIn(this.#sources, path) ?? (this.#hasDumps() ? this.#findIn(this.#dumps, path) : undefined)
  }

  #findIn(sources: readonly DocumentSource[], path: string): SiteDocument | undefined {
    for (const source of sources) {
      const document = source.find(path)
      if (document !== undefined) return document
    }
    return undefined
  }

  *documents(): Iterable<SiteDocument> {
    for (const source of this.#sources) yield* source.documents()
    if (this.#hasDumps()) for (const source of this.#dumps) yield* source.documents()
  }

  #hasDumps(): boolean {
    return this.#dumps.length > 0 && this.#dumpGroups.bytes <= this.#maxSiteBytes
  }
}
