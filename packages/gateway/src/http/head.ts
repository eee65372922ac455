/**
 * HttpHead: the start line and the fields of a message, read as forgivingly as browsers do, since what they show is what
 * people read. Everything that strict readers would refuse, or that two readers could take for two things, is told as a
 * doubt: a message with doubts is rebuilt, but never indexed.
 */
import type { HeaderList } from '@comity/protocol'
import { readFields } from './fields.ts'
import type { FieldDoubt } from './fields.ts'

type HeadDoubt = FieldDoubt | 'odd-start-line' | 'odd-version' | 'odd-status' | 'odd-end' | 'leading-bytes'

interface Head {
  /** `1.1`; `0.9` when the line had none. */
  readonly version: string
  readonly headers: HeaderList
  readonly doubts: readonly HeadDoubt[]
  /** Something that may tell where the body ends stands where it should not: readers will cut it differently. */
  readonly isFramingOdd?: boolean | undefined
}

export interface RequestHead extends Head {
  readonly kind: 'request'
  readonly method: string
  readonly target: string
}

export interface ResponseHead extends Head {
  readonly kind: 'response'
  readonly status: number
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]"
const REQUEST_LINE = new RegExp(`^(${TOKEN}{1,40}) (\\S+) HTTP/(1\\.[01])$`)
const METHOD = new RegExp(`^${TOKEN}{1,40}(?=\\s|$)`)
/** At the end of a line, where nothing need stand before it. */
const LAST_VERSION = /HTTP\/?(\d{1,20}(?:\.\d{1,20})?)$/i
const LONGEST_VERSION = 46
const STATUS_LINE = /^HTTP\/(1\.[01]) ([1-5]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/
const ODD_STATUS_LINE = /^(?:HTTP|ICY)\/?\s*([\d.]*)([^\d]*)(\d*)/i

/** Where a head ends: after its empty line. -1 while there is none in these bytes. */
export function headEnd(bytes: Buffer, from: number): number {
  let at = bytes.indexOf(10, from)
  while (at !== -1) {
    const next = bytes[at + 1]
    if (next === 10) return at + 2
    if (next === 13 && bytes[at + 2] === 10) return at + 3
    at = bytes.indexOf(10, at + 1)
  }
  return -1
}

/** Where a head ends that nobody ended as he should: after a line of blanks, or of other marks that do not show. */
export function oddHeadEnd(bytes: Buffer): number {
  const found = /\n[ \t\v\f\r]+\n/.exec(bytes.toString('latin1'))
  return found === null ? -1 : found.index + found[0].length
}

/** A request of the first HTTP: one line, without a version, and nothing after it. */
export function isSimpleRequest(line: string): boolean {
  return /^GET[ \t]+\S+[ \t]*\r?\n$/i.test(line) && !/\sHTTP\/\S*\s*$/i.test(line)
}

export function readRequestHead(text: string): RequestHead | undefined {
  const [line, rest] = firstLine(text)
  const doubts = new Set<HeadDoubt>()
  const { headers, isFramingOdd } = readFields(rest, doubts)
  const parts = REQUEST_LINE.exec(line)
  if (parts !== null) {
    const [, method, target, version] = parts
    return {
      kind: 'request',
      method: method!,
      target: target!,
      version: version!,
      headers,
      doubts: [...doubts],
      isFramingOdd,
    }
  }
  const odd = readOddLine(line)
  if (odd === undefined) return undefined
  const { method, target, version } = odd
  doubts.add(version === '1.1' || version === '1.0' ? 'odd-start-line' : 'odd-version')
  return { kind: 'request', method, target, version, headers, doubts: [...doubts], isFramingOdd }
}

/** Step by step, and not by one pattern: what may stand anywhere in a line must not be tried everywhere. */
function readOddLine(line: string): Pick<RequestHead, 'method' | 'target' | 'version'> | undefined {
  const text = line.trimEnd()
  if (METHOD.exec(text)?.[0] === text) return { method: text, target: '', version: '0.9' }
  const found = LAST_VERSION.exec(text.slice(-LONGEST_VERSION))
  const before = found === null ? text : text.slice(0, -found[0].length)
  const method = METHOD.exec(before)?.[0]
  if (method === undefined) return undefined
  return { method, target: before.slice(method.length).trim(), version: found?.[1] ?? '0.9' }
}

export function readResponseHead(text: string): ResponseHead | undefined {
  const doubts = new Set<HeadDoubt>()
  const begin = beginOfAnswer(text)
  if (begin === -1) return undefined
  if (begin > 0) doubts.add('leading-bytes')
  const [line, rest] = firstLine(begin === 0 ? text : text.slice(begin))
  const { headers, isFramingOdd } = readFields(rest, doubts)
  const parts = STATUS_LINE.exec(line)
  if (parts !== null) {
    const [, version, status] = parts
    return { kind: 'response', status: Number(status), version: version!, headers, doubts: [...doubts], isFramingOdd }
  }
  const [, version = '', , status = ''] = ODD_STATUS_LINE.exec(line) ?? []
  doubts.add(/^\d{3}$/.test(status) ? 'odd-start-line' : 'odd-status')
  // A status that is none is taken for a good one: what browsers do.
  const number = /^[1-9]\d\d$/.test(status) ? Number(status) : 200
  return { kind: 'response', status: number, version: version || '1.0', headers, doubts: [...doubts], isFramingOdd }
}

/** The answer to a request of the first HTTP has no head. */
export function simpleResponse(): ResponseHead {
  return { kind: 'response', status: 200, version: '0.9', headers: [], doubts: ['odd-version'] }
}

/** Bytes before the status line that readers pass over. */
const MOST_BEFORE = 8

/** Where the status line begins; -1: nowhere. */
export function beginOfAnswer(text: string): number {
  if (text.startsWith('HTTP/')) return 0
  const found = /^[\s\0]{0,8}(?:HTTP|ICY)/i.exec(text)
  return found === null ? -1 : Math.min(MOST_BEFORE, found[0].search(/[HI]/i))
}

/** A lone line feed, and a lone carriage return, end a line too; `readFields` tells of it. */
function firstLine(text: string): [line: string, rest: string] {
  const end = text.search(/[\r\n]/)
  if (end === -1) return [text, '']
  const isPair = text.startsWith('\r\n', end)
  return [text.slice(0, end), isPair ? text.slice(end + 2) : text.slice(end)]
}
