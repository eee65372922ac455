/**
 * Containment: between the layers of rebuilding, so that a fault of ours costs what it was in and nothing else. Nearest to the fault
 * counts: one exchange; or one connection, of which nothing more is read; or one packet. Where nobody wants to be told of faults they
 * are thrown, as tests want it.
 */
import type { PacketSink } from '../packets/capture-reader.ts'
import type { FaultStage } from './fault-log.ts'
import type { Flow, StreamSink } from '../flows/flow.ts'
import type { BrowserViewSink } from '../browser/browser-view.ts'
import type { ObservedExchangeSink } from '../http/observed-exchange.ts'

type OnFault = ((stage: FaultStage, error: unknown) => void) | undefined

export function containedSink(sink: ObservedExchangeSink, onFault: OnFault): ObservedExchangeSink {
  if (onFault === undefined) return sink
  return {
    observed: (observed) => {
      try {
        sink.observed(observed)
      } catch (error) {
        onFault('exchange', error)
      }
    },
  }
}

export function containedViews(sink: BrowserViewSink, onFault: OnFault): BrowserViewSink {
  if (onFault === undefined) return sink
  return {
    viewed: (view) => {
      try {
        sink.viewed(view)
      } catch (error) {
        onFault('exchange', error)
      }
    },
  }
}

/** Who listens to connections, and can give one up. */
interface Conversation extends StreamSink {
  abandon(flow: Flow): void
}

export function containedStreams(conversation: Conversation, onFault: OnFault): StreamSink {
  if (onFault === undefined) return conversation
  const abandon = (flow: Flow, error: unknown): void => {
    onFault('connection', error)
    conversation.abandon(flow)
  }
  return {
    data: (flow, direction, bytes, offset, ack, at) => {
      try {
        conversation.data(flow, direction, bytes, offset, ack, at)
      } catch (error) {
        abandon(flow, error)
      }
    },
    gap: (flow, direction, offset, length, at) => {
      try {
        conversation.gap(flow, direction, offset, length, at)
      } catch (error) {
        abandon(flow, error)
      }
    },
    conflict: (flow, direction, from, to) => {
      try {
        conversation.conflict(flow, direction, from, to)
      } catch (error) {
        abandon(flow, error)
      }
    },
    end: (flow, direction, how, at) => {
      try {
        conversation.end(flow, direction, how, at)
      } catch (error) {
        abandon(flow, error)
      }
    },
    finish: () => conversation.finish(),
  }
}

export function containedPackets(decoder: PacketSink, onFault: OnFault): PacketSink {
  if (onFault === undefined) return decoder
  return {
    packet: (at, linkType, bytes, wireLength, iface) => {
      try {
        decoder.packet(at, linkType, bytes, wireLength, iface)
      } catch (error) {
        onFault('packet', error)
      }
    },
  }
}
