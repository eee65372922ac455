/** Export rows: one record a visited page, for JSON lines and CSV. One table names the columns of both. */
import { basename } from 'node:path'
import { knownPages } from '@comity/collection'
import type { PageRow } from '@comity/collection'
import { csvCell } from '@comity/protocol'
import type { TableCell } from '@comity/protocol'
import type { CollectionView } from './collection-view.ts'
import { pageText } from './page-text.ts'

/** One visited page with all that its columns are made of. */
export interface Visited {
  readonly page: number
  readonly url: string
  readonly parent: number | undefined
  readonly row: PageRow
}

type Column = (visited: Visited, view: CollectionView) => TableCell

const instant = (at: number | undefined): TableCell => (at === undefined ? undefined : new Date(at).toISOString())

export const COLUMNS: Readonly<Record<string, Column>> = {
  url: ({ url }) => url,
  status: ({ row }) => row.status,
  outcome: ({ row }) => row.outcome,
  at: ({ row }) => instant(row.visitedAt),
  changedAt: ({ row }) => instant(row.changedAt),
  visits: ({ row }) => row.visits,
  depth: ({ page }, { frontier }) => frontier.pages.depthOf(page),
  foundOn: ({ parent }, { urlOf }) => (parent === undefined ? undefined : urlOf(parent)),
  type: ({ row }) => row.type,
  bytes: ({ row }) => row.bytes,
  title: ({ row }) => row.title,
  language: ({ row }) => row.language,
  canonical: ({ row }) => row.canonical,
  redirectTo: ({ row }) => row.redirectTo,
  duplicateOf: ({ url, row }, { collection }) => {
    const first = row.digest === undefined ? undefined : collection.body(row.digest)?.url
    return first === url ? undefined : first
  },
  nearDuplicateOf: ({ row }, { urlOf }) => (row.nearDuplicateOf === undefined ? undefined : urlOf(row.nearDuplicateOf)),
  digest: ({ row }) => row.digest,
  etag: ({ row }) => row.etag,
  lastModified: ({ row }) => row.lastModified,
  firstByteMs: ({ row }) => (row.timings.firstByteMs === undefined ? undefined : Math.round(row.timings.firstByteMs)),
  problem: ({ row }) => row.problem,
  warcFile: ({ row }, { collection }) =>
    row.body === undefined ? undefined : basename(collection.warcPaths[row.body.file] ?? ''),
  warcOffset: ({ row }) => row.body?.offset,
  warcLength: ({ row }) => row.body?.length,
}

/** Every visited page in the order it was found. Memory does not grow with them. */
export function* visitedPages({ collection, frontier }: CollectionView): Generator<Visited> {
  for (const { page, url, parent, row } of knownPages(collection)) {
    // A crawl beside us may have added pages since we looked.
    if (page >= frontier.pages.count) return
    if (row !== undefined) yield { page, url, parent, row }
  }
}

/** A line of JSON; what is not known is left out. */
export function jsonLine(visited: Visited, view: CollectionView, withText: boolean): string {
  const record = Object.fromEntries(Object.entries(COLUMNS).map(([name, cell]) => [name, cell(visited, view)]))
  return JSON.stringify(withText ? { ...record, text: pageText(visited, view) } : record)
}

export const csvHeader = (): string => Object.keys(COLUMNS).map(csvCell).join(',')

export function csvLine(visited: Visited, view: CollectionView): string {
  return Object.values(COLUMNS)
    .map((cell) => csvCell(cell(visited, view)))
    .join(',')
}
