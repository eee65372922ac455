/**
 * OriginConnection: one connection to the origin, and one exchange on it at a time.
 *
 *   connecting ─▶ idle ─▶ asked ─▶ (interim heads) ─▶ body ─▶ idle again, or closed
 *                                        └── 101 ─▶ handed over with all that comes on it
 *
 * Answers are cut by strict rules; what comes when nothing was asked ends the connection, for it would be taken for the
 * answer to the next request.
 */
import type { Socket } from 'node:net'
import type { BodyCopy } from './proxy-copy.ts'
import { ChunkReader } from './proxy-chunks.ts'
import { endsBare, readWireHead, wireHeadEnd } from './proxy-head.ts'
import type { ProxyLimits } from './proxy-options.ts'
import { refusal } from './proxy-refusal.ts'
import type { Refusal } from './proxy-refusal.ts'
import { readProxyResponse } from './proxy-response.ts'
import type { ProxyResponse } from './proxy-response.ts'

/** Who asks the origin something, and hears of the answer. */
export interface Asker {
  readonly method: string
  /** The request can be sent again, as if nothing had happened: it has no body and asks for nothing to be done twice. */
  readonly mayRepeat: boolean
  /** Read after `onHead`: chunks are wanted as they came, and a copy of what is in them. */
  readonly takesWire: boolean
  readonly copy: BodyCopy | undefined
  /** Send the request on it now. */
  onOrigin(origin: OriginConnection): void
  onInterim(response: ProxyResponse): void
  onHead(response: ProxyResponse): void
  /** Until the next `onFlush` or `onEnd`, more may follow. */
  onBody(bytes: Buffer): void
  onFlush(): void
  /** Trailers are empty where chunks were taken as they came. */
  onEnd(trailers: readonly (readonly [name: string, value: string])[]): void
  onSwitch(response: ProxyResponse, socket: Socket, rest: Buffer): void
  onFailure(refused: Refusal): void
  onDrain(): void
}

/** Where it belongs. */
export interface OriginHome {
  readonly limits: ProxyLimits
  readonly now: number
  onIdle(origin: OriginConnection): void
  onGone(origin: OriginConnection, repeat: Asker | undefined): void
}

const NO_TRAILERS: readonly [] = []
/** Heads of 1xx before the answer. */
const MAX_INTERIM = 20

export class OriginConnection {
  /** Of the request: all of it was sent. Until then the connection is no use for another. */
  isSent = false
  readonly #socket: Socket
  readonly #home: OriginHome
  #asker: Asker | undefined
  #response: ProxyResponse | undefined
  #chunks: ChunkReader | undefined
  #left = 0
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
    socket.on('data', (bytes: Buffer) => this.#receive(bytes))
    socket.once(connected, () => {
      this.#isConnected = true
      this.#at = home.now
    })
    socket.on('drain', () => this.#asker?.onDrain())
    socket.on('end', () => this.#ended())
    socket.on('error', (error) => this.#broken(error))
    socket.on('close', () => (this.#isHandedOver ? this.#leave(undefined) : this.#broken(undefined)))
  }

  get socket(): Socket {
    return this.#socket
  }

  ask(asker: Asker): void {
    this.#asker = asker
    this.#response = undefined
    this.#interim = 0
    this.#isHeard = false
    this.isSent = false
    this.#uses++
    this.#at = this.#home.now
    asker.onOrigin(this)
  }

  /** False: wait for `onDrain`. */
  send(bytes: Buffer | string): boolean {
    this.#at = this.#home.now
    return typeof bytes === 'string' ? this.#socket.write(bytes, 'latin1') : this.#socket.write(bytes)
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

  /** Nobody wants the answer any more. */
  abandon(): void {
    this.#asker = undefined
    this.destroy()
  }

  destroy(): void {
    this.#socket.destroy()
    this.#leave(undefined)
  }

  sweep(now: number): void {
    const { connectMs, originMs, originIdleMs } = this.#home.limits
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

  #receive(bytes: Buffer): void {
    const asker = this.#asker
    if (asker === undefined) return this.destroy()
    this.#at = this.#home.now
    this.#isHeard = true
    let at = 0
    if (this.#response === undefined) {
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
    const { maxHeadBytes, maxFields } = this.#home.limits
    for (let at = 0; ;) {
      const end = wireHeadEnd(bytes, at)
      if (end === -1 || end - at > maxHeadBytes) {
        if (bytes.length - at > maxHeadBytes) this.#odd(`its head has more than ${maxHeadBytes} bytes`)
        else if (endsBare(bytes)) this.#odd('its lines end with a line feed alone')
        else this.#rest = at === 0 ? bytes : bytes.subarray(at)
        return 0
      }
      const head = readWireHead(bytes, at, end, maxFields)
      const response = typeof head === 'string' ? head : readProxyResponse(head, asker.method)
      if (typeof response === 'string') return this.#odd(response)
      at = end
      if (response.status === 101) return this.#switch(response, bytes.subarray(at), asker)
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
    if (response.framing !== 'chunked') return
    const { copy } = asker
    if (!asker.takesWire) {
      this.#chunks = new ChunkReader((span) => {
        copy?.add(span)
        asker.onBody(span)
      })
    } else this.#chunks = new ChunkReader(copy?.isKeeping === true ? (span) => copy.add(span) : undefined)
  }

  #takeBody(bytes: Buffer, from: number, asker: Asker): void {
    const { framing } = this.#response!
    if (framing === 'none') return this.#done(bytes.length > from, asker, NO_TRAILERS)
    if (framing === 'chunked') return this.#takeChunks(bytes, from, asker)
    const end = framing === 'close' ? bytes.length : Math.min(bytes.length, from + this.#left)
    if (end > from) {
      const piece = from === 0 && end === bytes.length ? bytes : bytes.subarray(from, end)
      asker.copy?.add(piece)
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
    if (asker.takesWire && end > from) asker.onBody(bytes.subarray(from, end))
    if (chunks.isEnded) this.#done(bytes.length > end, asker, asker.takesWire ? NO_TRAILERS : chunks.trailers)
  }

  #done(hasMore: boolean, asker: Asker, trailers: readonly (readonly [string, string])[]): void {
    const isReusable = this.#response!.keepsAlive && this.isSent && !hasMore && asker.copy?.bindsOrigin !== true
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
    if (this.#uses > 1 && !this.#isHeard && asker.mayRepeat) {
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

const codeOf = (error: Error): string => ('code' in error ? String(error.code) : error.message)
