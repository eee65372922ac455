/**
 * AnswerWriter: an answer on its way to a client of HTTP/1. The head and what has come of the body by then go out in one
 * piece. Bodies that end with the origin's connection become chunks, so that the client's can go on.
 */
import type { Socket } from 'node:net'
import type { ProxyResponse } from './proxy-response.ts'

/** Up to here a copy is cheaper than a second write. */
const JOIN_BYTES = 32 << 10
const LAST_CHUNK = Buffer.from('0\r\n\r\n')
const CRLF = Buffer.from('\r\n')

export interface AnswerForm {
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
    const endsWithClose = isHttp10 && (framing === 'close' || framing === 'chunked')
    this.#isChunking = framing === 'close' && !isHttp10
    const isChunked = (framing === 'chunked' || this.#isChunking) && !isHttp10
    const hasLength = framing === 'length' || (framing === 'none' && length >= 0 && status !== 204)
    const framed = isChunked ? 'Transfer-Encoding: chunked\r\n' : hasLength ? `Content-Length: ${length}\r\n` : ''
    const goesOn = keepsAlive && !endsWithClose
    const connection = !goesOn ? 'Connection: close\r\n' : isHttp10 ? 'Connection: keep-alive\r\n' : ''
    this.#head = `HTTP/1.1 ${status}${phrase}\r\n${fields}${framed}Via: ${version} ${via}\r\n${connection}\r\n`
    return goesOn
  }

  body(bytes: Buffer): void {
    if (this.#isChunking) this.#pieces.push(Buffer.from(`${bytes.length.toString(16)}\r\n`, 'latin1'), bytes, CRLF)
    else this.#pieces.push(bytes)
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
    if (pieces.length === 1) {
      const piece = pieces[0]!
      if (head === '') return socket.write(piece)
      if (piece.length <= JOIN_BYTES) {
        this.#head = ''
        return socket.write(joined(head, piece))
      }
    }
    this.#head = ''
    socket.cork()
    if (head !== '') socket.write(head, 'latin1')
    let isTaken = true
    for (const piece of pieces) isTaken = socket.write(piece)
    socket.uncork()
    return isTaken
  }

  end(): void {
    if (this.#isChunking) this.#pieces.push(LAST_CHUNK)
    this.flush()
    this.isBegun = false
    this.#isChunking = false
  }
}

function joined(head: string, piece: Buffer): Buffer {
  const all = Buffer.allocUnsafe(head.length + piece.length)
  all.write(head, 0, 'latin1')
  all.set(piece, head.length)
  return all
}
