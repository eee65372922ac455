/**
 * Connection: what a flow table knows of one TCP connection. Addresses alone do not name it, as the same ones are used again:
 * a packet belongs to the connection whose numbers it fits.
 */
import type { Direction, Flow, FlowEnd, StreamSink } from './flow.ts'
import type { FlowList } from './flow-list.ts'
import { StreamHalf } from './stream-half.ts'
import { ACK, SYN } from '../packets/tcp-segment.ts'
import type { TcpSegment } from '../packets/tcp-segment.ts'

/** Further away than windows reach in practice: another connection, or a capture that lost sight of this one. */
const REACH = 1 << 24
/** So far behind a sender's end nobody sends: it is the next connection with these addresses. */
const BEYOND_END = 1 << 16
/** What can have been sent before an opening that the capture turned round with it. */
const LATE_OPENING_BYTES = 256 << 10
/** What an opening may carry itself (RFC 7413), by what answers it. */
const FAST_OPENING_BYTES = 1_461

export class Connection implements Flow {
  readonly id: number
  readonly hash: number
  readonly watchedFrom: number
  readonly halves: readonly [StreamHalf, StreamHalf]
  client: Direction | -1 = -1
  state: unknown = undefined
  isOver = false
  /** When it was last heard. */
  at = 0
  /** When it was opened, by the clocks of the packets. */
  openedAt: number = -Infinity
  /** It is to end so, at the latest then: what was sent before may still come. */
  ending: FlowEnd | undefined
  endingAt: number = Infinity
  /** What is counted of its memory. */
  counted = 0
  /** One with the same addresses, which is over if this one is true. */
  former: Connection | undefined
  /** The next one with the same hash. */
  chained: Connection | undefined
  list: FlowList | undefined
  older: Connection | undefined
  newer: Connection | undefined
  readonly #isV6: boolean
  readonly #vlan: number
  /** Of who sends in direction 0, then of the other. */
  readonly #addresses: Uint8Array
  readonly #ports: readonly [number, number]

  constructor(id: number, hash: number, watchedFrom: number, segment: TcpSegment, sink: StreamSink) {
    this.id = id
    this.hash = hash
    this.watchedFrom = watchedFrom
    const { bytes, isV6, sourceAt, targetAt, sourcePort, targetPort } = segment
    const size = isV6 ? 16 : 4
    this.#isV6 = isV6
    this.#vlan = segment.vlan
    this.#addresses = new Uint8Array(2 * size)
    this.#addresses.set(bytes.subarray(sourceAt, sourceAt + size))
    this.#addresses.set(bytes.subarray(targetAt, targetAt + size), size)
    this.#ports = [sourcePort, targetPort]
    const [first, second] = [new StreamHalf(this, 0, sink), new StreamHalf(this, 1, sink)]
    first.other = second
    second.other = first
    this.halves = [first, second]
  }

  /** Its opening was seen, and answered. */
  get isEstablished(): boolean {
    return this.halves[0].opening !== undefined && this.halves[1].opening !== undefined
  }
  /** What it takes in memory, beside itself. */
  get size(): number {
    return this.halves[0].size + this.halves[1].size
  }
  get isStuck(): boolean {
    return this.halves[0].isStuck || this.halves[1].isStuck
  }

  /** Whether what is to end may end now. */
  isDue(clock: number): boolean {
    if (this.ending === undefined) return false
    if (clock >= this.endingAt) return true
    const [first, second] = this.halves
    return this.ending === 'reset' && !this.isStuck && first.next >= first.resetAt && second.next >= second.resetAt
  }

  isFromStart(direction: Direction): boolean {
    return this.halves[direction].isFromStart
  }

