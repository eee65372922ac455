/**
 * Connection: one TCP (or TLS) connection to one address, on which a visit makes its requests one after the other.
 *
 * It is opened once. When the server closes it the visit is over: a second connection is another lease's business,
 * with its own manners. Every phase has its time limit, every size its cap, and whatever the server does is an Exchange.
 */
import { Client, ProxyAgent, buildConnector } from 'undici'
import type { Dispatcher } from 'undici'
import type { HeaderList, Instant } from '@comity/protocol'
import type { ByteBudget } from './byte-budget.ts'
import { outcomeOfError } from './outcome.ts'
import type { Outcome } from './outcome.ts'

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

export interface ConnectionOptions {
  readonly origin: string
  readonly address: string
  readonly limits: ConnectionLimits
  readonly budget: ByteBudget
  readonly now: () => Instant
  /** Trust any certificate: for an intranet whose owner says so. */
  readonly insecureTls: boolean
  readonly proxy?: string | undefined
}

export interface Head {
  readonly status: number
  readonly statusText: string
  readonly headers: HeaderList
}

/** What one request came to. */
export type Exchange =
  | { readonly kind: 'failed'; readonly outcome: Outcome; readonly message: string; readonly fresh: boolean } & Timed
  | ({
      readonly kind: 'answered'
      readonly head: Head
      readonly body: Uint8Array<ArrayBuffer>
      /** Set when the body is not whole. */
      readonly truncated?: 'length' | 'time' | 'disconnect' | undefined
      /** The caller did not want the body after it saw the head. */
      readonly declined: boolean
    } & Timed)

interface Timed {
  readonly startedAt: Instant
  readonly endedAt: Instant
  readonly connectMs?: number | undefined
  readonly firstByteMs: number
  readonly transferMs: number
}

export class Connection {
  readonly #options: ConnectionOptions
  readonly #dispatcher: Dispatcher
  #connectMs: number | undefined
  #opened = false
  #over = false
  #used = 0

  constructor(options: ConnectionOptions) {
    this.#options = options
    this.#dispatcher = options.proxy === undefined ? this.#direct() : this.#throughProxy(options.proxy)
    this.#dispatcher.on('disconnect', () => {
      this.#over = true
    })
  }

  /** Whether another request can go out on it. */
  get isOpen(): boolean {
    return !this.#over
  }

  request(path: string, headers: Record<string, string>, wants: (head: Head) => boolean): Promise<Exchange> {
    return new Promise((resolve) => {
      const exchange = new ExchangeReader(this.#options, this.#used++ === 0, wants, (result) => {
        resolve({ ...result, connectMs: this.#connectMs })
        this.#connectMs = undefined
      })
      try {
        this.#dispatcher.dispatch({ origin: this.#options.origin, path, method: 'GET', headers }, exchange)
      } catch (error) {
        // undici refuses some requests before sending them, such as a path with a control character.
        exchange.onResponseError(undefined, error as Error)
      }
    })
  }

  async close(): Promise<void> {
    this.#over = true
    await this.#dispatcher.destroy()
  }

  #direct(): Client {
    const { origin, address, limits, insecureTls } = this.#options
    const host = new URL(origin).hostname
    const connect = buildConnector({ timeout: limits.connectTimeoutMs, rejectUnauthorized: !insecureTls, allowH2: true })
    return new Client(origin, {
      ...this.#clientLimits(),
      connect: (options, callback) => {
        if (this.#opened) return callback(new Error('the connection is over'), null)
        this.#opened = true
        const began = performance.now()
        const servername = /[a-z]/i.test(host) && !host.includes(':') ? { servername: host } : {}
        connect({ ...options, hostname: address, ...servername }, (error, socket) => {
          this.#connectMs = performance.now() - began
          if (error === null) callback(null, socket)
          else callback(error, null)
        })
      },
    })
  }

  #throughProxy(proxy: string): ProxyAgent {
    return new ProxyAgent({ uri: proxy, ...this.#clientLimits(), connections: 1 })
  }

  #clientLimits(): Client.Options {
    const { headersTimeoutMs, bodyTimeoutMs, maxHeaderBytes } = this.#options.limits
    return {
      headersTimeout: headersTimeoutMs,
      bodyTimeout: bodyTimeoutMs,
      maxHeaderSize: maxHeaderBytes,
      pipelining: 1,
      // The visit closes the connection itself; until then it may rest between two requests.
      keepAliveTimeout: 10_000,
    }
  }
}

