/**
 * ProxyServer: a reverse proxy in front of one origin, for whatever of ours stands before a server. Clients speak HTTP/1.1 or
 * HTTP/2, with TLS (ALPN) or without; the origin is asked by HTTP/1.1 on connections that are kept.
 *
 *   clients ⇄ Http1Client | Http2Guest ⇄ Answerer ⇄ OriginPool ⇄ origin
 *                     └── each exchange ──▶ ExchangeWatch
 *
 * Each message has one reader, which is strict, and is written anew for the other side: what two readers could take for two
 * things is refused (RFC 9112 §11.2), and framing, host and who asks are never a client's words (`smuggling.suite.ts`).
 */
import { performServerHandshake } from 'node:http2'
import type { Server, Socket } from 'node:net'
import { createServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { createServer as createTlsServer, Server as TlsServer } from 'node:tls'
import type { TLSSocket } from 'node:tls'
import { CLIENT_SHARE, ClientPlaces } from '@comity/protocol'
import type { Answerer } from './asker.ts'
import { noWatch } from './exchange-watch.ts'
import type { ExchangeWatch } from './exchange-watch.ts'
import { clientPlace } from './proxy-context.ts'
import type { ClientPlace, ProxyContext, ProxyCounters, ProxyGuest } from './proxy-context.ts'
import { Http1Client } from './http1-client.ts'
import { Http2Guest, http2Options } from './http2-guest.ts'
import { OriginPool } from './origin-pool.ts'
import { proxyOptions } from './proxy-options.ts'
import type { ProxyOptions, ProxyWishes } from './proxy-options.ts'
import { refusalCounters } from './refusal.ts'

interface ProxyParts {
  /** Told of all that passes; nobody is without it. */
  readonly watch?: ExchangeWatch | undefined
  /** Who answers in front of the origin, and may ask it; clients ask the origin without it. */
  readonly before?: ((origin: Answerer) => Answerer) | undefined
  readonly now?: (() => number) | undefined
}

/** Idle times are looked at so often; nothing is set for each request. */
const SWEEP_MS = 500

export class ProxyServer {
  readonly counters: ProxyCounters
  readonly #options: ProxyOptions
  readonly #context: ProxyContext
  readonly #server: Server
  readonly #now: () => number
  /** All that were let in: who is in the middle of a handshake is no guest yet. */
  readonly #sockets = new Set<Socket>()
  #timer: NodeJS.Timeout | undefined

  constructor(wishes: ProxyWishes, { watch = noWatch, before, now = Date.now }: ProxyParts = {}) {
    const options = proxyOptions(wishes)
    this.#options = options
    this.#now = now
    this.counters = {
      connections: 0,
      requests: 0,
      requestsHttp2: 0,
      upgrades: 0,
      bodyBytes: 0,
      refused: refusalCounters(),
    }
    const pool = new OriginPool(options)
    this.#context = {
      options,
      pool,
      answerer: before?.(pool) ?? pool,
      watch,
      counters: this.counters,
      now,
      guests: new Set<ProxyGuest>(),
      isStopping: false,
      takeHttp2: (socket, place) => this.#takeHttp2(socket, place),
    }
    pool.now = now()
    this.#server = this.#create()
    const places = new ClientPlaces({
      most: options.limits.maxConnections,
      share: CLIENT_SHARE,
      trusted: [...options.behind],
      onRefused: () => this.counters.refused['too-many-connections']++,
    })
    this.#server.prependListener('connection', (socket: Socket) => {
      if (socket.destroyed) return
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
    // Before everybody else: no client has all connections.
    places.seatAllOf(this.#server)
  }

  /** What is open now: all of it is 0 after a stop. */
  get open(): { readonly clients: number; readonly origin: number; readonly waiting: number } {
    const { guests, pool } = this.#context
    const { connections, waiting } = pool.size
    return { clients: guests.size, origin: connections, waiting }
  }

  /** Resolves with where it listens. */
  async listen(): Promise<{ readonly host: string; readonly port: number; readonly url: string }> {
    const { host, port, tls } = this.#options
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, host, () => {
        this.#server.off('error', reject)
        // Who could not be let in, for want of descriptors, has gone; everybody else stays.
        this.#server.on('error', () => undefined)
        resolve()
      })
    })
    this.#timer = setInterval(() => this.sweep(this.#now()), SWEEP_MS).unref()
    const address = this.#server.address() as { address: string; port: number }
    const name = address.address.includes(':') ? `[${address.address}]` : address.address
    return {
      host: address.address,
      port: address.port,
      url: `http${tls === undefined ? '' : 's'}://${name}:${address.port}`,
    }
  }

  /** Another certificate, for handshakes from now on. Throws when it is none, and goes on with the one before. */
  renewTls(tls: NonNullable<ProxyOptions['tls']>): void {
    if (this.#server instanceof TlsServer) this.#server.setSecureContext({ ...tls, minVersion: 'TLSv1.2' })
  }

  /** Ends what has taken too long. Called by itself while it listens. */
  sweep(now: number): void {
    this.#context.pool.sweep(now)
    for (const guest of this.#context.guests) guest.sweep(now)
  }

  /** No new clients; those that are being answered have until `graceMs` have passed, or until `signal`. */
  async stop(graceMs = 10_000, signal?: AbortSignal): Promise<void> {
    const { guests, pool } = this.#context
    this.#context.isStopping = true
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    for (const guest of guests) guest.close()
    pool.close()
    const cut = (): void => {
      for (const guest of guests) guest.destroy()
      for (const socket of this.#sockets) socket.destroy()
    }
    const timer = setTimeout(cut, graceMs)
    signal?.addEventListener('abort', cut, { once: true })
    if (signal?.aborted === true) cut()
    await closed
    // Their sockets are closed; what is left of them is told later than the server's end.
    cut()
    pool.end()
    clearTimeout(timer)
    signal?.removeEventListener('abort', cut)
    clearInterval(this.#timer)
  }

  #create(): Server {
    const { tls, limits } = this.#options
    if (tls === undefined)
      return createServer({ noDelay: true, allowHalfOpen: true }, (socket) => this.#take(socket, 'http'))
    const settings = {
      cert: tls.cert,
      key: tls.key,
      ALPNProtocols: ['h2', 'http/1.1', 'http/1.0'],
      minVersion: 'TLSv1.2',
      handshakeTimeout: limits.headMs,
      noDelay: true,
    } as const
    const server = createTlsServer(settings, (socket: TLSSocket) => {
      if (socket.alpnProtocol !== 'h2') return this.#take(socket, 'https')
      this.counters.connections++
      this.#takeHttp2(socket, clientPlace(socket.remoteAddress, 'https'))
    })
    // Who does not get as far as a handshake is no concern of ours; the socket is closed already.
    server.on('tlsClientError', () => undefined)
    return server
  }

  #take(socket: Socket, scheme: 'http' | 'https'): void {
    if (socket.destroyed) return
    this.counters.connections++
    new Http1Client(socket, clientPlace(socket.remoteAddress, scheme), this.#context).begin()
  }

  #takeHttp2(socket: Duplex, place: ClientPlace): void {
    socket.on('error', () => socket.destroy())
    // In HTTP/2 who ends its half has gone.
    socket.allowHalfOpen = false
    const session = performServerHandshake(socket, http2Options(this.#options.limits))
    new Http2Guest(session, socket, place, this.#context).begin()
  }
}
