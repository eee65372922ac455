/**
 * Http2Guest: a client's connection that speaks HTTP/2 (RFC 9113), each stream an exchange of its own; to the origin it goes as
 * HTTP/1.1.
 */
import { constants } from 'node:http2'
import type { IncomingHttpHeaders, ServerHttp2Session, ServerHttp2Stream, ServerOptions } from 'node:http2'
import type { ClientPlace, ProxyContext, ProxyGuest } from './proxy-context.ts'
import { Http2Exchange, refuseStream } from './http2-exchange.ts'
import { http1Head } from './http2-head.ts'
import type { ProxyLimits } from './proxy-options.ts'
import { readProxyRequest } from './proxy-request.ts'
import { refusal } from './refusal.ts'

/** Nghttp2 keeps an eye on resets, settings and pings (CVE-2023-44487 and the like); this is what a session may hold. */
export const http2Options = ({ maxHeadBytes, maxStreams, maxFields }: ProxyLimits): ServerOptions => ({
  maxSessionMemory: 16,
  maxHeaderListPairs: maxFields,
  maxSessionInvalidFrames: 100,
  settings: {
    maxConcurrentStreams: maxStreams,
    maxHeaderListSize: maxHeadBytes,
    enablePush: false,
    initialWindowSize: 256 << 10,
  },
})

export class Http2Guest implements ProxyGuest {
  readonly #session: ServerHttp2Session
  readonly #context: ProxyContext
  readonly #exchanges = new Set<Http2Exchange>()
  readonly #place: ClientPlace
  #at: number

  constructor(session: ServerHttp2Session, place: ClientPlace, context: ProxyContext) {
    this.#session = session
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
    session.on('error', () => session.destroy())
    session.on('close', () => context.guests.delete(this))
    if (context.isStopping) this.close()
  }

  #take(stream: ServerHttp2Stream, raw: readonly string[]): void {
    const [context, place] = [this.#context, this.#place]
    context.counters.requests++
    context.counters.requestsHttp2++
    // An error ends the stream, and `close` follows.
    stream.on('error', () => undefined)
    const head = http1Head(raw, !stream.endAfterHeaders)
    if (typeof head === 'string') return refuseStream(stream, refusal('bad-request', head), context, false)
    const request = readProxyRequest(head, context.options)
    if ('reason' in request) return refuseStream(stream, request, context, head.line.startsWith('HEAD '))
    const exchange = new Http2Exchange(stream, { head, request, place }, context)
    this.#exchanges.add(exchange)
    stream.on('close', () => {
      this.#at = context.pool.now
      this.#exchanges.delete(exchange)
    })
    exchange.begin()
  }

  sweep(now: number): void {
    for (const exchange of this.#exchanges) exchange.sweep(now)
    if (this.#exchanges.size === 0 && now - this.#at > this.#context.options.limits.idleMs) this.close()
  }

  close(): void {
    if (!this.#session.closed) this.#session.close()
  }

  destroy(): void {
    this.#context.guests.delete(this)
    this.#session.destroy(undefined, constants.NGHTTP2_CANCEL)
  }
}
