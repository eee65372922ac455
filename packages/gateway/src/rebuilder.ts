/**
 * Rebuilder: from the bytes of a capture to observed exchanges, all layers in a row. Bytes go in as they come, observed exchanges come out while
 * they go by; what each layer saw and left out is counted.
 *
 *   bytes ─▶ capture reader ─▶ packet decoder ─▶ flow table ─▶ conversation ─▶ observed exchanges
 */
import { CaptureReader } from './packets/capture-reader.ts'
import type { CaptureEnd } from './packets/capture-reader.ts'
import { containedPackets, containedSink, containedStreams } from './node/containment.ts'
import type { BodyWish, ConversationCounters, ConversationLimits } from './http/conversation-limits.ts'
import type { FaultStage } from './node/fault-log.ts'
import type { FlowCounters, FlowLimits } from './flows/flow-limits.ts'
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
  /** A fault of ours: what it was in is given up, and the rest goes on. Without it, it is thrown. */
  readonly onFault?: ((stage: FaultStage, error: unknown) => void) | undefined
}

export interface RebuildCounters {
  readonly packets: Readonly<PacketCounters>
  readonly flows: Readonly<FlowCounters>
  readonly messages: Readonly<ConversationCounters>
}

export class Rebuilder {
  readonly counters: RebuildCounters
  readonly #reader: CaptureReader
  readonly #flows: FlowTable
  readonly #conversation: HttpConversation

  constructor(sink: ObservedExchangeSink, { wants, packets, flows, messages, onFault }: RebuildOptions = {}) {
    this.#conversation = new HttpConversation(containedSink(sink, onFault), wants, messages)
    this.#flows = new FlowTable(containedStreams(this.#conversation, onFault), flows)
    const decoder = new PacketDecoder(this.#flows, packets)
    this.#reader = new CaptureReader(containedPackets(decoder, onFault))
    this.counters = { packets: decoder.counters, flows: this.#flows.counters, messages: this.#conversation.counters }
  }

  /** What is held now: connections, and bytes of all layers. */
  get memory(): { readonly flows: number; readonly bytes: number } {
    const { flows, bytes } = this.#flows.memory
    return { flows, bytes: bytes + this.#conversation.memory.bytes }
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
  }

  /** The capture is over: what was under way is told as far as it got. */
  end(): CaptureEnd {
    const end = this.#reader.end()
    this.#flows.finish()
    return end
  }
}
