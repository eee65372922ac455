/**
 * Export rows: one record a visited page, for JSON lines, CSV and Parquet. One table names the fields, what each means and what kind
 * of value it has; help and the documents print it.
 */
import { basename } from 'node:path'
import { knownAs, knownPages } from '@comity/collection'
import type { PageRow } from '@comity/collection'
import { csvCell } from '@comity/protocol'
import type { TableCell } from '@comity/protocol'
import { indexedLanguages } from '@comity/search'
import type { CollectionView } from './collection-view.ts'

/** One visited page with all that its fields are made of. */
export interface Visited {
  readonly page: number
  readonly url: string
  readonly parent: number | undefined
  readonly row: PageRow
  /** What the page says its language is, or else what the index took it for. */
  readonly language: string | undefined
}

/** `time` is an ISO 8601 text in UTC, and an instant where a format has such. */
type FieldKind = 'text' | 'count' | 'time'

interface Field {
  readonly kind: FieldKind
  readonly means: string
  readonly of: (visited: Visited, view: CollectionView) => TableCell
}

type Of = Field['of']
const text = (means: string, of: Of): Field => ({ kind: 'text', means, of })
const count = (means: string, of: Of): Field => ({ kind: 'count', means, of })
const time = (means: string, of: (row: PageRow) => number | undefined): Field => {
  return { kind: 'time', means, of: ({ row }) => isoTime(of(row)) }
}

const isoTime = (at: number | undefined): TableCell => (at === undefined ? undefined : new Date(at).toISOString())

export const FIELDS: Readonly<Record<string, Field>> = {
  url: text('its address', ({ url }) => url),
  status: count('the HTTP status it is known by: that of the version held', ({ row }) => knownAs(row).status),
  outcome: text('the same as a word: ok, redirect, client-error …', ({ row }) => knownAs(row).outcome),
  lastStatus: count('the status of the last visit: 304 where it found the same; 0, no answer', ({ row }) => row.status),
  lastOutcome: text('how the last visit ended, as a word', ({ row }) => row.outcome),
  at: time('when it was visited last', ({ visitedAt }) => visitedAt),
  changedAt: time('when its content was last seen to be another, or first seen', ({ changedAt }) => changedAt),
  visits: count('visits so far', ({ row }) => row.visits),
  depth: count('links from a start page', ({ page }, { frontier }) => frontier.pages.depthOf(page)),
  foundOn: text('the page that it was found on', ({ parent }, { urlOf }) =>
    parent === undefined ? undefined : urlOf(parent),
  ),
  type: text('its Content-Type', ({ row }) => row.type),
  bytes: count('of its body as it came, in the coding it came in', ({ row }) => row.bytes),
  title: text('its title', ({ row }) => row.title),
  language: text('as the page says (BCP 47), or as the index took it for', ({ language }) => language),
  canonical: text('the address that it says is its own', ({ row }) => row.canonical),
  redirectTo: text('where it leads', ({ row }) => row.redirectTo),
  duplicateOf: text('the first address with the same bytes', ({ url, row }, { collection }) => {
    const first = row.digest === undefined ? undefined : collection.body(row.digest)?.url
    return first === url ? undefined : first
  }),
  nearDuplicateOf: text('the first address with nearly the same words', ({ row }, { urlOf }) =>
    row.nearDuplicateOf === undefined ? undefined : urlOf(row.nearDuplicateOf),
  ),
  digest: text('SHA-1 of the body, as in the archive', ({ row }) => row.digest),
  etag: text('its ETag', ({ row }) => row.etag),
  lastModified: text('its Last-Modified, as it was sent', ({ row }) => row.lastModified),
  firstByteMs: count('milliseconds to the first byte', ({ row: { timings } }) =>
    timings.firstByteMs === undefined ? undefined : Math.round(timings.firstByteMs),
  ),
  problem: text('what went wrong at the last visit, in words', ({ row }) => row.problem),
  warcFile: text('the archive file with its body', ({ row }, { collection }) =>
    row.body === undefined ? undefined : basename(collection.warcPaths[row.body.file] ?? ''),
  ),
  warcOffset: count('the first byte of its record there', ({ row }) => row.body?.offset),
  warcLength: count('bytes of its record', ({ row }) => row.body?.length),
}

/** Beside them, with `--text`. */
export const TEXT_FIELD = { kind: 'text', means: 'with --text: its words, line by line' } as const

/** Every visited page in the order it was found. Memory grows by a word for each page that the index knows. */
export function* visitedPages({ collection, frontier }: CollectionView): Generator<Visited> {
  const languages = indexedLanguages(collection.dir)
  for (const { page, url, parent, row } of knownPages(collection)) {
    // A crawl beside us may have added pages since we looked.
    if (page >= frontier.pages.count) return
    if (row !== undefined) yield { page, url, parent, row, language: row.language ?? languages.get(page) }
  }
}

/** Makes the text of a page; undefined where it has none to show. */
export type TextOf = (visited: Visited) => string | undefined

/** Its fields by name. */
export function recordOf(
  visited: Visited,
  view: CollectionView,
  textOf: TextOf | undefined,
): Readonly<Record<string, TableCell>> {
  const record = Object.fromEntries(Object.entries(FIELDS).map(([name, { of }]) => [name, of(visited, view)]))
  return textOf === undefined ? record : { ...record, text: textOf(visited) }
}

/** A line of JSON; what is not known is left out. */
export const jsonLine = (visited: Visited, view: CollectionView, textOf: TextOf | undefined): string =>
  JSON.stringify(recordOf(visited, view, textOf))

export const csvHeader = (): string => Object.keys(FIELDS).map(csvCell).join(',')

export function csvLine(visited: Visited, view: CollectionView): string {
  return Object.values(FIELDS)
    .map(({ of }) => csvCell(of(visited, view)))
    .join(',')
}
