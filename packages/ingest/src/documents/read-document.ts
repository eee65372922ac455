/**
 * Read document: what a document that a site was asked for says, read where its coding is undone (`documents/work.ts`) and not
 * where it is acted on. Whoever asks names the reader; the reply then has what was read, and no bytes any more.
 */
import {
  readMetadataArchive,
  readArchiveList,
  readBatchAnswer,
  readChanges,
  readRobotsRdf,
  readSync,
  rootsOf,
  TOO_MUCH_WORK,
  isPackedList,
} from '@comity/protocol'
import type {
  MetadataArchiveList,
  MetadataArchiveName,
  ArchiveReading,
  BatchPage,
  ReadBatch,
  ReadChanges,
  RobotsRdf,
  SyncEntry,
  SyncSummary,
} from '@comity/protocol'

/** How a document is to be read; its URL is that of the question. */
export type DocumentReader =
  | { readonly reader: 'sync' | 'robots-rdf' | 'changes' | 'batch' | 'archive-list' }
  | { readonly reader: 'archive'; readonly site: string; readonly name: MetadataArchiveName }

export interface ReadSyncDocument {
  readonly entries: readonly SyncEntry[]
  readonly summary: SyncSummary
  readonly isTorn: boolean
}

export interface ReadDocument {
  readonly sync?: ReadSyncDocument
  readonly robotsRdf?: RobotsRdf
  readonly changes?: ReadChanges
  readonly batch?: ReadBatch
  readonly archive?: ArchiveReading
  readonly archiveList?: MetadataArchiveList
}

export function readDocument(how: DocumentReader, body: Uint8Array, url: string): ReadDocument {
  if (how.reader === 'sync') return { sync: readSyncDocument(body, url) }
  if (how.reader === 'robots-rdf') return { robotsRdf: readRobotsRdf(body, url) }
  if (how.reader === 'batch') return { batch: ownPages(readBatchAnswer(body)) }
  if (how.reader === 'archive') return { archive: readMetadataArchive(body, how) }
  const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8')
  return how.reader === 'archive-list' ? { archiveList: readArchiveList(text, url) } : { changes: readChanges(text) }
}

export function readSyncDocument(body: Uint8Array, url: string): ReadSyncDocument {
  const { entries, summary } = readSync(body, url)
  return { entries, summary, isTorn: isTorn(body, summary) }
}

/** Why nothing follows for the pages that are not in an answer: more work than it can be worth has a name of its own. */
export const cutProblem = ({ problems }: Pick<ReadBatch, 'problems'>): string =>
  problems.find((problem) => problem.startsWith(TOO_MUCH_WORK)) ?? 'the answer broke off'

/** A view into all of an answer would take all of it along to another thread, once for each page. */
export const ownPages = (read: ReadBatch): ReadBatch => ({ ...read, pages: ownBodies(read.pages) })

export const ownBodies = (pages: readonly BatchPage[]): BatchPage[] =>
  pages.map((page) => ({ ...page, body: Uint8Array.from(page.body) }))

const TAIL_BYTES = 256

/** Whether a list ends before its end, as when it was read while it was being written: the reader gives whatever was whole. */
function isTorn(body: Uint8Array, { format, problems }: Pick<SyncSummary, 'format' | 'problems'>): boolean {
  if (problems['bad-gzip'] !== undefined || problems['too-large'] !== undefined) return true
  const roots = rootsOf(format)
  if (isPackedList(body) || roots.length === 0) return format === 'unknown'
  // Latin-1 without zeros reads the end tag in UTF-8 and in both orders of UTF-16.
  const tail = Buffer.from(body.subarray(-TAIL_BYTES)).toString('latin1').replaceAll('\0', '')
  return !Array.from(tail.matchAll(/<\/(?:[\w.-]*:)?([\w-]+)\s*>/g)).some(([, name = '']) =>
    roots.includes(name.toLowerCase()),
  )
}
