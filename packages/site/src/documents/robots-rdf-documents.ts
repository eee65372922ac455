/**
 * robots.rdf: the pages with the times of their last change (002 §6.5). All parts come out of one walk over all pages,
 * so they are made when somebody asks and not more often than once a minute; the paper was content with once a day. A
 * part that came out as before keeps its tag and its date.
 */
import { hash } from 'node:crypto'
import { ROBOTS_RDF, ROBOTS_RDF_TYPE, writeRobotsRdf } from '@comity/protocol'
import type { Instant, PageEntry, RobotsRdfFile } from '@comity/protocol'
import type { PublicView } from '../privacy/public-view.ts'
import type { DocumentSource, SiteDocument } from './site-document.ts'
import type { SiteSetting } from '../site-options.ts'

export class RobotsRdfDocuments implements DocumentSource {
  readonly #view: PublicView
  readonly #setting: SiteSetting
  #documents: ReadonlyMap<string, SiteDocument> = new Map()
  #state = ''
  #epoch = 0
  #madeAt: Instant = -Infinity

  constructor(view: PublicView, setting: SiteSetting) {
    this.#view = view
    this.#setting = setting
  }

  documents(): Iterable<SiteDocument> {
    this.#catchUp()
    return this.#documents.values()
  }

  find(path: string): SiteDocument | undefined {
    if (!path.endsWith('.rdf')) return undefined
    this.#catchUp()
    return this.#documents.get(path)
  }

  #catchUp(): void {
    const { epoch, journal } = this.#view
    const state = `${epoch} ${journal.last}`
    if (state === this.#state) return
    const now = this.#setting.now()
    // What may no longer be told cannot wait, nor can the first pages of a site that was asked before it had any.
    const isNew = now < this.#madeAt + this.#setting.limits.relistMs && now >= this.#madeAt
    if (epoch === this.#epoch && isNew && this.#namesPages()) return
    this.#state = state
    this.#epoch = epoch
    this.#madeAt = now
    const files = writeRobotsRdf(entriesOf(this.#view), { ...this.#setting.robotsRdf, base: this.#setting.base })
    this.#documents = new Map(files.map((file) => this.#documentOf(file)).map((document) => [document.path, document]))
  }

  #namesPages(): boolean {
    return this.#documents.values().some(({ pages }) => (pages ?? 0) > 0)
  }

  #documentOf({ name, text, pages }: RobotsRdfFile): SiteDocument {
    const path = `${this.#view.paths.robotsRdf.slice(0, -ROBOTS_RDF.length)}${name}`
    const version = hash('sha256', text)
    const before = this.#documents.get(path)
    if (before?.version === version) return before
    const modifiedAt = before === undefined ? this.#view.lastChangeAt : this.#setting.now()
    const bytes = Buffer.from(text)
    return { path, scheme: 'robots-rdf', type: ROBOTS_RDF_TYPE, version, modifiedAt, pages, make: () => bytes }
  }
}

function* entriesOf(view: PublicView): Generator<PageEntry> {
  for (const page of view.pages()) yield view.entry(page)
}
