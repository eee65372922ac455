/**
 * PageAsker: a request on its way through the site's proxy to the origin, and its answer on the way back, which may be a page.
 * What may be one is held until it is whole, and then goes out in the form the site front gives it.
 *
 *   head ──▶ held ──end──▶ whole: as the front says
 *     │        │ too long, too much at a time, or it takes too long: a stream
 *     │        ▼
 *     └────▶ passing, as it comes
 */
import { textOf } from '@comity/protocol'
import type { Socket } from 'node:net'
import { NO_TRAILERS } from '../proxy/asker.ts'
import type { AnswerLine, Asker, Trailers } from '../proxy/asker.ts'
import type { ClientPlace } from '../proxy/proxy-context.ts'
import type { ProxyRequest } from '../proxy/proxy-request.ts'
import type { ProxyResponse } from '../proxy/proxy-response.ts'
import type { Refusal } from '../proxy/refusal.ts'
import type { AnswerHead, RequestHead } from '../sources/page-watch.ts'
import { fieldsIn, madeResponse } from './response.ts'
import type { FrontPage, SiteFront } from '../site-front.ts'
import type { Instant, WireHead } from '@comity/protocol'

/** What all pages on their way share. */
export interface PageContext {
  readonly front: SiteFront
  readonly now: () => Instant
  /** What the owner should know. */
  readonly tell: (sentence: string) => void
  /** For bodies that are held at one time. */
  readonly room: HeldRoom
}

/** How much may be held, by all together; who finds no room passes as it comes. */
export class HeldRoom {
  used = 0
  readonly #bytes: number

  constructor(bytes: number) {
    this.#bytes = bytes
  }

  take(bytes: number): boolean {
    if (this.used + bytes > this.#bytes) return false
    this.used += bytes
    return true
  }

  give(bytes: number): void {
    this.used -= bytes
  }
}

type State = 'open' | 'held' | 'passing' | 'over'

export class PageAsker implements Asker, AnswerLine {
  /** What the origin is asked. */
  readonly request: ProxyRequest
  readonly head: WireHead
  readonly place: ClientPlace
  readonly version: string
  readonly #asker: Asker
  readonly #context: PageContext
  readonly #asked: RequestHead
  #line: AnswerLine | undefined
  #state: State = 'open'
  #response: ProxyResponse | undefined
  #answer: AnswerHead | undefined
  #pieces: Buffer[] = []
  #bytes = 0
  #timer: NodeJS.Timeout | undefined

  constructor(asker: Asker, request: ProxyRequest, context: PageContext) {
    this.request = request
    this.head = asker.head
    this.place = asker.place
    this.version = asker.version
    this.#asker = asker
    this.#context = context
    const { method, target } = asker.request
    this.#asked = { method, path: target, headers: asker.head.headers }
  }

  onLine(line: AnswerLine): void {
    this.#line = line
    this.#asker.onLine(this)
  }

  onInterim(response: ProxyResponse): void {
    this.#asker.onInterim(response)
  }

  onHead(response: ProxyResponse): void {
    this.#response = response
    const { status, fields, length } = response
    const headers = fieldsIn(fields)
    this.#answer = { status, headers: length < 0 ? headers : [...headers, ['Content-Length', String(length)]] }
    if (!this.#isHeld(this.#answer)) return this.#pass()
    this.#state = 'held'
    this.#timer = setTimeout(() => {
      this.#letGo()
      this.onFlush()
    }, this.#context.front.patienceMs).unref()
  }

  #isHeld(answer: AnswerHead): boolean {
    const { method } = this.#asked
    if (method !== 'GET' && method !== 'HEAD') return false
    try {
      return this.#context.front.holds(this.#asked, answer)
    } catch (error) {
      this.#context.tell(
        `${this.#asked.path} went out as the site made it, since our part of it failed: ${textOf(error)}`,
      )
      return false
    }
  }

  onBody(bytes: Buffer): void {
    if (this.#state === 'held') {
      if (this.#keep(bytes)) return
      this.#letGo()
    }
    if (this.#state === 'passing' && this.#hasBody) this.#asker.onBody(bytes)
  }

  onFlush(): void {
    if (this.#state !== 'passing') return
    if (this.#hasBody) return this.#asker.onFlush()
    // Asked with GET for a HEAD, and no page: nobody wants the rest.
    this.#state = 'over'
    this.#line?.abandon()
    this.#asker.onEnd(NO_TRAILERS)
  }

  onEnd(trailers: Trailers): void {
    if (this.#state === 'over') return
    if (this.#state !== 'held') return this.#end(trailers)
    const body = Buffer.concat(this.#pieces)
    this.#forget()
    const page = this.#context.front.page(this.#asked, this.#answer!, body)
    if (page === undefined) this.#sendAsMade(body)
    else this.#sendPage(page)
  }

  onSwitch(response: ProxyResponse, socket: Socket, rest: Buffer): void {
    this.#state = 'over'
    this.#asker.onSwitch(response, socket, rest)
  }

  onFailure(refused: Refusal): void {
    this.#forget()
    this.#state = 'over'
    this.#asker.onFailure(refused)
  }

  onDrain(): void {
    this.#asker.onDrain()
  }

  get isSent(): boolean {
    return this.#line!.isSent
  }

  send(data: readonly Buffer[]): boolean {
    return this.#line!.send(data)
  }

  endBody(trailers: Trailers): void {
    this.#line!.endBody(trailers)
  }

  pause(): void {
    this.#line!.pause()
  }

  resume(): void {
    this.#line!.resume()
  }

  abandon(): void {
    this.#forget()
    this.#state = 'over'
    this.#line!.abandon()
  }

  /** A HEAD that went to the origin as a GET is answered without what came of it. */
  get #hasBody(): boolean {
    return this.#asked.method !== 'HEAD'
  }

  #keep(bytes: Buffer): boolean {
    const { front, room } = this.#context
    if (this.#bytes + bytes.length > front.maxPageBytes || !room.take(bytes.length)) return false
    this.#pieces.push(Buffer.from(bytes))
    this.#bytes += bytes.length
    return true
  }

  #forget(): void {
    clearTimeout(this.#timer)
    this.#context.room.give(this.#bytes)
    this.#bytes = 0
    this.#pieces = []
  }

  #pass(): void {
    this.#state = 'passing'
    this.#asker.onHead(this.#hasBody ? this.#response! : { ...this.#response!, framing: 'none' })
  }

  /** What was held goes out as it is, and all that follows with it, at the next flush. */
  #letGo(): void {
    if (this.#state !== 'held') return
    const pieces = this.#pieces
    this.#forget()
    this.#pass()
    if (this.#hasBody) for (const piece of pieces) this.#asker.onBody(piece)
  }

  #end(trailers: Trailers): void {
    this.#state = 'over'
    this.#asker.onEnd(trailers)
  }

  #sendAsMade(body: Buffer): void {
    const response = this.#response!
    const framing = this.#hasBody && response.framing !== 'none' ? 'length' : 'none'
    this.#asker.onHead({ ...response, framing, length: framing === 'none' ? response.length : body.length })
    if (framing === 'length' && body.length > 0) this.#asker.onBody(body)
    this.#end(NO_TRAILERS)
  }

  #sendPage(page: FrontPage): void {
    const { version } = this.#response!
    const response = { ...madeResponse(page, this.#asked.method, this.#context.now()), version }
    this.#asker.onHead(response)
    if (response.framing !== 'none' && page.body.length > 0)
      this.#asker.onBody(Buffer.from(page.body.buffer, page.body.byteOffset, page.body.byteLength))
    this.#end(NO_TRAILERS)
  }
}
