/**
 * BrowserConversation: beside the strict one (`http/conversation.ts`), the same connections as Chromium would read them. It listens, and
 * hands out views; it has no say in what is indexed.
 */
import { clientOf } from '../http/message-start.ts'
import type { Direction, Flow, FlowEnd, StreamSink } from '../flows/flow.ts'
import { MemoryBudget } from '../memory-budget.ts'
import { VIEW_OUTCOMES, shownOf } from './browser-view.ts'
import type { BrowserViewSink, ViewOutcome } from './browser-view.ts'
import { BrowserTalk } from './browser-talk.ts'
import type { BrowserLimits, BrowserTalkContext, TakenAnswer } from './browser-talk.ts'

const browserLimits: BrowserLimits = {
  maxBodyBytes: 16 << 20,
  maxShownBytes: 256 << 20,
  bytes: 256 << 20,
  maxWaiting: 1_000,
  settleMs: 250,
  settleBytes: 32 << 20,
}

/** Whatever they weigh. */
const MOST_SETTLING = 1_000

export class BrowserConversation implements StreamSink {
  /** Readings by what became of them. */
  readonly counters: Record<ViewOutcome, number> = Object.fromEntries(
    VIEW_OUTCOMES.map((outcome) => [outcome, 0]),
  ) as Record<ViewOutcome, number>
  readonly #sink: BrowserViewSink
  readonly #limits: BrowserLimits
  readonly #budget: MemoryBudget
  readonly #context: BrowserTalkContext
  /** Answers that are over, in the order in which they ended. */
  #settling: { readonly flow: Flow; readonly taken: TakenAnswer }[] = []
  #settlingBytes = 0
  /** `undefined`: it carries something else. */
  readonly #talks = new Map<number, BrowserTalk | undefined>()

  constructor(sink: BrowserViewSink, limits: Partial<BrowserLimits> = {}) {
    this.#sink = sink
    this.#limits = { ...browserLimits, ...limits }
    this.#budget = new MemoryBudget(this.#limits.bytes)
    const hand = (flow: Flow, taken: TakenAnswer): void => this.#hand(flow, taken)
    this.#context = { limits: this.#limits, budget: this.#budget, hand }
  }

  /** Bytes that are held. */
  get memory(): { readonly bytes: number; readonly talks: number } {
    return { bytes: this.#budget.used, talks: this.#talks.size }
  }

  data(flow: Flow, direction: Direction, bytes: Uint8Array, offset: number, ack: number, at: number): void {
    this.settle(at)
    this.#talkOf(flow, direction, bytes)?.data(direction, bytes, offset, ack, at)
  }

  gap(flow: Flow, direction: Direction, offset: number, length: number, at: number): void {
    this.#early(flow)?.gap(direction, offset, length, at)
  }

  conflict(flow: Flow): void {
    this.#early(flow)?.conflict()
    for (const settling of this.#settling) if (settling.flow === flow) settling.taken.answer.doubts.add('conflict')
  }

  end(flow: Flow, direction: Direction | 2, how: FlowEnd, at: number): void {
    this.#talks.get(flow.id)?.end(direction, how, at)
    if (direction === 2) this.#talks.delete(flow.id)
  }

  /** Something of ours failed on it: no more is read of it. */
  abandon(flow: Flow): void {
    this.#talks.get(flow.id)?.abandon()
    this.#talks.set(flow.id, undefined)
  }

  finish(): void {
    this.settle(Infinity)
    this.#talks.clear()
  }

  /** Hands on what has waited long enough by then. */
  settle(now: number): void {
    while (this.#settling.length > 0 && this.#settling[0]!.taken.endedAt + this.#limits.settleMs <= now) this.#release()
  }

  #hand(flow: Flow, taken: TakenAnswer): void {
    this.#settling.push({ flow, taken })
    this.#settlingBytes += taken.answer.body.total
    while (this.#settlingBytes > this.#limits.settleBytes || this.#settling.length > MOST_SETTLING) this.#release()
  }

  #release(): void {
    const { flow, taken } = this.#settling.shift()!
    const { at, request, url, answer, hasHole } = taken
    this.#settlingBytes -= answer.body.total
    const server: Direction = flow.client === 0 ? 1 : 0
    try {
      const shown = shownOf(answer, hasHole, this.#limits.maxShownBytes)
      this.counters[shown.outcome]++
      this.#sink.viewed({ at, server: flow.addressOf(server), serverPort: flow.portOf(server), request, url, ...shown })
    } finally {
      answer.release()
    }
  }

  #talkOf(flow: Flow, direction: Direction, bytes: Uint8Array): BrowserTalk | undefined {
    if (this.#talks.has(flow.id)) return this.#talks.get(flow.id)
    // Met in the middle, where somebody asks whether the other side is still there.
    const isProbe = bytes.length === 1 && flow.client === -1
    return this.#made(flow, isProbe ? undefined : clientOf(flow, direction, bytes))
  }

  /** Something is wrong before anything was said. */
  #early(flow: Flow): BrowserTalk | undefined {
    if (this.#talks.has(flow.id)) return this.#talks.get(flow.id)
    return this.#made(flow, flow.client === -1 ? undefined : flow.client)
  }

  #made(flow: Flow, client: Direction | undefined): BrowserTalk | undefined {
    const talk = client === undefined ? undefined : new BrowserTalk(flow, client, this.#context)
    this.#talks.set(flow.id, talk)
    return talk
  }
}
