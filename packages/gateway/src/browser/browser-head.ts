/**
 * BrowserHead: the head of an answer as Chromium reads it (net/http: `HttpUtil`, `HttpResponseHeaders`), for whoever wants to see what
 * a reader saw. It takes nearly anything for a head and leaves out what it cannot read, so that nothing here says that a head is
 * good: that is told by `http/head.ts`, which reads for those who must be sure.
 */
import { trimBlanks } from '@comity/protocol'
import type { HeaderList } from '@comity/protocol'

export interface BrowserHead {
  readonly status: number
  /** `HTTP/1.1` or later: before it there are no pieces. */
  readonly isChunkable: boolean
  readonly headers: HeaderList
}

/** What `net::` calls it when there is nothing to show. */
export type HeadError =
  | 'ERR_INVALID_HTTP_RESPONSE'
  | 'ERR_RESPONSE_HEADERS_MULTIPLE_CONTENT_LENGTH'
  | 'ERR_RESPONSE_HEADERS_MULTIPLE_CONTENT_DISPOSITION'
  | 'ERR_RESPONSE_HEADERS_MULTIPLE_LOCATION'

/** A head that has not ended by then is given up. */
export const MOST_HEAD_BYTES: number = 256 << 10
/** So many bytes of anything may stand before `http`. */
const SLOP = 4
/** Without `http` in so many bytes it is no head, but a page of the first HTTP. */
export const DECIDES: number = SLOP + 4

/** Where the status line begins; -1: not in these bytes. */
export function statusLineStart(bytes: Buffer): number {
  return bytes.toString('latin1', 0, DECIDES).toLowerCase().indexOf('http')
}

/** `text`: from its first byte, whatever stands before the status line, to its end. */
export function readBrowserHead(text: string): BrowserHead | HeadError {
  if (text.includes('\0')) return 'ERR_INVALID_HTTP_RESPONSE'
  const begin = Math.max(0, text.slice(0, DECIDES).toLowerCase().indexOf('http'))
  const length = text.slice(begin).search(/[\r\n]/)
  const end = length === -1 ? text.length : begin + length
  const line = text.slice(begin, end)
  const headers = readLines(text.slice(end))
  const isChunkable = versionOf(line) >= 1.1
  const head = { status: statusOf(line), isChunkable, headers }
  return contradiction(head) ?? head
}

/** A page of the first HTTP. */
export const simpleHead = (): BrowserHead => ({ status: 200, isChunkable: false, headers: [] })

/** As a number, as it is compared and not reckoned with; 0: none that could be read. */
function versionOf(line: string): number {
  const dot = line.indexOf('.')
  const digits = `${line[5] ?? ''}${line[dot + 1] ?? ''}`
  return line[4] === '/' && dot !== -1 && /^\d\d$/.test(digits) ? Number(`${digits[0]!}.${digits[1]!}`) : 0
}

/** Behind the first blank, wherever that is. */
function statusOf(line: string): number {
  const blank = line.indexOf(' ')
  const digits = blank === -1 ? undefined : /^ +(\d+)/.exec(line.slice(blank))?.[1]
  return digits === undefined ? 200 : Math.min(Number(digits), MOST_STATUS) % STATUSES
}

/** It is kept in 31 bits at first, and handed on in 16. */
const MOST_STATUS = 2 ** 31 - 1
const STATUSES = 2 ** 16

/** Lines end with returns and feeds, any of them; one that begins with a blank goes on with the field before. */
function readLines(text: string): HeaderList {
  const lines: string[] = []
  let isContinuable = false
  for (const line of text.split(/[\r\n]+/)) {
    if (line === '') continue
    if (isContinuable && isBlank(line)) lines.push(`${lines.pop()!} ${line.replace(/^[ \t]+/, '')}`)
    else {
      lines.push(line)
      isContinuable = line.indexOf(':') > 0 && !isBlank(line)
    }
  }
  return lines.flatMap(readLine)
}

const isBlank = (line: string): boolean => line.startsWith(' ') || line.startsWith('\t')

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

function readLine(line: string): [name: string, value: string][] {
  const colon = line.indexOf(':')
  if (colon < 1 || isBlank(line)) return []
  const name = trimBlanks(line.slice(0, colon))
  return TOKEN.test(name) ? [[name, trimBlanks(line.slice(colon + 1))]] : []
}

/** Fields whose values have commas of their own. */
const WHOLE: ReadonlySet<string> = new Set([
  'date',
  'expires',
  'last-modified',
  'location',
  'retry-after',
  'set-cookie',
  'www-authenticate',
  'proxy-authenticate',
  'strict-transport-security',
])

/** Of all fields of a name, each member of each list. `name` in small letters. */
export function valuesOf({ headers }: Pick<BrowserHead, 'headers'>, name: string): string[] {
  return fieldsOf(headers, name).flatMap((value) => (value === '' || WHOLE.has(name) ? [value] : members(value)))
}

/** Of all fields of a name, what they say, as it stands. */
export const fieldsOf = (headers: HeaderList, name: string): string[] =>
  headers.flatMap(([each, value]) => (each.length === name.length && each.toLowerCase() === name ? [value] : []))

/** Between commas that are not in quotes, empty ones too; a quote that never ends takes all that follows. */
function members(value: string): string[] {
  const found: string[] = []
  let begin = 0
  let isQuoted = false
  for (let at = 0; at < value.length; at++) {
    const letter = value[at]
    if (letter === '"') isQuoted = !isQuoted
    else if (letter === '\\' && isQuoted) at++
    else if (letter === ',' && !isQuoted) {
      found.push(trimBlanks(value.slice(begin, at)))
      begin = at + 1
    }
  }
  return [...found, trimBlanks(value.slice(begin))]
}

/** What may be two answers in one. */
function contradiction(head: BrowserHead): HeadError | undefined {
  if (!isChunked(head) && differ(valuesOf(head, 'content-length')))
    return 'ERR_RESPONSE_HEADERS_MULTIPLE_CONTENT_LENGTH'
  if (differ(valuesOf(head, 'content-disposition'))) return 'ERR_RESPONSE_HEADERS_MULTIPLE_CONTENT_DISPOSITION'
  return differ(valuesOf(head, 'location')) ? 'ERR_RESPONSE_HEADERS_MULTIPLE_LOCATION' : undefined
}

const differ = (values: readonly string[]): boolean => values.some((value) => value !== values[0])

/** Anywhere in a list, whatever stands before or behind it. */
export const isChunked = (head: BrowserHead): boolean =>
  head.isChunkable && valuesOf(head, 'transfer-encoding').some((value) => value.toLowerCase() === 'chunked')

/** -1: it is as long as the connection lasts. */
export function contentLength(head: BrowserHead): number {
  const [, sign = '', digits = ''] = /^(-?)0*(\d{1,19})$/.exec(valuesOf(head, 'content-length')[0] ?? '') ?? []
  if (digits === '' || (sign === '-' && digits !== '0') || BigInt(digits) >= 1n << 63n) return -1
  return Number(digits)
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

export const isRedirect = (head: BrowserHead): boolean =>
  REDIRECTS.has(head.status) && valuesOf(head, 'location').some((value) => value !== '')

const BODILESS: ReadonlySet<number> = new Set([204, 205, 304])

export const isBodiless = ({ status }: BrowserHead, method: string): boolean =>
  method === 'HEAD' || isInterim(status) || BODILESS.has(status)

export const isInterim = (status: number): boolean => status >= 100 && status < 200
