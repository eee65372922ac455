/**
 * Archive compaction: loose segments joined to large ones, and superseded lines left out.
 *
 * Lines keep the order of their segments, and each new segment has the highest number among those it was made of:
 * a crawler that read up to number n misses nothing if it reads those above n, before a compaction or after. What was
 * written anew has a revision in its name, so old and new files stand side by side until the list is replaced, and
 * whoever comes in between reads one whole plan or the other.
 */
import { groupByType } from './groups.ts'
import type { GroupOptions } from './groups.ts'
import type { ArchiveEntry } from './archive-line.ts'
import type { MetadataArchiveName } from './archive-name.ts'
import type { ArchivePlan, ArchivePlanOptions, PlannedArchive } from './plan.ts'
import type { Instant } from '../instant.ts'

/** All archives of one number. */
interface Segment {
  /** Of the first of them. */
  readonly name: MetadataArchiveName
  readonly to: Instant | undefined
  /** The highest. */
  readonly revision: number
  readonly archives: readonly PlannedArchive[]
}

interface Line {
  readonly entry: ArchiveEntry
  readonly segment: Segment
}

/** Whether there are more loose segments than there should be; all else is decided when there are. */
export function isCompactionDue({ archives }: ArchivePlan, options: ArchivePlanOptions): boolean {
  return archives.filter(({ name }) => name.to === undefined).length - 1 > options.maxLoose
}

export function compact(plan: ArchivePlan, options: ArchivePlanOptions): ArchivePlan {
  const { pages, needless, lines } = countLines(plan, options.forgetGoneBefore)
  const limits = { ...options, ...groupsWithin(pages, options) }
  const segments = segmentsOf(plan.archives)
  const start = firstToJoin(segments, options)
  const joined = needless > options.maxSuperseded * lines ? undefined : rewrite(plan, segments, start, limits)
  return joined !== undefined && fits(joined, pages, options) ? joined : rewrite(plan, segments, 0, limits)
}

/** How far segments may be split by type so that there are not too many archives, loose and open ones counted. */
export function groupsWithin(pages: number, options: ArchivePlanOptions): GroupOptions {
  const segments = Math.max(1, Math.ceil(pages / options.segmentEntries))
  const each = Math.floor((archivesFor(pages, options) - options.maxLoose - 1) / segments)
  return { smallGroup: options.smallGroup, maxGroups: Math.max(1, Math.min(each, options.maxGroups)) }
}

function archivesFor(pages: number, { maxArchives, segmentEntries, maxGroups }: ArchivePlanOptions): number {
  return Math.max(maxArchives, Math.ceil(pages / segmentEntries) * maxGroups)
}

function fits({ archives }: ArchivePlan, pages: number, options: ArchivePlanOptions): boolean {
  const closed = archives.filter(({ name }) => name.to !== undefined).length
  return closed + options.maxLoose + 1 <= archivesFor(pages, options)
}

/** The segments from `start` on, up to those loose ones that are kept, without the lines that nobody needs. */
function rewrite(
  plan: ArchivePlan,
  segments: readonly Segment[],
  start: number,
  options: ArchivePlanOptions,
): ArchivePlan {
  const end = segments.length - 1 - options.keepLoose
  // Only when all are written anew can a deletion be forgotten: otherwise an older line of the page would count again.
  const forgetGoneBefore = start === 0 ? options.forgetGoneBefore : -Infinity
  const { lines, deletionsAfter } = linesToKeep(segments, start, end, forgetGoneBefore)
  const joined = joinedSegments(lines, segments, options)
  const kept = (some: readonly Segment[]): readonly PlannedArchive[] => some.flatMap(({ archives }) => archives)
  return {
    archives: [...kept(segments.slice(0, start)), ...joined, ...kept(segments.slice(end))],
    deletionsAfter: Math.max(plan.deletionsAfter, deletionsAfter),
  }
}

