/**
 * Talk: what the two sides of one connection say to each other. Each direction is cut into messages (`http/framer.ts`), each
 * answer finds its request (`http/request-queue.ts`); what comes out is told as an observed exchange, whole or with what is wrong with it.
 *
 * A queue that is adrift is anchored again where nobody can be waiting: after a silence, by a request at the very end of all
 * that both sides had said before.
 */
import { isDesynchronising, requestFrame, responseFrame } from './body-frame.ts'
import { ConnectionWatch } from '../privacy/connection-watch.ts'
import type { ConversationCounters, ConversationLimits, BodyWish } from './conversation-limits.ts'
import type { Direction, Flow } from '../flows/flow.ts'
import { HttpFramer } from './framer.ts'
import type { Framed, Framing, Loss } from './framer.ts'
import type { RequestHead, ResponseHead } from './head.ts'
import type { MemoryBudget } from '../memory-budget.ts'
import { oddBody } from './odd-body.ts'
import { urlOf } from './observed-exchange.ts'
import type { Authentication, ObservedExchange, ExchangeVerdict } from './observed-exchange.ts'
import { RequestQueue } from './request-queue.ts'
import type { Asked } from './request-queue.ts'

/** Where a request and its answer end in the two directions. */
export interface Ends {
  readonly request: number
  readonly response: number
}

export interface TalkContext {
  readonly limits: ConversationLimits
  readonly wants: BodyWish
  readonly counters: ConversationCounters
  readonly budget: MemoryBudget
  /** `size`: what it takes in memory, with its heads. */
  readonly hand: (talk: Talk, observed: ObservedExchange, ends: Ends, size: number) => void
}

type Begun<Head> = Omit<Framed<Head>, 'frame' | 'body'>

export class Talk {
  readonly client: Direction
  readonly flow: Flow
  readonly #context: TalkContext
  readonly #requests: HttpFramer<RequestHead>
  readonly #responses: HttpFramer<ResponseHead>
  readonly #queue: RequestQueue
  /** The request under way. */
  #asking: Asked | undefined
  /** What the answer under way answers. */
  #answering: Asked | undefined
  #isInterim = false
  /** Something was lost before the answer under way, so that one without a request may have had one. */
  #wasUnsure = false
  /** Something of HTTP was seen. */
  #hasSense = false
  #isSwitched = false
  #hasAnswer = false
  /** It was met in the middle, and made sure since. */
  #isAnchored = false
  /** A request was seen that did not wait for the answer before it. */
  #isPipelining = false
  readonly #watch = new ConnectionWatch()
  /** Something that was said is not known, so that a reader may have signed in there. */
  #isUnseen = false
  /** When anything was last heard. */
  #heardAt: number
  /** Something just heard was not sure: no silence before it counts. */
  #isShaken = false
  /** Where the client spoke after a silence, and what it had heard then. */
  #freshFrom: number = NaN
  #freshAck: number = NaN

