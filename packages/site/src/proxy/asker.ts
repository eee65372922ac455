/**
 * Asker and answerer: the two sides of a proxy. A client's request is asked of an answerer, which is the origin, or whoever
 * stands before it; what comes back is told to the asker. Neither sees how the other writes messages: bodies go between them
 * without framing, so that whoever sends writes its own.
 */
import type { Socket } from 'node:net'
import type { WireHead } from '@comity/protocol'
import type { ClientPlace } from './proxy-context.ts'
import type { ProxyRequest } from './proxy-request.ts'
import type { ProxyResponse } from './proxy-response.ts'
import type { Refusal } from './refusal.ts'

/** What is read of the origin's answer at a time, at most. */
export const PIECE_BYTES: number = 64 << 10

export type Trailers = readonly (readonly [name: string, value: string])[]

/** Who hears an answer, as it comes. */
interface AnswerListener {
  onInterim(response: ProxyResponse): void
  onHead(response: ProxyResponse): void
  /**
   * Until the next `onFlush` or `onEnd`, more may follow; until that has returned, a piece of up to `PIECE_BYTES` stays as it is. Who
   * keeps it longer copies it.
   */
  onBody(bytes: Buffer): void
  onFlush(): void
  onEnd(trailers: Trailers): void
}

/** Who asks something, and hears of the answer, or why there is none. */
export interface Asker extends AnswerListener {
  readonly request: ProxyRequest
  /** As the client sent it. */
  readonly head: WireHead
  readonly place: ClientPlace
  /** Of the HTTP that the client speaks. */
  readonly version: string
  /** The request is being heard: send its body on this. */
  onLine(line: AnswerLine): void
  onSwitch(response: ProxyResponse, socket: Socket, rest: Buffer): void
  onFailure(refused: Refusal): void
  /** More of the request's body is wanted. */
  onDrain(): void
}

/** What an asker speaks to while it is answered: a connection of the origin, or an answer that is made here. */
export interface AnswerLine {
  /** All of the request was sent. */
  readonly isSent: boolean
  /** Of the body. False: wait for `onDrain`. */
  send(data: readonly Buffer[]): boolean
  /** That was all of the body. */
  endBody(trailers: Trailers): void
  pause(): void
  resume(): void
  /** Nobody wants the answer any more. */
  abandon(): void
}

export interface Answerer {
  /** `onLine` of the asker is called, now or later, unless `onFailure` is. */
  take(asker: Asker): void
  /** It waits no more. */
  leave(asker: Asker): void
}

export const NO_TRAILERS: Trailers = []
