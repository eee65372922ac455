/**
 * AnswerWriter: an answer on its way to a client of HTTP/1, in framing of our own. The head and what has come of the body by
 * then go out in one piece; what comes between two flushes is one chunk, however the origin had cut it.
 */
import type { Socket } from 'node:net'
import { NO_TRAILERS } from './asker.ts'
import type { Trailers } from './asker.ts'
import type { ProxyResponse } from './proxy-response.ts'

/** Up to here a copy is cheaper than a second write. */
const JOIN_BYTES = 32 << 10
const CRLF = Buffer.from('\r\n')

interface AnswerForm {
  readonly isHttp10: boolean
  readonly keepsAlive: boolean
  readonly via: string
}

export class AnswerWriter {
  /** Something of it was given to the client: there is no other answer any more. */
  isBegun = false
  readonly #socket: Socket
  #head = ''
  #pieces: Buffer[] = []
  #isChunking = false

  constructor(socket: Socket) {
    this.#socket = socket
  }

  /** The client takes no more for now. */
  get isFull(): boolean {
    return this.#socket.writableNeedDrain
  }

  /** Whether the connection can go on after it. */
  begin(
    { status, phrase, version, fields, framing, length }: ProxyResponse,
    { isHttp10, keepsAlive, via }: AnswerForm,
  ): boolean {
    this.isBegun = true
    const isOpen = framing === 'close' || framing === 'chunked'
    this.#isChunking = isOpen && !isHttp10
    const hasLength = framing === 'length' || (framing === 'none' && length >= 0 && status !== 204)
    const framed = this.#isChunking
      ? 'Transfer-Encoding: chunked\r\n'
      : hasLength
        ? `Content-Length: ${length}\r\n`
        : ''
    const goesOn = keepsAlive && !(isOpen && isHttp10)
    const connection = !goesOn ? 'Connection: close\r\n' : isHttp10 ? 'Connection: keep-alive\r\n' : ''
    const way = version === undefined ? '' : `Via: ${version} ${via}\r\n`
    this.#head = `HTTP/1.1 ${status}${phrase}\r\n${fields}${framed}${way}${connection}\r\n`
    return goesOn
  }

  body(bytes: Buffer): void {
    this.#pieces.push(bytes)
  }

  /** False: the client does not take it at once. */
  flush(): boolean {
    const [head, pieces, socket] = [this.#head, this.#pieces, this.#socket]
    if (pieces.length === 0) {
      if (head === '') return true
      this.#head = ''
      return socket.write(head, 'latin1')
    }
    this.#pieces = []
    const before = this.#isChunking ? `${head}${lengthOf(pieces).toString(16)}\r\n` : head
    if (this.#isChunking) pieces.push(CRLF)
    this.#head = ''
    return this.#write(before, pieces)
  }

  end(trailers: Trailers = NO_TRAILERS): void {
    this.flush()
    if (this.#isChunking) this.#socket.write(lastChunk(trailers), 'latin1')
    this.isBegun = false
    this.#isChunking = false
  }

  #write(before: string, pieces: readonly Buffer[]): boolean {
    const socket = this.#socket
    if (before === '' && pieces.length === 1) return socket.write(pieces[0]!)
    if (lengthOf(pieces) <= JOIN_BYTES) return socket.write(joined(before, pieces))
    socket.cork()
    if (before !== '') socket.write(before, 'latin1')
    let isTaken = true
    for (const piece of pieces) isTaken = socket.write(piece)
    socket.uncork()
    return isTaken
  }
}

/** The end of a chunked body (RFC 9112 §7.1). */
export const lastChunk = (trailers: Trailers): string =>
  trailers.length === 0 ? '0\r\n\r\n' : `0\r\n${trailers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`

export const lengthOf = (pieces: readonly Buffer[]): number => pieces.reduce((sum, piece) => sum + piece.length, 0)

function joined(head: string, pieces: readonly Buffer[]): Buffer {
  const all = Buffer.allocUnsafe(head.length + lengthOf(pieces))
  let at = all.write(head, 0, 'latin1')
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}