  constructor(flow: Flow, client: Direction, context: TalkContext) {
    this.flow = flow
    this.client = client
    this.#context = context
    this.#heardAt = flow.watchedFrom
    this.#queue = new RequestQueue(!flow.isFromStart(client))
    const { budget } = context
    this.#requests = new HttpFramer(
      'request',
      {
        head: (begun) => this.#asks(begun),
        ended: (message) => this.#hasAsked(message),
        lost: (loss) => this.#lose(loss, this.#queue.lostRequests(loss)),
      },
      budget,
    )
    this.#responses = new HttpFramer(
      'response',
      {
        head: (begun) => this.#answers(begun),
        ended: (message) => this.#hasAnswered(message),
        lost: (loss) => this.#lose(loss, this.#queue.lostAnswers(loss)),
        isSimple: () => this.#isSimple(),
      },
      budget,
    )
  }

  /** What follows is none of HTTP/1's. */
  get isOpaque(): boolean {
    return this.#isSwitched
  }

  data(direction: Direction, bytes: Uint8Array, offset: number, ack: number, at: number): void {
    if (direction === this.client) {
      if (at - this.#heardAt >= this.#context.limits.quietMs && !this.#isShaken) {
        this.#freshFrom = offset
        this.#freshAck = this.#responses.next
      }
      this.#hear(at)
      this.#requests.data(bytes, offset, ack, at)
    } else {
      this.#hear(at)
      // Answers that were given before nobody looked.
      const isFirst = Number.isNaN(this.#responses.next) && !this.#isAnchored
      if (isFirst && !this.flow.isFromStart(direction)) this.#giveUp(this.#queue.drift())
      this.#responses.data(bytes, offset, ack, at)
    }
  }

  gap(direction: Direction, offset: number, length: number, at: number): void {
    this.#hear(at)
    this.#framer(direction).gap(offset, length, at)
  }

  /** Bytes are not sure. Whoever took the other ones may have cut, and paired, everything behind them differently. */
  conflict(): void {
    const { current } = this.#responses
    if (current !== undefined) current.hasConflict = true
    this.#freshFrom = NaN
    this.#isShaken = true
    this.#isUnseen = true
    this.#giveUp(this.#queue.drift())
  }

  end(direction: Direction | 2, isClean: boolean, at: number): void {
    if (direction !== 1 - this.client) this.#requests.close(isClean, at)
    if (direction !== this.client) this.#responses.close(isClean, at)
    if (direction === 2) for (const asked of this.#queue.drift()) this.#tell(asked, undefined, 'no-response')
  }

  /** No more of it is read, and nothing told: what it holds is given back. */
  abandon(): void {
    this.#isSwitched = true
    for (const asked of [...this.#queue.drift(), this.#asking, this.#answering]) {
      if (asked === undefined) continue
      this.#context.budget.give(asked.size)
      asked.size = 0
    }
    this.#requests.makeOpaque()
    this.#responses.makeOpaque()
  }

  /** Clocks may go back. */
  #hear(at: number): void {
    this.#isShaken = false
    if (at > this.#heardAt) this.#heardAt = at
  }

  #framer(direction: Direction): HttpFramer<RequestHead> | HttpFramer<ResponseHead> {
    return direction === this.client ? this.#requests : this.#responses
  }

  #lose(loss: Loss, given: readonly Asked[]): void {
    this.#context.counters.losses++
    this.#isUnseen = true
    this.#giveUp(given)
    if (loss.what === 'sense' && !this.#hasSense) this.#switch()
  }

  #giveUp(given: readonly Asked[]): void {
    for (const asked of given) this.#tell(asked, undefined, 'unpaired')
  }

  #switch(): void {
    this.#isSwitched = true
    for (const asked of this.#queue.drift()) this.#tell(asked, undefined, 'switched')
    const asking = this.#asking
    if (asking?.isTold === false && asking !== this.#answering) this.#tell(asking, undefined, 'switched')
    this.#requests.makeOpaque()
    this.#responses.makeOpaque()
  }

  // ── asking ─────────────────────────────────────────────────────────────────────────────────────────────────

  #asks({ head, start, bodyStart, ack, at }: Begun<RequestHead>): Framing {
    this.#hasSense = true
    this.#watch.asks(head.headers)
    const { budget, limits } = this.#context
    const size = budget.take(bodyStart - start) ? bodyStart - start : 0
    const flags = { message: undefined, isAfterLoss: false, isTold: false }
    const asked: Asked = { head, start, bodyStart, ack, at, size, ...flags }
    this.#asking = asked
    const isWaiting = this.#queue.length > 0 || this.#responses.current !== undefined
    if (this.#queue.isUnsure && this.#isQuiet(start, ack)) {
      this.#isAnchored = true
      this.#giveUp(this.#queue.anchor(asked))
      this.#responses.restart(at)
    } else {
      if (isWaiting && !this.#queue.isUnsure) this.#isPipelining = true
      this.#queue.ask(asked)
    }
    const frame = requestFrame(head)
    const isTooMuch = this.#queue.length > limits.maxWaiting || size === 0
    if (isTooMuch || isDesynchronising(frame)) this.#giveUp(this.#queue.drift())
    return { frame, maxBodyBytes: 0 }
  }

  /** Nobody can be waiting for an answer any more. */
  #isQuiet(start: number, ack: number): boolean {
    const isFresh = start === this.#freshFrom && !(ack !== this.#freshAck && !Number.isNaN(this.#freshAck))
    return isFresh || (this.#context.limits.clientsWait && !this.#isPipelining)
  }

  #hasAsked(message: Framed<RequestHead>): void {
    const asked = this.#asking!
    asked.message = message
    if (this.#queue.isAdrift && this.#answering !== asked && !asked.isTold) this.#tell(asked, undefined, 'unpaired')
  }

  /** The first HTTP has answers without a head; some servers give them to any client, which shows in the first one. */
  #isSimple(): boolean {
    const first = this.#queue.first?.head
    return first !== undefined && (first.version === '0.9' || (!this.#hasAnswer && first.method === 'GET'))
  }

  // ── answering ──────────────────────────────────────────────────────────────────────────────────────────────

  #answers({ head, start, ack }: Begun<ResponseHead>): Framing {
    this.#hasSense = true
    const { status } = head
    this.#isInterim = status < 200 && status !== 101
    if (this.#isInterim) return { frame: { kind: 'none' }, maxBodyBytes: 0 }
    this.#hasAnswer = true
    this.#wasUnsure = this.#queue.isUnsure
    const { asked, given } = this.#queue.answer(start, ack)
    this.#giveUp(given)
    this.#answering = asked
    const frame = responseFrame(head, asked?.head.method)
    const { wants, limits } = this.#context
    return { frame, maxBodyBytes: wants(asked?.head, head) ? limits.maxBodyBytes : 0, isGuess: asked === undefined }
  }

  #hasAnswered(message: Framed<ResponseHead>): void {
    if (this.#isInterim) return void (this.#isInterim = false)
    const asked = this.#answering
    this.#answering = undefined
    const { status } = message.head
    if (status === 101 || (asked?.head.method === 'CONNECT' && status >= 200 && status < 300)) {
      this.#tell(asked, message, 'switched')
      return this.#switch()
    }
    this.#tell(asked, message, asked !== undefined ? undefined : this.#wasUnsure ? 'unpaired' : 'no-request')
    if (isDesynchronising(message.frame)) this.#giveUp(this.#queue.drift())
  }

  #tell(asked: Asked | undefined, answer: Framed<ResponseHead> | undefined, named?: ExchangeVerdict): void {
    const url = asked === undefined ? undefined : urlOf(asked.head)
    const heads =
      (asked === undefined ? 0 : asked.bodyStart - asked.start) +
      (answer === undefined ? 0 : answer.bodyStart - answer.start)
    if (asked !== undefined) {
      asked.isTold = true
      this.#context.budget.give(asked.size)
      asked.size = 0
    }
    const server: Direction = this.client === 0 ? 1 : 0
    const raw = answer?.body.bytes() ?? NOTHING
    const body = answer?.frame.kind === 'odd' ? oddBody(raw, answer.frame.numbers) : raw
    const observed: ObservedExchange = {
      at: asked?.at ?? answer!.at,
      endedAt: answer?.endedAt ?? asked!.at,
      client: this.flow.addressOf(this.client),
      server: this.flow.addressOf(server),
      serverPort: this.flow.portOf(server),
      authentication: this.#authentication,
      request: asked?.head,
      url,
      response: answer?.head,
      body,
      verdict: named ?? verdictOf(asked!, answer!, url, this.#context.limits.maxBodyBytes),
    }
    if (answer !== undefined) this.#watch.answers(answer.head.status)
    const ends = { request: asked?.message?.end ?? Infinity, response: answer?.end ?? Infinity }
    this.#context.hand(this, observed, ends, body.length + heads + OBJECTS)
  }

  get #authentication(): Authentication {
    if (this.#watch.isKnown) return 'known'
    const isFromStart = this.flow.isFromStart(0) && this.flow.isFromStart(1)
    return isFromStart && !this.#isUnseen ? 'none' : 'unseen'
  }
}

const NOTHING = new Uint8Array(0)
/** What an observed exchange takes beside its bytes: its fields, one by one. */
const OBJECTS = 2_048

function verdictOf(
  { message }: Asked,
  answer: Framed<ResponseHead>,
  url: string | undefined,
  maxBodyBytes: number,
): ExchangeVerdict {
  if (answer.hasHole) return 'hole'
  if (!answer.isWhole) return answer.hasDoubt ? 'doubtful' : 'cut-short'
  if (answer.hasConflict) return 'conflict'
  if (answer.hasDoubt || message?.hasDoubt === true) return 'doubtful'
  if (answer.body.isTooLarge) return answer.body.total > maxBodyBytes ? 'too-large' : 'not-wanted'
  if (answer.body.isRefused) return 'no-room'
  return url === undefined ? 'unsure-url' : 'whole'
}
