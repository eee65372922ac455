/** Http1Exchange: one request of an HTTP/1 client, as the origin hears it, and its answer on the way back. */
import type { Socket } from 'node:net'
import type { AnswerWriter } from './proxy-answer.ts'
import type { ClientPlace, ProxyContext } from './proxy-context.ts'
import type { BodyCopy, CopiedExchange } from './proxy-copy.ts'
import { copiedExchange, forwardedHead, isRepeatable } from './proxy-forward.ts'
import type { WireHead } from './proxy-head.ts'
import type { Asker, OriginConnection } from './proxy-origin-connection.ts'
import { refusal } from './proxy-refusal.ts'
import type { Refusal } from './proxy-refusal.ts'
import type { ProxyRequest } from './proxy-request.ts'
import type { ProxyResponse } from './proxy-response.ts'
import { Tunnel } from './proxy-tunnel.ts'

/** The client's connection, as its exchange sees it. */
export interface Http1Line {
  readonly socket: Socket
  readonly place: ClientPlace
  readonly context: ProxyContext
  readonly answer: AnswerWriter
  /** The whole request was taken. */
  readonly isAsked: boolean
  readonly mayGoOn: boolean
  /** Something moved. */
  touch(): void
  /** The origin takes more of the request's body. */
  goOn(): void
  onAnswered(goesOn: boolean): void
  /** There was no answer: this is it. */
  onUnanswered(refused: Refusal, isHead: boolean): void
  /** The answer broke off. */
  onBroken(): void
  /** It is a tunnel from now on; gives what its client has said beyond the request. */
  leave(): Buffer | undefined
}

export class Http1Exchange implements Asker {
  readonly method: string
  readonly mayRepeat: boolean
  readonly takesWire: boolean
  copy: BodyCopy | undefined
  readonly #line: Http1Line
  readonly #request: ProxyRequest
  readonly #copied: CopiedExchange
  #origin: OriginConnection | undefined
  #goesOn = false
  #isOver = false

  constructor(line: Http1Line, head: WireHead, request: ProxyRequest) {
    this.method = request.method
    this.mayRepeat = isRepeatable(request)
    this.takesWire = !request.isHttp10
    this.#line = line
    this.#request = request
    this.#copied = copiedExchange(request, line.place, request.isHttp10 ? '1.0' : '1.1', head, line.context.now())
  }

  get origin(): OriginConnection | undefined {
    return this.#origin
  }

  onOrigin(origin: OriginConnection): void {
    const { context, place } = this.#line
    const { length, isHttp10 } = this.#request
    this.#origin = origin
    origin.isSent = length === 0
    if (length !== 0) {
      // The first bytes of the body are most often there too.
      origin.socket.cork()
      process.nextTick(() => origin.socket.uncork())
    }
    origin.send(forwardedHead(this.#request, place, context.options, isHttp10 ? '1.0' : '1.1'))
    this.#line.goOn()
  }

  onDrain(): void {
    this.#line.goOn()
  }

  onInterim({ status, phrase, fields }: ProxyResponse): void {
    if (!this.#request.isHttp10) this.#line.socket.write(`HTTP/1.1 ${status}${phrase}\r\n${fields}\r\n`, 'latin1')
  }

  onHead(response: ProxyResponse): void {
    const { context, answer, isAsked, mayGoOn } = this.#line
    const { isHttp10, keepsAlive: wishes } = this.#request
    // What is answered before all of it was read leaves the rest in the connection.
    const keepsAlive = wishes && isAsked && mayGoOn && !context.isStopping
    this.#goesOn = answer.begin(response, { isHttp10, keepsAlive, via: context.options.via })
    this.copy = this.#copyOf(response)
  }

  onBody(bytes: Buffer): void {
    this.#line.context.counters.bodyBytes += bytes.length
    this.#line.answer.body(bytes)
  }

  onFlush(): void {
    this.#line.touch()
    if (!this.#line.answer.flush()) this.#origin?.pause()
  }

  onEnd(): void {
    this.#isOver = true
    this.#origin = undefined
    this.#line.answer.end()
    this.copy!.end('whole')
    this.#line.onAnswered(this.#goesOn)
  }

  onSwitch(response: ProxyResponse, origin: Socket, rest: Buffer): void {
    const { context, isAsked, socket } = this.#line
    if (this.#request.upgrade === undefined || !isAsked) {
      origin.destroy()
      return this.onFailure(refusal('origin-odd', 'The site changed the protocol, and nobody had asked for it.'))
    }
    this.#isOver = true
    context.counters.upgrades++
    this.#copyOf(response).end('switched')
    const { phrase, fields, upgrade } = response
    const more = this.#line.leave()
    socket.write(`HTTP/1.1 101${phrase}\r\n${fields}Connection: upgrade\r\nUpgrade: ${upgrade}\r\n\r\n`, 'latin1')
    const { guests, pool, options } = context
    new Tunnel(socket, origin, { guests, pool, idleMs: options.limits.idleMs }).begin(more, rest)
  }

  onFailure(refused: Refusal): void {
    this.#origin = undefined
    const isBegun = this.copy !== undefined
    this.abandon()
    if (!isBegun) return this.#line.onUnanswered(refused, this.method === 'HEAD')
    this.#line.context.counters.refused[refused.reason]++
    this.#line.onBroken()
  }

  /** Nobody waits for the answer any more. */
  abandon(): void {
    if (this.#isOver) return
    this.#isOver = true
    const { pool, copies } = this.#line.context
    pool.leave(this)
    this.#origin?.abandon()
    this.#origin = undefined
    if (this.copy === undefined) copies.unanswered(this.#copied)
    else this.copy.end('cut-short')
  }

  #copyOf({ status, version, head }: ProxyResponse): BodyCopy {
    return this.#line.context.copies.begin(this.#copied, { status, version, headers: () => head.headers })
  }
}
