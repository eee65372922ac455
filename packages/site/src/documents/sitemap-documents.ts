/**
 * Sitemap and resource list: all pages, each with when it changed, and in the second with size, type and digest too. One
 * file while the site is small, then an index and parts of which one change rewrites one (`documents/page-parts.ts`).
 */
import { writeSitemap, writeSitemapIndex, writeSyncDocument } from '@comity/protocol'
import type { Instant, PageEntry } from '@comity/protocol'
import type { PagePart, PageParts } from './page-parts.ts'
import type { PublicView } from '../privacy/public-view.ts'
import type { DocumentSource, SiteDocument } from './site-document.ts'
import type { SiteScheme } from '../site-options.ts'
import { SYNC_TYPE, syncHead } from './sync-head.ts'

/** How lists of one kind are written. */
interface ListKind {
  readonly scheme: SiteScheme
  readonly path: string
  /** The one file, or a part of several. */
  readonly list: (pages: Iterable<PageEntry>, at: Instant, isPart: boolean) => string
  readonly index: (parts: readonly ListPart[], at: Instant) => string
}

interface ListPart {
  readonly url: string
  readonly modifiedAt: Instant
}

export function sitemapDocuments(view: PublicView, groups: PageParts): DocumentSource {
  return new PageLists(view, groups, {
    scheme: 'sitemap',
    path: view.paths.sitemap,
    list: (pages) => writeSitemap(pages),
    index: writeSitemapIndex,
  })
}

export function resourceListDocuments(view: PublicView, groups: PageParts): DocumentSource {
  const path = view.paths.resourceList
  const head = syncHead(view, 'resourcelist')
  return new PageLists(view, groups, {
    scheme: 'resourcesync',
    path,
    list: (pages, at, isPart) => writeSyncDocument({ ...head(isPart ? path : undefined), at }, pages),
    index: (parts, at) => writeSyncDocument({ ...head(), at }, parts, { isIndex: true }),
  })
}

class PageLists implements DocumentSource {
  readonly #view: PublicView
  readonly #groups: PageParts
  readonly #kind: ListKind

  constructor(view: PublicView, groups: PageParts, kind: ListKind) {
    this.#view = view
    this.#groups = groups
    this.#kind = kind
  }

  *documents(): Iterable<SiteDocument> {
    const groups = this.#groups.current()
    yield this.#first(groups)
    if (groups.length > 1) for (const group of groups) yield this.#part(group)
  }

  find(path: string): SiteDocument | undefined {
    const groups = this.#groups.current()
    if (path === this.#kind.path) return this.#first(groups)
    const name = this.#view.paths.partName(path, this.#kind.path)
    const group = groups.length > 1 ? groups.find((one) => one.name === name) : undefined
    return group === undefined ? undefined : this.#part(group)
  }

  #first(groups: readonly PagePart[]): SiteDocument {
    const [only] = groups
    if (groups.length === 1) return { ...this.#part(only!, false), path: this.#kind.path }
    const { scheme, path, index } = this.#kind
    const at = groups.reduce((newest, group) => Math.max(newest, group.modifiedAt), 0)
    const parts = groups.map(({ name, modifiedAt }) => ({ url: this.#view.url(this.#partPath(name)), modifiedAt }))
    return {
      path,
      scheme,
      type: SYNC_TYPE,
      version: groups.map(({ version }) => version).join(' '),
      modifiedAt: at,
      pages: 0,
      make: () => Buffer.from(index(parts, at)),
    }
  }

  #part(group: PagePart, isPart = true): SiteDocument {
    const { scheme, list } = this.#kind
    const entries = function* (view: PublicView): Generator<PageEntry> {
      for (const page of group.pages()) yield view.entry(page)
    }
    return {
      path: this.#partPath(group.name),
      scheme,
      type: SYNC_TYPE,
      version: group.version,
      modifiedAt: group.modifiedAt,
      pages: group.size,
      make: () => Buffer.from(list(entries(this.#view), group.modifiedAt, isPart)),
    }
  }

  #partPath(name: string): string {
    return this.#view.paths.part(this.#kind.path, name)
  }
}
