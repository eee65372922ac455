/** Archived pages: what a crawler that read all metadata archives of a site knows of it, for tests of plans. */
import type { ArchiveEntry } from '../metadata-archive/archive-line.ts'
import type { PlannedArchive } from '../metadata-archive/plan.ts'

/** Pages as the archives tell them, in no order; deleted ones are left out. */
export function pagesOf(archives: Iterable<PlannedArchive>): ReadonlyMap<string, ArchiveEntry> {
  const pages = new Map<string, ArchiveEntry>()
  const byNumber = [...archives].toSorted((a, b) => a.name.number - b.name.number)
  for (const { entries } of byNumber) for (const entry of entries) pages.set(entry.url, entry)
  for (const [url, { gone }] of pages) if (gone === true) pages.delete(url)
  return pages
}
