/**
 * Http1: HTTP/1.1 on a connection that stands, one exchange after the other (RFC 9112).
 *
 *   idle ──ask──▶ head ──▶ body ──end──▶ idle, or over when the connection cannot be asked again
 *                   └── abort, nonsense, the server's end: over
 *
 * The heads and the framing are read by the rules that the site's proxy has, as what is kept must be what was sent; what has no meaning
 * may be anything, such as a reason phrase: `odd-answers.test.ts` says what comes of what servers really send. Nothing is thrown, and no
 * error is made for what we end ourselves: a broad crawl closes each connection after a page.
 */
import type { Socket } from 'node:net'
import { ChunkReader, endsBare, LONG_LINE, readAnswerHead, readWireHead, wireHeadEnd } from '@comity/protocol'
import type { AnswerHead, WireHead } from '@comity/protocol'
import { outcomeOfError } from '@comity/ingest'
import type { AnswerLine, ExchangeReader } from './exchange-reader.ts'
import { GrowingBytes } from './growing-bytes.ts'
import { isFieldName } from './site-override.ts'

export interface SentRequest {
  readonly method: string
  /** Path and query, or the whole URL where a proxy is asked. */
  readonly target: string
  readonly host: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** Speaks HTTP on a connection that stands, until it is over. */
export interface HttpLine {
  ask(request: SentRequest, reader: ExchangeReader): void
  /** Resolves, or returns, when the connection is closed. */
  close(): Promise<void> | void
}

const [CR, LF] = [13, 10]
const BEGIN = Buffer.from('HTTP/')
/** Nobody reads trailers, but one that says anew how long the body was is not meant well. */
const mayTrail = (name: string): boolean => name.length !== 14 || name.toLowerCase() !== 'content-length'

export class Http1 implements HttpLine, AnswerLine {
  readonly #socket: Socket
  readonly #onOver: () => void
  #reader: ExchangeReader | undefined
  #method = ''
  #answer: AnswerHead | undefined
  /** Of a head that came in pieces. */
  #begun: GrowingBytes | undefined
  #chunks: ChunkReader | undefined
  #left = 0
  #received = 0

