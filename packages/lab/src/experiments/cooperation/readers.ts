/**
 * How a crawler reads each of a site's documents, with the readers of the protocol: what to ask for first, what that leads
 * to, and what need not be asked again.
 */
import {
  archivesSince,
  CHANGES_PATH,
  headerOf,
  readArchive,
  readArchiveList,
  readChanges,
  readRobotsRdf,
  readSitemap,
  readSync,
  ROBOTS_RDF,
} from '@comity/protocol'
import type {
  HeaderList,
  Instant,
  ListedArchive,
  PageEntry,
  SyncChange,
  SyncReference,
  SyncSpan,
} from '@comity/protocol'
import type { MeteredClient } from './client.ts'

/** Asks, and says which pages are new or changed since the time before. */
export type Visit = () => Promise<ReadonlySet<string>>

export interface SchemeSite {
  readonly client: MeteredClient
  readonly base: string
  /** Documents are fetched but pages are not read out of them: for what they weigh, that is not needed. */
  readonly isUnread?: boolean | undefined
}

/** As the crawler asks for documents. */
const DOCUMENT_HEADERS: HeaderList = [
  ['Accept', '*/*'],
  ['Accept-Encoding', 'gzip, br, zstd, deflate'],
]
const PLAIN_HEADERS: HeaderList = [['Accept', '*/*']]

export interface ReadingWay {
  readonly isPacked?: boolean
  /** Only if modified. */
  readonly isConditional?: boolean
}

/** A body, its content coding taken off when it is read. */
type Fetched = () => Buffer

/** The pages that a document tells of. */
type PagesOf = () => Iterable<PageEntry>

/** Documents of a site as a crawler holds them. */
export class Documents {
  readonly base: string
  readonly #client: MeteredClient
  readonly #headers: HeaderList
  readonly #isConditional: boolean
  readonly #isUnread: boolean
  readonly #held = new Map<string, string>()
  readonly #pages = new Map<string, Instant | undefined>()

  constructor(
    { client, base, isUnread = false }: SchemeSite,
    { isPacked = true, isConditional = true }: ReadingWay = {},
  ) {
    this.base = base
    this.#client = client
    this.#headers = isPacked ? DOCUMENT_HEADERS : PLAIN_HEADERS
    this.#isConditional = isConditional
    this.#isUnread = isUnread
  }

  /** Its body; undefined when it is as it was. */
  async fetch(url: string): Promise<Fetched | undefined> {
    const etag = this.#isConditional ? this.#held.get(url) : undefined
    const condition = etag === undefined ? [] : ([['If-None-Match', etag]] as const)
    const path = url.slice(new URL(url).origin.length)
    const answer = await this.#client.ask({ path, headers: [...this.#headers, ...condition] })
    if (answer.status === 304) return undefined
    if (answer.status !== 200) throw new Error(`the site answers ${answer.status} for ${path}`)
    this.#held.set(url, headerOf(answer.headers, 'etag') ?? '')
    return answer.body
  }

