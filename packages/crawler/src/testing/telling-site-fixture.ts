/**
 * A site for tests that tells crawlers of its pages in every way there is, on a real socket. Documents are made at the moment
 * they are asked for by the writers of `protocol`; a fault can be put between them and the crawler.
 */
import { hash } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  API_CATALOG_PATH,
  CHANGES_PATH,
  RESOURCESYNC_WELL_KNOWN,
  changeArchives,
  changeLine,
  changesEndLine,
  formatMetadataArchiveName,
  metadataRecords,
  planMetadataArchives,
  readChangeParameters,
  readChangeQuery,
  writeApiCatalog,
  writeMetadataArchive,
  writeArchiveLists,
  writeRobotsRdf,
  writeSitemap,
  writeSyncDocument,
} from '@comity/protocol'
import type { ArchivePlan, ChangeEntry, Instant, PageEntry, SyncCapability } from '@comity/protocol'
import { CHANGE_OFFERS } from '@comity/follow/testing'
import type { ChangeOfferKind } from '@comity/follow'

interface SiteAnswer {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body?: string | Uint8Array
}

interface SiteAsked {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** What comes of an answer on its way. */
type Fault = (asked: SiteAsked, answer: SiteAnswer) => SiteAnswer

export interface TellingSiteOptions {
  readonly offers?: readonly ChangeOfferKind[]
  /** Changes in one part of the change list; with more than these it is an index. */
  readonly listChanges?: number
  /** Pages that one answer of the filter tells of. */
  readonly filterPages?: number
}

const digestOf = (text: string): string => `sha-256:${hash('sha256', text, 'hex')}`

export class TellingSite implements AsyncDisposable {
  origin = ''
  readonly asked: SiteAsked[] = []
  readonly pages: Map<string, PageEntry> = new Map()
  readonly changes: ChangeEntry[] = []
  fault: Fault | undefined
  /** Changes up to here are forgotten by filter and change list. */
  forgotten = 0
  robots = 'User-agent: *\nDisallow: /private/\n'
  #plan: ArchivePlan | undefined
  readonly #options: Required<TellingSiteOptions>
  readonly #server = createServer((request, response) => void this.#serve(request, response))

