/**
 * Export WACZ: a whole collection as one file that archive viewers open: its WARC files as they are, an index of every
 * capture, and the pages. Everything is streamed, and the file appears under its name only when it is whole.
 *
 * A crawl may be at work: what it has committed by the moment we look is exported, and not a byte past it.
 */
import { createHash } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { basename } from 'node:path'
import { gzipSync } from 'node:zlib'
import { collectionDefaults, FACTS, storedHeaders } from '@comity/collection'
import type { CaptureRow, Collection, PageRow, WarcPosition } from '@comity/collection'
import {
  WACZ_PATHS,
  ZipWriter,
  cdxjLine,
  cdxjPrefix,
  headerOf,
  idxHeader,
  idxLine,
  mediaKindOf,
  waczDigest,
  waczPackage,
  waczPageLine,
  waczPagesHeader,
} from '@comity/protocol'
import type { WaczResource } from '@comity/protocol'
import type { CollectionView } from './collection-view.ts'
import { visitedPages } from './export-rows.ts'
import type { Visited } from './export-rows.ts'
import { pageText } from './page-text.ts'
import { SortedLines } from '../terminal/sorted-lines.ts'

interface WaczExport {
  readonly pages: number
  readonly captures: number
  readonly bytes: number
}

interface WaczSettings {
  readonly created: Date
  /** The words of each page go into the list of pages. */
  readonly withText: boolean
  readonly onProgress?: (path: string, bytes: number) => void
}

/** Lines a block of the index; what most writers take. */
const LINES_A_BLOCK = 3_000
const CHUNK_BYTES = 1 << 20

/** How far the WARC files are committed. */
interface Committed {
  readonly names: readonly string[]
  readonly goodBytes: number
}

export async function exportWacz(view: CollectionView, path: string, settings: WaczSettings): Promise<WaczExport> {
  const { collection } = view
  const committed: Committed = collection.fact(FACTS.warc) ?? { names: [], goodBytes: 0 }
  await using file = await WaczFile.create(path, settings)
  await using lines = new SortedLines(`${path}.sort`)
  // Checked to be files of the collection; a crawl beside us may have begun one since.
  const paths = collection.warcPaths
  for (const [number, name] of committed.names.entries()) {
    await using warc = await open(paths[number]!)
    // Only the newest grows.
    const bytes = name === committed.names.at(-1) ? committed.goodBytes : (await warc.stat()).size
    await file.entry(`${WACZ_PATHS.archive}${name}`, chunksOf(warc, bytes), bytes)
  }
  let captures = 0
  for (const visited of visitedPages(view)) {
    for (const line of captureLines(visited, collection, committed)) {
      captures++
      await lines.add(line)
    }
  }
  const blocks: string[] = [idxHeader(basename(WACZ_PATHS.index))]
  await file.entry(WACZ_PATHS.index, indexBlocks(lines, blocks))
  await file.text(WACZ_PATHS.blocks, `${blocks.join('\n')}\n`)
  const counts = { pages: 0 }
  await file.entry(WACZ_PATHS.pages, pageLines(view, settings.withText, counts))
  const bytes = await file.finish(basename(collection.dir))
  return { ...counts, captures, bytes }
}

/** The file while it is written. */
class WaczFile implements AsyncDisposable {
  readonly #path: string
  readonly #handle: FileHandle
  readonly #settings: WaczSettings
  readonly #zip: ZipWriter
  readonly #resources: WaczResource[] = []
  #isWhole = false

  private constructor(path: string, handle: FileHandle, settings: WaczSettings) {
    this.#path = path
    this.#handle = handle
    this.#settings = settings
    this.#zip = new ZipWriter(settings.created)
  }

  static async create(path: string, settings: WaczSettings): Promise<WaczFile> {
    return new WaczFile(path, await open(partOf(path), 'w'), settings)
  }

  async text(path: string, text: string): Promise<void> {
    const bytes = Buffer.from(text)
    await this.entry(path, [bytes], bytes.length)
  }

