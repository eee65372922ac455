/** TcpSegment: one piece of a TCP stream as a packet carried it. One object is used again for every packet: copy what you keep. */
export interface TcpSegment {
  /** Milliseconds, by the capture's clock. */
  at: number
  /** Tags of virtual networks, folded into one number: the same addresses in two of them are two hosts. */
  vlan: number
  /** The packet, or what was put together out of fragments. Good during the call alone. */
  bytes: Uint8Array
  isV6: boolean
  /** Where the addresses stand: 4 or 16 bytes. */
  sourceAt: number
  targetAt: number
  sourcePort: number
  targetPort: number
  seq: number
  ack: number
  flags: number
  window: number
  /** The sender's clock (RFC 7323 §3.2), -1 without one. */
  stamp: number
  /** What the sums say: one of SUM_UNKNOWN, SUM_RIGHT, SUM_WRONG. */
  sum: number
  payloadAt: number
  /** Of the payload that was captured. */
  payloadLength: number
  /** Of the payload that was sent and not captured: the capture cuts long packets. */
  missing: number
}

export interface SegmentSink {
  segment(segment: TcpSegment): void
}

export const FIN = 1
export const SYN = 2
export const RST = 4
export const ACK = 16
export const URG = 32

/** Not looked at, not to be seen in a packet that was cut, or plainly left for a network card to fill in. */
export const SUM_UNKNOWN = 0
export const SUM_RIGHT = 1
export const SUM_WRONG = 2

export function emptySegment(): TcpSegment {
  const numbers = { sourceAt: 0, targetAt: 0, sourcePort: 0, targetPort: 0, seq: 0, ack: 0, flags: 0, window: 0 }
  return {
    at: 0,
    vlan: 0,
    bytes: new Uint8Array(0),
    isV6: false,
    ...numbers,
    stamp: -1,
    sum: SUM_UNKNOWN,
    payloadAt: 0,
    payloadLength: 0,
    missing: 0,
  }
}
