/**
 * A web from a file: `loadWeb` tells by name and content what it is. One file is read by its format; a table of pages
 * (`pages.tsv`, `nodes.tsv`) goes with a table of links beside it (`edges.tsv`), and a folder may be named for both.
 * All may be packed by gzip, Zstandard or xz.
 *
 * Memory is that of the arrays, and once more the links while they are sorted.
 */
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { finishWeb } from './draft.ts'
import type { WebDraft } from './draft.ts'
import { formatOf, graphFormats, HEAD_BYTES } from './formats.ts'
import { readHosts } from './hosts.ts'
import { graphLimits, ReadLog } from './limits.ts'
import type { GraphLimits } from './limits.ts'
import { LinkPairs } from './links.ts'
import { linkScanner } from './number-readers.ts'
import { unpackedChunks } from './source.ts'
import { draftOf, pageTableReader } from './text-readers.ts'
import type { PageTable } from './text-readers.ts'
import { webUnreadable } from '../../lab-error.ts'
import type { WebGraph } from './web-graph.ts'

export interface LoadWebOptions {
  /** A file that gives each page its site; see `webs/graph/hosts.ts`. */
  readonly hosts?: string | undefined
  /** Start pages, numbered as in the file. Without: the root pages of its sites, or a page that reaches much. */
  readonly start?: readonly number[] | undefined
  /** Without: the name of the file. */
  readonly name?: string | undefined
  readonly onProgress?: ((progress: LoadProgress) => void) | undefined
  /** Told once, when all is read. */
  readonly onReport?: ((report: LoadReport) => void) | undefined
  readonly limits?: Partial<GraphLimits> | undefined
}

/** How far it is: bytes after unpacking, and links. */
interface LoadProgress {
  readonly bytes: number
  readonly links: number
}

/** What was read, and what of it was left out. */
export interface LoadReport {
  readonly bytes: number
  /** Links read between pages of the file, those left out included. */
  readonly links: number
  readonly selfLinks: number
  readonly duplicates: number
  /** Links from or to pages that the file does not have. */
  readonly unknown: number
  readonly malformedLines: number
}

/** Throws a `LabError` when there is nothing at `path`, or nothing we can read. */
export async function loadWeb(path: string, options: LoadWebOptions = {}): Promise<WebGraph> {
  const limits = { ...graphLimits, ...options.limits }
  const reading = new Reading(limits, options.onProgress)
  const tables = await tablesAt(path)
  const draft = tables === undefined ? await reading.graph(path) : await reading.tables(tables)
  const sites = options.hosts === undefined ? undefined : await readHosts(options.hosts, draft, limits)
  const homes = options.start?.map((number) => startPage(path, draft, number))
  const { web, selfLinks, duplicates } = finishWeb(options.name ?? titleOf(path), draft, sites, homes)
  const { bytes, unknown, malformedLines } = reading
  options.onReport?.({ bytes, links: draft.pairs.count, selfLinks, duplicates, unknown, malformedLines })
  return web
}

interface Tables {
  readonly pages: string
  readonly links: string
}

const PAGES = /^(.*?)(?:pages|nodes)(\.tsv(?:\.\w+)?)$/

async function tablesAt(path: string): Promise<Tables | undefined> {
  const found = await stat(path).catch((error: unknown) => {
    throw webUnreadable(path, 'There is no file or folder of this name that we may read. Check the path.', error)
  })
  const folder = found.isDirectory() ? path : dirname(path)
  const names = found.isDirectory() ? await readdir(folder) : [basename(path)]
  // Of several, the shortest name: `nodes.tsv` rather than `frontier-nodes.tsv`.
  const [table] = names.filter((name) => PAGES.test(name)).toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))
  if (table === undefined && !found.isDirectory()) return undefined
  const links = table === undefined ? undefined : await linksBeside(folder, table)
  if (table === undefined || links === undefined)
    throw webUnreadable(path, 'A table of pages (pages.tsv or nodes.tsv) must stand beside one of links (edges.tsv).')
  return { pages: join(folder, table), links: join(folder, links) }
}

async function linksBeside(folder: string, table: string): Promise<string | undefined> {
  const [, prefix = ''] = PAGES.exec(table) ?? []
  const names = await readdir(folder)
  return ['', '.gz', '.zst', '.xz'].map((ending) => `${prefix}edges.tsv${ending}`).find((name) => names.includes(name))
}

class Reading {
  bytes = 0
  unknown = 0
  malformedLines = 0
  readonly #limits: GraphLimits
  readonly #onProgress: LoadWebOptions['onProgress']

  constructor(limits: GraphLimits, onProgress: LoadWebOptions['onProgress']) {
    this.#limits = limits
    this.#onProgress = onProgress
  }

  async graph(path: string): Promise<WebDraft> {
    const log = new ReadLog(path, this.#limits)
    const chunks = this.#chunks(path)
    const head = await headOf(chunks)
    const format = formatOf(basename(path), head)
    if (format === undefined) {
      await chunks.return(undefined)
      throw webUnreadable(path, `It is none of these: ${graphFormats.map(({ title }) => title).join('; ')}.`)
    }
    const reader = format.reader(log)
    reader.write(head)
    for await (const chunk of chunks) {
      reader.write(chunk)
      this.#tell(reader.links)
    }
    const draft = reader.end()
    this.#note(log)
    return draft
  }

  async tables({ pages, links }: Tables): Promise<WebDraft> {
    const { ids, urls, bytes } = await this.#pageTable(pages)
    const pairs = new LinkPairs()
    const log = new ReadLog(links, this.#limits)
    const scanner = linkScanner(log, pairs, (number) => ids.find(number))
    for await (const chunk of this.#chunks(links)) {
      scanner.write(chunk)
      this.#tell(pairs.count)
    }
    scanner.end()
    log.requireMostlyGood(pairs.count)
    this.#note(log)
    return draftOf(ids, pairs, urls, bytes)
  }

  async #pageTable(path: string): Promise<PageTable> {
    const log = new ReadLog(path, this.#limits)
    const reader = pageTableReader(log)
    for await (const chunk of this.#chunks(path)) reader.write(chunk)
    const table = reader.end()
    this.#note(log)
    return table
  }

  async *#chunks(path: string): AsyncGenerator<Uint8Array> {
    for await (const chunk of unpackedChunks(path, this.#limits.maxBytes)) {
      this.bytes += chunk.length
      yield chunk
    }
  }

  #tell(links: number): void {
    this.#onProgress?.({ bytes: this.bytes, links })
  }

  #note({ unknown, malformed }: ReadLog): void {
    this.unknown += unknown
    this.malformedLines += malformed
  }
}

/** As many whole chunks as it takes to see what a file is. */
async function headOf(chunks: AsyncGenerator<Uint8Array>): Promise<Uint8Array> {
  const head: Uint8Array[] = []
  for (let bytes = 0; bytes < HEAD_BYTES;) {
    const { done, value } = await chunks.next()
    if (done === true) break
    head.push(value)
    bytes += value.length
  }
  return Buffer.concat(head)
}

function startPage(path: string, draft: WebDraft, number: number): number {
  const page = draft.pageOf(number)
  if (page < 0 || page >= draft.pages || !Number.isInteger(number))
    throw webUnreadable(path, `It has no page ${number} to start at. Name pages as the file numbers them.`)
  return page
}

/** `cnr-2000` for `…/cnr-2000.graph-txt.gz`. */
const titleOf = (path: string): string => basename(path).replace(/(?:\.(?:gz|zst|xz|tsv|txt|graph-txt|csv))+$/, '')
