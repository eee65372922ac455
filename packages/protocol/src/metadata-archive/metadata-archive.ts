/**
 * Metadata archive: what a site says of up to 2,000 of its pages, in one gzip file (000 §3.1-3.3). Lines as in
 * `metadata-archive/archive-line.ts`, name as in `metadata-archive/archive-name.ts`; which pages go where is `metadata-archive/plan.ts`.
 *
 * Lines stand in the order of their paths, since neighbours share most of theirs: that, one time zone and gzip take a
 * page to about nine bytes on real manuals, where the paper counts 22. So there is no second, packed form.
 *
 * Reading never throws. An archive cut short gives its whole lines, and `complete` says that there were more.
 */
import { constants, gzipSync } from 'node:zlib'
import { archiveOrigin, formatArchiveLine, parseArchiveLine } from './archive-line.ts'
import type { ArchiveEntry, ArchiveLineOptions } from './archive-line.ts'
import { type MetadataArchiveName, OTHER_GROUP } from './archive-name.ts'
import { readMember, readTornMember } from '../archive/gzip-members.ts'
import { packingOf } from '../coding/packing.ts'
import { TOO_MUCH_WORK, WorkBudget, type TooMuchWork } from '../work-budget.ts'

export interface ArchiveWriteOptions extends Pick<ArchiveLineOptions, 'withDigest'> {
  /** Any URL of the site. */
  readonly site: string
  /** Of the archive's name; lines of `other` carry their types. */
  readonly group: string
}

/** The same entries give the same bytes, whatever order they come in. */
export function writeMetadataArchive(entries: readonly ArchiveEntry[], options: ArchiveWriteOptions): Uint8Array {
  const text = Buffer.from(archiveText(entries, options))
  return gzipSync(text, { level: constants.Z_BEST_COMPRESSION, memLevel: constants.Z_MAX_MEMLEVEL })
}

/** The archive before compression. */
export function archiveText(entries: readonly ArchiveEntry[], options: ArchiveWriteOptions): string {
  const origin = archiveOrigin(options.site)
  const sorted = entries.toSorted((a, b) => (a.url < b.url ? -1 : a.url > b.url ? 1 : 0))
  let text = ''
  for (const entry of sorted) {
    const withType = entry.type !== options.group
    text += `${formatArchiveLine(entry, origin, { withType, withDigest: options.withDigest === true })}\n`
  }
  return text
}

export interface ArchiveLimits {
  readonly maxBytes: number
  /** After inflating. */
  readonly maxTextBytes: number
  readonly maxEntries: number
  readonly maxLineBytes: number
}

/** The paper's archives have 42 KB and 2,000 entries; other people may choose larger ones. */
const archiveLimits: ArchiveLimits = {
  maxBytes: 8 << 20,
  maxTextBytes: 64 << 20,
  maxEntries: 200_000,
  maxLineBytes: 8_192,
}

export type MetadataArchiveProblem =
  | 'bad-line'
  | 'line-too-long'
  | 'too-many'
  | 'too-large'
  | 'torn'
  | 'bad-gzip'
  | TooMuchWork

export interface ArchiveReading {
  readonly entries: readonly ArchiveEntry[]
  /** All of it was read: nothing was cut off, broken or beyond a limit. A bad line does not count. */
  readonly complete: boolean
  readonly problems: Readonly<Partial<Record<MetadataArchiveProblem, number>>>
}

export interface ArchiveReadOptions {
  /** The site the archive was fetched from; every URL read is one of it. */
  readonly site: string
  /** Tells the type of pages that do not tell it themselves. */
  readonly name?: MetadataArchiveName | undefined
  readonly limits?: Partial<ArchiveLimits>
}

/** Read an archive, also one that was inflated on the way: some servers call the file's gzip a content coding. */
export function readMetadataArchive(bytes: Uint8Array, options: ArchiveReadOptions): ArchiveReading {
  const limits = { ...archiveLimits, ...options.limits }
  const origin = archiveOrigin(options.site)
  const type = options.name?.group === OTHER_GROUP ? undefined : options.name?.group
  const problems: Partial<Record<MetadataArchiveProblem, number>> = {}
  const report = (problem: MetadataArchiveProblem): void => {
    problems[problem] = (problems[problem] ?? 0) + 1
  }
  const entries: ArchiveEntry[] = []
  const work = WorkBudget.of('list')
  for (const line of linesOf(inflate(bytes, limits, report, work), limits, report)) {
    if (!work.spend('line')) {
      report(TOO_MUCH_WORK)
      break
    }
    const entry = parseArchiveLine(line, origin, type)
    if (entry === undefined) report('bad-line')
    else if (entries.push(entry) >= limits.maxEntries) break
  }
  if (entries.length >= limits.maxEntries) report('too-many')
  return { entries, complete: !CUTS.some((problem) => problem in problems), problems }
}

const CUTS: readonly MetadataArchiveProblem[] = ['too-many', 'too-large', 'torn', 'bad-gzip', TOO_MUCH_WORK]

type Report = (problem: MetadataArchiveProblem) => void

function inflate(bytes: Uint8Array, limits: ArchiveLimits, report: Report, work: WorkBudget): Buffer {
  if (bytes.length > limits.maxBytes) report('too-large')
  const file = bytes.subarray(0, limits.maxBytes)
  if (packingOf(file) !== 'gzip') return asBuffer(file.subarray(0, limits.maxTextBytes))
  const parts: Uint8Array[] = []
  let size = 0
  // Somebody may have appended to the file: several members are one text (RFC 1952 §2.2).
  for (let at = 0; at < file.length;) {
    const member = readMember(file, at, limits.maxTextBytes - size)
    if (member.kind !== 'member') {
      report(member.kind === 'short' ? 'torn' : member.kind === 'bad' ? 'bad-gzip' : 'too-large')
      // What is damaged might say anything; what only ends too early does not.
      if (member.kind === 'short') parts.push(readTornMember(file, at, limits.maxTextBytes - size))
      break
    }
    if (!work.spend('member')) {
      report(TOO_MUCH_WORK)
      break
    }
    parts.push(member.data)
    size += member.data.length
    at = member.end
  }
  return Buffer.concat(parts)
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Whole lines only: a number cut off is another number. */
function* linesOf(text: Buffer, limits: ArchiveLimits, report: Report): Generator<string> {
  for (let at = 0; at < text.length;) {
    const end = text.indexOf(NEWLINE, at)
    if (end < 0) {
      report('torn')
      return
    }
    if (end - at > limits.maxLineBytes) report('line-too-long')
    else if (end > at) yield text.toString('utf8', at, text[end - 1] === RETURN ? end - 1 : end)
    at = end + 1
  }
}

const NEWLINE = 0x0a
const RETURN = 0x0d
