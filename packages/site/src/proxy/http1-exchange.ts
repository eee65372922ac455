/** Http1Exchange: one request of an HTTP/1 client, as the origin hears it, and its answer on the way back. */
import type { Socket } from 'node:net'
import type { WireHead } from '@comity/protocol'
import type { AnswerWriter } from './answer-writer.ts'
import type { AnswerLine, Asker, Trailers } from './asker.ts'
import type { ClientPlace, ProxyContext } from './proxy-context.ts'
import type { BodyWatch, PassedExchange } from './exchange-watch.ts'
import { passedExchange } from './forwarded-request.ts'
import { refusal } from './refusal.ts'
import type { Refusal } from './refusal.ts'
import type { ProxyRequest } from './proxy-request.ts'
import type { ProxyResponse } from './proxy-response.ts'
import { Tunnel } from './tunnel.ts'

/** How an exchange on a connection ended, for whoever holds the connection. */
interface Http1Ending {
  onAnswered(goesOn: boolean): void
  /** There was no answer: this is it. */
  onUnanswered(refused: Refusal, isHead: boolean): void
  /** The answer broke off. */
  onBroken(): void
  /** It is a tunnel from now on; gives what its client has said beyond the request. */
  leave(): Buffer | undefined
}

/** The client's connection, as its exchange sees it. */
export interface Http1Line extends Http1Ending {
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
}

export class Http1Exchange implements Asker {
  readonly request: ProxyRequest
  readonly head: WireHead
  readonly place: ClientPlace
  readonly version: string
  readonly #line: Http1Line
  readonly #passed: PassedExchange
  #body: BodyWatch | undefined
  #origin: AnswerLine | undefined
  #goesOn = false
  #isOver = false

  constructor(line: Http1Line, head: WireHead, request: ProxyRequest) {
    this.request = request
    this.head = head
    this.place = line.place
    this.version = request.isHttp10 ? '1.0' : '1.1'
    this.#line = line
    this.#passed = passedExchange(this, line.context.now())
  }

  get origin(): AnswerLine | undefined {
    return this.#origin
  }

  onLine(origin: AnswerLine): void {
    this.#origin = origin
    this.#line.goOn()
  }

  onDrain(): void {
    this.#line.goOn()
  }

  onInterim({ status, phrase, fields }: ProxyResponse): void {
    if (!this.request.isHttp10) this.#line.socket.write(`HTTP/1.1 ${status}${phrase}\r\n${fields}\r\n`, 'latin1')
  }

  onHead(response: ProxyResponse): void {
    const { context, answer, isAsked, mayGoOn } = this.#line
    const { isHttp10, keepsAlive: wishes } = this.request
    // What is answered before all of it was read leaves the rest in the connection.
    const keepsAlive = wishes && isAsked && mayGoOn && !context.isStopping
    this.#goesOn = answer.begin(response, { isHttp10, keepsAlive, via: context.options.via })
    this.#body = this.#watched(response)
  }

  onBody(bytes: Buffer): void {
    this.#line.context.counters.bodyBytes += bytes.length
    this.#body!.add(bytes)
    this.#line.answer.body(bytes)
  }

  onFlush(): void {
    this.#line.touch()
    if (!this.#line.answer.flush()) this.#origin?.pause()
  }

  onEnd(trailers: Trailers): void {
    this.#isOver = true
    this.#origin = undefined
    this.#line.answer.end(trailers)
    this.#body!.end('whole')
    this.#line.onAnswered(this.#goesOn)
  }

  onSwitch(response: ProxyResponse, origin: Socket, rest: Buffer): void {
    const { context, isAsked, socket } = this.#line
    if (this.request.upgrade === undefined || !isAsked) {
      origin.destroy()
      return this.onFailure(refusal('origin-odd', 'The site changed the protocol, and nobody had asked for it.'))
    }
    this.#isOver = true
    context.counters.upgrades++
    this.#watched(response).end('switched')
    const { phrase, fields, upgrade } = response
    const more = this.#line.leave()
    socket.write(`HTTP/1.1 101${phrase}\r\n${fields}Connection: upgrade\r\nUpgrade: ${upgrade}\r\n\r\n`, 'latin1')
    const { guests, pool, options } = context
    new Tunnel(socket, origin, { guests, pool, idleMs: options.limits.idleMs }).begin(more, rest)
  }

  onFailure(refused: Refusal): void {
    this.#origin = undefined
    const isBegun = this.#body !== undefined
    this.abandon()
    if (!isBegun) return this.#line.onUnanswered(refused, this.request.method === 'HEAD')
    this.#line.context.counters.refused[refused.reason]++
    this.#line.onBroken()
  }

  /** Nobody waits for the answer any more. */
  abandon(): void {
    if (this.#isOver) return
    this.#isOver = true
    const { answerer, watch } = this.#line.context
    answerer.leave(this)
    this.#origin?.abandon()
    this.#origin = undefined
    if (this.#body === undefined) watch.unanswered(this.#passed)
    else this.#body.end('cut-short')
  }

  #watched({ status, version = '1.1', head }: ProxyResponse): BodyWatch {
    return this.#line.context.watch.begin(this.#passed, { status, version, headers: () => head.headers })
  }
}
