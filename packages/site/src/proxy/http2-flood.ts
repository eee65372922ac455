/**
 * Floods of HTTP/2: frames that cost us work and come to nothing. Node and nghttp2 end a session that resets streams by the
 * thousand, lets acknowledgements pile up, or never ends a head; here each of these has its name. A client that takes what it is
 * answered may send pings, settings, windows and heads that are refused for ever: so what came is held against what came of it,
 * and the rest may not be more than a trickle.
 */
import type { RefusalReason } from './refusal.ts'

/** What came to nothing may be so much at once, and so much a second. */
const BURST_BYTES = 512 << 10
const BYTES_PER_SECOND = 16 << 10

/** What a client sent, in all, and what we know it to be for. */
export interface Came {
  readonly bytes: number
  readonly requests: number
  readonly bodyBytes: number
  /** Of ours, that it takes: each piece is followed by a frame that makes room for another. */
  readonly sentBytes: number
}

export class Http2Overhead {
  readonly #maxHeadBytes: number
  #useless = 0
  #level = 0
  #at: number

  constructor(maxHeadBytes: number, now: number) {
    this.#maxHeadBytes = maxHeadBytes
    this.#at = now
  }

  /** Whether too much of what came was for nothing. Looked at now and then. */
  isFlood(came: Came, now: number): boolean {
    const useless = this.uselessBytes(came)
    const leaked = ((now - this.#at) / 1_000) * BYTES_PER_SECOND
    // What was for something leaves no credit: a thousand requests are no leave for a flood behind them.
    this.#level = Math.max(0, this.#level + Math.max(0, useless - this.#useless) - leaked)
    this.#useless = Math.max(useless, this.#useless)
    this.#at = now
    return this.#level > BURST_BYTES
  }

  uselessBytes({ bytes, requests, bodyBytes, sentBytes }: Came): number {
    // Twice: a body in small pieces has a frame around each.
    return bytes - requests * this.#maxHeadBytes - 2 * bodyBytes - sentBytes / 8
  }
}

/** Resets by a client before its session ended: nghttp2 lets a thousand pass, and does not say that it was these. */
const MANY_RESETS = 500
/** Errors of nghttp2 (`nghttp2_error`), as Node hands them on. */
const [FLOODED, CONTINUATIONS] = [-904, -905]

/** So much came to nothing before one frame was wrong: it was a flood all the same. */
const MUCH_BYTES = 64 << 10

/** Why a session was ended by an error; undefined when its client has just gone. */
export function sessionRefusal(
  error: NodeJS.ErrnoException,
  { resets, uselessBytes }: { readonly resets: number; readonly uselessBytes: number },
): RefusalReason | undefined {
  if (error.code === 'ERR_HTTP2_TOO_MANY_INVALID_FRAMES') return 'http2-flood'
  if (error.code !== 'ERR_HTTP2_ERROR') return undefined
  if (error.errno === CONTINUATIONS) return 'http2-continuations'
  if (resets >= MANY_RESETS) return 'http2-resets'
  return error.errno === FLOODED || uselessBytes > MUCH_BYTES ? 'http2-flood' : 'http2-malformed'
}
