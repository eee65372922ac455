/**
 * Http1Client: a client's connection that speaks HTTP/1. One request at a time; those that come before their turn wait where
 * they are. Nothing is gathered: what one side does not take, the other is not read for.
 *
 *   head ─▶ body ─▶ answer ─▶ head …          body and answer may overlap
 *     └──────────── refused, or 101 ─▶ linger, tunnel, closed
 */
import type { Socket } from 'node:net'
import type { WireHead } from '@comity/protocol'
import { AnswerWriter } from './answer-writer.ts'
import type { AnswerLine } from './asker.ts'
import type { ClientPlace, ProxyContext, ProxyGuest } from './proxy-context.ts'
import { RequestBody } from './forwarded-request.ts'
import { Http1Exchange } from './http1-exchange.ts'
import type { Http1Line } from './http1-exchange.ts'
import { nextHead } from './next-head.ts'
import { Pace } from './pace.ts'
import { refusal, refusalMessage } from './refusal.ts'
import type { Refusal } from './refusal.ts'
import type { ProxyRequest } from './proxy-request.ts'

/** Of a request that was answered before it was read: so much is read so that the client sees the answer (RFC 9112 §9.6). */
const LINGER_BYTES = 256 << 10

type Phase = 'head' | 'body' | 'answer' | 'linger' | 'gone'

export class Http1Client implements Http1Line, ProxyGuest {
  readonly socket: Socket
  readonly place: ClientPlace
  readonly context: ProxyContext
  readonly answer: AnswerWriter
  mayGoOn = true
  #phase: Phase = 'head'
  #exchange: Http1Exchange | undefined
  #body: RequestBody | undefined
  #lingerBytes = 0
  #rest: Buffer | undefined
  #isFirst = true
  /** Of the head that is coming. */
  #pieces = 0
  #isPaused = false
  /** Since when it is in this phase, or something last moved. */
  #at: number
  readonly #pace: Pace

  constructor(socket: Socket, place: ClientPlace, context: ProxyContext) {
    this.socket = socket
    this.place = place
    this.context = context
    this.answer = new AnswerWriter(socket, place.scheme)
    this.#at = context.pool.now
    this.#pace = new Pace(this.#at)
  }

  get isAsked(): boolean {
    return this.#phase === 'answer'
  }

