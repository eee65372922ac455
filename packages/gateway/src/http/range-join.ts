/**
 * RangeJoin: documents that went by in parts (206, RFC 9110 §14), put together when all of them have. Parts belong together
 * when they are of the same URL at the same server and say so by a strong validator; a whole is told once, as the 200 that it would
 * have been, after the part that made it whole. Everything that comes in is handed on as it is, too.
 *
 * The last part speaks for all of them when it is judged whether a document is for everybody. So parts that say different things of
 * that are none of one document, one that was asked for by somebody who was known is none of any, and what came with cookies is
 * joined for each reader apart.
 */
import { credentialField, credentialNames, headerOf, isSteered, isWeak, parseContentRange } from '@comity/protocol'
import type { HeaderList } from '@comity/protocol'
import { judgedFields } from '../privacy/judged-fields.ts'
import { codingOf } from './observed-exchange.ts'
import type { ObservedExchange, ObservedExchangeSink } from './observed-exchange.ts'

export interface RangeLimits {
  /** Documents that wait for parts, and the bytes of them. */
  readonly documents: number
  readonly bytes: number
  readonly documentBytes: number
}

const rangeLimits: RangeLimits = { documents: 1_000, bytes: 64 << 20, documentBytes: 16 << 20 }

interface Part {
  readonly start: number
  readonly size: number
  readonly bytes: Uint8Array
  readonly type: string | undefined
}

interface Document {
  readonly bytes: Uint8Array
  /** Disjoint, in order: which bytes are there. */
  spans: { readonly from: number; readonly to: number }[]
}

export class RangeJoin implements ObservedExchangeSink {
  /** Wholes that were made, and documents that had to be forgotten to make room. */
  readonly counters: { joined: number; forgotten: number; contradicted: number } = {
    joined: 0,
    forgotten: 0,
    contradicted: 0,
  }
  readonly #sink: ObservedExchangeSink
  readonly #limits: RangeLimits
  readonly #credentials: ReadonlySet<string>
  readonly #documents = new Map<string, Document>()
  #bytes = 0

  /** `credentialFields`: as the gate has them. */
  constructor(sink: ObservedExchangeSink, limits: Partial<RangeLimits> = {}, credentialFields: readonly string[] = []) {
    this.#sink = sink
    this.#limits = { ...rangeLimits, ...limits }
    this.#credentials = credentialNames(credentialFields)
  }

  get memory(): { readonly documents: number; readonly bytes: number } {
    return { documents: this.#documents.size, bytes: this.#bytes }
  }

  observed(observed: ObservedExchange): void {
    this.#sink.observed(observed)
    const { verdict, request, response } = observed
    if (verdict !== 'whole' || response?.status !== 206 || request?.method !== 'GET') return
    const { host = '' } = URL.parse(observed.url ?? '') ?? {}
    const isPersonal =
      credentialField(request.headers, this.#credentials) !== undefined || isSteered(request.headers, host)
    const key = isPersonal || observed.authentication === 'known' ? undefined : keyOf(observed)
    if (key === undefined) return
    for (const part of partsOf(response.headers, observed.body)) this.#add(observed, key, part)
  }

  #add(observed: ObservedExchange, key: string, part: Part): void {
    const { start, size, bytes, type = '' } = part
    if (size > this.#limits.documentBytes || start + bytes.length > size) return
    const name = `${key}\n${type}\n${size}`
    const document = this.#documents.get(name) ?? this.#begin(name, size)
    if (document === undefined) return
    if (!put(document, start, bytes)) {
      this.counters.contradicted++
      return this.#forget(name)
    }
    const [first] = document.spans
    if (document.spans.length > 1 || first?.from !== 0 || first.to !== size) return
    this.#forget(name)
    this.counters.joined++
    this.#sink.observed(wholeOf(observed, part.type, document.bytes))
  }

  #begin(name: string, size: number): Document | undefined {
    const { documents, bytes } = this.#limits
    for (const oldest of this.#documents.keys()) {
      if (this.#documents.size < documents && this.#bytes + size <= bytes) break
      this.#forget(oldest)
      this.counters.forgotten++
    }
    if (this.#bytes + size > bytes) return undefined
    const document = { bytes: new Uint8Array(size), spans: [] }
    this.#documents.set(name, document)
    this.#bytes += size
    return document
  }

  #forget(name: string): void {
    this.#bytes -= this.#documents.get(name)?.bytes.length ?? 0
    this.#documents.delete(name)
  }
}

/** The document that a part is of: without a validator that tells versions apart, nothing may be joined (§15.3.7.3). */
function keyOf(observed: ObservedExchange): string | undefined {
  const { url, request, response, server, serverPort, client, authentication } = observed
  const tag = headerOf(response!.headers, 'etag')
  const validator = tag !== undefined && !isWeak(tag) ? tag : headerOf(response!.headers, 'last-modified')
  if (url === undefined || validator === undefined || (tag !== undefined && isWeak(tag))) return undefined
  const reader = headerOf(request!.headers, 'cookie') === undefined ? '' : client
  const place = `${server} ${serverPort} ${authentication} ${reader}`
  return `${url}\n${validator}\n${codingOf(response!) ?? ''}\n${place}\n${judgedFields(response?.headers)}`
}

function partsOf(headers: HeaderList, body: Uint8Array): Part[] {
  const type = headerOf(headers, 'content-type')
  const boundary = /^multipart\/byteranges\b.*;\s*boundary="?([^";]{1,70})"?/i.exec(type ?? '')?.[1]
  if (boundary !== undefined) return multipart(body, boundary)
  const range = parseContentRange(headerOf(headers, 'content-range') ?? '')
  if (range?.size === undefined || range.end - range.start !== body.length) return []
  return [{ start: range.start, size: range.size, bytes: body, type }]
}

