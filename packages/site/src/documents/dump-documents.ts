/**
 * Resource dump: the whole site in ZIP packages, each with a manifest (ResourceSync §12; 002 §6.2, "serve entire site in a
 * large file"). A page is always in the same package (`documents/page-parts.ts`), so one change makes one package anew.
 *
 * In a package bodies are named by their digests: pages with equal bodies share one, and no path of the site can lead
 * out of the folder somebody unpacks it into.
 */
import { SYNC_MANIFEST, writeSyncDocument } from '@comity/protocol'
import type { SyncFacts } from '@comity/protocol'
import type { JournaledPage } from '../journal/journal.ts'
import type { PageBodies } from '../serve/page-bodies.ts'
import type { PagePart, PageParts } from './page-parts.ts'
import { packedZip } from './packed-zip.ts'
import type { PublicView } from '../privacy/public-view.ts'
import type { DocumentSource, SiteDocument } from './site-document.ts'
import { SYNC_TYPE, syncHead } from './sync-head.ts'

/** Where a body of that digest is in a package, without the slash that manifests put before it. */
export const bundledName = (digest: string): string => `resources/${digest.slice('sha-256:'.length)}`

export class ResourceDumps implements DocumentSource {
  readonly #view: PublicView
  readonly #groups: PageParts
  readonly #bodies: PageBodies
  readonly #sizes = new Map<string, { readonly version: string; readonly pages: number; readonly unpacked: number }>()

  constructor(view: PublicView, groups: PageParts, bodies: PageBodies) {
    this.#view = view
    this.#groups = groups
    this.#bodies = bodies
  }

  *documents(): Iterable<SiteDocument> {
    const groups = this.#groups.current()
    yield this.#list(groups)
    for (const group of groups) yield* [this.#package(group), this.#manifest(group)]
  }

  find(path: string): SiteDocument | undefined {
    const { paths } = this.#view
    if (path === paths.resourceDump) return this.#list(this.#groups.current())
    const [zip, xml] = [paths.partName(path, paths.resourceDump, '.zip'), paths.partName(path, paths.resourceDump)]
    const name = zip ?? xml
    const group = name === undefined ? undefined : this.#groups.current().find((one) => nameOf(one) === name)
    if (group === undefined) return undefined
    return zip === undefined ? this.#manifest(group) : this.#package(group)
  }

  #list(groups: readonly PagePart[]): SiteDocument {
    const at = groups.reduce((newest, group) => Math.max(newest, group.modifiedAt), 0)
    const { paths } = this.#view
    const make = (): Uint8Array => {
      const head = { ...syncHead(this.#view, 'resourcedump')(), at }
      return Buffer.from(
        writeSyncDocument(
          head,
          groups.map((group) => this.#reference(group)),
        ),
      )
    }
    const version = groups.map((group) => group.version).join(' ')
    return { path: paths.resourceDump, scheme: 'dump', type: SYNC_TYPE, version, modifiedAt: at, pages: 0, make }
  }

  /** Its length is known only once it was packed; what is in it says well enough whether it is worth its bytes. */
  #reference(group: PagePart): SyncFacts {
    const { modifiedAt } = group
    const { pages, unpacked } = this.#sizeOf(group)
    return {
      url: this.#view.url(this.#pathOf(group, '.zip')),
      modifiedAt,
      at: modifiedAt,
      type: 'application/zip',
      links: [{ rel: 'contents', href: this.#view.url(this.#pathOf(group, '.xml')), type: SYNC_TYPE }],
      extension: { pages: String(pages), unpacked: String(unpacked) },
    }
  }

  #sizeOf(group: PagePart): { readonly pages: number; readonly unpacked: number } {
    const { name, version } = group
    const known = this.#sizes.get(name)
    if (known?.version === version) return known
    let [pages, unpacked] = [0, 0]
    for (const { bytes } of this.#bundled(group)) {
      pages++
      unpacked += bytes
    }
    this.#sizes.set(name, { version, pages, unpacked })
    return { pages, unpacked }
  }

  #package(group: PagePart): SiteDocument {
    return {
      path: this.#pathOf(group, '.zip'),
      scheme: 'dump',
      type: 'application/zip',
      version: group.version,
      modifiedAt: group.modifiedAt,
      pages: group.size,
      pageBytes: this.#sizeOf(group).unpacked,
      isPacked: true,
      make: () => packedZip(this.#entries(group)),
    }
  }

  #manifest(group: PagePart): SiteDocument {
    return {
      path: this.#pathOf(group, '.xml'),
      scheme: 'dump',
      type: SYNC_TYPE,
      version: group.version,
      modifiedAt: group.modifiedAt,
      pages: group.size,
      make: () => Buffer.from(this.#manifestText(group, [...this.#bundled(group)])),
    }
  }

  async *#entries(group: PagePart): AsyncGenerator<readonly [string, Uint8Array]> {
    const held: JournaledPage[] = []
    const names = new Set<string>()
    for (const page of this.#bundled(group)) {
      const name = bundledName(page.digest)
      const body = names.has(name) ? undefined : await this.#bodies.of(page)
      if (body !== undefined) yield [name, body]
      if (body === undefined && !names.has(name)) continue
      names.add(name)
      held.push(page)
    }
    // Last, as only now it is certain what is there.
    yield [SYNC_MANIFEST, Buffer.from(this.#manifestText(group, held))]
  }

  #manifestText(group: PagePart, pages: readonly JournaledPage[]): string {
    const head = { ...syncHead(this.#view, 'resourcedump-manifest')(), at: group.modifiedAt }
    return writeSyncDocument(
      head,
      pages.map((page) => ({ ...this.#view.entry(page), path: `/${bundledName(page.digest)}` })),
    )
  }

  *#bundled(group: PagePart): Generator<JournaledPage> {
    for (const page of group.pages()) if (this.#bodies.canBundle(page)) yield page
  }

  #pathOf(group: PagePart, extension: string): string {
    return this.#view.paths.part(this.#view.paths.resourceDump, nameOf(group), extension)
  }
}

const nameOf = ({ name }: PagePart): string => (name === '' ? '0' : name)
