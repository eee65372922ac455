/**
 * BrowserTalk: the answers of one connection, each with its request, as a browser would have them that asked for one after the other.
 * An answer begins where the one before ended, and not before what its client had heard when it asked: what came in between
 * belongs to nobody. So each request finds the thread again, wherever it was lost.
 */
import { BrowserAnswer } from './browser-answer.ts'
import type { Asking, StreamEnd } from './browser-answer.ts'
import { fieldsOf } from './browser-head.ts'
import { requestFrame } from '../http/body-frame.ts'
import type { Direction, Flow, FlowEnd } from '../flows/flow.ts'
import { HttpFramer } from '../http/framer.ts'
import type { Framed, Framing, Loss } from '../http/framer.ts'
import type { RequestHead } from '../http/head.ts'
import { urlOf } from '../http/observed-exchange.ts'
import type { MemoryBudget } from '../memory-budget.ts'

export interface BrowserLimits {
  /** Of one body, as it came. */
  readonly maxBodyBytes: number
  /** Of one body, its codings off. */
  readonly maxShownBytes: number
  /** Of all that is under way, of all connections. */
  readonly bytes: number
  /** Requests of one connection that wait. */
  readonly maxWaiting: number
  /** How long what is over waits, and how many bytes of it: the same bytes may come again, and differ. */
  readonly settleMs: number
  readonly settleBytes: number
}

/** An answer that is over, with what it answers. */
export interface TakenAnswer {
  readonly at: number
  readonly request: RequestHead
  readonly url: string | undefined
  readonly answer: BrowserAnswer
  hasHole: boolean
  /** By the clock of the capture, once it is over. */
  endedAt: number
}

export interface BrowserTalkContext {
  readonly limits: BrowserLimits
  readonly budget: MemoryBudget
  /** It is the taker's now, with its memory. */
  readonly hand: (flow: Flow, taken: TakenAnswer) => void
}

interface Asked {
  readonly request: RequestHead
  readonly url: string | undefined
  readonly at: number
  /** Its answer begins no earlier. */
  readonly from: number
  /** What it takes in memory, as counted. */
  readonly size: number
}

interface Piece {
  readonly offset: number
  readonly bytes: Uint8Array
}

/** What a server says before it is asked is kept up to here. */
const MOST_EARLY_BYTES = 256 << 10

export class BrowserTalk {
  readonly client: Direction
  readonly #flow: Flow
  readonly #context: BrowserTalkContext
  readonly #requests: HttpFramer<RequestHead>
  readonly #waiting: Asked[] = []
  #taking: TakenAnswer | undefined
  /** The one before, which may come to have more than belongs to it. */
  #last: TakenAnswer | undefined
  /** What nobody has asked for yet. */
  #early: Piece[] = []
  #earlyBytes = 0
  /** What is before it was lost, or not kept. */
  #lostTo = -Infinity
  /** Behind the last answer. */
  #end = -Infinity
  #hasAsked = false
  #hasLost: boolean
  #hasConflict = false
  #isOver = false
  /** When anything was last heard. */
  #heardAt = -Infinity

  constructor(flow: Flow, client: Direction, context: BrowserTalkContext) {
    this.#flow = flow
    this.client = client
    this.#context = context
    this.#hasLost = !flow.isFromStart(client)
    const events = {
      head: (begun: Omit<Framed<RequestHead>, 'frame' | 'body'>) => this.#ask(begun),
      ended: () => undefined,
      lost: (loss: Loss) => this.#lose(loss),
    }
    this.#requests = new HttpFramer('request', events, context.budget)
  }

