/**
 * Connection: one TCP (or TLS) connection to one address, on which a visit makes its requests one after the other.
 *
 * It is opened once. When the server closes it the visit is over: a second connection is another lease's business,
 * with its own politeness. Every phase has its time limit, every size its cap, and whatever the server does is an Exchange.
 */
import type { Socket } from 'node:net'
import type { SecureContext, TLSSocket } from 'node:tls'
import type { Instant } from '@comity/protocol'
import type { Exchange, Head } from '@comity/ingest'
import type { ByteBudget } from './byte-budget.ts'
import type { CrawlerIdentity } from './crawler-identity.ts'
import { ExchangeReader } from './exchange-reader.ts'
import { Http1 } from './http1.ts'
import type { HttpLine, SentRequest } from './http1.ts'
import { Http2 } from './http2.ts'
import { openSocket } from './open-socket.ts'
import type { Close } from './open-socket.ts'
import { proxyAuthorization } from './proxy.ts'

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
  /** Whether the address is still ours to ask. */
  readonly mayAsk?: (() => boolean) | undefined
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

const wantsAll = (): boolean => true
const UNSIGNED: Readonly<Record<string, string>> = {}

export class Connection {
  readonly #options: ConnectionOptions
  readonly #isPlainProxy: boolean
  #line: HttpLine | undefined
  #http1: Http1 | undefined
  #closeSocket: Close | undefined
  #reader: ExchangeReader | undefined
  #connectMs: number | undefined
  #over = false
  #isCut = false
  #used = 0

  constructor(options: ConnectionOptions) {
    this.#options = options
    this.#isPlainProxy = options.proxy !== undefined && options.origin.startsWith('http:')
  }

  /** Whether another request can go out on it. */
  get isOpen(): boolean {
    return !this.#over && this.#options.mayAsk?.() !== false
  }

  request(path: string, headers: Record<string, string>, asked: RequestOptions = {}): Promise<Exchange> {
    return new Promise((resolve) => {
      const { limits, budget, now } = this.#options
      const { method = 'GET', body, wants = wantsAll, maxBodyBytes = limits.maxBodyBytes } = asked
      const signature = this.#sign(method, path, body)
      const reader = new ExchangeReader({
        limits: maxBodyBytes === limits.maxBodyBytes ? limits : { ...limits, maxBodyBytes },
        budget,
        now,
        fresh: this.#used++ === 0,
        wants,
        isProxyAnswer: ({ status }) => this.#isPlainProxy && status === 407,
        resolve: (exchange) => {
          resolve({ ...(this.#isCut ? unasked(exchange) : exchange), connectMs: this.#connectMs, signature })
          this.#connectMs = undefined
        },
      })
      this.#reader = reader
      this.#ask(this.#sent(method, path, { ...headers, ...signature }, body), reader)
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

  async close(): Promise<void> {
    this.#over = true
    if (this.#line !== undefined) return await this.#line.close()
    this.#closeSocket?.()
    this.#reader?.onFailure('connection-reset', 'we closed the connection')
  }

  #sign(method: string, path: string, body: string | undefined): Readonly<Record<string, string>> {
    const { identity, origin, now } = this.#options
    if (identity === undefined) return UNSIGNED
    const fields = identity.sign({ method, url: origin + path, body }, now())
    return Object.fromEntries(fields.map(([name, value]) => [name.toLowerCase(), value]))
  }

  #sent(method: string, path: string, headers: Record<string, string>, body: string | undefined): SentRequest {
    const { origin, proxy } = this.#options
    const host = origin.slice(origin.indexOf('//') + 2)
    if (!this.#isPlainProxy) return { method, target: path, host, headers, body }
    // A plain proxy is asked for the whole URL (RFC 9112 §3.2.2).
    const authorized = { ...headers, ...proxyAuthorization(proxy as string) }
    return { method, target: origin + path, host, headers: authorized, body }
  }

  #ask(request: SentRequest, reader: ExchangeReader): void {
    if (this.#over) reader.onFailure('connection-reset', 'the connection is over')
    else if (this.#line !== undefined) this.#line.ask(request, reader)
    else this.#open(request, reader)
  }

  #open(request: SentRequest, reader: ExchangeReader): void {
    const { origin, address, limits, insecureTls, trust, proxy } = this.#options
    const began = performance.now()
    const to = {
      origin: new URL(origin),
      address,
      timeoutMs: limits.connectTimeoutMs,
      insecureTls,
      trust,
      proxy: proxy === undefined ? undefined : new URL(proxy),
    }
    this.#closeSocket = openSocket(to, {
      onOpen: (socket, protocol) => {
        this.#connectMs = performance.now() - began
        this.#line = this.#lineOn(socket, protocol)
        this.#line.ask(request, reader)
      },
      onBytes: (bytes) => this.#http1?.receive(bytes),
      onFailure: (outcome, message) => {
        this.#over = true
        this.#connectMs = performance.now() - began
        reader.onFailure(outcome, message)
      },
    })
  }

  #lineOn(socket: Socket, protocol: 'http/1.1' | 'h2'): HttpLine {
    const over = (): void => void (this.#over = true)
    const { origin, limits } = this.#options
    if (protocol === 'h2') return new Http2(origin, socket as TLSSocket, limits, over)
    this.#http1 = new Http1(socket, over)
    return this.#http1
  }
}

/** What came of it until then says nothing of the site. */
function unasked({ startedAt, endedAt, connectMs, firstByteMs, transferMs }: Exchange): Exchange {
  const timed = { startedAt, endedAt, connectMs, firstByteMs, transferMs }
  return { kind: 'failed', outcome: 'connection-reset', message: 'the crawl stops', stale: true, ...timed }
}
