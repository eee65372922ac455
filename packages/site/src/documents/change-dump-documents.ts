/**
 * Change dump: the pages that changed, in ZIP packages by stretches of the journal (ResourceSync §14). Whoever missed a
 * few hundred changes gets them all in a few requests.
 *
 * Of a page that changed several times in one stretch the last state is told. Its body is in the package while it is
 * still the page's; where it is not, a later package has a newer one. A page listed without a path has to be asked for.
 */
import { hash } from 'node:crypto'
import { SYNC_MANIFEST, writeSyncDocument } from '@comity/protocol'
import type { SyncFacts } from '@comity/protocol'
import { spanOfPart, partModifiedAt } from './change-list-documents.ts'
import { changePartName, changeParts } from './change-parts.ts'
import type { ChangePart, PartSizes } from './change-parts.ts'
import { bundledName } from './dump-documents.ts'
import type { Change } from '../journal/journal.ts'
import type { PageBodies } from '../serve/page-bodies.ts'
import { packedZip } from './packed-zip.ts'
import type { PublicView } from '../privacy/public-view.ts'
import type { DocumentSource, SiteDocument } from './site-document.ts'
import { SYNC_TYPE, syncHead } from './sync-head.ts'

/**
 * Pages in one package at most: a part of 2,048 would be as large as a dump of everything. And not fewer than 32: who misses
 * a few changes asks for these pages, so packages of four would be files that nobody takes.
 */
const PART_SIZES: PartSizes = { smallest: 32, largest: 256 }
/** Packages told of. Whoever is further behind is better served by the resource dump. */
const MAX_PARTS = 64

export class ChangeDumps implements DocumentSource {
  readonly #view: PublicView
  readonly #bodies: PageBodies

  constructor(view: PublicView, bodies: PageBodies) {
    this.#view = view
    this.#bodies = bodies
  }

  *documents(): Iterable<SiteDocument> {
    yield this.#list()
    for (const part of this.#parts()) yield* [this.#package(part), this.#manifest(part)]
  }

  find(path: string): SiteDocument | undefined {
    const { paths } = this.#view
    if (path === paths.changeDump) return this.#list()
    const [zip, xml] = [paths.partName(path, paths.changeDump, '.zip'), paths.partName(path, paths.changeDump)]
    const part = this.#parts().find((one) => changePartName(one) === (zip ?? xml))
    if (part === undefined) return undefined
    return zip === undefined ? this.#manifest(part) : this.#package(part)
  }

  #parts(): readonly ChangePart[] {
    const { toldSince, journal } = this.#view
    const parts = changeParts(toldSince, journal.last, PART_SIZES).slice(-MAX_PARTS)
    // A package of nothing is no offer.
    return parts.filter(({ after, upTo }) => upTo > after)
  }

  #list(): SiteDocument {
    const parts = this.#parts()
    const { paths, epoch } = this.#view
    const from = parts[0] === undefined ? this.#view.lastChangeAt : spanOfPart(this.#view, parts[0]).from
    const make = (): Uint8Array =>
      Buffer.from(
        writeSyncDocument(
          { ...syncHead(this.#view, 'changedump')(), from },
          parts.map((part) => this.#reference(part)),
        ),
      )
    const version = `${epoch} ${this.#view.journal.last} ${parts.map(changePartName).join(' ')}`
    const newest = parts.at(-1)
    const modifiedAt = newest === undefined ? this.#view.lastChangeAt : partModifiedAt(this.#view, newest)
    return { path: paths.changeDump, scheme: 'dump', type: SYNC_TYPE, version, modifiedAt, pages: 0, make }
  }

  /** As of a resource dump: what is in it says whether it is worth its bytes. */
  #reference(part: ChangePart): SyncFacts {
    const bundled = this.#changes(part).filter((change) => this.#isBundled(change))
    const unpacked = bundled.reduce((sum, { bytes }) => sum + bytes, 0)
    return {
      url: this.#view.url(this.#pathOf(part, '.zip')),
      modifiedAt: partModifiedAt(this.#view, part),
      ...spanOfPart(this.#view, part),
      type: 'application/zip',
      links: [{ rel: 'contents', href: this.#view.url(this.#pathOf(part, '.xml')), type: SYNC_TYPE }],
      extension: { pages: String(bundled.length), unpacked: String(unpacked) },
    }
  }

  #package(part: ChangePart): SiteDocument {
    return {
      ...this.#document(part, '.zip'),
      type: 'application/zip',
      isPacked: true,
      make: () => packedZip(this.#entries(part)),
    }
  }

  #manifest(part: ChangePart): SiteDocument {
    const make = (): Uint8Array => Buffer.from(this.#manifestText(part, (change) => this.#isBundled(change)))
    return { ...this.#document(part, '.xml'), type: SYNC_TYPE, make }
  }

  #document(part: ChangePart, extension: string): Omit<SiteDocument, 'make' | 'type'> {
    const changes = this.#changes(part)
    // Which bodies are in it depends on which changes are still the last word on their page.
    const current = changes.map((change) => Number(this.#isBundled(change))).join('')
    return {
      path: this.#pathOf(part, extension),
      scheme: 'dump',
      version: `${this.#view.epoch} ${part.upTo} ${String(part.isOpen)} ${hash('sha256', current)}`,
      // A body may have left it at any time since.
      modifiedAt: this.#view.lastChangeAt,
      pages: changes.length,
    }
  }

  async *#entries(part: ChangePart): AsyncGenerator<readonly [string, Uint8Array]> {
    const held = new Set<string>()
    for (const change of this.#changes(part)) {
      const name = bundledName(change.digest)
      if (!this.#isBundled(change) || held.has(name)) continue
      const body = await this.#bodies.of(change)
      if (body === undefined) continue
      held.add(name)
      yield [name, body]
    }
    const manifest = this.#manifestText(
      part,
      (change) => this.#isBundled(change) && held.has(bundledName(change.digest)),
    )
    yield [SYNC_MANIFEST, Buffer.from(manifest)]
  }

  #manifestText(part: ChangePart, isHeld: (change: Change) => boolean): string {
    const head = { ...syncHead(this.#view, 'changedump-manifest')(), ...spanOfPart(this.#view, part) }
    const entries = this.#changes(part).map((change): SyncFacts => {
      const entry: SyncFacts = this.#view.change(change)
      return isHeld(change) ? Object.assign(entry, { path: `/${bundledName(change.digest)}` }) : entry
    })
    return writeSyncDocument(head, entries)
  }

  /** The last change of each page, oldest first. */
  #changes({ after, upTo }: ChangePart): readonly Change[] {
    const last = new Map<string, Change>()
    for (const change of this.#view.changesAfter(after, upTo - after) ?? []) {
      last.delete(change.path)
      last.set(change.path, change)
    }
    return [...last.values()]
  }

  #isBundled(change: Change): boolean {
    if (change.change === 'deleted' || !this.#bodies.canBundle(change)) return false
    return this.#view.page(change.path)?.digest === change.digest
  }

  #pathOf(part: ChangePart, extension: string): string {
    return this.#view.paths.part(this.#view.paths.changeDump, changePartName(part), extension)
  }
}
