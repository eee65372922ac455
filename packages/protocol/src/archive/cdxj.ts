/**
 * CDXJ: an index of captures, one a line, sorted, so that a page's records are found by halving.
 *
 *   org,example)/about 20261114093000 {"url":"https://www.example.org/about","mime":"text/html","status":"200",…}
 *   └ key: host turned round ┘└ UTC ┘ └ where the record is
 *
 * The key folds what differs by accident, letter case, `www.`, the order of parameters, so it finds a page by any
 * spelling; what is exact stands in the JSON. Long indexes are packed in blocks, each a gzip member, and a second index
 * names the first line of each ("ZipNum", WACZ 1.1.1 §5.2). Pure; bad lines are values.
 */
import type { Instant } from '../instant.ts'

/** One capture and where its record stands. */
export interface CdxjEntry {
  readonly url: string
  /** To the second, as far as a line can say. */
  readonly at: Instant
  /** Without parameters; `warc/revisit` for a record whose body is another's. */
  readonly mime: string
  readonly status: number
  readonly digest: string | undefined
  readonly filename: string
  readonly offset: number
  readonly length: number
}

/** No URL we keep is longer than a few thousand characters; a line has one, and its key. */
const MAX_LINE_CHARS = 65_536

export function cdxjLine({ url, at, mime, status, digest, filename, offset, length }: CdxjEntry): string {
  // Numbers as strings: the indexers that most archives were made by write them so.
  const fields = {
    url,
    mime,
    ...(status === 0 ? {} : { status: String(status) }),
    ...(digest === undefined ? {} : { digest }),
    length: String(length),
    offset: String(offset),
    filename,
  }
  return `${surtOf(url)} ${cdxTimestamp(at)} ${JSON.stringify(fields)}`
}

/** The entry of a line; undefined when the line has none that can be used. Never throws. */
export function parseCdxjLine(line: string): CdxjEntry | undefined {
  if (line.length > MAX_LINE_CHARS) return undefined
  const [, stamp = '', json = ''] = /^\S+ (\d{14}) (\{.*\})\s*$/.exec(line) ?? []
  const at = instantOf(stamp)
  const fields = json === '' ? undefined : parsed(json)
  if (at === undefined || fields === undefined) return undefined
  const { url, mime, status, digest, filename } = fields
  const [offset, length] = [wholeNumber(fields['offset']), wholeNumber(fields['length'])]
  if (typeof url !== 'string' || typeof filename !== 'string' || offset === undefined) return undefined
  return {
    url,
    at,
    mime: typeof mime === 'string' ? mime : 'unk',
    status: wholeNumber(status) ?? 0,
    digest: typeof digest === 'string' ? digest : undefined,
    filename,
    offset,
    length: length ?? 0,
  }
}

/** Sort-friendly URI: what lines are sorted and looked up by. Not http(s), or no URL at all: as it is. */
export function surtOf(url: string): string {
  const parts = /^https?:/i.test(url) ? URL.parse(url.toLowerCase()) : null
  if (parts === null) return url.replaceAll(/\s+/g, '%20')
  const host = parts.hostname
    .replace(/^www\d*\./, '')
    .split('.')
    .toReversed()
    .join(',')
  const query = parts.search.slice(1).split('&').toSorted().join('&')
  return `${host}${parts.port === '' ? '' : `:${parts.port}`})${parts.pathname}${query === '' ? '' : `?${query}`}`
}

/** `20261114093000`, in UTC. */
const cdxTimestamp = (at: Instant): string => new Date(at).toISOString().replaceAll(/\D/g, '').slice(0, 14)

/** A block of the packed index. */
export interface CdxjBlock {
  /** Key and timestamp of its first line. */
  readonly first: string
  readonly offset: number
  readonly length: number
  /** `sha256:` and 64 hexadecimal digits, of the packed bytes. */
  readonly digest: string
}

/** The first line of a second index: what it is of. */
export const idxHeader = (filename: string): string =>
  `!meta 0 ${JSON.stringify({ format: 'cdxj-gzip-1.0', filename })}`

export const idxLine = ({ first, ...place }: CdxjBlock): string => `${first} ${JSON.stringify(place)}`

/** Key and timestamp of a CDXJ line. */
export const cdxjPrefix = (line: string): string => line.slice(0, line.indexOf(' {'))

function parsed(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object has names, of anything.
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    // A line that somebody has cut or mixed up; the caller leaves it out.
    return undefined
  }
}

function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === 'number' ? value : typeof value === 'string' && value !== '' ? Number(value) : -1
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined
}

function instantOf(stamp: string): Instant | undefined {
  const at = Date.parse(stamp.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3T$4:$5:$6Z'))
  return Number.isNaN(at) ? undefined : at
}