  constructor(socket: Socket, onOver: () => void) {
    this.#socket = socket
    this.#onOver = onOver
    socket.on('end', () => this.#ended())
    socket.on('error', (error) => this.#broken(error))
    socket.on('close', () => this.#broken(undefined))
  }

  ask(request: SentRequest, reader: ExchangeReader): void {
    const text = requestText(request)
    if (text === undefined) return reader.onFailure('bad-response', 'the request cannot be written')
    this.#reader = reader
    this.#method = request.method
    this.#answer = undefined
    this.#received = 0
    reader.onRequestStart(this)
    if (request.body !== undefined) this.#socket.cork()
    this.#socket.write(text, 'latin1')
    if (request.body === undefined) return
    this.#socket.write(request.body, 'utf8')
    this.#socket.uncork()
  }

  /** Bytes that came; they may be another's afterwards. */
  receive(bytes: Buffer): void {
    const reader = this.#reader
    // Nobody asked: it would be taken for the answer to the next request.
    if (reader === undefined) return this.#end()
    this.#received += bytes.length
    if (this.#answer === undefined) this.#takeHeads(this.#joined(bytes), reader)
    else this.#takeBody(bytes, 0, reader)
    if (this.#reader === reader) reader.onReceived(this.#received)
  }

  abort(): void {
    this.#reader = undefined
    this.#end()
  }

  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    if (!this.#socket.destroyed) this.#socket.resume()
  }

  close(): void {
    const reader = this.#reader
    this.abort()
    reader?.onFailure('connection-reset', 'we closed the connection')
  }

  /** With what came of the head before. */
  #joined(bytes: Buffer): Buffer {
    if (this.#begun === undefined) return bytes
    this.#begun.append(bytes)
    return this.#begun.view
  }

  #takeHeads(bytes: Buffer, reader: ExchangeReader): void {
    for (let at = 0; this.#reader === reader;) {
      // Empty lines before a message (RFC 9112 §2.2).
      while (bytes[at] === CR || bytes[at] === LF) at++
      const end = wireHeadEnd(bytes, at)
      if (end === -1) return this.#waitForHead(bytes, at)
      reader.onReceived(this.#received - bytes.length + end)
      if (this.#reader !== reader) return
      const head = readWireHead(bytes, at, end, Infinity, true)
      const answer = typeof head === 'string' ? head : readAnswerHead(head, this.#method)
      if (typeof answer === 'string') return this.#fail(answer)
      at = end
      // We expected nothing and offered nothing: 100 and 101 answer something that nobody asked.
      if (answer.status === 100 || answer.status === 101) return this.#fail(`it has the status ${answer.status}`)
      if (answer.status >= 200) return this.#begin(answer, head as WireHead, bytes, at, reader)
      reader.onInterim()
    }
  }

  #waitForHead(bytes: Buffer, at: number): void {
    const isBegin = BEGIN.compare(
      bytes,
      at,
      Math.min(at + BEGIN.length, bytes.length),
      0,
      Math.min(BEGIN.length, bytes.length - at),
    )
    if (isBegin !== 0) return this.#fail('it does not begin as HTTP/1 does')
    if (endsBare(bytes.subarray(at))) return this.#fail('its lines end with a line feed alone')
    const rest = at === 0 && this.#begun !== undefined ? this.#begun : new GrowingBytes()
    if (rest !== this.#begun) rest.append(bytes.subarray(at))
    this.#begun = rest
  }

  #begin(answer: AnswerHead, head: WireHead, bytes: Buffer, at: number, reader: ExchangeReader): void {
    const { status, phrase, framing, length } = answer
    this.#begun = undefined
    this.#answer = answer
    this.#left = length
    this.#chunks = framing === 'chunked' ? new ChunkReader((span) => reader.onBody(span), mayTrail) : undefined
    reader.onHead(status, phrase.slice(1), head.headers, framing === 'length' ? length : -1)
    if (this.#reader === reader) this.#takeBody(bytes, at, reader)
  }

  #takeBody(bytes: Buffer, from: number, reader: ExchangeReader): void {
    const { framing } = this.#answer!
    if (framing === 'none') return this.#done(bytes.length > from)
    if (this.#chunks !== undefined) return this.#takeChunks(this.#chunks, bytes, from, reader)
    const end = framing === 'close' ? bytes.length : Math.min(bytes.length, from + this.#left)
    if (end > from) reader.onBody(from === 0 && end === bytes.length ? bytes : bytes.subarray(from, end))
    if (framing === 'close' || this.#reader !== reader) return
    this.#left -= end - from
    if (this.#left === 0) this.#done(bytes.length > end)
  }

  #takeChunks(chunks: ChunkReader, bytes: Buffer, from: number, reader: ExchangeReader): void {
    const end = from + chunks.take(bytes, from)
    if (this.#reader !== reader) return
    if (chunks.problem === LONG_LINE) reader.onTooLong()
    else if (chunks.problem !== undefined) this.#fail(chunks.problem)
    else if (chunks.isEnded) this.#done(bytes.length > end)
  }

  #done(hasMore: boolean): void {
    const reader = this.#reader
    this.#reader = undefined
    if (!this.#answer!.keepsAlive || hasMore || this.#socket.writableLength > 0) this.#end()
    reader?.onEnd()
  }

  #fail(problem: string): void {
    const reader = this.#reader
    this.abort()
    reader?.onFailure('bad-response', problem)
  }

  /** The server will say no more. */
  #ended(): void {
    if (this.#reader !== undefined && this.#answer?.framing === 'close') this.#done(true)
    else this.#broken(undefined)
  }

  #broken(error: Error | undefined): void {
    const reader = this.#reader
    this.abort()
    const outcome = error === undefined ? 'connection-reset' : outcomeOfError(error)
    reader?.onFailure(outcome, error?.message ?? 'the server closed the connection')
  }

  #end(): void {
    this.#socket.destroy()
    this.#onOver()
  }
}

/** What only whoever frames the message may say. */
const FRAMING = /^(?:connection|content-length|expect|keep-alive|transfer-encoding|upgrade)$/i

/** A validator that we were given may have bytes that only its server understands (RFC 9110 §5.5). */
const NO_VALUE = /[^\t\x20-\x7e\x80-\xff]/

/** Undefined when it would be another message than is meant. */
function requestText({ method, target, host, headers, body }: SentRequest): string | undefined {
  if (/[^\x21-\xff]/.test(target)) return undefined
  let fields = ''
  let names = `host: ${host}\r\nconnection: keep-alive\r\n`
  for (const [name, value] of Object.entries(headers)) {
    if (!isFieldName(name) || NO_VALUE.test(value) || FRAMING.test(name)) return undefined
    if (name === 'host') names = `host: ${value}\r\nconnection: keep-alive\r\n`
    else fields += `${name}: ${value}\r\n`
  }
  if (body !== undefined || method !== 'GET') fields += `content-length: ${Buffer.byteLength(body ?? '')}\r\n`
  return `${method} ${target} HTTP/1.1\r\n${names}${fields}\r\n`
}
