/**
 * What sites tell of their changes, read with the readers of the protocol: metadata archives, a change list, robots.rdf. A
 * teller asks for what it needs and says which pages are new or other ones, and which are gone.
 */
import {
  archivesOfRobots,
  archivesSince,
  canFollow,
  headerOf,
  parseRobots,
  readArchive,
  readArchiveList,
  readRobotsRdf,
  readSync,
  ROBOTS_RDF,
} from '@comity/protocol'
import type { ArchiveList, HeaderList, Instant, PageEntry, SyncChange, SyncEntry } from '@comity/protocol'
import { plainBody } from './http.ts'
import type { Line } from './http.ts'

/** Of each page that is told of, by its URL: what is said of it now. Undefined: it is gone. */
export type Told = ReadonlyMap<string, string | undefined>
export type Teller = (line: Line) => Promise<Told>

/** As our crawler asks for documents. */
export const DOCUMENT_HEADERS: HeaderList = [['accept-encoding', 'gzip, br, zstd, deflate']]

/** Documents, asked for only if modified. */
export class Documents {
  readonly base: string
  readonly #tags = new Map<string, string>()

  constructor(base: string) {
    this.base = base
  }

  /** Undefined when it is as it was. */
  async fetch(line: Line, url: string, isConditional = true): Promise<Uint8Array | undefined> {
    const etag = isConditional ? this.#tags.get(url) : undefined
    const condition = etag === undefined ? [] : ([['if-none-match', etag]] as const)
    const path = url.slice(new URL(url).origin.length)
    const answer = await line.ask({ path, headers: [...DOCUMENT_HEADERS, ...condition] })
    if (answer.status === 304) return undefined
    if (answer.status !== 200) throw new Error(`the site answers ${answer.status} for ${path}`)
    this.#tags.set(url, headerOf(answer.headers, 'etag') ?? '')
    return plainBody(answer)
  }

  async text(line: Line, url: string): Promise<string | undefined> {
    const body = await this.fetch(line, url)
    return body === undefined ? undefined : Buffer.from(body).toString('utf8')
  }
}

const markOf = ({ modifiedAt, bytes, digest }: PageEntry): string => `${modifiedAt} ${bytes} ${digest}`

/** 000 §3: robots.txt names a list, the list archives, and their numbers say which have news. */
export function archiveTeller(base: string): Teller {
  const documents = new Documents(base)
  const robotsUrl = new URL('/robots.txt', base).href
  let first: string | undefined
  let list: ArchiveList = { archives: [], lists: [], deletionsAfter: 0, ignoredLines: 0 }
  let upTo: number | undefined
  return async (line) => {
    const robots = await documents.text(line, robotsUrl)
    if (robots !== undefined) first = archivesOfRobots(parseRobots(robots).metadata, robotsUrl).lists[0]?.url
    if (first === undefined) throw new Error('robots.txt names no list of archives')
    const text = await documents.text(line, first)
    if (text !== undefined) list = await gathered(documents, line, readArchiveList(text, first), upTo)
    const after = upTo !== undefined && canFollow(list, upTo) ? upTo : undefined
    const told = new Map<string, string | undefined>()
    for (const { url, name } of archivesSince(list.archives, after === undefined ? {} : { after })) {
      const body = await documents.fetch(line, url)
      if (body === undefined) continue
      const { entries, complete } = readArchive(body, { site: base, name })
      if (!complete) throw new Error(`${url} cannot be read to its end`)
      for (const entry of entries) told.set(entry.url, entry.gone === true ? undefined : markOf(entry))
    }
    upTo = list.archives.reduce((most, { name }) => Math.max(most, name.number), upTo ?? 0)
    return told
  }
}

/** Lists of lists whose numbers have not been read yet, too. */
async function gathered(documents: Documents, line: Line, list: ArchiveList, upTo = 0): Promise<ArchiveList> {
  const archives = [...list.archives]
  for (const { url, upTo: last = Infinity } of list.lists) {
    const text = last > upTo ? await documents.text(line, url) : undefined
    if (text !== undefined) archives.push(...readArchiveList(text, url).archives)
  }
  return { ...list, archives }
}

/** All pages once, from the resource list; from then on the change list, by its open part. */
export function changeListTeller(base: string): Teller {
  const documents = new Documents(base)
  const index = `${base}changelist.xml`
  let open: string | undefined
  let since: Instant | undefined
  let isFirst = true
  const read = async (line: Line, url: string, told: Map<string, string | undefined>): Promise<boolean> => {
    const body = await documents.fetch(line, url)
    if (body === undefined) return true
    const { entries, summary } = readSync(body, url)
    if (summary.format === 'sitemapindex') {
      for (const part of partsSince(entries, since)) await read(line, part, told)
      return true
    }
    for (const change of entries.filter(({ kind }) => kind === 'change') as SyncChange[]) {
      if (since !== undefined && change.changedAt !== undefined && change.changedAt < since) continue
      told.delete(change.url)
      told.set(change.url, change.change === 'deleted' ? undefined : markOf(change))
    }
    since = entries.findLast((entry) => entry.kind === 'change')?.changedAt ?? since
    const isOpen = summary.until === undefined
    open = isOpen ? url : undefined
    return isOpen
  }
  return async (line) => {
    const told = new Map<string, string | undefined>()
    // A part that has ended has successors, and only the index names them.
    if (!(await read(line, open ?? index, told))) await read(line, index, told)
    if (isFirst) await readPages(documents, line, `${base}resourcelist.xml`, told)
    isFirst = false
    return told
  }
}

function partsSince(entries: readonly SyncEntry[], since: Instant | undefined): readonly string[] {
  const parts = entries.flatMap((entry) => (entry.kind === 'document' ? [entry] : []))
  // Who has the pages from their list needs of the changes only where they end.
  if (since === undefined) return parts.slice(-1).map(({ url }) => url)
  return parts.filter(({ until = Infinity }) => until >= since).map(({ url }) => url)
}

async function readPages(
  documents: Documents,
  line: Line,
  url: string,
  told: Map<string, string | undefined>,
): Promise<void> {
  const body = await documents.fetch(line, url)
  if (body === undefined) return
  for (const entry of readSync(body, url).entries) {
    if (entry.kind === 'document') await readPages(documents, line, entry.url, told)
    else told.set(entry.url, markOf(entry))
  }
}

/** 002 §6.5: the whole list each time, in parts; whatever is in none of them is gone. */
export function rdfTeller(base: string): Teller {
  const documents = new Documents(base)
  const first = `${base}${ROBOTS_RDF}`
  let parts: readonly string[] = []
  let before = new Set<string>()
  const held = new Map<string, readonly PageEntry[]>()
  const read = async (line: Line, url: string): Promise<void> => {
    const body = await documents.fetch(line, url)
    if (body === undefined) return
    const rdf = readRobotsRdf(body, url)
    held.set(url, rdf.pages)
    if (url === first) parts = rdf.parts
  }
  return async (line) => {
    await read(line, first)
    // Nothing tells which part changed: every one is asked.
    for (const part of parts) await read(line, part)
    const told = new Map<string, string | undefined>()
    for (const url of [first, ...parts]) for (const entry of held.get(url) ?? []) told.set(entry.url, markOf(entry))
    const now = new Set(told.keys())
    for (const url of before) if (!now.has(url)) told.set(url, undefined)
    before = now
    return told
  }
}