function segmentsOf(archives: readonly PlannedArchive[]): readonly Segment[] {
  const segments = new Map<number, PlannedArchive[]>()
  for (const archive of archives) {
    const known = segments.get(archive.name.number)
    if (known === undefined) segments.set(archive.name.number, [archive])
    else known.push(archive)
  }
  return [...segments.values()].map((members) => ({
    name: members[0]!.name,
    to: members.at(-1)!.name.to,
    revision: members.reduce((most, { name }) => Math.max(most, name.revision), 0),
    archives: members,
  }))
}

interface LineCount {
  readonly lines: number
  /** Different pages, deleted ones too. */
  readonly pages: number
  /** Lines that are superseded, or deletions to forget. */
  readonly needless: number
}

function countLines({ archives }: ArchivePlan, forgetGoneBefore: number): LineCount {
  const entries = archives.flatMap((archive) => archive.entries)
  const forgotten = entries.filter((entry) => isForgotten(entry, forgetGoneBefore)).length
  const pages = new Set(entries.map(({ url }) => url)).size
  return { lines: entries.length, pages, needless: entries.length - pages + forgotten }
}

function isForgotten({ gone, modifiedAt }: ArchiveEntry, before: number): boolean {
  return gone === true && (modifiedAt ?? -Infinity) < before
}

/** The loose ones, and the last closed one before them if it has room. */
function firstToJoin(segments: readonly Segment[], options: ArchivePlanOptions): number {
  const loose = segments.findIndex(({ to }) => to === undefined)
  const before = segments[loose - 1]
  return before !== undefined && sizeOf(before) < options.segmentEntries ? loose - 1 : loose
}

function sizeOf({ archives }: Segment): number {
  return archives.reduce((sum, { entries }) => sum + entries.length, 0)
}

/** Lines of the segments from `start` to `end` that no later one supersedes, oldest segment first. */
function linesToKeep(
  segments: readonly Segment[],
  start: number,
  end: number,
  forgetGoneBefore: number,
): { readonly lines: readonly Line[]; readonly deletionsAfter: number } {
  const seen = new Set<string>()
  const lines: Line[] = []
  let deletionsAfter = 0
  for (let i = segments.length - 1; i >= start; i--) {
    const segment = segments[i]!
    // In one order, whatever their order in memory: a plan restored from its files is then cut at the same places.
    const entries = segment.archives.flatMap((archive) => archive.entries)
    for (const entry of entries.toSorted((a, b) => (a.url < b.url ? 1 : -1))) {
      if (seen.has(entry.url)) continue
      seen.add(entry.url)
      if (i >= end) continue
      // Whoever read this segment last may have read it while it was open, before that line was in it.
      if (isForgotten(entry, forgetGoneBefore)) deletionsAfter = Math.max(deletionsAfter, segment.name.number + 1)
      else lines.push({ entry, segment })
    }
  }
  return { lines: lines.toReversed(), deletionsAfter }
}

/** New segments of equal size. Two that end in the same old one share its number, and differ in their revisions. */
function joinedSegments(
  lines: readonly Line[],
  segments: readonly Segment[],
  options: ArchivePlanOptions,
): readonly PlannedArchive[] {
  const archives: PlannedArchive[] = []
  const revisions = new Map(segments.map(({ name, revision }) => [name.number, revision]))
  for (let at = 0; at < lines.length; at += options.segmentEntries) {
    const chunk = lines.slice(at, at + options.segmentEntries)
    const sources = [...new Set(chunk.map(({ segment }) => segment))]
    const [first, last] = [sources[0]!, sources.at(-1)!]
    // Nothing left out, nothing added: its files stay as they are.
    if (first === last && first.to !== undefined && sizeOf(first) === chunk.length) {
      archives.push(...first.archives)
      continue
    }
    const { number } = last.name
    const revision = revisions.get(number)! + 1
    revisions.set(number, revision)
    const to = last.to ?? segments[segments.indexOf(last) + 1]!.name.from + 999
    const entries = chunk.map(({ entry }) => entry)
    for (const group of groupByType(entries, options)) {
      const name = { from: first.name.from, to, number, revision, group: group.group }
      archives.push({ name, entries: group.entries })
    }
  }
  return archives
}
