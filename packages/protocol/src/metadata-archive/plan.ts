/**
 * Archive plan: which page stands in which metadata archive, such that a change touches one file (000 §3.3).
 *
 *   segment  1 … 50    2,000 pages each, by last change, split by type     closed: written once
 *   segment 51 … 63    32 changes each, not split                          loose: written once, names without an end
 *   segment 64         the newest changes                                  open: the one file that changes
 *
 * The paper makes all archives anew every day, and so one changed page moves every boundary behind it. Here a page that
 * changes enters the open segment, and its earlier line stays where it was, superseded: of a page's lines the one in
 * the segment with the highest number counts. A full open segment is closed, under the name it had, and the next is
 * opened. Once there are many loose ones, `metadata-archive/compaction.ts` joins the older of them to segments of 2,000; when a
 * quarter of all lines is superseded, or there would be too many archives, it writes all anew without them.
 *
 * A page deleted leaves a line that says so. Such lines go when the caller names a date before which they may; `gone`
 * lines before segment `deletionsAfter` are then not all there, and who has read none of that or a later one must read all.
 *
 * Pages of a type that changes are seen under both types until the older line is dropped.
 *
 * Pure. A plan is the names and entries of its archives, nothing else.
 */
import { compact, groupsWithin, isCompactionDue } from './compaction.ts'
import { groupByType } from './groups.ts'
import type { GroupOptions } from './groups.ts'
import type { ArchiveEntry } from './archive-line.ts'
import { type MetadataArchiveName, formatMetadataArchiveName, OTHER_GROUP } from './archive-name.ts'
import type { Instant } from '../instant.ts'
import type { ChangeEntry, PageEntry } from '../feeds/page-entry.ts'

export interface PlannedArchive {
  readonly name: MetadataArchiveName
  readonly entries: readonly ArchiveEntry[]
}

export interface ArchivePlan {
  /** By number; the last is the open one. */
  readonly archives: readonly PlannedArchive[]
  /** Whoever has read the segment of this number, or a later one, misses no deletion. */
  readonly deletionsAfter: number
}

export interface ArchivePlanOptions extends GroupOptions {
  readonly segmentEntries: number
  /** Changes in a loose segment: few, as whoever polls gets them all for one. */
  readonly looseEntries: number
  /** More loose segments than this are joined. */
  readonly maxLoose: number
  /** So many of the newest are left, or whoever polled just before would get a large archive for a few new lines. */
  readonly keepLoose: number
  /** Archives over all, for up to so many pages as fill them (100,000); for more pages, more in proportion. */
  readonly maxArchives: number
  /** Share of superseded lines at which all is written anew. */
  readonly maxSuperseded: number
  /** Deletions before this may be forgotten. */
  readonly forgetGoneBefore: Instant
  /** Number of the first segment of a new plan; higher than any a crawler may remember from an older one. */
  readonly firstNumber: number
}

export const archivePlanDefaults: ArchivePlanOptions = {
  segmentEntries: 2_000,
  smallGroup: 50,
  maxGroups: 5,
  looseEntries: 32,
  maxLoose: 24,
  keepLoose: 8,
  maxArchives: 250,
  maxSuperseded: 0.25,
  forgetGoneBefore: -Infinity,
  firstNumber: 1,
}

/** What has to be done to the files so that they are as a plan says: write, then replace the lists, then remove. */
export interface ArchivePlanStep {
  readonly plan: ArchivePlan
  readonly written: readonly PlannedArchive[]
  readonly removed: readonly MetadataArchiveName[]
  /** Whether closed archives were touched. */
  readonly compacted: boolean
}

/** A first plan, of all pages. `now` because a page cannot have changed later; undated pages count as changed now. */
export function planMetadataArchives(
  pages: Iterable<PageEntry>,
  now: Instant,
  wishes: Partial<ArchivePlanOptions> = {},
): ArchivePlan {
  const options = { ...archivePlanDefaults, ...wishes }
  const changedAt = ({ modifiedAt }: PageEntry): Instant => Math.min(modifiedAt ?? now, now)
  const sorted = [...pages].toSorted((a, b) => changedAt(a) - changedAt(b) || (a.url < b.url ? -1 : 1))
  const groups = groupsWithin(sorted.length, options)
  const archives: PlannedArchive[] = []
  let number = options.firstNumber
  for (let at = 0; at < sorted.length; at += options.segmentEntries) {
    const segment = sorted.slice(at, at + options.segmentEntries)
    const from = wholeSecond(changedAt(segment[0]!))
    const to = wholeSecond(changedAt(segment.at(-1)!)) + 999
    for (const { group, entries } of groupByType(segment, groups)) {
      archives.push({ name: { from, to, number, revision: 0, group }, entries })
    }
    number += 1
  }
  return { archives: [...archives, openArchive(wholeSecond(now), number)], deletionsAfter: 0 }
}

/** The plan after some changes, oldest first. What they touch is told, so that all other files are left alone. */
export function changeArchives(
  plan: ArchivePlan,
  changes: Iterable<ChangeEntry>,
  wishes: Partial<ArchivePlanOptions> = {},
): ArchivePlanStep {
  const options = { ...archivePlanDefaults, ...wishes }
  const archives = [...plan.archives]
  for (const change of changes) addChange(archives, change, options)
  const changed = { ...plan, archives }
  const next = isCompactionDue(changed, options) ? compact(changed, options) : changed
  return { ...stepBetween(plan, next), compacted: next !== changed }
}

function addChange(archives: PlannedArchive[], change: ChangeEntry, options: ArchivePlanOptions): void {
  const at = change.changedAt ?? change.modifiedAt
  const entry = entryOf(change)
  const open = archives.at(-1)!
  // Never back in time, even if the site's clock went: the end of one segment is the beginning of the next.
  const from = Math.max(wholeSecond(at ?? 0), open.name.from)
  const others = open.entries.filter(({ url }) => url !== entry.url)
  if (others.length < options.looseEntries) archives[archives.length - 1] = { ...open, entries: [...others, entry] }
  else archives.push({ ...openArchive(from, open.name.number + 1), entries: [entry] })
}

function entryOf({ change, changedAt, ...page }: ChangeEntry): ArchiveEntry {
  if (change !== 'deleted') return page
  const { url, type } = page
  return { url, type, modifiedAt: changedAt ?? page.modifiedAt, gone: true }
}

function openArchive(from: Instant, number: number): PlannedArchive {
  return { name: { from, number, revision: 0, group: OTHER_GROUP }, entries: [] }
}

function wholeSecond(at: Instant): Instant {
  return Math.floor(at / 1_000) * 1_000
}

function stepBetween(before: ArchivePlan, plan: ArchivePlan): Omit<ArchivePlanStep, 'compacted'> {
  const [old, kept] = [new Set(before.archives), new Set(plan.archives)]
  const written = plan.archives.filter((archive) => !old.has(archive))
  const files = new Set(written.map(({ name }) => formatMetadataArchiveName(name)))
  const dropped = before.archives.filter((archive) => !kept.has(archive)).map(({ name }) => name)
  return { plan, written, removed: dropped.filter((name) => !files.has(formatMetadataArchiveName(name))) }
}