  constructor(options: TellingSiteOptions = {}) {
    this.#options = { offers: CHANGE_OFFERS, listChanges: 1_000, filterPages: 1_000, ...options }
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => void this.#server.listen(0, '127.0.0.1', resolve))
    this.origin = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
    return this
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise<void>((resolve) => void this.#server.close(() => resolve()))
  }

  /** These pages have this text since `at`. */
  put(at: Instant, texts: Readonly<Record<string, string>>): void {
    const entries = Object.entries(texts).map(([path, text]): ChangeEntry => {
      const url = `${this.origin}${path}`
      const change = this.pages.has(path) ? 'updated' : 'created'
      const entry = { url, modifiedAt: at, bytes: text.length, type: 'text/html', digest: digestOf(text) }
      this.pages.set(path, { ...entry })
      return Object.assign(entry, { change, changedAt: at } as const)
    })
    this.#note(entries)
  }

  remove(at: Instant, path: string): void {
    this.pages.delete(path)
    this.#note([{ url: `${this.origin}${path}`, change: 'deleted', changedAt: at }])
  }

  /** Its archives are made anew from the pages there are; of those that are gone nothing is said. */
  archiveAnew(at: Instant): void {
    this.#plan = planMetadataArchives(this.pages.values(), at, { looseEntries: 4 })
  }

  /** Paths asked for since the last call, robots.txt apart. */
  takePaths(): string[] {
    return this.asked.splice(0).flatMap(({ path }) => (path === '/robots.txt' ? [] : path))
  }

  #note(entries: readonly ChangeEntry[]): void {
    this.changes.push(...entries)
    if (this.#plan === undefined)
      this.#plan = planMetadataArchives(this.pages.values(), entries[0]!.changedAt!, { looseEntries: 4 })
    else this.#plan = changeArchives(this.#plan, entries, { looseEntries: 4 }).plan
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { method = 'GET', url: path = '/', headers } = request
    const asked = { method, path, headers, body: Buffer.concat(chunks).toString() }
    this.asked.push(asked)
    const made = this.#answer(asked) ?? { status: 404, body: 'nothing here' }
    const { status = 200, headers: sent = {}, body = '' } = this.fault?.(asked, made) ?? made
    const etag = `"${hash('sha256', Buffer.from(body), 'hex').slice(0, 12)}"`
    const isSame = status === 200 && method === 'GET' && headers['if-none-match'] === etag && !('no-etag' in sent)
    const validators = status === 200 && !('no-etag' in sent) ? { etag } : {}
    response.writeHead(isSame ? 304 : status, { ...validators, ...sent })
    response.end(isSame ? undefined : body)
  }

  #answer(asked: SiteAsked): SiteAnswer | undefined {
    const [path = ''] = asked.path.split('?')
    if (path === CHANGES_PATH && this.#has('filter')) return this.#filter(asked)
    const document = this.#documents()[path]?.() ?? this.#archive(path)
    return document === undefined ? undefined : { body: document }
  }

  #documents(): Record<string, () => string> {
    const { origin } = this
    const url = (path: string): string => `${origin}${path}`
    const pages = (): PageEntry[] => [...this.pages.values()]
    const documents: Record<string, () => string> = { '/robots.txt': () => this.#robots() }
    if (this.#has('filter')) {
      documents[API_CATALOG_PATH] = () => writeApiCatalog(origin, { changes: url(CHANGES_PATH), batch: url('/batch') })
    }
    if (this.#has('sitemap')) documents['/sitemap.xml'] = () => writeSitemap(pages())
    if (this.#has('robots-rdf')) {
      const files = writeRobotsRdf(pages(), { base: url('/'), include: ['/'], firstPages: 3, partPages: 3 })
      for (const { name, text } of files) documents[`/${name}`] = () => text
    }
    if (this.#has('metadata-archive') && this.#plan !== undefined) {
      const { head, closed } = writeArchiveLists(this.#plan)
      documents['/metadata/archives.txt'] = () => head
      if (closed !== undefined) documents[`/metadata/${closed.name}`] = () => closed.text
    }
    if (this.#has('change-list')) Object.assign(documents, this.#syncDocuments())
    return documents
  }

  #robots(): string {
    const sitemap = this.#has('sitemap') ? `Sitemap: ${this.origin}/sitemap.xml\n` : ''
    const archives = this.#has('metadata-archive') ? metadataRecords([`${this.origin}/metadata/archives.txt`]) : ''
    return `${this.robots}\n${sitemap}${archives}`
  }

  #syncDocuments(): Record<string, () => string> {
    const url = (path: string): string => `${this.origin}${path}`
    const lists: { url: string; capability: SyncCapability }[] = [
      { url: url('/resourcelist.xml'), capability: 'resourcelist' },
      { url: url('/changelist.xml'), capability: 'changelist' },
    ]
    const documents: Record<string, () => string> = {
      [RESOURCESYNC_WELL_KNOWN]: () =>
        writeSyncDocument({ capability: 'description' }, [
          { url: url('/capability.xml'), capability: 'capabilitylist' },
        ]),
      '/capability.xml': () => writeSyncDocument({ capability: 'capabilitylist' }, lists),
      '/resourcelist.xml': () => writeSyncDocument({ capability: 'resourcelist', at: 0 }, this.pages.values()),
    }
    return { ...documents, ...this.#changeLists() }
  }

  /** `/changelist.xml`, or that as an index and `/changelist-0.xml` and so on. */
  #changeLists(): Record<string, () => string> {
    const { listChanges } = this.#options
    const starts: number[] = []
    for (let at = this.forgotten; at === this.forgotten || at < this.changes.length; at += listChanges) starts.push(at)
    const part = (start: number): string => {
      const entries = this.changes.slice(start, start + listChanges)
      return writeSyncDocument({ capability: 'changelist', ...this.#span(start) }, entries)
    }
    if (starts.length === 1) return { '/changelist.xml': () => part(starts[0]!) }
    const listed = starts.map((start) => ({ url: `${this.origin}/changelist-${start}.xml`, ...this.#span(start) }))
    const head = { capability: 'changelist', from: listed[0]!.from } as const
    return {
      '/changelist.xml': () => writeSyncDocument(head, listed, { isIndex: true }),
      ...Object.fromEntries(starts.map((start) => [`/changelist-${start}.xml`, () => part(start)])),
    }
  }

  #span(start: number): { from?: Instant | undefined; until?: Instant | undefined } {
    const [first, next] = [this.changes[start], this.changes[start + this.#options.listChanges]]
    return { from: first?.changedAt, ...(next === undefined ? {} : { until: next.changedAt }) }
  }

  #archive(path: string): Uint8Array | undefined {
    if (!this.#has('metadata-archive')) return undefined
    const found = this.#plan?.archives.find(({ name }) => path === `/metadata/${formatMetadataArchiveName(name)}`)
    return found && writeMetadataArchive(found.entries, { site: this.origin, group: found.name.group })
  }

  /** The token is how many changes were told. */
  #filter({ method, body, path }: SiteAsked): SiteAnswer {
    const parameters = new URL(path, this.origin).searchParams
    const read = method === 'GET' ? readChangeParameters(parameters) : readChangeQuery(body)
    if ('problem' in read) return { status: 400, body: read.problem }
    const since = Number(read.query.since ?? 0)
    if (read.query.since !== undefined && !(since >= this.forgotten)) return { status: 410, body: 'too old' }
    if (read.query.since === undefined) {
      const all = [...this.pages.values()].map((page) =>
        changeLine({ ...page, change: 'updated', changedAt: page.modifiedAt }),
      )
      return { body: all.join('') + changesEndLine({ token: String(this.changes.length), more: false }) }
    }
    const end = Math.min(this.changes.length, since + this.#options.filterPages)
    const lines = this.changes.slice(since, end).map(changeLine)
    return { body: lines.join('') + changesEndLine({ token: String(end), more: end < this.changes.length }) }
  }

  #has(kind: ChangeOfferKind): boolean {
    return this.#options.offers.includes(kind)
  }
}
