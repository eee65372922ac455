/**
 * OwnAnswer: a request that the site's proxy answers itself. Its body is read only when somebody wants it, and no further than
 * that; its answer goes out at the pace of who takes it.
 *
 *   made ──▶ (body asked for) ──▶ answered, piece by piece ──▶ over
 *     └───────────── its client has gone ─────────────────────┘
 */
import { textOf } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import { NO_TRAILERS } from '../proxy/asker.ts'
import type { AnswerLine, Asker } from '../proxy/asker.ts'
import type { ProxyResponse } from '../proxy/proxy-response.ts'
import { refusal } from '../proxy/refusal.ts'
import { madeResponse } from './response.ts'
import type { SiteAnswer, SiteRequest } from '../site-request.ts'

export class OwnAnswer implements AnswerLine {
  readonly request: SiteRequest
  readonly #asker: Asker
  readonly #now: () => Instant
  #isSent: boolean
  #isOpen = false
  #isGone = false
  #read: BodyRead | undefined
  #stream: AsyncIterator<Uint8Array> | undefined
  #paused: PromiseWithResolvers<void> | undefined

  constructor(asker: Asker, now: () => Instant) {
    const { request, head, place } = asker
    this.#asker = asker
    this.#now = now
    this.#isSent = request.length === 0
    this.request = {
      method: request.method,
      path: request.target,
      headers: head.headers,
      client: request.said?.address ?? place.address,
      body: async (maxBytes) => await this.#readBody(maxBytes),
    }
  }

  get isSent(): boolean {
    return this.#isSent
  }

  /** Its client has gone, and nothing is to be sent any more. */
  get isGone(): boolean {
    return this.#isGone
  }

  async answer(answer: SiteAnswer): Promise<void> {
    const { body } = answer
    const response = madeResponse(answer, this.#asker.request.method, this.#now())
    if (!this.#isGone) this.#open()
    // Opening may have ended it: a body that was waiting turned out to be none.
    if (this.#isGone) return await discard(body)
    this.#asker.onHead(response)
    if (response.framing === 'none') {
      await discard(body)
      return this.#asker.onEnd(NO_TRAILERS)
    }
    if (!(body instanceof Uint8Array)) return await this.#send(body, response)
    if (body.length > 0) this.#asker.onBody(asBuffer(body))
    this.#asker.onEnd(NO_TRAILERS)
  }

  async #send(body: AsyncIterable<Uint8Array>, { length }: ProxyResponse): Promise<void> {
    const stream = (this.#stream = body[Symbol.asyncIterator]())
    let sent = 0
    try {
      for (let next = await stream.next(); next.done !== true && !this.#isGone; next = await stream.next()) {
        sent += next.value.length
        if (length >= 0 && sent > length) throw new Error(`it is longer than the ${length} bytes that were announced`)
        if (next.value.length > 0) this.#asker.onBody(asBuffer(next.value))
        this.#asker.onFlush()
        await this.#paused?.promise
      }
      if (!this.#isGone && length >= 0 && sent < length) throw new Error(`it ended after ${sent} of ${length} bytes`)
      if (!this.#isGone) this.#asker.onEnd(NO_TRAILERS)
    } catch (error) {
      void stream.return?.().catch(() => undefined)
      // The head is out: all that can still be said is that the rest does not come.
      if (!this.#isGone)
        this.#asker.onFailure(refusal('own-answer-broke-off', `The answer broke off: ${textOf(error)}`))
    }
  }

  send(data: readonly Buffer[]): boolean {
    this.#read?.take(data)
    return true
  }

  endBody(): void {
    this.#isSent = true
    this.#read?.end()
  }

  pause(): void {
    this.#paused ??= Promise.withResolvers<void>()
  }

  resume(): void {
    this.#paused?.resolve()
    this.#paused = undefined
  }

  abandon(): void {
    this.#isGone = true
    this.#read?.giveUp()
    void this.#stream?.return?.().catch(() => undefined)
    this.resume()
  }

  #open(): void {
    if (this.#isOpen) return
    this.#isOpen = true
    this.#asker.onLine(this)
  }

  async #readBody(maxBytes: number): Promise<Uint8Array | 'too-large'> {
    const { length, expectsContinue } = this.#asker.request
    if (length > maxBytes) return 'too-large'
    if (length === 0) return new Uint8Array(0)
    if (this.#isGone) throw new Error('who asked has gone')
    this.#read = new BodyRead(maxBytes)
    if (expectsContinue) this.#asker.onInterim(CONTINUE)
    this.#open()
    return await this.#read.whole
  }
}

const CONTINUE: ProxyResponse = {
  status: 100,
  phrase: ' Continue',
  version: undefined,
  framing: 'none',
  length: -1,
  fields: '',
  keepsAlive: true,
  upgrade: undefined,
  head: { headers: [] },
}

/** A body as it comes, up to a size. */
class BodyRead {
  readonly #maxBytes: number
  readonly #done = Promise.withResolvers<Uint8Array | 'too-large'>()
  #pieces: Buffer[] = []
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get whole(): Promise<Uint8Array | 'too-large'> {
    return this.#done.promise
  }

  take(data: readonly Buffer[]): void {
    for (const piece of data) this.#bytes += piece.length
    if (this.#bytes <= this.#maxBytes) return void this.#pieces.push(...data)
    this.#pieces = []
    this.#done.resolve('too-large')
  }

  end(): void {
    this.#done.resolve(Buffer.concat(this.#pieces))
  }

  giveUp(): void {
    this.#done.reject(new Error('who asked has gone'))
    // Nobody may be waiting for it any more.
    this.#done.promise.catch(() => undefined)
  }
}

async function discard(body: SiteAnswer['body']): Promise<void> {
  if (!(body instanceof Uint8Array)) await body[Symbol.asyncIterator]().return?.()
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