  data(direction: Direction, bytes: Uint8Array, offset: number, ack: number, at: number): void {
    if (this.#isOver) return
    this.#heardAt = Math.max(this.#heardAt, at)
    if (direction === this.client) this.#requests.data(bytes, offset, ack, at)
    else this.#feed(bytes, offset)
  }

  gap(direction: Direction, offset: number, length: number, at: number): void {
    if (this.#isOver) return
    if (direction === this.client) return this.#requests.gap(offset, length, at)
    this.#lostTo = offset + length
    // Whoever did not wait for his answers may get one that is another's from here on.
    this.#hasLost = true
    this.#forgetEarly()
    if (this.#taking !== undefined) this.#taking.hasHole = true
    this.#giveUp()
  }

  /** What came twice and differs: whichever was read, all behind it may have been cut otherwise. */
  conflict(): void {
    this.#hasConflict = true
    this.#taking?.answer.doubts.add('conflict')
  }

  end(direction: Direction | 2, how: FlowEnd, at: number): void {
    if (this.#isOver) return
    if (direction !== 1 - this.client) this.#requests.close(how === 'closed', at)
    if (direction !== this.client) this.#over(how === 'closed' || how === 'reset' ? how : 'lost')
  }

  /** No more of it is read, and nothing told: what it holds is given back. */
  abandon(): void {
    this.#isOver = true
    this.#taking?.answer.release()
    this.#taking = this.#last = undefined
    for (const { size } of this.#waiting.splice(0)) this.#context.budget.give(size)
    this.#forgetEarly()
    this.#requests.makeOpaque()
  }

  // ── asking ─────────────────────────────────────────────────────────────────────────────────────────────────

  #ask({ head, start, bodyStart, ack, at }: Omit<Framed<RequestHead>, 'frame' | 'body'>): Framing {
    const { budget, limits } = this.#context
    const size = bodyStart - start
    if (isTunnel(head) || this.#waiting.length >= limits.maxWaiting || !budget.take(size)) {
      this.#over('lost')
      return 'opaque'
    }
    if (Number.isNaN(ack)) this.#hasLost = true
    const isFirst = !this.#hasAsked && !this.#hasLost
    this.#hasAsked = true
    const from = isFirst || Number.isNaN(ack) ? -Infinity : ack
    this.#waiting.push({ request: head, url: urlOf(head), at, from, size })
    const early = this.#early
    this.#early = []
    for (const { bytes, offset } of early) {
      this.#earlyBytes -= bytes.length
      budget.give(bytes.length)
      this.#feed(bytes, offset)
      if (isFirst) (this.#taking ?? this.#last)?.answer.doubts.add('early')
    }
    return { frame: requestFrame(head), maxBodyBytes: 0 }
  }

  #lose({ what }: Loss): void {
    this.#hasLost = true
    if (what === 'sense' && !this.#hasAsked) this.#over('lost')
  }

  // ── answering ──────────────────────────────────────────────────────────────────────────────────────────────

  #feed(all: Uint8Array, at: number): void {
    let [bytes, offset] = [all, at]
    while (bytes.length > 0 && !this.#isOver) {
      if (this.#taking === undefined && !this.#begin(offset)) {
        const [next] = this.#waiting
        const extra = next === undefined ? bytes.length : Math.min(bytes.length, next.from - offset)
        if (this.#last?.hasHole === false && this.#last.answer.outcome === 'shown')
          this.#last.answer.doubts.add('extra-bytes')
        if (next === undefined) this.#keep(bytes, offset)
        bytes = bytes.subarray(extra)
        offset += extra
        continue
      }
      const { answer } = this.#taking!
      const used = answer.take(bytes)
      bytes = bytes.subarray(used)
      offset += used
      if (answer.isOver) this.#taken(offset)
    }
  }

  /** Whether the next answer begins here. */
  #begin(offset: number): boolean {
    const [asked] = this.#waiting
    if (asked === undefined || asked.from > offset) return false
    this.#waiting.shift()
    this.#context.budget.give(asked.size)
    this.#taking = this.#takenFor(asked)
    // Its beginning may be among what was lost.
    if (this.#lostTo > Math.max(asked.from, this.#end)) this.#taking.hasHole = true
    return true
  }

  #takenFor({ request, url, at }: Asked): TakenAnswer {
    const { budget, limits } = this.#context
    const answer = new BrowserAnswer(askingOf(request, url, this.#serverPort), budget, limits.maxBodyBytes)
    if (this.#hasLost) answer.doubts.add('unpaired')
    if (this.#hasConflict) answer.doubts.add('conflict')
    if (url === undefined) answer.doubts.add('unsure-url')
    return { at, request, url, answer, hasHole: false, endedAt: NaN }
  }

  #taken(end: number): void {
    const taken = this.#taking!
    taken.endedAt = this.#heardAt
    this.#last = taken
    this.#taking = undefined
    this.#end = end
    this.#context.hand(this.#flow, taken)
  }

  /** Those that wait for answers that cannot be told any more. */
  #giveUp(): void {
    if (this.#taking !== undefined) {
      this.#taking.answer.close('lost')
      this.#taken(this.#end)
    }
    for (const asked of this.#waiting.splice(0)) {
      this.#context.budget.give(asked.size)
      this.#taking = this.#takenFor(asked)
      this.#taking.hasHole = true
      this.#taken(this.#end)
    }
  }

  #over(how: StreamEnd): void {
    while (this.#taking !== undefined || this.#begin(Infinity)) {
      this.#taking!.answer.close(how)
      this.#taken(Infinity)
    }
    this.abandon()
  }

  #keep(bytes: Uint8Array, offset: number): void {
    const { budget } = this.#context
    if (this.#earlyBytes + bytes.length > MOST_EARLY_BYTES || !budget.take(bytes.length)) {
      this.#forgetEarly()
      this.#lostTo = offset + bytes.length
      return
    }
    this.#earlyBytes += bytes.length
    this.#early.push({ offset, bytes: Uint8Array.from(bytes) })
  }

  #forgetEarly(): void {
    this.#context.budget.give(this.#earlyBytes)
    this.#earlyBytes = 0
    this.#early = []
  }

  get #serverPort(): number {
    return this.#flow.portOf(this.client === 0 ? 1 : 0)
  }
}

/** What follows is none of HTTP/1's, if it is granted. */
const isTunnel = ({ method, headers }: RequestHead): boolean =>
  method === 'CONNECT' || fieldsOf(headers, 'upgrade').some((value) => /websocket/i.test(value))

function askingOf({ method, headers }: RequestHead, url: string | undefined, serverPort: number): Asking {
  const [host] = fieldsOf(headers, 'host')
  const port = url === undefined ? /:(\d*)$/.exec(host ?? '')?.[1] : URL.parse(url)?.port
  const isDefaultPort =
    host === undefined && url === undefined ? serverPort === 80 : ['', '80', undefined].includes(port)
  return { method, accepted: fieldsOf(headers, 'accept-encoding').join(', '), isDefaultPort }
}
