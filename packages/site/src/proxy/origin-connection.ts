/**
 * OriginConnection: one connection to the origin, and one exchange on it at a time.
 *
 *   connecting ─▶ idle ─▶ asked ─▶ (interim heads) ─▶ body ─▶ idle again, or closed
 *                                        └── 101 ─▶ handed over with all that comes on it
 *
 * What is sent is framed here and nowhere else. Answers are cut by strict rules; what comes when nothing was asked ends the connection, for it would be taken for the
 * answer to the next request.
 */
import type { Socket } from 'node:net'
import { bindsConnection, textOf, ChunkReader, endsBare, readWireHead, wireHeadEnd } from '@comity/protocol'
import { lastChunk, lengthOf } from './answer-writer.ts'
import { NO_TRAILERS } from './asker.ts'
import type { AnswerLine, Asker, Trailers } from './asker.ts'
import { forwardedHead, isRepeatable } from './forwarded-request.ts'
import type { ProxyOptions } from './proxy-options.ts'
import { refusal } from './refusal.ts'
import type { Refusal } from './refusal.ts'
import { readProxyResponse } from './proxy-response.ts'
import type { ProxyResponse } from './proxy-response.ts'

/** Where it belongs. */
export interface OriginHome {
  readonly options: ProxyOptions
  readonly now: number
  onIdle(origin: OriginConnection): void
  onGone(origin: OriginConnection, repeat: Asker | undefined): void
}

const CRLF = Buffer.from('\r\n')
/** Heads of 1xx before the answer. */
const MAX_INTERIM = 20

export class OriginConnection implements AnswerLine {
  readonly #socket: Socket
  readonly #home: OriginHome
  #asker: Asker | undefined
  #response: ProxyResponse | undefined
  #chunks: ChunkReader | undefined
  #left = 0
  /** Of the request's body, as its head says; -1: chunks. Until all of it was sent the connection is no use for another. */
  #unsent = 0
  #rest: Buffer | undefined
  #interim = 0
  #isConnected = false
  #isPaused = false
  #isGone = false
  #isHeard = false
  /** After 101: only its end concerns the pool. */
  #isHandedOver = false
  #uses = 0
  #at: number