class ExchangeReader implements Dispatcher.DispatchHandler {
  readonly #options: ConnectionOptions
  readonly #fresh: boolean
  readonly #wants: (head: Head) => boolean
  readonly #resolve: (exchange: Exchange) => void
  readonly #startedAt: Instant
  readonly #began = performance.now()
  #firstByte = 0
  #head: Head | undefined
  #chunks: Buffer[] = []
  #size = 0
  #stopped: 'length' | 'time' | 'declined' | undefined
  #timer: NodeJS.Timeout | undefined
  #settled = false

  constructor(
    options: ConnectionOptions,
    fresh: boolean,
    wants: (head: Head) => boolean,
    resolve: (exchange: Exchange) => void,
  ) {
    this.#options = options
    this.#fresh = fresh
    this.#wants = wants
    this.#resolve = resolve
    this.#startedAt = options.now()
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#timer = setTimeout(() => {
      this.#stopped = 'time'
      controller.abort(new Error('the whole request took too long'))
    }, this.#options.limits.totalTimeoutMs)
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, _: unknown, statusText?: string): void {
    if (status < 200) return
    this.#firstByte = performance.now()
    this.#head = { status, statusText: statusText ?? '', headers: headerList(controller.rawHeaders) }
    if (!this.#wants(this.#head)) this.#stop(controller, 'declined')
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const { limits, budget, now } = this.#options
    const room = limits.maxBodyBytes - this.#size
    this.#chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk)
    this.#size += Math.min(chunk.length, room)
    if (chunk.length > room) return this.#stop(controller, 'length')
    const pauseMs = budget.draw(chunk.length, now())
    if (pauseMs < 1) return
    controller.pause()
    setTimeout(() => controller.resume(), pauseMs)
  }

  onResponseEnd(): void {
    this.#finish()
  }

  onResponseError(_: unknown, error: Error): void {
    if (this.#head !== undefined && this.#stopped !== undefined) return this.#finish(this.#stopped)
    if (this.#head !== undefined && this.#size > 0) return this.#finish('disconnect')
    const outcome = this.#stopped === 'time' ? 'timeout-headers' : outcomeOfError(error)
    this.#settle({ kind: 'failed', outcome, message: error.message, fresh: this.#fresh, ...this.#timed() })
  }

  #stop(controller: Dispatcher.DispatchController, why: 'length' | 'declined'): void {
    this.#stopped = why
    controller.abort(new Error(`the body was not read to its end: ${why}`))
  }

  #finish(ending?: 'length' | 'time' | 'disconnect' | 'declined'): void {
    this.#settle({
      kind: 'answered',
      head: this.#head as Head,
      body: joined(this.#chunks, this.#size),
      truncated: ending === 'declined' ? undefined : ending,
      declined: ending === 'declined',
      ...this.#timed(),
    })
  }

  #settle(exchange: Exchange): void {
    clearTimeout(this.#timer)
    if (this.#settled) return
    this.#settled = true
    this.#resolve(exchange)
  }

  #timed(): Timed {
    const ended = performance.now()
    const firstByte = this.#firstByte === 0 ? ended : this.#firstByte
    return {
      startedAt: this.#startedAt,
      endedAt: this.#options.now(),
      firstByteMs: firstByte - this.#began,
      transferMs: ended - firstByte,
    }
  }
}

/** One buffer of its own, so that it can be handed to another thread without a copy. */
function joined(chunks: readonly Buffer[], size: number): Uint8Array<ArrayBuffer> {
  const body = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    body.set(chunk, at)
    at += chunk.length
  }
  return body
}

/** Headers as they were written: a flat list over HTTP/1.1, an object over HTTP/2. */
function headerList(raw: Dispatcher.DispatchController['rawHeaders']): HeaderList {
  if (raw === undefined || raw === null) return []
  if (!Array.isArray(raw)) {
    return Object.entries(raw)
      .filter(([name]) => !name.startsWith(':'))
      .flatMap(([name, value]) => [value ?? []].flat().map((one) => [name, String(one)] as const))
  }
  const list: [string, string][] = []
  for (let i = 0; i + 1 < raw.length; i += 2) list.push([latin1(raw[i]), latin1(raw[i + 1])])
  return list
}

const latin1 = (text: Buffer | string | undefined): string => (typeof text === 'object' ? text.toString('latin1') : (text ?? ''))