const MOST_PARTS = 1_000

/** §14.6: parts between lines of `--boundary`, each with fields of its own. */
function multipart(body: Uint8Array, boundary: string): Part[] {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length)
  const mark = Buffer.from(`--${boundary}`, 'latin1')
  const parts: Part[] = []
  let at = bytes.indexOf(mark)
  while (at !== -1 && parts.length < MOST_PARTS) {
    const head = bytes.indexOf('\r\n\r\n', at)
    if (head === -1) break
    const text = bytes.toString('latin1', at, head)
    const range = parseContentRange(/^content-range:\s*(.*)$/im.exec(text)?.[1] ?? '')
    if (range?.size === undefined) break
    const begin = head + 4
    const end = begin + (range.end - range.start)
    if (end > bytes.length) break
    const type = /^content-type:\s*(.*)$/im.exec(text)?.[1]?.trim()
    parts.push({ start: range.start, size: range.size, bytes: bytes.subarray(begin, end), type })
    at = bytes.indexOf(mark, end)
  }
  return parts
}

/** False when some of the bytes are there already, and are others. */
function put(document: Document, start: number, bytes: Uint8Array): boolean {
  const end = start + bytes.length
  for (const { from, to } of document.spans) {
    const [begin, stop] = [Math.max(from, start), Math.min(to, end)]
    if (begin >= stop) continue
    const held = document.bytes.subarray(begin, stop)
    if (Buffer.compare(held, bytes.subarray(begin - start, stop - start)) !== 0) return false
  }
  document.bytes.set(bytes, start)
  document.spans = joined([...document.spans, { from: start, to: end }])
  return true
}

function joined(spans: readonly { from: number; to: number }[]): { from: number; to: number }[] {
  const apart: { from: number; to: number }[] = []
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = apart.at(-1)
    if (last === undefined || from > last.to) apart.push({ from, to })
    else last.to = Math.max(last.to, to)
  }
  return apart
}

const OF_PARTS: ReadonlySet<string> = new Set(['content-range', 'content-length', 'content-type'])

function wholeOf(observed: ObservedExchange, type: string | undefined, body: Uint8Array): ObservedExchange {
  const response = observed.response!
  const headers: [string, string][] = response.headers
    .filter(([name]) => !OF_PARTS.has(name.toLowerCase()))
    .map(([name, value]) => [name, value])
  if (type !== undefined) headers.push(['Content-Type', type])
  headers.push(['Content-Length', String(body.length)])
  return { ...observed, response: { ...response, status: 200, headers }, body }
}
