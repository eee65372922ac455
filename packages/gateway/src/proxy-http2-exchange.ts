/** Http2Exchange: one stream of an HTTP/2 connection: a request as the origin understands it, and its answer. */
import { constants } from 'node:http2'
import type { OutgoingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import type { ClientPlace, ProxyContext } from './proxy-context.ts'
import type { BodyCopy, CopiedExchange } from './proxy-copy.ts'
import { WireHead } from './proxy-head.ts'
import { copiedExchange, forwardedHead, isRepeatable } from './proxy-forward.ts'
import type { Asker, OriginConnection } from './proxy-origin-connection.ts'
import { refusal, refusalStatus } from './proxy-refusal.ts'
import type { Refusal } from './proxy-refusal.ts'
import { readProxyRequest } from './proxy-request.ts'
import type { ProxyRequest } from './proxy-request.ts'
import type { ProxyResponse } from './proxy-response.ts'

const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/
// oxlint-disable-next-line no-control-regex
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
const CRLF = Buffer.from('\r\n')

export class Http2Exchange implements Asker {
  readonly takesWire = false
  copy: BodyCopy | undefined
  readonly #stream: ServerHttp2Stream
  readonly #place: ClientPlace
  readonly #context: ProxyContext
  #request: ProxyRequest | undefined
  #exchange: CopiedExchange | undefined
  #origin: OriginConnection | undefined
  #trailers = ''
  #at: number

  constructor(stream: ServerHttp2Stream, place: ClientPlace, context: ProxyContext) {
    this.#stream = stream
    this.#place = place
    this.#context = context
    this.#at = context.pool.now
    // An error ends the stream, and `close` follows.
    stream.on('error', () => undefined)
    stream.on('close', () => this.#gone())
    stream.on('drain', () => {
      this.#at = context.pool.now
      this.#origin?.resume()
    })
  }

  get method(): string {
    return this.#request!.method
  }

  get mayRepeat(): boolean {
    return isRepeatable(this.#request!)
  }

  begin(raw: readonly string[]): void {
    const { counters, pool, now, options } = this.#context
    counters.requests++
    counters.requestsHttp2++
    const head = http1Head(raw)
    const request =
      typeof head === 'string' ? refusal('bad-request', head) : readProxyRequest(head, options.isBehindProxy)
    if ('reason' in request) return this.#refuse(request)
    const { endAfterHeaders } = this.#stream
    this.#exchange = copiedExchange(request, this.#place, '2.0', head as WireHead, now())
    const isOpen = !endAfterHeaders && !request.saysLength
    this.#request = isOpen ? { ...request, length: -1 } : request
    pool.take(this)
  }

  sweep(now: number): void {
    const { idleMs, originMs } = this.#context.options.limits
    const since = now - this.#at
    if (this.#request === undefined) return
    if (this.#origin === undefined && since > originMs)
      this.onFailure(refusal('too-busy', 'The site has more to do than it can: try again in a moment.'))
    else if ((this.#stream.writableNeedDrain || this.#origin?.isSent === false) && since > idleMs)
      this.#stream.close(constants.NGHTTP2_CANCEL)
  }

  onOrigin(origin: OriginConnection): void {
    const request = this.#request!
    const { length } = request
    this.#origin = origin
    origin.isSent = length === 0
    origin.send(forwardedHead(request, this.#place, this.#context.options, '2.0'))
    if (length === 0) this.#stream.resume()
    else this.#sendBody(origin, length === -1)
  }

  #sendBody(origin: OriginConnection, isChunked: boolean): void {
    const stream = this.#stream
    const { socket } = origin
    stream.on('trailers', (_trailers, _flags, raw: string[]) => void (this.#trailers = trailerLines(raw)))
    stream.on('data', (bytes: Buffer) => {
      this.#at = this.#context.pool.now
      if (this.#origin !== origin) return
      socket.cork()
      if (isChunked) origin.send(`${bytes.length.toString(16)}\r\n`)
      const isTaken = origin.send(bytes)
      if (isChunked) origin.send(CRLF)
      socket.uncork()
      if (!isTaken) stream.pause()
    })
    stream.on('end', () => {
      if (this.#origin !== origin) return
      origin.isSent = true
      if (isChunked) origin.send(`0\r\n${this.#trailers}\r\n`)
    })
  }

  onDrain(): void {
    this.#stream.resume()
  }

  onInterim({ status, fields }: ProxyResponse): void {
    if (this.#stream.headersSent || this.#stream.closed) return
    try {
      this.#stream.additionalHeaders({ ...http2Fields(fields), ':status': status })
    } catch {
      // What HTTP/2 has no place for is no loss before the answer.
    }
  }

  onHead(response: ProxyResponse): void {
    const { status, version, fields, framing, length, head } = response
    const headers: OutgoingHttpHeaders = { ...http2Fields(fields), ':status': status }
    const vias = headers['via']
    headers['via'] = [
      ...(vias === undefined ? [] : [vias].flat().map(String)),
      `${version} ${this.#context.options.via}`,
    ].join(', ')
    if (length >= 0 && framing !== 'chunked' && status !== 204) headers['content-length'] = length
    this.copy = this.#context.copies.begin(this.#exchange!, { status, version, headers: () => head.headers })
    if (this.#stream.closed) return
    try {
      this.#stream.respond(headers, { endStream: framing === 'none', waitForTrailers: framing === 'chunked' })
    } catch (error) {
      // A field of the origin's that HTTP/2 has no place for.
      this.#stream.destroy(error as Error)
    }
  }

  onBody(bytes: Buffer): void {
    this.#at = this.#context.pool.now
    this.#context.counters.bodyBytes += bytes.length
    if (!this.#stream.write(bytes)) this.#origin?.pause()
  }

  onFlush(): void {
    // Every piece went out as it came.
  }

  onEnd(trailers: readonly (readonly [name: string, value: string])[]): void {
    const stream = this.#stream
    const isUnread = this.#origin?.isSent === false
    this.#origin = undefined
    if (!stream.closed) {
      stream.once('wantTrailers', () =>
        stream.sendTrailers(Object.fromEntries(trailers.map(([name, value]) => [name.toLowerCase(), value]))),
      )
      stream.end()
      // The rest of a request that was answered already is of no use (RFC 9113 §8.1).
      if (isUnread) stream.once('finish', () => stream.close(constants.NGHTTP2_NO_ERROR))
    }
    this.copy?.end('whole')
    this.#forget()
  }

  onSwitch(_response: ProxyResponse, socket: Socket): void {
    socket.destroy()
    this.onFailure(refusal('origin-odd', 'The site changed the protocol, and nobody had asked for it.'))
  }

  onFailure(refused: Refusal): void {
    this.#origin = undefined
    this.#context.pool.leave(this)
    if (!this.#stream.headersSent) return this.#refuse(refused)
    this.#context.counters.refused[refused.reason]++
    // Closing it would end it as if this were all there is.
    this.#stream.destroy(new Error(refused.words))
    this.copy?.end('cut-short')
    this.#forget()
  }

  #refuse(refused: Refusal): void {
    this.#context.counters.refused[refused.reason]++
    if (this.#exchange !== undefined) this.#context.copies.unanswered(this.#exchange)
    const isHead = this.#request?.method === 'HEAD'
    this.#forget()
    if (this.#stream.closed) return
    const headers = {
      ':status': refusalStatus(refused),
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
    }
    this.#stream.respond(headers, { endStream: isHead })
    if (!isHead) this.#stream.end(`${refused.words}\n`)
    this.#stream.resume()
  }

  #gone(): void {
    this.#context.pool.leave(this)
    this.#origin?.abandon()
    if (this.copy !== undefined) this.copy.end('cut-short')
    else if (this.#exchange !== undefined) this.#context.copies.unanswered(this.#exchange)
    this.#forget()
  }

  #forget(): void {
    this.copy = undefined
    this.#exchange = undefined
    this.#request = undefined
    this.#origin = undefined
  }
}

/** As HTTP/1 would have it, or what is wrong with it. */
function http1Head(raw: readonly string[]): WireHead | string {
  const pseudo = new Map<string, string>()
  const fields: [name: string, value: string][] = []
  const cookies: string[] = []
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name, value] = [raw[at]!, raw[at + 1]!]
    if (!VALUE.test(value)) return 'A field has a control character.'
    if (name.startsWith(':')) pseudo.set(name, value)
    else if (!NAME.test(name)) return 'A field has no proper name.'
    else if (name === 'cookie') cookies.push(value)
    else fields.push([name, value])
  }
  if (pseudo.has(':protocol')) return 'Extended CONNECT (RFC 8441) is not passed on here: a WebSocket goes by HTTP/1.1.'
  const hosts = fields.filter(([name]) => name === 'host').map(([, value]) => value)
  const authority = pseudo.get(':authority') ?? hosts[0] ?? ''
  if (hosts.some((host) => host.toLowerCase() !== authority.toLowerCase())) return 'Host and :authority differ.'
  const head = new WireHead(`${pseudo.get(':method') ?? ''} ${pseudo.get(':path') ?? '/'} HTTP/1.1`)
  add(head, 'host', authority)
  for (const [name, value] of fields) if (name !== 'host') add(head, name, value)
  // HTTP/2 may send crumbs (RFC 9113 §8.2.3).
  if (cookies.length > 0) add(head, 'cookie', cookies.join('; '))
  return head
}

function add(head: WireHead, name: string, value: string): void {
  head.names.push(name)
  head.lines.push(`${name}: ${value}\r\n`)
}

/** Lines of HTTP/1 as HTTP/2 writes them. */
function http2Fields(lines: string): OutgoingHttpHeaders {
  const fields = new Map<string, string | string[]>()
  for (const line of lines.split('\r\n')) {
    if (line === '') continue
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    const before = fields.get(name)
    if (before === undefined) fields.set(name, value)
    else if (name === 'set-cookie') fields.set(name, [before, value].flat())
    else fields.set(name, `${[before].flat().join(', ')}, ${value}`)
  }
  return Object.fromEntries(fields)
}

function trailerLines(raw: readonly string[]): string {
  let lines = ''
  for (let at = 0; at + 1 < raw.length; at += 2)
    if (NAME.test(raw[at]!) && VALUE.test(raw[at + 1]!)) lines += `${raw[at]!}: ${raw[at + 1]!}\r\n`
  return lines
}