  /** `length` where it is known. */
  async entry(path: string, chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>, length?: number): Promise<void> {
    const sum = createHash('sha256')
    let bytes = 0
    await this.#handle.writeFile(this.#zip.begin(path, length))
    for await (const chunk of chunks) {
      sum.update(chunk)
      bytes += chunk.length
      this.#zip.add(chunk)
      await this.#handle.writeFile(chunk)
      this.#settings.onProgress?.(path, this.#zip.offset)
    }
    await this.#handle.writeFile(this.#zip.end())
    this.#resources.push({ path, bytes, hash: `sha256:${sum.digest('hex')}` })
  }

  /** Its own description, its end, its name. Returns its size. */
  async finish(title: string): Promise<number> {
    const { created } = this.#settings
    const { software } = collectionDefaults
    const json = waczPackage({ title, software, created, resources: this.#resources })
    await this.text(WACZ_PATHS.package, json)
    await this.text(WACZ_PATHS.digest, waczDigest(json))
    await this.#handle.writeFile(this.#zip.finish())
    await this.#handle.sync()
    await rename(partOf(this.#path), this.#path)
    this.#isWhole = true
    return this.#zip.offset
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close()
    if (!this.#isWhole) await rm(partOf(this.#path), { force: true })
  }
}

const partOf = (path: string): string => `${path}.part`

async function* chunksOf(handle: FileHandle, end: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < end;) {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(CHUNK_BYTES, end - at)), 0, undefined, at)
    if (bytesRead === 0) return
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** One line for every record of a page, oldest first. Visits that brought no answer have none. */
function* captureLines({ page, url, row }: Visited, collection: Collection, committed: Committed): Generator<string> {
  for (const { key, value } of collection.captures(page)) {
    const { record, status, digest } = value
    if (record === undefined || !isCommitted(record, committed)) continue
    const mime = mimeOf(value, key[1], row, collection)
    const filename = committed.names[record.file] ?? ''
    yield cdxjLine({ url, at: key[1], mime, status, digest, filename, offset: record.offset, length: record.length })
  }
}

function isCommitted({ file, offset, length }: WarcPosition, { names, goodBytes }: Committed): boolean {
  return file < names.length - 1 || (file === names.length - 1 && offset + length <= goodBytes)
}

/** Only the newest answer's type is in the page's row; that of an older one stands in its record. */
function mimeOf({ record, body, status }: CaptureRow, at: number, row: PageRow, collection: Collection): string {
  const isRevisit =
    status === 304 || (body !== undefined && (body.file !== record?.file || body.offset !== record.offset))
  if (isRevisit) return 'warc/revisit'
  const isNewest = at === row.visitedAt && status === row.status
  const type = isNewest || record === undefined ? row.type : headerOf(storedHeaders(collection, record), 'content-type')
  const bare = (type ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  return /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(bare) ? bare : 'unk'
}

/** The sorted index in blocks of gzip; the first line of each goes to `blocks`. */
async function* indexBlocks(lines: SortedLines, blocks: string[]): AsyncGenerator<Uint8Array> {
  let offset = 0
  const pack = (block: readonly string[]): Uint8Array => {
    const packed = gzipSync(`${block.join('\n')}\n`)
    const digest = `sha256:${createHash('sha256').update(packed).digest('hex')}`
    blocks.push(idxLine({ first: cdxjPrefix(block[0] ?? ''), offset, length: packed.length, digest }))
    offset += packed.length
    return packed
  }
  let block: string[] = []
  for await (const line of lines.all()) {
    block.push(line)
    if (block.length < LINES_A_BLOCK) continue
    yield pack(block)
    block = []
  }
  if (block.length > 0) yield pack(block)
}

/** Pages a reader can begin with: those that are held whole and are pages. */
function* pageLines(view: CollectionView, withText: boolean, counts: { pages: number }): Generator<Uint8Array> {
  yield Buffer.from(`${waczPagesHeader({ hasText: withText })}\n`)
  for (const visited of visitedPages(view)) {
    const { page, url, row } = visited
    if (row.body === undefined || mediaKindOf(row.type, url) !== 'page') continue
    counts.pages++
    const text = withText ? pageText(visited, view) : undefined
    const line = waczPageLine({ id: String(page), url, at: row.changedAt ?? row.visitedAt, title: row.title, text })
    yield Buffer.from(`${line}\n`)
  }
}
