/**
 * Archive stretch: some of the pages of a WARC file, as they were answered, and where to go on. An archive is read in stretches,
 * so that a thread can do it and never hands over more at a time than is soon taken in. What all of it may cost is counted from
 * one stretch to the next.
 *
 * A record counts when it is an answer with status 200, whole, and its bytes fit its digest.
 */
import { headerOf, readWarc, TOO_MUCH_WORK, WorkBudget } from '@comity/protocol'
import type { HeaderList, Instant, UrlRules, WarcItem } from '@comity/protocol'
import { archivedOf } from './archive-record.ts'

/** A page out of a package or an archive, as it is told there. */
export interface DumpedPage {
  /** As the manifest says, not yet believed. */
  readonly url: string
  readonly type?: string | undefined
  readonly modifiedAt?: Instant | undefined
  /** When it became so, where the dump is one of changes. */
  readonly changedAt?: Instant | undefined
  /** Of its answer, where the dump has kept it. */
  readonly headers?: HeaderList | undefined
  readonly body: Uint8Array<ArrayBuffer>
  /** What it weighed on its way. */
  readonly packedBytes: number
}

export interface StretchWork {
  /** All of the file. */
  readonly body: Uint8Array
  readonly start: number
  readonly at: Instant
  readonly urlRules: UrlRules
  readonly maxRecordBytes: number
  /** What is left of the budget. */
  readonly units: number
}

export interface ArchiveStretch {
  readonly pages: readonly DumpedPage[]
  /** Where records stand that are damaged. */
  readonly damaged: readonly number[]
  /** Records that we failed on, by a fault of ours. */
  readonly faults: readonly { readonly offset: number; readonly error: Error; readonly block: Uint8Array }[]
  /** Where the next one begins; undefined when this was the last. */
  readonly next?: number | undefined
  readonly units: number
  /** Why nothing behind it is read. */
  readonly problem?: string | undefined
}

const STRETCH_BYTES = 4 << 20
/** Problems after which a record is there nevertheless. */
const HARMLESS: ReadonlySet<string> = new Set(['missing-field', 'missing-crlf'])

export function readStretch({ body, start, at, urlRules, maxRecordBytes, units }: StretchWork): ArchiveStretch {
  const pages: DumpedPage[] = []
  const damaged = new Set<number>()
  const faults: { offset: number; error: Error; block: Uint8Array }[] = []
  const work = new WorkBudget(units)
  let bytes = 0
  const end = (more: Partial<ArchiveStretch> = {}): ArchiveStretch => ({
    pages,
    damaged: [...damaged],
    faults,
    units: work.left,
    ...more,
  })
  for (const item of readWarc(body, start, { verify: true, limits: { maxRecordBytes }, work })) {
    if (item.kind === 'problem') {
      if (item.problem === TOO_MUCH_WORK) return end({ problem: item.message })
      if (!HARMLESS.has(item.problem)) damaged.add(item.offset)
      continue
    }
    if (damaged.has(item.offset)) continue
    try {
      const page = pageOf(item, at, urlRules)
      if (page !== undefined) pages.push(page)
    } catch (error) {
      damaged.add(item.offset)
      faults.push({ offset: item.offset, error: error as Error, block: Uint8Array.from(item.record.block) })
    }
    bytes += item.record.block.length
    // One without a length shares its gzip member with others, and nobody can begin behind it.
    if (bytes >= STRETCH_BYTES && item.length > 0) return end({ next: item.offset + item.length })
  }
  return end()
}

function pageOf(
  { record, length }: WarcItem & { readonly kind: 'record' },
  at: Instant,
  urlRules: UrlRules,
): DumpedPage | undefined {
  const archived = archivedOf(record, at, urlRules)
  if (archived.kind !== 'answer' || archived.status !== 200 || archived.truncated !== undefined) return undefined
  const { url, headers, body } = archived
  const type = headerOf(headers, 'content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  return { url, type, headers, body: Uint8Array.from(body), packedBytes: length }
}