  /** Whether an entry says something that was not known. */
  notes({ url, modifiedAt }: PageEntry): boolean {
    if (this.#pages.has(url) && this.#pages.get(url) === modifiedAt) return false
    this.#pages.set(url, modifiedAt)
    return true
  }

  newOf(pages: PagesOf, into: Set<string>): void {
    if (this.#isUnread) return
    for (const entry of pages()) if (this.notes(entry)) into.add(entry.url)
  }
}

/** With parts, or robots.rdf alone. */
export function rdfReader(documents: Documents, { withParts }: { readonly withParts: boolean }): Visit {
  const first = `${documents.base}${ROBOTS_RDF}`
  let parts: readonly string[] = []
  return async () => {
    const told = new Set<string>()
    const read = async (url: string): Promise<Fetched | undefined> => {
      const body = await documents.fetch(url)
      if (body !== undefined) documents.newOf(() => readRobotsRdf(body(), url).pages, told)
      return body
    }
    const head = await read(first)
    if (head !== undefined && withParts) parts = readRobotsRdf(head(), first).parts
    // Nothing tells which part changed: every one is asked.
    for (const part of parts) await read(part)
    return told
  }
}

/** An index leads to parts; a part is asked for when the index has another date for it. */
export function sitemapReader(documents: Documents): Visit {
  const first = `${documents.base}sitemap.xml`
  return async () => {
    const told = new Set<string>()
    const body = await documents.fetch(first)
    if (body === undefined) return told
    const { pages, parts } = sitemapOf(body(), first)
    documents.newOf(() => pages, told)
    for (const part of parts) {
      if (!documents.notes(part)) continue
      const text = await documents.fetch(part.url)
      if (text !== undefined) documents.newOf(() => sitemapOf(text(), part.url).pages, told)
    }
    return told
  }
}

function sitemapOf(body: Buffer, url: string): { readonly pages: PageEntry[]; readonly parts: PageEntry[] } {
  const pages: PageEntry[] = []
  const parts: PageEntry[] = []
  for (const { kind, loc, lastmod } of readSitemap(body, url).entries)
    (kind === 'page' ? pages : parts).push({ url: loc, modifiedAt: lastmod })
  return { pages, parts }
}

export function archiveReader(documents: Documents): Visit {
  const first = `${documents.base}metadata/archives.txt`
  let [listed, after]: [readonly ListedArchive[], number] = [[], 0]
  return async () => {
    const told = new Set<string>()
    const head = await documents.fetch(first)
    if (head !== undefined) {
      const { archives, lists } = readArchiveList(head().toString('utf8'), first)
      const more: ListedArchive[] = []
      for (const { url, upTo = Infinity } of lists) {
        const body = upTo > after ? await documents.fetch(url) : undefined
        if (body !== undefined) more.push(...readArchiveList(body().toString('utf8'), url).archives)
      }
      listed = [...archives, ...more]
    }
    for (const { url, name } of archivesSince(listed, after === 0 ? {} : { after })) {
      const body = await documents.fetch(url)
      if (body !== undefined) documents.newOf(() => readArchive(body(), { site: documents.base, name }).entries, told)
    }
    after = listed.reduce((most, { name }) => Math.max(most, name.number), after)
    return told
  }
}

export function changeListReader(documents: Documents): Visit {
  const readPages = sitemapReader(documents)
  const changes = new ChangeList(documents)
  let isFirst = true
  return async () => {
    // Whoever comes for the first time reads all pages, and of the changes only what is still open.
    const told = new Set(isFirst ? await readPages() : [])
    isFirst = false
    await changes.follow(told)
    return told
  }
}

/** A change list, followed from its open part on. */
class ChangeList {
  readonly #documents: Documents
  readonly #index: string
  #open: string | undefined
  /** The newest change that was read, before this visit and in it. */
  #seen: Instant = -Infinity
  #newest: Instant = -Infinity

  constructor(documents: Documents) {
    this.#documents = documents
    this.#index = `${documents.base}changelist.xml`
  }

  async follow(told: Set<string>): Promise<void> {
    const span = await this.#read(this.#open ?? this.#index, told)
    // A part that says when it ended has successors, and only the index names them.
    if (span?.until !== undefined) await this.#read(this.#index, told, span.until)
    this.#seen = this.#newest
  }

  /** What the document says of its time; undefined when it is as it was. `from`: parts that ended earlier were read. */
  async #read(url: string, told: Set<string>, from = Infinity): Promise<SyncSpan | undefined> {
    const body = await this.#documents.fetch(url)
    if (body === undefined) return undefined
    const { entries, summary } = readSync(body(), url)
    const parts = entries.filter((entry): entry is SyncReference => entry.kind === 'document')
    const changes = entries.filter((entry): entry is SyncChange => entry.kind === 'change')
    // A larger part that took the place of small ones tells of changes again that have been read.
    const news = changes.filter(({ changedAt = Infinity }) => changedAt > this.#seen)
    this.#newest = changes.reduce((newest, { changedAt = newest }) => Math.max(newest, changedAt), this.#newest)
    this.#documents.newOf(() => news, told)
    if (parts.length > 0) this.#open = parts.at(-1)!.url
    // Not only later: changes of one instant may stand on both sides of where a part ends.
    for (const part of parts) if ((part.until ?? Infinity) >= from) await this.#read(part.url, told)
    return summary
  }
}

export function filterReader({ client }: SchemeSite): Visit {
  let token: string | undefined
  return async () => {
    const told = new Set<string>()
    for (let more = true; more;) {
      const path = `${CHANGES_PATH}${token === undefined ? '' : `?since=${token}`}`
      const { status, body } = await client.ask({ path, headers: DOCUMENT_HEADERS })
      const { entries, end } = readChanges(body().toString('utf8'))
      if (status !== 200 || end === undefined) throw new Error(`the site answers ${status} to a question for changes`)
      for (const { url } of entries) told.add(url)
      token = end.token
      more = end.more
    }
    return told
  }
}