  begin(): void {
    const { socket } = this
    this.context.guests.add(this)
    socket.on('data', (bytes: Buffer) => this.#take(bytes))
    socket.on('drain', () => {
      this.touch()
      this.#exchange?.origin?.resume()
    })
    socket.on('end', () => this.#ended())
    socket.on('error', () => socket.destroy())
    socket.on('close', () => this.#gone())
  }

  touch(): void {
    this.#at = this.context.pool.now
  }

  sweep(now: number): void {
    const { headMs, idleMs, originMs } = this.context.options.limits
    const since = now - this.#at
    if (this.#phase === 'head') {
      // Browsers open connections that they may need soon: who has said nothing is told nothing.
      if (this.#rest === undefined) {
        if (since > (this.#isFirst ? headMs : idleMs)) this.#linger()
      } else if (since > headMs) this.#refuse(refusal('head-too-slow', 'The request did not come in time.'))
    } else if (this.#phase === 'answer' && this.#exchange?.origin === undefined) {
      if (since > originMs) this.#exchange?.onFailure(refusal('too-busy', TOO_BUSY))
    } else if (this.#phase === 'linger') {
      if (since > headMs) this.destroy()
    } else this.#sweepBodies(now)
  }

  /** While the client is waited for, it moves at least as much as is asked of it. */
  #sweepBodies(now: number): void {
    const { idleMs, paceMs, leastBytesPerSecond } = this.context.options.limits
    const isTaking = this.answer.isFull
    const isSending = this.#phase === 'body' && !this.#isPaused
    const { bytesRead, bytesWritten, writableLength } = this.socket
    const moved = bytesRead + bytesWritten - writableLength
    if (!isTaking && this.#phase !== 'body') this.#pace.rest(now, moved)
    else if (now - this.#at > idleMs) this.#tooSlow(isTaking)
    else if (!isTaking && !isSending) this.#pace.rest(now, moved)
    else if (this.#pace.isTooSlow(now, moved, isTaking ? idleMs : paceMs, leastBytesPerSecond)) this.#tooSlow(isTaking)
  }

  #tooSlow(isTaking: boolean): void {
    if (!isTaking && !this.answer.isBegun) return this.#refuse(BODY_TOO_SLOW)
    this.context.counters.refused[isTaking ? 'reader-too-slow' : 'body-too-slow']++
    this.destroy()
  }

  close(): void {
    this.mayGoOn = false
    if (this.#phase === 'head' && this.#rest === undefined) this.#linger()
  }

  destroy(): void {
    this.socket.destroy()
    this.#gone()
  }

  #take(bytes: Buffer): void {
    const all = this.#rest === undefined ? bytes : Buffer.concat([this.#rest, bytes])
    this.#rest = undefined
    let at = 0
    while (at < all.length) {
      const origin = this.#exchange?.origin
      if (this.#phase === 'head') {
        const next = this.#takeHead(all, at)
        if (next === -1) return
        at = next
      } else if (this.#phase === 'body' && origin !== undefined) at += this.#takeBody(all, at, origin)
      else if (this.#phase === 'linger') {
        this.#lingerBytes -= all.length - at
        return this.#lingerBytes < 0 ? this.destroy() : undefined
      } else if (this.#phase === 'gone') return
      else return this.#wait(all.subarray(at))
    }
  }

  /** Not before its turn. */
  #wait(bytes: Buffer | undefined): void {
    this.#rest = bytes
    this.#isPaused = true
    this.socket.pause()
  }

  /** Where it ended; -1 when nothing more can be done with these bytes. */
  #takeHead(bytes: Buffer, from: number): number {
    const next = nextHead(bytes, from, this.context.options, this.place)
    if (next.kind === 'request') {
      this.#ask(next.head, next.request)
      return next.end
    }
    if (next.kind === 'empty-line') return from + 2
    if (next.kind === 'refused') this.#refuse(next.refused, next.isHead)
    else if (next.kind === 'http2') this.#becomeHttp2(bytes.subarray(from))
    else {
      if (this.#pieces === 0) this.touch()
      if (++this.#pieces > this.context.options.limits.maxHeadPieces) this.#refuse(TOO_MANY_PIECES)
      else this.#rest = from === 0 ? bytes : bytes.subarray(from)
    }
    return -1
  }

  #ask(head: WireHead, request: ProxyRequest): void {
    this.context.counters.requests++
    this.#isFirst = false
    this.#pieces = 0
    this.touch()
    this.#phase = request.length === 0 ? 'answer' : 'body'
    this.#body = request.length === 0 ? undefined : new RequestBody(request.length)
    this.#exchange = new Http1Exchange(this, head, request)
    this.context.answerer.take(this.#exchange)
  }

  #takeBody(bytes: Buffer, from: number, origin: AnswerLine): number {
    this.touch()
    const body = this.#body!
    const { taken, data } = body.take(bytes, from)
    if (body.problem !== undefined) {
      this.#refuse(refusal('ambiguous-framing', `The body of the request is odd: ${body.problem}.`))
      return bytes.length - from
    }
    const isTaken = origin.send(data)
    if (body.isEnded) {
      this.#phase = 'answer'
      origin.endBody(body.trailers)
    } else if (!isTaken) this.#wait(undefined)
    return taken
  }

  goOn(): void {
    if (this.#phase === 'body') this.#goOn()
  }

  #goOn(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.socket.resume()
    const rest = this.#rest
    this.#rest = undefined
    if (rest !== undefined) this.#take(rest)
  }

  onAnswered(goesOn: boolean): void {
    this.#exchange = undefined
    if (!goesOn || !this.mayGoOn || this.#phase !== 'answer') return this.#linger()
    this.#phase = 'head'
    this.touch()
    this.#goOn()
  }

  onUnanswered(refused: Refusal, isHead: boolean): void {
    this.#exchange = undefined
    this.#refuse(refused, isHead)
  }

  /** What the client has got so far must not look like all there is. */
  onBroken(): void {
    this.#exchange = undefined
    if (this.place.scheme === 'http') this.socket.resetAndDestroy()
    else this.socket.destroy()
  }

  leave(): Buffer | undefined {
    const rest = this.#rest
    this.#rest = undefined
    this.#phase = 'gone'
    this.#exchange = undefined
    this.context.guests.delete(this)
    this.socket.removeAllListeners('data')
    return rest
  }

  #refuse(refused: Refusal, isHead = false): void {
    this.context.counters.refused[refused.reason]++
    this.#exchange?.abandon()
    this.#exchange = undefined
    if (this.answer.isBegun) return this.destroy()
    this.socket.write(refusalMessage(refused, isHead))
    this.#linger()
  }

  /** Say no more; hear for a while what the client is still sending, or it would not see the answer. */
  #linger(): void {
    this.#phase = 'linger'
    this.touch()
    this.#lingerBytes = LINGER_BYTES
    this.#rest = undefined
    this.socket.end()
    this.#isPaused = false
    this.socket.resume()
  }

  #becomeHttp2(bytes: Buffer): void {
    if (!this.#isFirst) return this.#refuse(refusal('version-unknown', 'HTTP/2 begins with the connection.'))
    this.leave()
    this.socket.pause()
    this.socket.unshift(bytes)
    this.context.takeHttp2(this.socket, this.place)
  }

  /** It will send no more: who closes a page says no more than that, so the origin need not go on for it. */
  #ended(): void {
    if (this.#phase === 'body' || this.#phase === 'answer') this.destroy()
    else if (this.#phase !== 'gone') this.socket.end()
  }

  #gone(): void {
    if (this.#phase === 'gone') return
    this.#phase = 'gone'
    this.context.guests.delete(this)
    this.#exchange?.abandon()
    this.#exchange = undefined
    this.#rest = undefined
  }
}

const BODY_TOO_SLOW = refusal('body-too-slow', 'The body of the request did not come in time.')
const TOO_MANY_PIECES = refusal('head-too-slow', 'The request came in too many pieces.')
const TOO_BUSY = 'The site has more to do than it can: try again in a moment.'
