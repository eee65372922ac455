/**
 * ExchangeReader: takes the answer to one request in as it arrives, holds it to its limits, and
 * turns everything a server can do into a value. Whoever speaks HTTP on the connection (`http1.ts`, `http2.ts`) tells it.
 *
 *   nothing yet ──head──▶ head ──bytes──▶ body ──end──▶ answered
 *        │                  │               └─ cut: answered, `truncated`
 *        └─ failed          └─ failed when the bytes make no sense, else answered with no body, `truncated`
 */
import type { HeaderList, Instant } from '@comity/protocol'
import type { Exchange, Head, Outcome, Timed, Truncation } from '@comity/ingest'
import type { ByteBudget } from './byte-budget.ts'
import type { ConnectionLimits } from './connection.ts'
import { GrowingBytes } from './growing-bytes.ts'

interface ExchangeOptions {
  readonly limits: ConnectionLimits
  readonly budget: ByteBudget
  readonly now: () => Instant
  /** The first request of its connection. */
  readonly fresh: boolean
  readonly wants: (head: Head) => boolean
  /** The answer is the outgoing proxy's, not the site's. */
  readonly isProxyAnswer: (head: Head) => boolean
  readonly resolve: (exchange: Exchange) => void
}

/** What an answer comes on. */
export interface AnswerLine {
  /** No more of this answer is wanted. */
  abort(): void
  pause(): void
  resume(): void
}

/** A request that never went out, or was answered or given up, has no line. */
export class ExchangeReader {
  readonly #options: ExchangeOptions
  #line: AnswerLine | undefined
  #startedAt: Instant
  #began: number = performance.now()
  #firstByte = 0
  #lastByte = 0
  #received = 0
  #head: Head | undefined
  readonly #body = new GrowingBytes()
  #pausedMs = 0
  #pausedUntil = 0
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
  onRequestStart(line: AnswerLine): void {
    this.#line = line
    this.#startedAt = this.#options.now()
    this.#began = performance.now()
    this.#watchTime()
  }

  /** An answer before the answer (RFC 9110 §15.2). */
  onInterim(): void {
    this.#heardAt = this.#options.now()
  }

  /** `length`: of the body, as far as it is promised; -1 for no promise. */
  onHead(status: number, statusText: string, headers: HeaderList, length = -1): void {
    const { now, isProxyAnswer, wants } = this.#options
    this.#heardAt = now()
    this.#firstByte = this.#lastByte = performance.now()
    const head = { status, statusText, headers }
    this.#head = head
    if (isProxyAnswer(head)) this.#give(() => this.#fail('proxy-error', 'the proxy asks for a user name and password'))
    else if (!wants(head)) this.#give(() => this.#answer('declined'))
    else if (length > 0) this.#body.expect(length)
  }

  /** The bytes may be another's afterwards. */
  onBody(chunk: Uint8Array): void {
    if (this.#settled) return
    const { limits, budget, now } = this.#options
    const at = now()
    this.#heardAt = at
    this.#lastByte = Math.max(this.#lastByte, performance.now())
    const room = limits.maxBodyBytes - this.#body.size
    this.#body.append(chunk.length > room ? chunk.subarray(0, room) : chunk)
    if (chunk.length > room) return this.onTooLong()
    const pauseMs = budget.draw(chunk.length, at)
    if (pauseMs >= 1) this.#pause(pauseMs)
  }

  /** More than is read of any body. */
  onTooLong(): void {
    this.#give(() => this.#answer('length'))
  }

  /** So many bytes of the answer came by now. Endless reason phrases, interim answers, chunk extensions and trailers never reach the others. */
  onReceived(bytes: number): void {
    this.#received = bytes
    const { maxHeaderBytes, maxBodyBytes } = this.#options.limits
    if (this.#head === undefined) {
      if (bytes > maxHeaderBytes)
        this.#give(() => this.#fail('headers-too-large', `the head has more than ${maxHeaderBytes} bytes`))
      // Chunks of a few bytes double what is sent; more framing than that is not meant well.
    } else if (bytes > maxHeaderBytes + 2 * maxBodyBytes) this.onTooLong()
  }

  /** What came in one piece may be whole before it was paid for: the rate holds for it, too. */
  onEnd(): void {
    const leftMs = this.#pausedUntil - performance.now()
    if (leftMs > 0) setTimeout(() => this.#answer(), leftMs)
    else this.#answer()
  }

  /** What there is of a body is kept, unless its framing was nonsense from the first byte. */
  onFailure(outcome: Outcome, message: string): void {
    if (this.#head === undefined) {
      const isUnheard = outcome === 'connection-reset' && this.#received === 0
      this.#fail(outcome, message, isUnheard && !this.#options.fresh)
    } else if (outcome === 'timeout-body') this.#answer('time')
    else if (this.#body.size > 0 || outcome === 'connection-reset') this.#answer('disconnect')
    else this.#fail(outcome, message)
  }

  #pause(ms: number): void {
    const line = this.#line
    this.#pausedMs += ms
    this.#pausedUntil = performance.now() + ms
    this.#lastByte += ms
    line?.pause()
    setTimeout(() => line?.resume(), ms)
  }

  /**
   * One timer for all three limits: it sleeps until the nearest could be passed and looks again. Time in which we made the server
   * wait, for the sake of the bytes per second, is not held against it.
   */
  #watchTime(): void {
    const { headersTimeoutMs, bodyTimeoutMs, totalTimeoutMs } = this.#options.limits
    const silentUntil = this.#head === undefined ? this.#began + headersTimeoutMs : this.#lastByte + bodyTimeoutMs
    const until = Math.min(silentUntil, this.#began + totalTimeoutMs + this.#pausedMs)
    const leftMs = until - performance.now()
    if (leftMs > 0) this.#timer = setTimeout(() => this.#watchTime(), Math.ceil(leftMs))
    else if (this.#head === undefined)
      this.#give(() => this.#fail('timeout-headers', 'the head of the answer did not come in time'))
    else this.#give(() => this.#answer('time'))
  }

  /** What follows of the answer is not read: first the line is given up, so that nothing more comes of it. */
  #give(up: () => void): void {
    if (this.#settled) return
    this.#line?.abort()
    up()
  }

  #answer(ending?: Truncation | 'declined'): void {
    if (this.#settled) return
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
    if (this.#settled) return
    this.#settle({ kind: 'failed', outcome, message, stale, ...this.#timed() })
  }

  #settle(exchange: Exchange): void {
    clearTimeout(this.#timer)
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
