/** Http2Exchange: one stream of an HTTP/2 connection: a request as the origin understands it, and its answer. */
import { constants } from 'node:http2'
import type { OutgoingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import type { WireHead } from '@comity/protocol'
import { NO_TRAILERS } from './asker.ts'
import type { AnswerLine, Asker, Trailers } from './asker.ts'
import type { BodyWatch, PassedExchange } from './exchange-watch.ts'
import { passedExchange } from './forwarded-request.ts'
import { http2Fields, http2Trailers } from './http2-head.ts'
import { Pace } from './pace.ts'
import type { ClientPlace, ProxyContext } from './proxy-context.ts'
import type { ProxyRequest } from './proxy-request.ts'
import type { ProxyResponse } from './proxy-response.ts'
import { refusal, refusalStatus } from './refusal.ts'
import type { Refusal } from './refusal.ts'

export class Http2Exchange implements Asker {
  readonly request: ProxyRequest
  readonly head: WireHead
  readonly place: ClientPlace
  readonly version = '2.0'
  readonly #stream: ServerHttp2Stream
  readonly #context: ProxyContext
  readonly #passed: PassedExchange
  readonly #pace: Pace
  #body: BodyWatch | undefined
  #line: AnswerLine | undefined
  #trailers: Trailers | string = NO_TRAILERS
  #isOver = false
  #at: number
  #moved = 0
  #received = 0

  constructor(
    stream: ServerHttp2Stream,
    { head, request, place }: Pick<Asker, 'head' | 'request' | 'place'>,
    context: ProxyContext,
  ) {
    this.request = request
    this.head = head
    this.place = place
    this.#stream = stream
    this.#context = context
    this.#at = context.pool.now
    this.#pace = new Pace(this.#at)
    this.#passed = passedExchange(this, context.now())
  }

  /** Bytes of the request's body. */
  get received(): number {
    return this.#received
  }

  begin(): void {
    const stream = this.#stream
    const { length } = this.request
    stream.on('close', () => this.#leave())
    stream.on('drain', () => {
      this.#at = this.#context.pool.now
      this.#line?.resume()
    })
    if (stream.endAfterHeaders && length > 0) return this.#unanswered(LENGTH_DIFFERS)
    // A length of 0 may be followed by a frame that says no more than that this was all.
    if (length === 0 && !stream.endAfterHeaders) this.#takeNothing()
    else this.#context.answerer.take(this)
  }

  #takeNothing(): void {
    this.#stream.on('data', () => this.#unanswered(LENGTH_DIFFERS))
    this.#stream.on('end', () => {
      if (!this.#isOver) this.#context.answerer.take(this)
    })
  }

  sweep(now: number): void {
    if (this.#isOver) return
    const { idleMs, originMs, paceMs, leastBytesPerSecond } = this.#context.options.limits
    const since = now - this.#at
    const isSending = this.#line?.isSent === false && !this.#stream.isPaused()
    const isTaking = this.#stream.writableNeedDrain
    const moved = this.#moved - this.#stream.writableLength
    if (this.#line === undefined && since > originMs)
      this.onFailure(refusal('too-busy', 'The site has more to do than it can: try again in a moment.'))
    else if ((isTaking || this.#line?.isSent === false) && since > idleMs) this.#cut(isTaking)
    else if (!isSending && !isTaking) this.#pace.rest(now, moved)
    else if (this.#pace.isTooSlow(now, moved, isTaking ? idleMs : paceMs, leastBytesPerSecond)) this.#cut(isTaking)
  }

  #cut(isTaking: boolean): void {
    this.#context.counters.refused[isTaking ? 'reader-too-slow' : 'body-too-slow']++
    this.#stream.close(constants.NGHTTP2_CANCEL)
  }

  onLine(line: AnswerLine): void {
    this.#line = line
    if (line.isSent) this.#stream.resume()
    else this.#sendBody(line)
  }

  #sendBody(line: AnswerLine): void {
    const stream = this.#stream
    stream.on('trailers', (_trailers, _flags, raw: string[]) => void (this.#trailers = http2Trailers(raw)))
    stream.on('data', (bytes: Buffer) => {
      this.#at = this.#context.pool.now
      this.#moved += bytes.length
      this.#received += bytes.length
      if (this.#line === line && !line.send([bytes])) stream.pause()
    })
    stream.on('end', () => {
      if (this.#line !== line) return
      if (typeof this.#trailers === 'string') this.onFailure(refusal('bad-request', this.#trailers))
      else line.endBody(this.#trailers)
    })
  }

  onDrain(): void {
    this.#stream.resume()
  }

  onInterim({ status, fields }: ProxyResponse): void {
    if (this.#stream.headersSent || this.#stream.closed) return
    try {
      this.#stream.additionalHeaders({ ...http2Fields(fields), ':status': status })
    } catch {
      // What HTTP/2 has no place for is no loss before the answer.
    }
  }

  onHead(response: ProxyResponse): void {
    const { status, version, fields, framing, length, head } = response
    const headers: OutgoingHttpHeaders = { ...http2Fields(fields), ':status': status }
    const vias = headers['via']
    const ways = vias === undefined ? [] : [vias].flat().map(String)
    if (version !== undefined) ways.push(`${version} ${this.#context.options.via}`)
    if (ways.length > 0) headers['via'] = ways.join(', ')
    if (length >= 0 && framing !== 'chunked' && status !== 204) headers['content-length'] = length
    const passed = { status, version: version ?? '1.1', headers: () => head.headers }
    this.#body = this.#context.watch.begin(this.#passed, passed)
    if (this.#stream.closed) return
    try {
      this.#stream.respond(headers, { endStream: framing === 'none', waitForTrailers: framing === 'chunked' })
    } catch (error) {
      // A field of the origin's that HTTP/2 has no place for.
      this.#stream.destroy(error as Error)
    }
  }

  onBody(bytes: Buffer): void {
    this.#at = this.#context.pool.now
    this.#context.counters.bodyBytes += bytes.length
    this.#moved += bytes.length
    this.#body!.add(bytes)
    if (!this.#stream.write(Buffer.from(bytes))) this.#line?.pause()
  }

  onFlush(): void {
    // Every piece went out as it came.
  }

  onEnd(trailers: Trailers): void {
    const stream = this.#stream
    const isUnread = this.#line?.isSent === false
    this.#isOver = true
    this.#line = undefined
    if (!stream.closed) {
      stream.once('wantTrailers', () =>
        stream.sendTrailers(Object.fromEntries(trailers.map(([name, value]) => [name.toLowerCase(), value]))),
      )
      stream.end()
      // The rest of a request that was answered already is of no use (RFC 9113 §8.1).
      if (isUnread) stream.once('finish', () => stream.close(constants.NGHTTP2_NO_ERROR))
    }
    this.#body?.end('whole')
  }

  onSwitch(_response: ProxyResponse, socket: Socket): void {
    socket.destroy()
    this.onFailure(refusal('origin-odd', 'The site changed the protocol, and nobody had asked for it.'))
  }

  onFailure(refused: Refusal): void {
    const isBegun = this.#stream.headersSent
    this.#leave()
    if (!isBegun) return this.#unanswered(refused)
    this.#context.counters.refused[refused.reason]++
    // Closing it would end it as if this were all there is.
    this.#stream.destroy(new Error(refused.words))
  }

  #unanswered(refused: Refusal): void {
    this.#leave()
    refuseStream(this.#stream, refused, this.#context, this.request.method === 'HEAD')
  }

  /** Nobody waits for the answer any more. */
  #leave(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#context.answerer.leave(this)
    this.#line?.abandon()
    this.#line = undefined
    if (this.#body === undefined) this.#context.watch.unanswered(this.#passed)
    else this.#body.end('cut-short')
  }
}

const LENGTH_DIFFERS = refusal('ambiguous-framing', 'The body of the request is not as long as it says.')

export function refuseStream(
  stream: ServerHttp2Stream,
  refused: Refusal,
  { counters }: ProxyContext,
  isHead: boolean,
): void {
  counters.refused[refused.reason]++
  if (stream.closed || stream.headersSent) return
  const headers = {
    ':status': refusalStatus(refused),
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
  }
  stream.respond(headers, { endStream: isHead })
  if (!isHead) stream.end(`${refused.words}\n`)
  stream.resume()
}
