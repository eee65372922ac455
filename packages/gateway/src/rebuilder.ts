/**
 * Rebuilder: from the bytes of a capture to observed exchanges, all layers in a row. Bytes go in as they come, observed exchanges come out while
 * they go by; what each layer saw and left out is counted.
 *
 *   bytes ─▶ capture reader ─▶ packet decoder ─▶ flow table ─▶ conversation ─▶ observed exchanges
 */
import { BrowserConversation } from './browser/browser-conversation.ts'
import type { BrowserViewSink, ViewOutcome } from './browser/browser-view.ts'
import type { BrowserLimits } from './browser/browser-talk.ts'
import { CaptureReader } from './packets/capture-reader.ts'
import type { CaptureEnd } from './packets/capture-reader.ts'
import { containedPackets, containedViews, containedSink, containedStreams } from './node/containment.ts'
import type { BodyWish, ConversationCounters, ConversationLimits } from './http/conversation-limits.ts'
import type { FaultStage } from './node/fault-log.ts'
import type { FlowCounters, FlowLimits } from './flows/flow-limits.ts'
import type { StreamSink } from './flows/flow.ts'
import { FlowTable } from './flows/flow-table.ts'
import { HttpConversation } from './http/conversation.ts'
import type { IpDecoderOptions } from './packets/ip-decoder.ts'
import type { PacketCounters } from './packets/packet-counters.ts'
import { PacketDecoder } from './packets/packet-decoder.ts'
import type { ObservedExchangeSink } from './http/observed-exchange.ts'

export interface RebuildOptions {
  /** Which bodies are kept; all of them unless said otherwise. */
  readonly wants?: BodyWish
  readonly packets?: Partial<IpDecoderOptions>
  readonly flows?: Partial<FlowLimits>
  readonly messages?: Partial<ConversationLimits>
  /** Who wants to see, beside all that, what Chromium would show. */
  readonly asBrowser?: BrowserViewSink | undefined
  readonly browser?: Partial<BrowserLimits>
  /** A fault of ours: what it was in is given up, and the rest goes on. Without it, it is thrown. */
  readonly onFault?: ((stage: FaultStage, error: unknown) => void) | undefined
}

export interface RebuildCounters {
  readonly packets: Readonly<PacketCounters>
  readonly flows: Readonly<FlowCounters>
  readonly messages: Readonly<ConversationCounters>
  /** What Chromium would show, by outcome. */
  readonly views: Readonly<Record<ViewOutcome, number>> | undefined
}

export class Rebuilder {
  readonly counters: RebuildCounters
  readonly #reader: CaptureReader
  readonly #flows: FlowTable
  readonly #conversation: HttpConversation
  readonly #browser: BrowserConversation | undefined

  constructor(sink: ObservedExchangeSink, options: RebuildOptions = {}) {
    const { wants, packets, flows, messages, asBrowser, browser, onFault } = options
    this.#conversation = new HttpConversation(containedSink(sink, onFault), wants, messages)
    this.#browser =
      asBrowser === undefined ? undefined : new BrowserConversation(containedViews(asBrowser, onFault), browser)
    const strict = containedStreams(this.#conversation, onFault)
    const streams = this.#browser === undefined ? strict : both(strict, containedStreams(this.#browser, onFault))
    this.#flows = new FlowTable(streams, flows)
    const decoder = new PacketDecoder(this.#flows, packets)
    this.#reader = new CaptureReader(containedPackets(decoder, onFault))
    this.counters = {
      packets: decoder.counters,
      flows: this.#flows.counters,
      messages: this.#conversation.counters,
      views: this.#browser?.counters,
    }
  }

  /** What is held now: connections, and bytes of all layers. */
  get memory(): { readonly flows: number; readonly bytes: number } {
    const { flows, bytes } = this.#flows.memory
    return { flows, bytes: bytes + this.#conversation.memory.bytes + (this.#browser?.memory.bytes ?? 0) }
  }
  /** Nothing more will be read: what came is no capture, or is damaged. */
  get isOver(): boolean {
    return this.#reader.isOver
  }

  write(bytes: Uint8Array): void {
    this.#reader.write(bytes)
  }

  /** Another capture comes; connections go on. Returns what was wrong with the one before. */
  restart(): string | undefined {
    return this.#reader.restart()
  }

  /** It is then, though nothing came: on a quiet line no packet says so. */
  tick(now: number): void {
    this.#conversation.settle(now)
    this.#browser?.settle(now)
  }

  /** The capture is over: what was under way is told as far as it got. */
  end(): CaptureEnd {
    const end = this.#reader.end()
    this.#flows.finish()
    return end
  }
}

/** Each hears everything, and neither knows of the other. */
const both = (one: StreamSink, other: StreamSink): StreamSink => ({
  data: (...all) => {
    one.data(...all)
    other.data(...all)
  },
  gap: (...all) => {
    one.gap(...all)
    other.gap(...all)
  },
  conflict: (...all) => {
    one.conflict(...all)
    other.conflict(...all)
  },
  end: (...all) => {
    one.end(...all)
    other.end(...all)
  },
  finish: () => {
    one.finish()
    other.finish()
  },
})
