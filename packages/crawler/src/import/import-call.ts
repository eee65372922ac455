/** Import call: what importing archives is asked with, and what it says of itself. */
import type { CollectionOptions } from '@comity/collection'
import type { Hooks } from '@comity/ingest'
import type { Instant, UrlRules } from '@comity/protocol'
import type { IndexSummary } from '@comity/search'
import type { SiteOverride } from '../fetch/site-override.ts'
import { crawlDefaults } from '../options.ts'

/** The bytes of one WARC file, plain or in gzip. */
export interface Archive {
  readonly name: string
  readonly bytes: AsyncIterable<Uint8Array>
}

export interface ImportCall {
  readonly into: string
  readonly archives: Iterable<Archive> | AsyncIterable<Archive>
  readonly now?: () => Instant
  readonly limits?: Partial<ImportLimits>
  /** Make what is new searchable as it comes in. */
  readonly index?: boolean
  /** Aborting stops behind the record under way; what was taken in stays. */
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: ImportProgress) => void
  readonly collection?: Partial<CollectionOptions>
  /** What makes two URLs one page, of all sites and of some, as a crawl is told; by the collection itself where nothing is said. */
  readonly urlRules?: UrlRules
  readonly sites?: readonly SiteOverride[]
  /** `onCapture` sees every whole page that is new. */
  readonly hooks?: Pick<Hooks, 'onCapture'>
}

export interface ImportLimits {
  /** Records with a longer block are skipped. */
  readonly maxRecordBytes: number
  /** Revisits that may wait for what they repeat. */
  readonly maxRevisits: number
  readonly threads: number
}

export const importLimits: ImportLimits = {
  maxRecordBytes: 64 << 20,
  maxRevisits: 100_000,
  threads: crawlDefaults.threads,
}

export interface ImportProgress {
  readonly archive: string
  readonly records: number
  readonly captures: number
  readonly bytes: number
}

export interface ImportSummary {
  readonly collection: string
  readonly archives: number
  /** Records that could be read, of all kinds. */
  readonly records: number
  /** The same with those that could not: as many as are captures or left out. */
  readonly seen: number
  /** Observations that are new in the collection. */
  readonly captures: number
  /** Pages that are held whole now and were not before. */
  readonly pages: number
  /** Of bodies, as sent. */
  readonly bytes: number
  /** Records that are no captures now, by reason; also what could not be read, by the problem's name. */
  readonly skipped: Readonly<Record<string, number>>
  /** Faults of records that were read all the same. */
  readonly problems: Readonly<Record<string, number>>
  readonly interrupted: boolean
  /** Absent when nothing was indexed. */
  readonly index?: IndexSummary | undefined
}