  directionOf(segment: TcpSegment): Direction {
    if (this.#ports[0] !== this.#ports[1]) return segment.sourcePort === this.#ports[0] ? 0 : 1
    return this.#isAt(segment, segment.sourceAt, 0) ? 0 : 1
  }

  /** The same addresses. */
  isOf(segment: TcpSegment): boolean {
    if (segment.isV6 !== this.#isV6 || segment.vlan !== this.#vlan) return false
    const { sourcePort, targetPort, sourceAt, targetAt } = segment
    const [first, second] = this.#ports
    if (sourcePort === first && targetPort === second) {
      if (this.#isAt(segment, sourceAt, 0) && this.#isAt(segment, targetAt, 1)) return true
    }
    if (sourcePort !== second || targetPort !== first) return false
    return this.#isAt(segment, sourceAt, 1) && this.#isAt(segment, targetAt, 0)
  }

  /** How far the numbers of a packet are from this connection's; Infinity: it is not of this one. */
  distanceOf(segment: TcpSegment): number {
    const direction = this.directionOf(segment)
    const half = this.halves[direction]
    const other = this.halves[1 - direction]!
    const { flags, seq } = segment
    const isOpening = (flags & SYN) !== 0
    // A side that was not heard yet may have any numbers; one whose numbers are known and near is the better guess.
    const offset = half.base === undefined ? NaN : half.offsetOf(seq)
    let distance = half.base === undefined ? REACH / 2 : Math.abs(offset - half.edge)
    if (offset > half.finAt + BEYOND_END) return Infinity
    if (distance > REACH || (isOpening && !this.#isOpening(half, seq))) return Infinity
    if (flags & ACK && other.base !== undefined) {
      const beyond = Math.abs(other.offsetOf(segment.ack) - other.edge)
      if (beyond > REACH) return Infinity
      distance += beyond
    }
    return distance
  }

  /** Whether it is the opening of this connection, seen now or before; and not of the next one with these addresses. */
  #isOpening({ opening, openingAck, base, next }: StreamHalf, seq: number): boolean {
    if (opening !== undefined) return opening === seq
    if (base === undefined) return true
    if (this.ending !== undefined) return false
    const before = ((openingAck ?? (base + next) >>> 0) - seq) >>> 0
    return before <= (openingAck === undefined ? LATE_OPENING_BYTES : FAST_OPENING_BYTES)
  }

  addressOf(direction: Direction): string {
    const size = this.#addresses.length / 2
    const bytes = this.#addresses.subarray(direction * size, (direction + 1) * size)
    if (!this.#isV6) return bytes.join('.')
    const words = Array.from({ length: 8 }, (_, at) => ((bytes[2 * at]! << 8) | bytes[2 * at + 1]!).toString(16))
    return words.join(':')
  }

  portOf(direction: Direction): number {
    return this.#ports[direction]
  }

  #isAt({ bytes }: TcpSegment, at: number, side: Direction): boolean {
    const size = this.#addresses.length / 2
    const begin = side * size
    for (let place = 0; place < size; place++) {
      if (bytes[at + place] !== this.#addresses[begin + place]) return false
    }
    return true
  }
}

/** The same for both directions, and for nobody to guess who does not know the seed. */
export function hashOf(segment: TcpSegment, seed: number): number {
  const { bytes, isV6, sourceAt, targetAt, sourcePort, targetPort, vlan } = segment
  const size = isV6 ? 16 : 4
  const sides = sideOf(bytes, sourceAt, size, sourcePort ^ seed) + sideOf(bytes, targetAt, size, targetPort ^ seed)
  return mixed(sides ^ vlan)
}

function sideOf(bytes: Uint8Array, at: number, size: number, begin: number): number {
  let hash = mixed(begin)
  for (let word = at; word < at + size; word += 4) {
    const value = (bytes[word]! << 24) | (bytes[word + 1]! << 16) | (bytes[word + 2]! << 8) | bytes[word + 3]!
    hash = mixed(hash ^ value)
  }
  return hash
}

/** The finish of MurmurHash3: every bit of it depends on every bit before. */
function mixed(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}
