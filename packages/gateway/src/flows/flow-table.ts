/**
 * FlowTable: every TCP connection that goes by, each with its two directions put in order (`flows/stream-half.ts`). Connections
 * are met in the middle, closed twice, opened again under the same addresses, seen in one direction alone; packets are late,
 * doubled and lost, on their way or by the capture.
 *
 * What is missing is waited for: a capture may turn two packets round, so neither an acknowledgement nor the other side's
 * next word is taken as the end of hope, only time or much that came behind it. Everything is capped; what had to go is counted.
 */
import { Connection, hashOf } from './connection.ts'
import type { Direction, FlowEnd, StreamSink } from './flow.ts'
import { flowCounters, flowLimits } from './flow-limits.ts'
import type { FlowCounters, FlowLimits } from './flow-limits.ts'
import { FlowList } from './flow-list.ts'
import type { StreamHalf } from './stream-half.ts'
import { ACK, FIN, RST, SUM_RIGHT, SUM_WRONG, SYN, URG } from '../packets/tcp-segment.ts'
import type { SegmentSink, TcpSegment } from '../packets/tcp-segment.ts'

const SWEEP_MS = 100
/** A reset further away than this was not sent by anybody who knows the connection. */
const MAX_WINDOW = 2 ** 30
/** Connections with the same addresses that are told apart: more of them at a time is somebody's play, and each is looked at. */
const MOST_ALIKE = 8

export class FlowTable implements SegmentSink {
  readonly counters: FlowCounters = flowCounters()
  readonly #sink: StreamSink
  readonly #limits: FlowLimits
  /** By the hash of their addresses; those that share one are chained. */
  readonly #flows = new Map<number, Connection>()
  /** Of which only openings were seen; that talk; that are over. */
  readonly #opening = new FlowList()
  readonly #talking = new FlowList()
  readonly #ended = new FlowList()
  /** Something is in their way. */
  readonly #waiting = new Set<Connection>()
  #lastId = 0
  #clock = -Infinity
  #sweptAt = -Infinity
  /** Since then every connection that speaks is seen. */
  #watchedFrom = NaN
  #bytes = 0

