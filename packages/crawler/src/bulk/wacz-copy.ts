/**
 * WACZ copy: the pages of a site out of its own web archive (specs.webrecorder.net/wacz/1.1.1), read in parts.
 *
 *   end of the file ──▶ directory ──▶ index: which page stands in which WARC file, and how long its record is
 *                                       └─▶ the WARC files whose pages that are wanted cost more one by one, each in one request
 *
 * The WARC files are read by a thread (`documents/archive-stretch.ts` of ingest). What an archive says of a page is a claim like any dump's: some of
 * the pages are fetched and compared.
 */
import { isWaczArchive, readZipEntry, TOO_MUCH_WORK, WACZ_PATHS, WorkBudget } from '@comity/protocol'
import type { ByteSource, CdxjEntry, Instant, TooMuchWork, UrlRules, ZipEntry } from '@comity/protocol'
import type { ArchiveStretch, Documents, DumpedPage, FaultIsolation } from '@comity/ingest'
import { chooseFirstCopy } from '@comity/follow'
import { ownDocuments, zipDirectory } from '@comity/ingest'
import type { DumpTerms } from '@comity/follow'
import { FileUnreadable } from './ranged-file.ts'

/** A file that is read in parts: `load` says what is read next. Both throw `FileUnreadable`. */
export interface PartedFile extends ByteSource {
  open(): Promise<void>
  load(start: number, end: number): Promise<void>
}

export interface WaczPlan {
  readonly archives: readonly ZipEntry[]
  /** Wanted pages in them. */
  readonly urls: readonly string[]
  /** Why nothing is taken. */
  readonly problem?: string | undefined
}

/** The index as it is in the file, and unpacked. */
const MAX_INDEX_BYTES = 32 << 20
const MAX_UNPACKED_INDEX = 256 << 20
const MAX_ENTRIES = 10_000
/** What stands before the data of an entry: its local head, its name and what writers add to it. */
const MAX_HEAD_BYTES = 1_024
/** Of one WARC file, which is in memory while it is read. */
const MAX_UNPACKED_ARCHIVE = 256 << 20
/** Records in one archive that may be damaged before it is not worth reading. */
const MAX_FAULTS = 10

/** What is worth taking. Throws `FileUnreadable` when the file cannot be understood. */
export async function planWacz(
  file: PartedFile,
  { isWanted, room, maxPackageBytes }: DumpTerms,
  documents: Documents = ownDocuments,
): Promise<WaczPlan> {
  await file.open()
  const limits = { maxEntries: MAX_ENTRIES, maxDirectoryBytes: MAX_INDEX_BYTES }
  const directory = await zipDirectory(file, limits, documents)
  if (typeof directory === 'string') throw new FileUnreadable(directory)
  const captures = Map.groupBy(await readIndex(file, directory, documents), ({ filename }) => filename)
  const archives: ZipEntry[] = []
  const urls: string[] = []
  for (const entry of directory) {
    if (!isWaczArchive(entry.name) || entry.packedBytes + MAX_HEAD_BYTES > maxPackageBytes) continue
    // Each archive is listed once; named twice it would be taken twice.
    const own = captures.get(entry.name.slice(WACZ_PATHS.archive.length)) ?? []
    const wanted = own.filter(({ url, mime, status }) => status === 200 && isWanted(url, mime))
    const due = wanted.map(({ length }) => ({ bytes: length, chance: 1, hasBase: false }))
    if (chooseFirstCopy(due, entry.packedBytes).way !== 'dump') continue
    archives.push(entry)
    urls.push(...wanted.map(({ url }) => url))
    if (urls.length > room)
      return { archives: [], urls: [], problem: 'the limits of the crawl leave no room for all of it' }
  }
  return { archives, urls }
}

async function readIndex(
  file: PartedFile,
  entries: Iterable<ZipEntry>,
  documents: Documents,
): Promise<readonly CdxjEntry[]> {
  const index = Iterator.from(entries).find(({ name }) => /^indexes\/[^/]+\.cdxj?(?:\.gz)?$/i.test(name))
  if (index === undefined) throw new FileUnreadable('it has no index')
  if (index.packedBytes > MAX_INDEX_BYTES || index.bytes > MAX_UNPACKED_INDEX)
    throw new FileUnreadable('its index is too large')
  const body = await bytesOf(file, index)
  const captures = await documents.work('captures', { body, isPacked: index.name.toLowerCase().endsWith('.gz') })
  if (typeof captures === 'string') throw new FileUnreadable(captures)
  return captures
}

async function bytesOf(file: PartedFile, entry: ZipEntry): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  const chunks = readZipEntry(await loaded(file, entry), entry)
  let step = await chunks.next()
  for (; step.done !== true; step = await chunks.next()) pieces.push(step.value)
  if (step.value.kind === 'bad') throw new FileUnreadable(`${entry.name}: ${step.value.message}`)
  return Buffer.concat(pieces)
}

async function loaded(file: PartedFile, { offset, packedBytes }: ZipEntry): Promise<PartedFile> {
  await file.load(offset, Math.min(file.size, offset + MAX_HEAD_BYTES + packedBytes))
  return file
}

interface WaczReading {
  readonly faults: FaultIsolation
  readonly now: () => Instant
  readonly urlRules: UrlRules
  readonly maxRecordBytes: number
}

/** The pages of one archive, as they were answered. Returns how many records were left out as damaged. */
export async function* readWaczArchive(
  file: PartedFile,
  entry: ZipEntry,
  { now, urlRules, maxRecordBytes, faults }: WaczReading,
  documents: Documents = ownDocuments,
): AsyncGenerator<DumpedPage, number> {
  if (entry.bytes > MAX_UNPACKED_ARCHIVE) throw new FileUnreadable(`${entry.name} is too large`)
  const body = inShared(await bytesOf(file, entry))
  const damaged = new Set<number>()
  let { left: units } = WorkBudget.ofArchive(entry.packedBytes)
  for (let start: number | undefined = 0; start !== undefined;) {
    const read: ArchiveStretch | TooMuchWork = await documents.work('stretch', {
      body,
      start,
      at: now(),
      urlRules,
      maxRecordBytes,
      units,
    })
    if (read === TOO_MUCH_WORK) throw new FileUnreadable(`${entry.name} is ${TOO_MUCH_WORK}`)
    for (const { offset, error, block } of read.faults) {
      const from = `${entry.name}, at ${offset}`
      faults.failed({ key: `archived ${from}`, kind: 'delivered', from, body: block }, error)
    }
    for (const offset of read.damaged) damaged.add(offset)
    if (damaged.size >= MAX_FAULTS) throw new FileUnreadable(`${damaged.size} of its records are damaged`)
    yield* read.pages
    if (read.problem !== undefined) throw new FileUnreadable(read.problem)
    ;({ next: start, units } = read)
  }
  return damaged.size
}

/** Seen by a thread as well, without a copy for each stretch. */
function inShared(bytes: Uint8Array): Uint8Array {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length))
  shared.set(bytes)
  return shared
}
