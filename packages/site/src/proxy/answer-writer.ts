/**
 * AnswerWriter: an answer on its way to a client of HTTP/1, in framing of our own. The head and what has come of the body by
 * then go out in one piece; what comes between two flushes is one chunk, however the origin had cut it. Nothing that it was given
 * is needed any more when it was flushed, unless it is longer than any piece of the origin's.
 */
import type { Socket } from 'node:net'
import { NO_TRAILERS, PIECE_BYTES } from './asker.ts'
import type { Trailers } from './asker.ts'
import type { ProxyResponse } from './proxy-response.ts'

/** A piece with a usual head: a copy is cheaper than a second write. */
const JOIN_BYTES = PIECE_BYTES + (8 << 10)
const CRLF = Buffer.from('\r\n')

/**
 * Room in which heads and bodies are joined, of all clients: most take all of it at once. Who does not has it until then, and others get
 * another. To make a buffer for each answer was most of what V8's collector had to do in a proxy.
 */
let room: Buffer | undefined

interface AnswerForm {
  readonly isHttp10: boolean
  readonly keepsAlive: boolean
  readonly via: string
}

export class AnswerWriter {
  /** Something of it was given to the client: there is no other answer any more. */
  isBegun = false
  readonly #socket: Socket
  /** What it is given is written at once, as far as it goes: encryption takes its time. */
  readonly #isPlain: boolean
  #head = ''
  #pieces: Buffer[] = []
  #isChunking = false
  /** A body follows for sure: a head alone waits a moment for its beginning. */
  #mayWait = false

  constructor(socket: Socket, scheme: 'http' | 'https') {
    this.#socket = socket
    this.#isPlain = scheme === 'http'
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
    this.#mayWait = framing === 'length' && length > 0
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
      if (this.#mayWait) return this.#waitForBody()
      this.#head = ''
      return socket.write(head, 'latin1')
    }
    this.#pieces = []
    const before = this.#isChunking ? `${head}${lengthOf(pieces).toString(16)}\r\n` : head
    if (this.#isChunking) pieces.push(CRLF)
    this.#head = ''
    return this.#write(before, pieces)
  }

  /**
   * Servers send a head, and its body right behind it: two writes to the client would be half as much work again as one. So it goes out
   * when every connection was looked at once more, unless the body has come by then.
   */
  #waitForBody(): boolean {
    this.#mayWait = false
    setImmediate(() => setImmediate(() => void this.flush()))
    return true
  }

  end(trailers: Trailers = NO_TRAILERS): void {
    this.#mayWait = false
    this.flush()
    if (this.#isChunking) this.#socket.write(lastChunk(trailers), 'latin1')
    this.isBegun = false
    this.#isChunking = false
  }

  #write(before: string, pieces: readonly Buffer[]): boolean {
    const socket = this.#socket
    const length = before.length + lengthOf(pieces)
    if (length <= JOIN_BYTES) {
      // Who has not taken what came before is no reason to give the room away.
      if (this.#isPlain && socket.writableLength === 0) return this.#writeInRoom(before, pieces, length)
      return socket.write(join(before, pieces, Buffer.allocUnsafe(length)))
    }
    socket.cork()
    if (before !== '') socket.write(before, 'latin1')
    let isTaken = true
    for (const piece of pieces) isTaken = socket.write(piece.length > PIECE_BYTES ? piece : Buffer.from(piece))
    socket.uncork()
    return isTaken
  }

  #writeInRoom(before: string, pieces: readonly Buffer[], length: number): boolean {
    const socket = this.#socket
    room ??= Buffer.allocUnsafeSlow(JOIN_BYTES)
    const isTaken = socket.write(join(before, pieces, room).subarray(0, length))
    if (socket.writableLength > 0) room = undefined
    return isTaken
  }
}

/** The end of a chunked body (RFC 9112 §7.1). */
export const lastChunk = (trailers: Trailers): string =>
  trailers.length === 0 ? '0\r\n\r\n' : `0\r\n${trailers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`

export const lengthOf = (pieces: readonly Buffer[]): number => pieces.reduce((sum, piece) => sum + piece.length, 0)

function join(head: string, pieces: readonly Buffer[], into: Buffer): Buffer {
  let at = into.write(head, 0, 'latin1')
  for (const piece of pieces) {
    into.set(piece, at)
    at += piece.length
  }
  return into
}
