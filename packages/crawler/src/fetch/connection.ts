/**
 * Connection: one TCP (or TLS) connection to one address, on which a visit makes its requests one after the other.
 *
 * It is opened once. When the server closes it the visit is over: a second connection is another lease's business,
 * with its own politeness. Every phase has its time limit, every size its cap, and whatever the server does is an Exchange.
 */
import type { Socket } from 'node:net'
import type { SecureContext, TLSSocket } from 'node:tls'
import { Client, buildConnector } from 'undici'
import type { Dispatcher } from 'undici'
import type { Instant } from '@comity/protocol'
import type { ByteBudget } from './byte-budget.ts'
import type { CrawlerIdentity } from './crawler-identity.ts'
import { ExchangeReader } from './exchange-reader.ts'
import type { Exchange, Head } from '@comity/ingest'
import { proxyAuthorization, tunnel } from './proxy.ts'

export interface ConnectionLimits {
  readonly connectTimeoutMs: number
  readonly headersTimeoutMs: number
  /** Longest silence inside a body. */
  readonly bodyTimeoutMs: number
  /** A whole request, however busily the server drips. */
  readonly totalTimeoutMs: number
  readonly maxBodyBytes: number
  readonly maxHeaderBytes: number
}

interface ConnectionOptions {
  readonly origin: string
  readonly address: string
  readonly limits: ConnectionLimits
  readonly budget: ByteBudget
  readonly now: () => Instant
  /** Trust any certificate: for an intranet whose owner says so. */
  readonly insecureTls: boolean
  /** The authorities to trust; the system's when there is none. */
  readonly trust?: SecureContext | undefined
  /** `http://user:password@host:port`. */
  readonly proxy?: string | undefined
  /** Signs every request; none are signed without it. */
  readonly identity?: CrawlerIdentity | undefined
}

export interface RequestOptions {
  /** GET when not given. QUERY (RFC 10008) asks as safely, with a body. */
  readonly method?: 'GET' | 'QUERY' | 'POST' | undefined
  readonly body?: string | undefined
  /** Decide by the head whether the body is worth reading. */
  readonly wants?: (head: Head) => boolean
  /** Instead of the connection's own limit. */
  readonly maxBodyBytes?: number
}

export class Connection {
  readonly #options: ConnectionOptions
  readonly #client: Client
  readonly #isPlainProxy: boolean
  #socket: Socket | undefined
  #reader: ExchangeReader | undefined
  #connectMs: number | undefined
  #opened = false
  #isH2 = false
  #over = false
  #isCut = false
  #used = 0

