/**
 * HTTP block: an HTTP message as WARC records hold it, a head and a body.
 *
 * Bodies are stored with the transfer coding off, since that belongs to one connection (RFC 9112 §7), and with the
 * content coding on, since the server chose and may sign it. A head that still said `Transfer-Encoding: chunked` would
 * make readers look for chunks in a body that has none, so that field is kept under the name
 * `X-Archive-Orig-Transfer-Encoding`, as archives do. Content-Length stays as sent, also when a body was cut short.
 */
import { headerOf, type HeaderList } from '../capture.ts'
import { dechunk } from './chunked-body.ts'

interface ResponseHeadParts {
  /** `1.0` or `1.1`; anything newer is written as 1.1, the only head that exists as text. WARC-Protocol tells. */
  readonly httpVersion?: string
  readonly status: number
  readonly statusText?: string
  readonly headers: HeaderList
}

export function responseHead({ httpVersion, status, statusText = '', headers }: ResponseHeadParts): Uint8Array {
  return headBytes(`HTTP/${httpVersion === '1.0' ? '1.0' : '1.1'} ${status} ${safeValue(statusText)}`, headers)
}

interface RequestHeadParts {
  readonly method: string
  /** Path and query, as it stood in the request line. */
  readonly target: string
  readonly httpVersion?: string
  readonly headers: HeaderList
}

export function requestHead({ method, target, httpVersion, headers }: RequestHeadParts): Uint8Array {
  const spaceless = safeValue(target).replaceAll(' ', '%20')
  return headBytes(`${safeName(method)} ${spaceless} HTTP/${httpVersion === '1.0' ? '1.0' : '1.1'}`, headers)
}

function headBytes(startLine: string, headers: HeaderList): Uint8Array {
  let head = `${startLine}\r\n`
  for (const [name, value] of headers) {
    // HTTP/2 pseudo-fields are the start line in another form (RFC 9113 §8.3).
    const safe = name.startsWith(':') ? '' : safeName(name)
    if (safe !== '') head += `${storedName(safe)}: ${safeValue(value)}\r\n`
  }
  return Buffer.from(`${head}\r\n`, 'latin1')
}

const storedName = (name: string): string =>
  name.length === 17 && name.toLowerCase() === 'transfer-encoding' ? `X-Archive-Orig-${name}` : name

/** Only token characters (RFC 9110 §5.6.2): a stranger's name must not end its line or begin another field. */
const safeName = (name: string): string => name.replace(/[^!#$%&'*+.^_`|~0-9A-Za-z-]/g, '')

function safeValue(value: string): string {
  if (!ODD.test(value)) return value
  const line = value.replace(/[\r\n\0]+/g, ' ')
  // Values arrive as bytes read as Latin-1; whoever gives us other characters means UTF-8.
  return WIDE.test(line) ? Buffer.from(line, 'utf8').toString('latin1') : line
}
const ODD = /[^\t\x20-\x7e\x80-\xff]/
const WIDE = /[^\0-\xff]/

export interface HttpBlock {
  readonly startLine: string
  /** Of a response; undefined for a request, or when the line has none. */
  readonly status?: number
  readonly headers: HeaderList
  /** As stored: in other writers' files chunks may be in it. `entityBody` takes them off. */
  readonly body: Uint8Array
}

/** Read a block, whatever it is: bad lines are left out, and bytes with no head are a body. Never throws. */
export function parseHttpBlock(bytes: Uint8Array): HttpBlock {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const lines: string[] = []
  const startEnd = buffer.subarray(0, HEAD_BYTES).indexOf(10)
  const startLine = startEnd < 0 ? '' : buffer.toString('latin1', 0, startEnd).trimEnd()
  if (startLine.length > START_LINE_CHARS || !START_LINE.test(startLine)) {
    return { startLine: '', headers: [], body: bytes }
  }
  let at = startEnd + 1
  while (at < buffer.length && at < HEAD_BYTES && lines.length < HEADER_LINES) {
    const newline = buffer.indexOf(10, at)
    const end = newline < 0 ? buffer.length : newline
    const line = buffer.toString('latin1', at, buffer[end - 1] === 13 ? Math.max(at, end - 1) : end)
    at = end + 1
    if (line === '') break
    lines.push(line)
  }
  const status = /^HTTP\S* +(\d{3})(?: |$)/i.exec(startLine)?.[1]
  const body = bytes.subarray(Math.min(at, bytes.length))
  return { startLine, headers: parseFields(lines), body, ...(status === undefined ? {} : { status: Number(status) }) }
}

/** The body with a chunked coding taken off, where the head announces one and the bytes bear it out. */
export function entityBody({ headers, body }: HttpBlock): Uint8Array {
  const coding = headerOf(headers, 'transfer-encoding')?.toLowerCase() ?? ''
  return coding.includes('chunked') ? (dechunk(body) ?? body) : body
}

/** Obsolete line folding (RFC 9112 §5.2) is undone: servers no longer may, archives still do. */
function parseFields(lines: readonly string[]): HeaderList {
  const fields: [name: string, values: string[]][] = []
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (/^[ \t]/.test(line)) fields.at(-1)?.[1].push(line.trim())
    else if (colon > 0) fields.push([line.slice(0, colon).trim(), [line.slice(colon + 1).trim()]])
  }
  return fields.map(([name, values]) => [name, values.join(' ').trim()])
}

/** `HTTP/1.1 200 OK` or `GET /path HTTP/1.1`; some servers' and proxies' own spellings pass as well. */
const START_LINE = /^(?:(?:HTTP|ICY)\b|[A-Za-z]{3,20} +\S)/
const START_LINE_CHARS = 65_536
/** Chrome and Node stop at 256 and 16 KiB of head; archives hold odder ones. */
const HEAD_BYTES = 1 << 20
const HEADER_LINES = 2_000
