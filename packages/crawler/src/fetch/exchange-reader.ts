/**
 * ExchangeReader: takes the answer to one request in as it arrives, holds it to its limits, and
 * turns everything a server can do into a value.
 *
 *   nothing yet ──head──▶ head ──bytes──▶ body ──end──▶ answered
 *        │                  │               └─ cut: answered, `truncated`
 *        └─ failed          └─ failed when the bytes make no sense, else answered with no body, `truncated`
 */
import type { Dispatcher } from 'undici'
import type { HeaderList, Instant } from '@comity/protocol'
import type { ByteBudget } from './byte-budget.ts'
import type { ConnectionLimits } from './connection.ts'
import { GrowingBytes } from './growing-bytes.ts'
import type { Exchange, Head, Timed, Truncation, Outcome } from '@comity/ingest'
import { outcomeOfError } from '@comity/ingest'

interface ExchangeOptions {
  readonly limits: ConnectionLimits
  readonly budget: ByteBudget
  readonly now: () => Instant
  /** The first request of its connection. */
  readonly fresh: boolean
  readonly wants: (head: Head) => boolean
  /** Bytes that have come in on the connection; 0 when nobody counts them. */
  readonly received: () => number
  /** The answer is the outgoing proxy's, not the site's. */
  readonly isProxyAnswer: (head: Head) => boolean
  readonly resolve: (exchange: Exchange) => void
}

type Stop = Truncation | 'declined' | 'head' | 'proxy'

export class ExchangeReader implements Dispatcher.DispatchHandler {
  readonly #options: ExchangeOptions
  #controller: Dispatcher.DispatchController | undefined
  #startedAt: Instant
  #began: number = performance.now()
  #receivedBefore = 0
  #firstByte = 0
  #head: Head | undefined
  readonly #body = new GrowingBytes()
  #pausedMs = 0
  #stopped: Stop | undefined
  #timer: NodeJS.Timeout | undefined
  #settled = false
  #heardAt: Instant

  constructor(options: ExchangeOptions) {
    this.#options = options
    this.#startedAt = this.#heardAt = options.now()
  }

  /** When something came, or it began. */
  get heardAt(): Instant {
    return this.#heardAt
  }

  /** The connection is there and the request goes out: from here on it is the server's time. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    this.#startedAt = this.#options.now()
    this.#began = performance.now()
    this.#receivedBefore = this.#options.received()
    this.#allow(this.#options.limits.totalTimeoutMs)
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, _: unknown, statusText?: string): void {
    this.#heardAt = this.#options.now()
    if (status < 200) return
    this.#firstByte = performance.now()
    this.#head = { status, statusText: statusText ?? '', headers: headerList(controller.rawHeaders) }
    if (this.#options.isProxyAnswer(this.#head)) this.#stop('proxy')
    else if (!this.#options.wants(this.#head)) this.#stop('declined')
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const { limits, budget, now } = this.#options
    this.#heardAt = now()
    const room = limits.maxBodyBytes - this.#body.size
    this.#body.append(chunk.length > room ? chunk.subarray(0, room) : chunk)
    if (chunk.length > room) return this.#stop('length')
    const pauseMs = budget.draw(chunk.length, now())
    if (pauseMs < 1) return
    this.#pausedMs += pauseMs
    controller.pause()
    setTimeout(() => controller.resume(), pauseMs)
  }

  /** Bytes came in. Endless reason phrases, interim answers, chunk extensions and trailers never reach the others. */
  onReceived(): void {
    if (this.#controller === undefined || this.#settled || this.#stopped !== undefined) return
    const { limits, received } = this.#options
    const bytes = received() - this.#receivedBefore
    if (this.#head === undefined && bytes > limits.maxHeaderBytes) this.#stop('head')
    // Chunks of a few bytes double what is sent; more framing than that is not meant well.
    else if (bytes > limits.maxHeaderBytes + 2 * limits.maxBodyBytes) this.#stop('length')
  }

  onResponseEnd(): void {
    this.#answer()
  }

  onResponseError(_: unknown, error: Error): void {
    const stopped = this.#stopped
    if (stopped === 'proxy') return this.#fail('proxy-error', 'the proxy asks for a user name and password')
    if (this.#head !== undefined) return this.#breakOff(error)
    if (stopped === 'time') return this.#fail('timeout-headers', error.message)
    if (stopped === 'head') return this.#fail('headers-too-large', error.message)
    const outcome = outcomeOfError(error)
    const silent = this.#controller === undefined || this.#options.received() === this.#receivedBefore
    this.#fail(outcome, error.message, outcome === 'connection-reset' && silent && !this.#options.fresh)
  }

  /** The head had come. What there is of the body is kept, unless its framing was nonsense from the first byte. */
  #breakOff(error: Error): void {
    const stopped = this.#stopped
    if (stopped !== undefined) return this.#answer(stopped as Truncation | 'declined')
    const outcome = outcomeOfError(error)
    if (outcome === 'timeout-body') return this.#answer('time')
    if (this.#body.size > 0 || outcome === 'connection-reset') return this.#answer('disconnect')
    this.#fail(outcome, error.message)
  }

  /** Time in which we made the server wait, for the sake of the bytes per second, is not held against it. */
  #allow(ms: number): void {
    this.#timer = setTimeout(() => {
      const paused = this.#pausedMs
      this.#pausedMs = 0
      if (paused > 0) this.#allow(paused)
      else this.#stop('time')
    }, ms)
  }

  #stop(why: Stop): void {
    this.#stopped ??= why
    this.#controller?.abort(new Error(`the answer was not read to its end: ${why}`))
  }

  #answer(ending?: Truncation | 'declined'): void {
    this.#settle({
      kind: 'answered',
      head: this.#head as Head,
      body: this.#body.take(),
      truncated: ending === 'declined' ? undefined : ending,
      declined: ending === 'declined',
      ...this.#timed(),
    })
  }

  #fail(outcome: Outcome, message: string, stale = false): void {
    this.#settle({ kind: 'failed', outcome, message, stale, ...this.#timed() })
  }

  #settle(exchange: Exchange): void {
    clearTimeout(this.#timer)
    if (this.#settled) return
    this.#settled = true
    this.#options.resolve(exchange)
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

/** Headers as they were written: a flat list over HTTP/1.1, an object over HTTP/2. */
function headerList(raw: Dispatcher.DispatchController['rawHeaders']): HeaderList {
  if (raw === undefined || raw === null) return []
  if (!Array.isArray(raw)) {
    return Object.entries(raw)
      .filter(([name]) => !name.startsWith(':'))
      .flatMap(([name, value]) => [value ?? []].flat().map((one) => [name, one] as const))
  }
  const list: [string, string][] = []
  for (let i = 0; i + 1 < raw.length; i += 2) list.push([latin1(raw[i]), latin1(raw[i + 1])])
  return list
}

const latin1 = (text: Buffer | string | undefined): string =>
  typeof text === 'object' ? text.toString('latin1') : (text ?? '')