  constructor(options: ConnectionOptions) {
    this.#options = options
    this.#isPlainProxy = options.proxy !== undefined && options.origin.startsWith('http:')
    this.#client = this.#createClient()
    this.#client.on('disconnect', () => {
      this.#over = true
    })
  }

  /** Whether another request can go out on it. */
  get isOpen(): boolean {
    return !this.#over
  }

  request(path: string, headers: Record<string, string>, asked: RequestOptions = {}): Promise<Exchange> {
    return new Promise((resolve) => {
      const { limits, budget, now, origin, proxy } = this.#options
      let signature: Record<string, string> = {}
      this.#reader = new ExchangeReader({
        limits: { ...limits, maxBodyBytes: asked.maxBodyBytes ?? limits.maxBodyBytes },
        budget,
        now,
        fresh: this.#used++ === 0,
        wants: asked.wants ?? (() => true),
        received: () => this.#socket?.bytesRead ?? 0,
        isProxyAnswer: ({ status }) => this.#isPlainProxy && status === 407,
        resolve: (exchange) => {
          // HTTP/2 gives up a stream and keeps the rest; HTTP/1.1 has only the one.
          const isWhole = exchange.kind === 'answered' && exchange.truncated === undefined && !exchange.declined
          if (!isWhole && !this.#isH2) this.#over = true
          resolve({ ...(this.#isCut ? unasked(exchange) : exchange), connectMs: this.#connectMs, signature })
          this.#connectMs = undefined
        },
      })
      // A plain proxy is asked for the whole URL (RFC 9112 §3.2.2).
      const target = this.#isPlainProxy ? origin + path : path
      try {
        const { method = 'GET', body = null } = asked
        signature = this.#sign(method, path, asked.body)
        const sent = {
          ...headers,
          ...signature,
          ...(this.#isPlainProxy ? proxyAuthorization(proxy as string) : {}),
        }
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- undici sends any method; its types know fewer.
        const options = { origin, path: target, method, body, headers: sent } as Dispatcher.DispatchOptions
        this.#client.dispatch(options, this.#reader)
      } catch (error) {
        // undici refuses some requests before sending them, such as a path with a control character.
        this.#reader.onResponseError(undefined, error as Error)
      }
    })
  }

  /** When something came of the request under way, or it began. */
  get heardAt(): Instant {
    return this.#reader?.heardAt ?? this.#options.now()
  }

  /** The request under way is given up by us: it counts as never made. */
  cut(): void {
    this.#isCut = true
    void this.close()
  }

  #sign(method: string, path: string, body: string | undefined): Record<string, string> {
    const { identity, origin, now } = this.#options
    const fields = identity?.sign({ method, url: origin + path, body }, now()) ?? []
    return Object.fromEntries(fields.map(([name, value]) => [name.toLowerCase(), value]))
  }

  async close(): Promise<void> {
    this.#over = true
    await this.#client.destroy()
  }

  #createClient(): Client {
    const { headersTimeoutMs, bodyTimeoutMs, maxHeaderBytes } = this.#options.limits
    return new Client(this.#options.origin, {
      headersTimeout: headersTimeoutMs,
      bodyTimeout: bodyTimeoutMs,
      maxHeaderSize: maxHeaderBytes,
      pipelining: 1,
      // The visit closes the connection itself; until then it may rest between two requests.
      keepAliveTimeout: 10_000,
      connect: (options, callback) => {
        if (this.#opened) return callback(connectionOver(), null)
        this.#opened = true
        const began = performance.now()
        this.#connect(options, (error, socket) => {
          this.#connectMs = performance.now() - began
          if (error !== null) return callback(this.#named(error), null)
          this.#watch(socket)
          callback(null, socket)
        })
      },
    })
  }

  #connect(options: buildConnector.Options, callback: buildConnector.Callback): void {
    const { address, limits, insecureTls, trust, proxy, origin } = this.#options
    const connect = buildConnector({
      timeout: limits.connectTimeoutMs,
      rejectUnauthorized: !insecureTls,
      allowH2: true,
      ...(trust === undefined ? {} : { secureContext: trust }),
    })
    const { hostname, port } = new URL(origin)
    const servername = /[a-z]/i.test(hostname) && !hostname.includes(':') ? { servername: hostname } : {}
    if (proxy === undefined) return connect({ ...options, hostname: address, ...servername }, callback)
    if (this.#isPlainProxy) {
      const to = new URL(proxy)
      return connect({ hostname: to.hostname, host: to.host, protocol: to.protocol, port: to.port }, callback)
    }
    const onward = { ...options, ...servername }
    void throughTunnel(proxy, `${hostname}:${port || '443'}`, limits.connectTimeoutMs, callback, (httpSocket) =>
      connect({ ...onward, httpSocket }, callback),
    )
  }

  /** A connection that is cut in the handshake is a matter of TLS, though the system calls it a reset. */
  #named(error: Error): Error {
    const isCut = 'code' in error && error.code === 'ECONNRESET' && this.#options.origin.startsWith('https:')
    return isCut ? Object.assign(new Error(error.message, { cause: error }), { code: 'ERR_TLS_HANDSHAKE' }) : error
  }

  /** The parser caps header fields only; the socket knows of every byte. HTTP/2 reads its socket by itself. */
  #watch(socket: Socket | TLSSocket): void {
    this.#isH2 = 'alpnProtocol' in socket && socket.alpnProtocol === 'h2'
    if (this.#isH2) return
    this.#socket = socket
    // After this turn's parsing, so that bytes of a body are not taken for a head that has no end.
    socket.on('readable', () => queueMicrotask(() => this.#reader?.onReceived()))
  }
}

/** What came of it until then says nothing of the site. */
function unasked({ startedAt, endedAt, connectMs, firstByteMs, transferMs }: Exchange): Exchange {
  const timed = { startedAt, endedAt, connectMs, firstByteMs, transferMs }
  return { kind: 'failed', outcome: 'connection-reset', message: 'the crawl stops', stale: true, ...timed }
}

async function throughTunnel(
  proxy: string,
  authority: string,
  timeoutMs: number,
  callback: buildConnector.Callback,
  goOn: (socket: Socket) => void,
): Promise<void> {
  try {
    goOn(await tunnel(proxy, authority, timeoutMs))
  } catch (error) {
    callback(error as Error, null)
  }
}

const connectionOver = (): Error => Object.assign(new Error('the connection is over'), { code: 'ECONNRESET' })