  constructor(socket: Socket, connected: 'connect' | 'secureConnect', home: OriginHome) {
    this.#socket = socket
    this.#home = home
    this.#at = home.now
    socket.once(connected, () => {
      this.#isConnected = true
      this.#at = home.now
    })
    socket.on('drain', () => this.#asker?.onDrain())
    socket.on('end', () => this.#ended())
    socket.on('error', (error) => this.#broken(error))
    socket.on('close', () => (this.#isHandedOver ? this.#leave(undefined) : this.#broken(undefined)))
  }

  get isSent(): boolean {
    return this.#unsent === 0
  }

  ask(asker: Asker): void {
    this.#asker = asker
    this.#response = undefined
    this.#interim = 0
    this.#isHeard = false
    this.#unsent = asker.request.length
    this.#uses++
    this.#at = this.#home.now
    if (this.#unsent !== 0) {
      // The first bytes of the body are most often there too.
      this.#socket.cork()
      process.nextTick(() => this.#socket.uncork())
    }
    this.#socket.write(forwardedHead(asker, this.#home.options), 'latin1')
    asker.onLine(this)
  }

  send(data: readonly Buffer[]): boolean {
    this.#at = this.#home.now
    const socket = this.#socket
    const bytes = lengthOf(data)
    if (bytes === 0) return !socket.writableNeedDrain
    if (this.#unsent !== -1 && bytes > this.#unsent) return this.#miscounted('longer')
    socket.cork()
    if (this.#unsent === -1) socket.write(`${bytes.toString(16)}\r\n`, 'latin1')
    else this.#unsent -= bytes
    for (const piece of data) socket.write(piece)
    if (this.#unsent === -1) socket.write(CRLF)
    socket.uncork()
    return !socket.writableNeedDrain
  }

  endBody(trailers: Trailers): void {
    if (this.#unsent > 0) return void this.#miscounted('shorter')
    if (this.#unsent === -1) this.#socket.write(lastChunk(trailers), 'latin1')
    this.#unsent = 0
  }

  /** The rest would be taken for another request, or another request for the rest. */
  #miscounted(how: 'longer' | 'shorter'): boolean {
    this.#fail(refusal('ambiguous-framing', `The body of the request is ${how} than it says.`))
    return false
  }

  pause(): void {
    this.#isPaused = true
    this.#socket.pause()
  }

  resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#at = this.#home.now
    this.#socket.resume()
  }

  abandon(): void {
    this.#asker = undefined
    this.destroy()
  }

  destroy(): void {
    this.#socket.destroy()
    this.#leave(undefined)
  }

  /** Nobody asks any more, and whoever still waits is told so. */
  giveUp(): void {
    this.#fail(refusal('too-busy', 'This server is being stopped: try again in a moment.'))
  }

  sweep(now: number): void {
    const { connectMs, originMs, originIdleMs } = this.#home.options.limits
    const since = now - this.#at
    if (this.#isHandedOver) return
    if (this.#asker === undefined) {
      if (since > originIdleMs) this.destroy()
    } else if (!this.#isConnected) {
      if (since > connectMs)
        this.#fail(refusal('origin-too-slow', `The site could not be reached within ${connectMs / 1_000} s.`))
    } else if (!this.#isPaused && since > originMs) {
      this.#fail(refusal('origin-too-slow', `The site said nothing for ${originMs / 1_000} s.`))
    }
  }

  /** What has come, in a room that is another's as soon as this returns. False: no more for now. */
  receive(bytes: Buffer): boolean {
    // Whoever has it reads it as from any other socket.
    if (this.#isHandedOver) return this.#socket.push(Buffer.from(bytes))
    this.#receive(bytes)
    return !this.#isPaused
  }

  #receive(bytes: Buffer): void {
    const asker = this.#asker
    if (asker === undefined) return this.destroy()
    this.#isHeard = true
    let at = 0
    // A head has to be whole in time; of a body each piece counts.
    if (this.#response !== undefined) this.#at = this.#home.now
    else {
      const all = this.#rest === undefined ? bytes : Buffer.concat([this.#rest, bytes])
      this.#rest = undefined
      at = this.#takeHeads(all, asker)
      if (this.#response === undefined) return
      bytes = all
    }
    this.#takeBody(bytes, at, asker)
    if (this.#asker === asker) asker.onFlush()
  }

  /** Where the body begins; of no importance while there is no answer. */
  #takeHeads(bytes: Buffer, asker: Asker): number {
    const { maxHeadBytes, maxFields } = this.#home.options.limits
    for (let at = 0; ;) {
      const end = wireHeadEnd(bytes, at)
      if (end === -1 || end - at > maxHeadBytes) {
        if (bytes.length - at > maxHeadBytes) this.#odd(`its head has more than ${maxHeadBytes} bytes`)
        else if (endsBare(bytes)) this.#odd('its lines end with a line feed alone')
        else this.#rest = Buffer.from(bytes.subarray(at))
        return 0
      }
      const head = readWireHead(bytes, at, end, maxFields)
      const response = typeof head === 'string' ? head : readProxyResponse(head, asker.request.method)
      if (typeof response === 'string') return this.#odd(response)
      at = end
      this.#at = this.#home.now
      if (response.status === 101) return this.#switch(response, Buffer.from(bytes.subarray(at)), asker)
      if (response.status >= 200) {
        this.#begin(response, asker)
        return at
      }
      if (++this.#interim > MAX_INTERIM) return this.#odd('it sends interim answers without end')
      asker.onInterim(response)
    }
  }

  #begin(response: ProxyResponse, asker: Asker): void {
    this.#response = response
    this.#left = response.framing === 'length' ? response.length : 0
    this.#chunks = undefined
    asker.onHead(response)
    if (response.framing === 'chunked') this.#chunks = new ChunkReader((span) => asker.onBody(span))
  }

  #takeBody(bytes: Buffer, from: number, asker: Asker): void {
    const { framing } = this.#response!
    if (framing === 'none') return this.#done(bytes.length > from, asker, NO_TRAILERS)
    if (framing === 'chunked') return this.#takeChunks(bytes, from, asker)
    const end = framing === 'close' ? bytes.length : Math.min(bytes.length, from + this.#left)
    if (end > from) {
      const piece = from === 0 && end === bytes.length ? bytes : bytes.subarray(from, end)
      asker.onBody(piece)
    }
    if (framing === 'close') return
    this.#left -= end - from
    if (this.#left === 0) this.#done(bytes.length > end, asker, NO_TRAILERS)
  }

  #takeChunks(bytes: Buffer, from: number, asker: Asker): void {
    const chunks = this.#chunks!
    const end = from + chunks.take(bytes, from)
    if (chunks.problem !== undefined) return void this.#odd(chunks.problem)
    if (chunks.isEnded) this.#done(bytes.length > end, asker, chunks.trailers)
  }

  #done(hasMore: boolean, asker: Asker, trailers: Trailers): void {
    const response = this.#response!
    const isFree = response.keepsAlive && this.isSent && !hasMore && !this.#isGone
    const isReusable = isFree && !knowsAsker(asker, response)
    this.#asker = undefined
    this.#response = undefined
    this.#chunks = undefined
    if (isReusable) {
      this.resume()
      this.#home.onIdle(this)
    } else this.destroy()
    asker.onEnd(trailers)
  }

  #switch(response: ProxyResponse, rest: Buffer, asker: Asker): number {
    if (response.upgrade === undefined) return this.#odd('it changes the protocol without saying to which')
    this.#asker = undefined
    this.#isHandedOver = true
    this.#socket.removeAllListeners('data')
    asker.onSwitch(response, this.#socket, rest)
    return 0
  }

  /** The origin will say no more. */
  #ended(): void {
    if (this.#isHandedOver) return
    const asker = this.#asker
    if (asker !== undefined && this.#response?.framing === 'close') this.#done(true, asker, NO_TRAILERS)
    else this.#broken(undefined)
  }

  #broken(error: Error | undefined): void {
    const asker = this.#asker
    if (asker === undefined) return this.destroy()
    // A connection that was kept may be closed by the origin just when we ask (RFC 9112 §9.3.1).
    if (this.#uses > 1 && !this.#isHeard && isRepeatable(asker.request)) {
      this.#asker = undefined
      this.#socket.destroy()
      return this.#leave(asker)
    }
    const words = error === undefined ? '' : ` (${codeOf(error)})`
    this.#fail(
      this.#isConnected
        ? refusal('origin-broke-off', `The site ended the connection before its answer was whole${words}.`)
        : refusal('origin-unreachable', `The site could not be reached${words}.`),
    )
  }

  #odd(problem: string): number {
    this.#fail(refusal('origin-odd', `The site's answer cannot be passed on: ${problem}.`))
    return 0
  }

  #fail(refused: Refusal): void {
    const asker = this.#asker
    this.#asker = undefined
    this.destroy()
    asker?.onFailure(refused)
  }

  #leave(repeat: Asker | undefined): void {
    if (this.#isGone && repeat === undefined) return
    this.#isGone = true
    this.#home.onGone(this, repeat)
  }
}

const codeOf = (error: Error): string => ('code' in error ? textOf(error.code) : error.message)

/** The origin may know this client by its connection from now on: it must serve nobody else. */
function knowsAsker({ head }: Asker, response: ProxyResponse): boolean {
  const { names } = head
  const maySignIn = names.includes('authorization') || names.includes('proxy-authorization')
  // Most requests have neither, and their fields need not be read out.
  const isAsked = response.status === 401 || response.status === 407
  return (maySignIn || isAsked) && bindsConnection(head.headers, response.head.headers)
}
