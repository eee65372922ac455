/**
 * SiteTalk: drives one inquiry with one site: asks what it yields, gives it the replies, adds up what it costs, and ends
 * it when it asks for more than anybody should. What a reader does wrong surfaces in the visit that brought the answer.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { TOO_MUCH_WORK } from '@comity/protocol'
import { NO_REQUEST, UNASKED, TOO_COSTLY_REPLY, headersOf } from './inquiry.ts'
import { MAX_DOCUMENT_BYTES, replyOf, isLight } from '@comity/ingest'
import type { Inquiry } from './inquiry.ts'
import type { Ask, Reply } from '@comity/ingest'
import type { Question } from './questions.ts'

export interface Spent {
  readonly requests: number
  /** Of bodies, as sent. */
  readonly bytes: number
}

interface TalkParts<Result> {
  readonly site: number
  readonly origin: string
  readonly inquiry: Inquiry<Result>
  readonly allows: (url: string) => boolean
  readonly ask: (question: Question) => void
  /** Called once. Undefined: it was broken off, by its limits or from outside. */
  readonly ended: (result: Result | undefined, spent: Spent) => void
}

/** Documents and bytes that one inquiry may take. */
const MAX_REQUESTS = 2_500
const MAX_BYTES = 256 << 20

const DISALLOWED: Reply = { kind: 'absent', status: 0, problem: 'robots.txt does not allow it' }
const FOREIGN: Reply = { kind: 'absent', status: 0, problem: 'it is on another site' }

export class SiteTalk<Result> {
  readonly #parts: TalkParts<Result>
  #requests = 0
  #bytes = 0
  #isOver = false

  constructor(parts: TalkParts<Result>) {
    this.#parts = parts
  }

  begin(): void {
    void this.#goOn(this.#parts.inquiry.next())
  }

  breakOff(): void {
    this.#end(undefined)
  }

  /** A promise where others have a turn before it goes on. */
  #goOn(from: IteratorResult<Ask, Result>): Promise<void> | undefined {
    let step = from
    while (step.done !== true) {
      if (step.value === NO_REQUEST) return turn().then(() => this.#hear(UNASKED))
      const refusal = this.#refusal(step.value)
      if (refusal === undefined) {
        this.#ask(step.value)
        return undefined
      }
      step = this.#parts.inquiry.next(refusal)
    }
    this.#end(step.value)
    return undefined
  }

  #refusal({ url }: Ask): Reply | undefined {
    const { origin, allows } = this.#parts
    if (!url.startsWith(`${origin}/`)) return FOREIGN
    return allows(url) ? undefined : DISALLOWED
  }

  #ask(ask: Ask): void {
    if (this.#requests >= MAX_REQUESTS || this.#bytes >= MAX_BYTES) return this.#end(undefined)
    const { site, origin } = this.#parts
    this.#parts.ask({
      site,
      path: ask.url.slice(origin.length),
      method: ask.method,
      headers: headersOf(ask),
      body: ask.body,
      maxBodyBytes: ask.maxBytes ?? MAX_DOCUMENT_BYTES,
      answered: (exchange, address, documents) => {
        if (this.#isOver) return undefined
        this.#requests++
        if (exchange.kind === 'answered') this.#bytes += exchange.body.length
        const came = { ask, exchange, address }
        if (isLight('reply', came)) return this.#hear(replyOf(ask, exchange, address))
        return documents
          .work('reply', came)
          .then((reply) => this.#hear(reply === TOO_MUCH_WORK ? TOO_COSTLY_REPLY : reply))
      },
    })
  }

  #hear(reply: Reply): Promise<void> | undefined {
    return this.#isOver ? undefined : this.#goOn(this.#parts.inquiry.next(reply))
  }

  #end(result: Result | undefined): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#parts.ended(result, { requests: this.#requests, bytes: this.#bytes })
  }
}
