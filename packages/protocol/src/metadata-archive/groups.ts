/**
 * Archive groups: a segment's pages, split by media type (000 §3.3, step 3).
 *
 * Types with few pages go into `other` together. So do all but the largest, which is how 100,000 pages stay within the
 * paper's 250 archives. Whoever wants one type only reads its archives and those called `other`.
 */
import type { ArchiveEntry } from './archive-line.ts'
import { canBeGroup, OTHER_GROUP } from './archive-name.ts'

export interface GroupOptions {
  /** A type with no more pages than this in a segment gets no archive of its own there. */
  readonly smallGroup: number
  /** Archives a segment is split into at most, `other` counted. */
  readonly maxGroups: number
}

interface ArchiveGroup {
  readonly group: string
  readonly entries: readonly ArchiveEntry[]
}

/** The largest group first, `other` last; equal input gives equal groups. */
export function groupByType(entries: readonly ArchiveEntry[], options: GroupOptions): readonly ArchiveGroup[] {
  const byType = new Map<string, ArchiveEntry[]>()
  for (const entry of entries) {
    const group = entry.type !== undefined && canBeGroup(entry.type) ? entry.type : OTHER_GROUP
    const known = byType.get(group)
    if (known === undefined) byType.set(group, [entry])
    else known.push(entry)
  }
  // Nothing to merge with: one small group on its own is still best called what it is.
  if (byType.size === 1) return [...byType].map(([group, members]) => ({ group, entries: members }))
  const large = [...byType]
    .filter(([group, members]) => group !== OTHER_GROUP && members.length > options.smallGroup)
    .toSorted(([a, some], [b, others]) => others.length - some.length || (a < b ? -1 : 1))
  const allFit = large.length === byType.size && large.length <= options.maxGroups
  const own = large.slice(0, allFit ? options.maxGroups : options.maxGroups - 1)
  const named = new Set(own.map(([group]) => group))
  const rest = [...byType].filter(([group]) => !named.has(group)).flatMap(([, members]) => members)
  const groups: ArchiveGroup[] = own.map(([group, members]) => ({ group, entries: members }))
  if (rest.length > 0) groups.push({ group: OTHER_GROUP, entries: rest })
  return groups
}