  constructor(sink: StreamSink, limits: Partial<FlowLimits> = {}) {
    this.#limits = { ...flowLimits, ...limits }
    const { counters } = this
    this.#sink = {
      data: (flow, direction, bytes, offset, ack, at) => sink.data(flow, direction, bytes, offset, ack, at),
      gap: (flow, direction, offset, length, at) => {
        counters.gaps++
        counters.gapBytes += length
        sink.gap(flow, direction, offset, length, at)
      },
      conflict: (flow, direction, from, to) => {
        counters.conflicts++
        sink.conflict(flow, direction, from, to)
      },
      end: (flow, direction, how, at) => sink.end(flow, direction, how, at),
      finish: () => sink.finish(),
    }
  }

  get memory(): { readonly flows: number; readonly bytes: number } {
    return { flows: this.#size, bytes: this.#bytes }
  }

  get #size(): number {
    return this.#opening.size + this.#talking.size + this.#ended.size
  }

  segment(segment: TcpSegment): void {
    // Packets of several queues come with their clocks a little apart.
    if (segment.at > this.#clock) this.#clock = segment.at
    if (Number.isNaN(this.#watchedFrom)) this.#watchedFrom = this.#clock
    if (this.#clock - this.#sweptAt >= SWEEP_MS) this.#sweep()
    const hash = hashOf(segment, this.#limits.seed)
    const flow = this.#find(segment, hash) ?? this.#begin(segment, hash)
    if (flow === undefined) return
    const direction = flow.directionOf(segment)
    this.#touch(flow, segment)
    if (flow.isOver) return this.#late(flow.halves[direction], segment)
    this.#take(flow, flow.halves[direction], flow.halves[1 - direction]!, segment)
  }

  /** The capture is over. */
  finish(): void {
    for (const list of [this.#opening, this.#talking, this.#ended]) {
      for (let flow = list.oldest; flow !== undefined; flow = list.oldest) this.#finish(flow, 'over')
    }
    this.#sink.finish()
  }

  // ── what a segment says ────────────────────────────────────────────────────────────────────────────────────

  #take(flow: Connection, half: StreamHalf, other: StreamHalf, segment: TcpSegment): void {
    const { flags, seq, at, payloadLength, payloadAt } = segment
    if (!this.#isSound(half, segment)) return
    const isOpening = (flags & SYN) !== 0
    const first = isOpening ? (seq + 1) >>> 0 : seq
    half.base ??= first
    let ack = NaN
    if (flags & ACK) ack = this.#acknowledge(other, segment)
    if (isOpening) this.#open(flow, half, segment)
    if (flow.former !== undefined && flow.isEstablished) this.#supersede(flow)
    const begin = half.offsetOf(first)
    const end = begin + payloadLength + segment.missing
    if (flags & RST) return this.#reset(flow, half, begin)
    if (payloadLength > 0) {
      const payload = segment.bytes.subarray(payloadAt, payloadAt + payloadLength)
      if (half.isEnded) half.late(payload, begin, at)
      else half.take(payload, begin, ack, at, segment.sum === SUM_WRONG)
      // Whether an urgent byte is a part of the stream is up to the reader (RFC 6093 §3).
      if (flags & URG) half.doubt(begin, end)
    }
    if (flags & FIN) half.endAt(end)
    this.#look(flow, at)
  }

  /** Neither damaged nor of another time. */
  #isSound(half: StreamHalf, { sum, stamp, flags }: TcpSegment): boolean {
    if (sum === SUM_WRONG) {
      if (half.hasRightSum) this.counters.damaged++
      else this.counters.unchecked++
      return !half.hasRightSum
    }
    if (stamp !== -1) {
      if (flags & SYN) half.openingStamp = stamp
      else if (half.openingStamp !== -1 && ((stamp - half.openingStamp) | 0) < 0) {
        this.counters.outdated++
        return false
      }
    }
    if (sum === SUM_RIGHT && !half.hasRightSum) half.isChecked()
    return true
  }

  #acknowledge(other: StreamHalf, { ack, flags }: TcpSegment): number {
    other.base ??= ack
    if (flags & SYN) other.openingAck = ack
    const offset = other.offsetOf(ack)
    if (!(other.acked >= offset)) other.acked = offset
    return offset
  }

  #open(flow: Connection, half: StreamHalf, { seq, flags, at }: TcpSegment): void {
    flow.openedAt = at
    half.opening ??= seq
    half.openAt((seq + 1) >>> 0)
    half.isOpener = (flags & ACK) === 0
    const asks = half.isOpener ? half.direction : 1 - half.direction
    if (flow.client === -1) flow.client = asks as Direction
  }

  /** A reset counts when its number fits (RFC 5961 §3.2 asks for exactly the next; captures are not as exact). */
  #reset(flow: Connection, half: StreamHalf, begin: number): void {
    const least = half.acked < half.next ? half.acked : half.next
    const fits = !half.isOpen || (begin >= least - 1 && begin - half.next <= MAX_WINDOW)
    if (!fits) return void this.counters.strayResets++
    this.counters.resets++
    half.resetAt = half.isOpen ? begin : Infinity
    this.#endSoon(flow, 'reset')
    this.#look(flow, this.#clock)
  }

  /** The connection is over; what it sends again may still differ from what was seen. */
  #late(half: StreamHalf, segment: TcpSegment): void {
    const { flags, seq, payloadLength, payloadAt, bytes } = segment
    if (payloadLength === 0 || flags & SYN || half.base === undefined || !this.#isSound(half, segment)) return
    half.late(bytes.subarray(payloadAt, payloadAt + payloadLength), half.offsetOf(seq), segment.at)
  }

  // ── what follows from it ───────────────────────────────────────────────────────────────────────────────────

  /** Hand on what can be, give up what must be, end what has ended, make room. */
  #look(flow: Connection, at: number): void {
    const [first, second] = flow.halves
    if (first.isStuck || second.isStuck) this.#unblock(flow)
    if (first.isDone && !first.isEnded) this.#endHalf(flow, first, at)
    if (second.isDone && !second.isEnded) this.#endHalf(flow, second, at)
    if (first.isEnded && second.isEnded) this.#close(flow, 'closed', at)
    else if (flow.isDue(this.#clock)) {
      this.#flush(flow, at)
      this.#close(flow, flow.ending!, at)
    }
    this.#count(flow)
    if (this.#bytes > this.#limits.bytes) this.#makeRoom(flow)
  }

  #count(flow: Connection): void {
    const { size } = flow
    this.#bytes += size - flow.counted
    flow.counted = size
  }

  /** As far as it goes; then whoever waits is on the list, with the time since when. */
  #unblock(flow: Connection): void {
    const [first, second] = flow.halves
    let hasMoved = true
    while (hasMoved) {
      const one = first.drain()
      const two = second.drain()
      hasMoved = one || two
      for (const half of flow.halves) {
        if (!half.isStuck || !this.#isHopeless(half)) continue
        this.#goOn(half)
        hasMoved = true
      }
    }
    if (flow.isStuck) this.#waiting.add(flow)
  }

  #isHopeless(half: StreamHalf): boolean {
    const { flowBytes, holeBytes, holeMs, ackedHoleBytes, ackedHoleMs, midstreamMs } = this.#limits
    const waited = half.stuckMs(this.#clock)
    if (!half.isOpen) return waited > midstreamMs || half.heldBytes > ackedHoleBytes
    const [mostBytes, mostMs] = half.isReceived ? [ackedHoleBytes, ackedHoleMs] : [holeBytes, holeMs]
    return half.heldBytes > Math.min(mostBytes, flowBytes) || waited > mostMs
  }

  #goOn(half: StreamHalf): void {
    if (half.isOpen) return half.giveUp(this.#clock)
    this.counters.midstream++
    half.openAnyhow()
  }

  #endHalf(flow: Connection, half: StreamHalf, at: number): void {
    half.isEnded = true
    this.#sink.end(flow, half.direction, 'closed', at)
  }

  #flush(flow: Connection, at: number): void {
    const [first, second] = flow.halves
    while (first.heldBytes > 0 || second.heldBytes > 0) {
      for (const half of flow.halves) {
        if (half.heldBytes > 0) this.#goOn(half)
        first.drain()
        second.drain()
      }
    }
    for (const half of flow.halves) {
      if (half.isEnded || !half.isOpen) continue
      half.skipToEnd(at)
      if (half.isDone) this.#endHalf(flow, half, at)
    }
  }

  /** It is over, but what is late may still come and must not look like a new one. */
  #close(flow: Connection, how: FlowEnd, at: number): void {
    this.#sink.end(flow, 2, how, at)
    flow.isOver = true
    this.#waiting.delete(flow)
    for (const half of flow.halves) half.close()
    this.#ended.touch(flow)
  }

  #finish(flow: Connection, how: FlowEnd): void {
    if (!flow.isOver) {
      this.#flush(flow, this.#clock)
      this.#close(flow, how, this.#clock)
    }
    flow.state = undefined
    // Of those that were evicted none must hold on to the one before.
    flow.former = undefined
    this.#bytes -= flow.counted
    this.#remove(flow)
  }

  /** What waited long enough, connections that were silent too long. */
  #sweep(): void {
    this.#sweptAt = this.#clock
    for (const flow of this.#waiting) {
      this.#look(flow, this.#clock)
      if (!flow.isStuck && flow.ending === undefined) this.#waiting.delete(flow)
    }
    const { idleMs, openingMs, lingerMs } = this.#limits
    this.#forget(this.#ended, lingerMs)
    this.#forget(this.#opening, openingMs)
    this.#forget(this.#talking, idleMs)
  }

  #forget(list: FlowList, afterMs: number): void {
    for (let flow = list.oldest; flow !== undefined; flow = list.oldest) {
      if (this.#clock - flow.at <= afterMs) return
      if (!flow.isOver) this.counters.idle++
      this.#finish(flow, 'idle')
    }
  }

  /** What is kept to be compared goes first, then whole connections that wait; those that were silent longest first. */
  #makeRoom(busy: Connection): void {
    // A little more than needed, so that the next packet does not ask again.
    const enough = this.#limits.bytes - this.#limits.bytes / 8
    for (const list of [this.#ended, this.#talking]) {
      for (let flow = list.oldest; flow !== undefined && this.#bytes > enough; flow = flow.newer) {
        for (const half of flow.halves) half.forgetSeen()
        this.#count(flow)
      }
    }
    for (const flow of this.#waiting) {
      if (this.#bytes <= enough) return
      if (flow !== busy) this.#evict(flow)
    }
    if (this.#bytes > this.#limits.bytes) this.#evict(busy)
  }

  #evict(flow: Connection): void {
    if (!flow.isOver) {
      this.counters.evicted++
      this.#watchedFrom = this.#clock
    }
    this.#finish(flow, 'evicted')
  }

  // ── who is who ─────────────────────────────────────────────────────────────────────────────────────────────

  /** Of the connections with these addresses, the one whose numbers are nearest. */
  #find(segment: TcpSegment, hash: number): Connection | undefined {
    let nearest: Connection | undefined
    let least = Infinity
    for (let flow = this.#flows.get(hash); flow !== undefined; flow = flow.chained) {
      if (!flow.isOf(segment)) continue
      const distance = flow.distanceOf(segment)
      if (distance < least) [nearest, least] = [flow, distance]
    }
    return nearest
  }

  #begin(segment: TcpSegment, hash: number): Connection | undefined {
    const { flags } = segment
    // Nothing to learn from what carries nothing and begins nothing.
    const isWorthIt = (flags & SYN) !== 0 || segment.payloadLength + segment.missing > 0
    if (!isWorthIt || flags & RST) return undefined
    const former = this.#formerOf(segment, hash)
    if (former !== undefined && segment.sum === SUM_WRONG && former.halves[former.directionOf(segment)].hasRightSum) {
      this.counters.damaged++
      return undefined
    }
    this.#thinOut(segment, hash)
    if (this.#size >= this.#limits.flows) {
      this.#evict((this.#ended.oldest ?? this.#opening.oldest ?? this.#talking.oldest)!)
    }
    this.counters.flows++
    const flow = new Connection(++this.#lastId, hash, this.#watchedFrom, segment, this.#sink)
    flow.former = former
    flow.chained = this.#flows.get(hash)
    this.#flows.set(hash, flow)
    return flow
  }

  /** New ones stand first. */
  #thinOut(segment: TcpSegment, hash: number): void {
    let [alike, oldest]: [number, Connection | undefined] = [0, undefined]
    for (let flow = this.#flows.get(hash); flow !== undefined; flow = flow.chained) {
      if (!flow.isOf(segment)) continue
      alike++
      oldest = flow
    }
    if (alike >= MOST_ALIKE) this.#evict(oldest!)
  }

  /** The last connection with these addresses, though the numbers do not fit it. */
  #formerOf(segment: TcpSegment, hash: number): Connection | undefined {
    let flow = this.#flows.get(hash)
    while (flow !== undefined && !flow.isOf(segment)) flow = flow.chained
    return flow
  }

  /** A new connection has taken the place of another. Before that was seen, it may have been a stranger's play. */
  #supersede(flow: Connection): void {
    const { former } = flow
    flow.former = undefined
    // The older of the two may be seen last.
    if (former === undefined || former.isOver || former.openedAt > flow.openedAt) return
    this.counters.reused++
    this.#endSoon(former, 'reused')
  }

  /** What was sent before it may still come. */
  #endSoon(flow: Connection, how: FlowEnd): void {
    flow.endingAt = Math.min(flow.endingAt, this.#clock + this.#limits.ackedHoleMs)
    flow.ending ??= how
    this.#waiting.add(flow)
  }

  #remove(flow: Connection): void {
    flow.list?.remove(flow)
    const first = this.#flows.get(flow.hash)
    if (first === flow) {
      if (flow.chained === undefined) this.#flows.delete(flow.hash)
      else this.#flows.set(flow.hash, flow.chained)
      return
    }
    let before = first
    while (before !== undefined && before.chained !== flow) before = before.chained
    if (before !== undefined) before.chained = flow.chained
  }

  #touch(flow: Connection, { flags }: TcpSegment): void {
    flow.at = this.#clock
    if (flow.isOver) this.#ended.touch(flow)
    else if (flow.list === this.#talking || (flags & SYN) === 0) this.#talking.touch(flow)
    else this.#opening.touch(flow)
  }
}
