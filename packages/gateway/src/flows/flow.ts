/** Flow: one TCP connection as it is seen from beside it, and what is known of each of its two directions. */

/** Why a direction, or both, ended. */
export type FlowEnd = 'closed' | 'reset' | 'idle' | 'evicted' | 'reused' | 'over'

/** One direction is numbered 0 and the other 1; which is the client's may be unknown. */
export type Direction = 0 | 1

export interface Flow {
  readonly id: number
  /** The direction that the client sends in; -1 while nobody knows. */
  client: Direction | -1
  /** Whether a direction was seen from its first byte on. */
  isFromStart(direction: Direction): boolean
  /** From then on, had it said anything, it would have been seen; milliseconds by the capture's clock. */
  readonly watchedFrom: number
  /** As text, of the side that sends in a direction. */
  addressOf(direction: Direction): string
  portOf(direction: Direction): number
  /** For whoever listens. */
  state: unknown
}

export interface StreamSink {
  /**
   * Bytes in order, good during the call alone. `offset` counts from where the direction was first seen. `ack`: how far the
   * sender had received the other direction when it sent the first of these bytes; NaN when it did not say. By it an answer
   * finds its request (001 §IV). All of the other direction up to `ack` was handed on before, or told as a gap.
   */
  data(flow: Flow, direction: Direction, bytes: Uint8Array, offset: number, ack: number, at: number): void
  /** So many bytes were sent and will not be seen. */
  gap(flow: Flow, direction: Direction, offset: number, length: number, at: number): void
  /** Bytes in this range, handed on or still to come, are not sure: they came twice and differ, or were damaged. */
  conflict(flow: Flow, direction: Direction, from: number, to: number): void
  /** Nothing more comes in a direction; 2: in both. */
  end(flow: Flow, direction: Direction | 2, how: FlowEnd, at: number): void
  /** The capture is over. */
  finish(): void
}
