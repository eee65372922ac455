/**
 * Http2Guest: a client's connection that speaks HTTP/2 (RFC 9113), each stream an exchange of its own; to the origin it goes as
 * HTTP/1.1.
 */
import { constants } from 'node:http2'
import type { IncomingHttpHeaders, ServerHttp2Session, ServerHttp2Stream, ServerOptions } from 'node:http2'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Http2Overhead, sessionRefusal } from './http2-flood.ts'
import type { Came } from './http2-flood.ts'
import type { ClientPlace, ProxyContext, ProxyGuest } from './proxy-context.ts'
import { Http2Exchange, refuseStream } from './http2-exchange.ts'
import { http1Head } from './http2-head.ts'
import type { ProxyLimits } from './proxy-options.ts'
import { readProxyRequest } from './proxy-request.ts'
import { refusal } from './refusal.ts'
import type { Refusal } from './refusal.ts'

/**
 * Nghttp2 keeps an eye on resets, settings and pings (CVE-2023-44487 and the like); this is what a session may hold. Heads may be a
 * bit larger than they should be, as what Node refuses is told to nobody; what is too much for us is refused with its reason.
 */
export const http2Options = ({ maxHeadBytes, maxStreams, maxFields }: ProxyLimits): ServerOptions => ({
  maxSessionMemory: 16,
  maxHeaderListPairs: 5 * maxFields,
  maxSessionInvalidFrames: 100,
  settings: {
    maxConcurrentStreams: maxStreams,
    maxHeaderListSize: 2 * maxHeadBytes,
    enablePush: false,
    initialWindowSize: 256 << 10,
  },
})

export class Http2Guest implements ProxyGuest {
  readonly #session: ServerHttp2Session
  readonly #context: ProxyContext
  readonly #exchanges = new Set<Http2Exchange>()
  readonly #place: ClientPlace
  readonly #socket: Duplex
  readonly #overhead: Http2Overhead
  #requests = 0
  #resets = 0
  /** Of bodies of streams that are over, or were refused. */
  #bodyBytes = 0
  #at: number

  constructor(session: ServerHttp2Session, socket: Duplex, place: ClientPlace, context: ProxyContext) {
    this.#session = session
    this.#socket = socket
    this.#overhead = new Http2Overhead(context.options.limits.maxHeadBytes, context.pool.now)
    this.#place = place
    this.#context = context
    this.#at = context.pool.now
  }

  begin(): void {
    const [session, context] = [this.#session, this.#context]
    context.guests.add(this)
    session.on('stream', (stream: ServerHttp2Stream, _headers: IncomingHttpHeaders, _flags: number, raw: string[]) => {
      this.#at = context.pool.now
      this.#take(stream, raw)
    })
    session.on('error', (error) => {
      const uselessBytes = this.#overhead.uselessBytes(this.#came())
      const reason = sessionRefusal(error, { resets: this.#resets, uselessBytes })
      if (reason !== undefined) context.counters.refused[reason]++
      session.destroy()
    })
    session.on('close', () => context.guests.delete(this))
    if (context.isStopping) this.close()
  }

  #take(stream: ServerHttp2Stream, raw: readonly string[]): void {
    const [context, place] = [this.#context, this.#place]
    context.counters.requests++
    context.counters.requestsHttp2++
    this.#requests++
    stream.on('aborted', () => this.#resets++)
    // An error ends the stream, and `close` follows.
    stream.on('error', () => undefined)
    const large = tooLarge(raw, context.options.limits)
    if (large !== undefined) return this.#refuse(stream, large)
    const head = http1Head(raw, !stream.endAfterHeaders)
    if (typeof head === 'string') return this.#refuse(stream, refusal('bad-request', head))
    const request = readProxyRequest(head, context.options, place)
    if ('reason' in request) return this.#refuse(stream, request, head.line.startsWith('HEAD '))
    const exchange = new Http2Exchange(stream, { head, request, place }, context)
    this.#exchanges.add(exchange)
    stream.on('close', () => {
      this.#at = context.pool.now
      this.#exchanges.delete(exchange)
      this.#bodyBytes += exchange.received
    })
    exchange.begin()
  }

  #refuse(stream: ServerHttp2Stream, refused: Refusal, isHead = false): void {
    stream.on('data', (bytes: Buffer) => (this.#bodyBytes += bytes.length))
    refuseStream(stream, refused, this.#context, isHead)
  }

  sweep(now: number): void {
    for (const exchange of this.#exchanges) exchange.sweep(now)
    if (this.#overhead.isFlood(this.#came(), now)) return this.#calm()
    if (this.#exchanges.size === 0 && now - this.#at > this.#context.options.limits.idleMs) this.close()
  }

  #came(): Came {
    const { bytesRead = 0, bytesWritten = 0 } = this.#socket as Partial<Socket>
    let bodyBytes = this.#bodyBytes
    for (const exchange of this.#exchanges) bodyBytes += exchange.received
    return { bytes: bytesRead, requests: this.#requests, bodyBytes, sentBytes: bytesWritten }
  }

  #calm(): void {
    this.#context.counters.refused['http2-flood']++
    this.#context.guests.delete(this)
    this.#session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM)
    this.#session.destroy()
  }

  close(): void {
    if (!this.#session.closed) this.#session.close()
  }

  destroy(): void {
    this.#context.guests.delete(this)
    this.#session.destroy(undefined, constants.NGHTTP2_CANCEL)
  }
}

/** As in HTTP/1, with what a line has around a name and a value. */
function tooLarge(raw: readonly string[], { maxFields, maxHeadBytes }: ProxyLimits): Refusal | undefined {
  if (raw.length / 2 > maxFields) return refusal('bad-request', `A request may have ${maxFields} fields.`)
  const bytes = raw.reduce((sum, text) => sum + text.length + 2, 0)
  return bytes > maxHeadBytes
    ? refusal('head-too-large', `The head of a request may have ${maxHeadBytes} bytes.`)
    : undefined
}
