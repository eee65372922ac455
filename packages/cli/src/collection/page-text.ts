/** The words of a stored page, as they were captured last. */
import { readableContent } from '@comity/collection'
import type { CollectionView } from './collection-view.ts'
import type { Visited } from './export-rows.ts'

/** Undefined for what is no page, and for pages that ask not to be shown from an archive. */
export function pageText({ row, url }: Visited, { collection }: CollectionView): string | undefined {
  if (row.body === undefined || row.noarchive) return undefined
  const read = readableContent(collection, row.body, url)
  return read.kind === 'page' ? read.page.text : undefined
}
