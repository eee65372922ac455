/**
 * HttpConversation: from the two directions of connections to observed exchanges, each a request with its answer. Every connection is a
 * talk of its own (`http/talk.ts`); here is who is who in it, and what they share: the memory of bodies that are under way, and the
 * place where what is whole waits a moment before it is handed on. Should the same bytes come again and differ, it is not
 * sure what was read.
 */
import { conversationLimits } from './conversation-limits.ts'
import type { BodyWish, ConversationCounters, ConversationLimits } from './conversation-limits.ts'
import type { Direction, Flow, FlowEnd, StreamSink } from '../flows/flow.ts'
import { MemoryBudget } from '../memory-budget.ts'
import { clientOf } from './message-start.ts'
import type { ObservedExchange, ObservedExchangeSink } from './observed-exchange.ts'
import { Talk } from './talk.ts'
import type { Ends, TalkContext } from './talk.ts'

export class HttpConversation implements StreamSink {
  readonly counters: ConversationCounters = { messages: 0, opaque: 0, losses: 0 }
  readonly #sink: ObservedExchangeSink
  readonly #limits: ConversationLimits
  readonly #budget: MemoryBudget
  readonly #context: TalkContext
  #settling: Settling[] = []
  /** Those before it were handed on. */
  #settled = 0
  #settlingBytes = 0

  constructor(sink: ObservedExchangeSink, wants: BodyWish = () => true, limits: Partial<ConversationLimits> = {}) {
    this.#sink = sink
    this.#limits = { ...conversationLimits, ...limits }
    this.#budget = new MemoryBudget(this.#limits.bytes)
    this.#context = {
      limits: this.#limits,
      wants,
      counters: this.counters,
      budget: this.#budget,
      hand: (talk, observed, ends, size) => this.#hand(new Settling(talk, observed, ends, size)),
    }
  }

  /** Of messages under way, and of those that wait to be handed on. */
  get memory(): { readonly bytes: number; readonly settling: number } {
    return { bytes: this.#budget.used + this.#settlingBytes, settling: this.#settling.length - this.#settled }
  }

  data(flow: Flow, direction: Direction, bytes: Uint8Array, offset: number, ack: number, at: number): void {
    if (this.#settled < this.#settling.length) this.settle(at)
    const talk = this.#talkOf(flow, direction, bytes)
    if (talk === OPAQUE) return
    talk.data(direction, bytes, offset, ack, at)
    if (talk.isOpaque) this.#makeOpaque(flow)
  }

  gap(flow: Flow, direction: Direction, offset: number, length: number, at: number): void {
    const talk = flow.state ?? this.#early(flow)
    if (talk instanceof Talk) talk.gap(direction, offset, length, at)
  }

  conflict(flow: Flow, direction: Direction, from: number): void {
    const talk = flow.state ?? this.#early(flow)
    if (talk instanceof Talk) talk.conflict()
    for (let at = this.#settled; at < this.#settling.length; at++) {
      const settling = this.#settling[at]!
      if (settling.talk.flow === flow) settling.conflict(direction, from)
    }
  }

  end(flow: Flow, direction: Direction | 2, how: FlowEnd, at: number): void {
    const talk = flow.state
    if (talk instanceof Talk) talk.end(direction, how === 'closed', at)
    if (direction === 2) flow.state = OVER
  }

  /** Something of ours failed on it: no more is read of it. */
  abandon(flow: Flow): void {
    const talk = flow.state
    this.#makeOpaque(flow)
    if (talk instanceof Talk) talk.abandon()
  }

  /** Hands on what has waited long enough by then. */
  settle(now: number): void {
    while (this.#settled < this.#settling.length) {
      if (this.#settling[this.#settled]!.observed.endedAt + this.#limits.settleMs > now) return
      this.#release()
    }
  }

  finish(): void {
    this.settle(Infinity)
  }

  #talkOf(flow: Flow, direction: Direction, bytes: Uint8Array): Talk | typeof OPAQUE {
    const known = flow.state
    if (known instanceof Talk) return known
    if (known !== undefined) return OPAQUE
    // Met in the middle, where somebody asks whether the other side is still there.
    if (bytes.length === 1 && flow.client === -1) return OPAQUE
    const client = clientOf(flow, direction, bytes)
    if (client === undefined) return this.#makeOpaque(flow)
    return (flow.state = new Talk(flow, client, this.#context))
  }

  /** Something is wrong before anything was said: of a connection whose client is not even known nothing will be sure. */
  #early(flow: Flow): Talk | typeof OPAQUE {
    if (flow.client === -1) return this.#makeOpaque(flow)
    return (flow.state = new Talk(flow, flow.client, this.#context))
  }

  #makeOpaque(flow: Flow): typeof OPAQUE {
    this.counters.opaque++
    flow.state = OPAQUE
    return OPAQUE
  }

  #hand(settling: Settling): void {
    this.counters.messages++
    if (settling.observed.verdict !== 'whole') return this.#sink.observed(settling.observed)
    this.#settling.push(settling)
    this.#settlingBytes += settling.size
    while (this.#settlingBytes > this.#limits.settleBytes) this.#release()
  }

  #release(): void {
    const settled = this.#settling[this.#settled++]!
    if (this.#settled > 1_000 || this.#settled === this.#settling.length) {
      this.#settling = this.#settling.slice(this.#settled)
      this.#settled = 0
    }
    this.#settlingBytes -= settled.size
    this.#sink.observed(settled.isSure ? settled.observed : { ...settled.observed, verdict: 'conflict' })
  }
}

/** What a flow carries that is no talk. */
const OPAQUE: unique symbol = Symbol('opaque')
const OVER: unique symbol = Symbol('over')

class Settling {
  readonly talk: Talk
  readonly observed: ObservedExchange
  readonly size: number
  readonly #ends: Ends
  isSure = true

  constructor(talk: Talk, observed: ObservedExchange, ends: Ends, size: number) {
    this.talk = talk
    this.observed = observed
    this.size = size
    this.#ends = ends
  }

  /** Bytes from here on are not sure, and nor is what was cut behind them. */
  conflict(direction: Direction, from: number): void {
    const { request, response } = this.#ends
    if (from < (direction === this.talk.client ? request : response)) this.isSure = false
  }
}
