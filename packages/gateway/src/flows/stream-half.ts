/**
 * StreamHalf: one direction of a connection, put in order. Numbers of TCP have 32 bits and wrap; here a byte has an offset that
 * does not, counted from where the direction was first seen.
 *
 *   in order ──▶ handed on at once
 *   later ─────▶ held, until what is missing comes, or is given up: then it is a gap
 *   earlier ───▶ seen before: compared with what was handed on, as far back as that is kept
 *
 * A packet also says what its sender had received. Until that was handed on in the other direction it is held too: nobody hears
 * an answer before its request, in whatever order they were captured.
 */
import type { Direction, Flow, StreamSink } from './flow.ts'
import { SeenBytes } from './seen-bytes.ts'

interface Held {
  readonly offset: number
  readonly bytes: Uint8Array
  /** Its sums were wrong, and there was no right one yet. */
  readonly isUnchecked: boolean
  readonly at: number
  ack: number
}

/** What a piece that is held takes beside its bytes. */
const PIECE_COST = 100
/** Nobody asks sooner whether the other side is still there. */
const PROBE_MS = 500

export class StreamHalf {
  readonly direction: Direction
  readonly #flow: Flow
  readonly #sink: StreamSink
  readonly #seen = new SeenBytes()
  /** Disjoint, in order. */
  #held: Held[] = []
  #heldBytes = 0
  /** The other direction; set once, when both are there. */
  #other: StreamHalf | undefined
  /** TCP's number of offset 0; undefined until the direction was first heard of. */
  base: number | undefined
  /** Number of the opening, and the sender's clock in it, when it was seen; and the number that its answer asked for next. */
  opening: number | undefined
  openingAck: number | undefined
  openingStamp = -1
  /** The first byte that was not handed on. */
  next = 0
  /** Bytes may be handed on: the beginning is known, or was waited for long enough. */
  isOpen = false
  isFromStart = false
  /** It opened the connection, and speaks first. */
  isOpener = false
  isEnded = false
  /** Where the sender said that it ends. */
  finAt: number = NaN
  /** Where the sender's reset stands. */
  resetAt: number = -Infinity
  /** How far the other side has received this one, by its own word. */
  acked: number = NaN
  /** Where it could not go on, when that was last asked, and since when. */
  #stuckAt: number = NaN
  #stuckSince = 0
  /** When bytes were last handed on. */
  #spokeAt = 0
  /** Nothing of it is captured, though the other side answers to it: a packet goes one way and its answer another. */
  isUnheard = false
  hasRightSum = false
  /** Bytes that were handed on with wrong sums while there was no right one. */
  #hasUnchecked = false
  #uncheckedFrom = Infinity
  #uncheckedTo = -Infinity

  constructor(flow: Flow, direction: Direction, sink: StreamSink) {
    this.#flow = flow
    this.direction = direction
    this.#sink = sink
  }

  set other(other: StreamHalf) {
    this.#other = other
  }

  /** Bytes held until what is before them comes, and kept to be compared. */
  get size(): number {
    return this.#heldBytes + this.#seen.size
  }
  get heldBytes(): number {
    return this.#heldBytes
  }
  /** The furthest that is known of: handed on, or received. */
  get edge(): number {
    return this.acked > this.next ? this.acked : this.next
  }
  /** Something is in its way. */
  get isStuck(): boolean {
    if (this.#held.length > 0) return true
    if (!this.isOpen) return !Number.isNaN(this.finAt)
    return this.acked > this.next && !this.isUnheard && !(this.finAt <= this.next)
  }
  /** How long it has been in the same place. */
  stuckMs(clock: number): number {
    if (this.#stuckAt !== this.next) {
      this.#stuckAt = this.next
      this.#stuckSince = clock
    }
    return clock - this.#stuckSince
  }

  /** What is in its way was received by its reader: only the capture can be late. */
  get isReceived(): boolean {
    const first = this.#held[0]
    return first === undefined || first.offset <= this.next || this.acked >= first.offset
  }

  /** The offset of one of TCP's numbers, the nearest to where we are. */
  offsetOf(number: number): number {
    return this.next + ((number - this.base! - (this.next % 2 ** 32)) | 0)
  }

  /** The beginning is known: `first` is the number of the first byte. */
  openAt(first: number): void {
    this.base ??= first
    if (this.isOpen) return
    const offset = this.offsetOf(first)
    this.isOpen = this.isFromStart = true
    this.next = offset
  }

  /** The beginning was not seen: what is held first is taken for it. */
  openAnyhow(): void {
    this.isOpen = true
    this.next = this.#held[0]?.offset ?? (Number.isNaN(this.finAt) ? this.next : this.finAt)
  }

  /** The first word of the other side says where this one begins, had its opening not been seen: in HTTP it is the first word of all. */
  #openBefore(offset: number): void {
    const held = this.#held[0]?.offset ?? offset
    if (!(offset <= held)) return
    this.isOpen = this.isFromStart = true
    this.next = offset
  }

  /** A piece of the stream. It is handed on at once, or held: then `drain` tells when it is its turn. */
  take(bytes: Uint8Array, offset: number, ack: number, at: number, isUnchecked: boolean): void {
    this.isUnheard = false
    if (isUnchecked) this.#hasUnchecked = true
    if (offset + bytes.length > this.finAt) return this.#afterEnd(bytes, offset, ack, at, isUnchecked)
    if (this.isOpen) {
      if (offset === this.next && this.#held.length === 0 && this.#isHeard(ack)) {
        return this.#deliver(bytes, ack, at, isUnchecked)
      }
      const seen = this.next - offset
      if (seen > 0) this.#compare(seen < bytes.length ? bytes.subarray(0, seen) : bytes, offset, at)
      if (seen >= bytes.length) return
      if (seen > 0) return this.#hold(bytes.subarray(seen), this.next, ack, at, isUnchecked)
    }
    this.#hold(bytes, offset, ack, at, isUnchecked)
  }

  /** The sender says that it ends here. What it said before to be behind that is not sure. */
  endAt(offset: number): void {
    if (Number.isNaN(this.finAt) && (offset >= this.next || !this.isOpen)) this.finAt = offset
  }
  /** All was handed on, and nothing more is to come. */
  get isDone(): boolean {
    return this.isOpen && this.finAt <= this.next
  }

  /** Sums were right: then those that were wrong before meant something. */
  isChecked(): void {
    this.hasRightSum = true
    if (!this.#hasUnchecked) return
    if (this.#uncheckedTo > this.#uncheckedFrom) this.doubt(this.#uncheckedFrom, this.#uncheckedTo)
    this.#held = this.#held.filter(({ isUnchecked }) => !isUnchecked)
    this.#heldBytes = this.#held.reduce((sum, { bytes }) => sum + bytes.length + PIECE_COST, 0)
  }

  doubt(from: number, to: number): void {
    this.#sink.conflict(this.#flow, this.direction, from, to)
  }

  /** Hand on what can be; whether anything could. */
  drain(): boolean {
    if (!this.isOpen) return false
    let done = 0
    for (const piece of this.#held) {
      if (piece.offset > this.next || !this.#isHeard(piece.ack)) break
      done++
      this.#heldBytes -= piece.bytes.length + PIECE_COST
      const seen = this.next - piece.offset
      if (seen > 0) this.#compare(piece.bytes.subarray(0, seen), piece.offset, piece.at)
      if (seen >= piece.bytes.length) continue
      this.#deliver(seen > 0 ? piece.bytes.subarray(seen) : piece.bytes, piece.ack, piece.at, piece.isUnchecked)
    }
    if (done > 0) this.#held.splice(0, done)
    return done > 0
  }

  /** What is missing will not come, in this direction or in the other: go on behind it. It was lost when it was first missed. */
  giveUp(clock: number): void {
    const at = clock - this.stuckMs(clock)
    const first = this.#held[0]
    if (first === undefined) return this.#skipTo(Math.min(this.acked, endOf(this)), at)
    if (first.offset > this.next) return this.#skipTo(first.offset, at)
    const other = this.#other!
    if (!other.isOpen) return other.openAnyhow()
    const isUnheard = !other.hasSpoken
    other.#skipTo(Math.min(first.ack, other.#held[0]?.offset ?? first.ack, endOf(other)), at)
    other.isUnheard = isUnheard
    // Two that wait for each other: damaged numbers, or somebody's play.
    if (!this.#isHeard(first.ack)) first.ack = NaN
  }

  get hasSpoken(): boolean {
    return this.#seen.total > 0 || this.#held.length > 0
  }

  /** Nothing more will come: what is missing before the end is a gap. */
  skipToEnd(at: number): void {
    this.#skipTo(Math.min(Number.isNaN(this.acked) ? this.next : this.edge, endOf(this)), at)
    if (this.finAt > this.next) this.#skipTo(this.finAt, at)
  }

  /** Bytes that come when all is over. */
  late(bytes: Uint8Array, offset: number, at: number): void {
    const end = offset + bytes.length
    if (end > this.finAt) this.doubt(this.finAt - 1, end)
    if (offset < this.next) this.#compare(bytes, offset, at)
  }

  /** Memory is short: what was handed on cannot be compared any more. */
  forgetSeen(): void {
    this.#seen.forget()
  }

  /** The connection is over. What still comes may be compared with what was seen. */
  close(): void {
    this.#held.length = 0
    this.#heldBytes = 0
  }

  /** Whether the other side's words up to here were handed on. The end of a direction takes a number of its own. */
  #isHeard(ack: number): boolean {
    const other = this.#other!
    if (other.isOpen) {
      if (!(ack > other.next) || other.isEnded || other.isUnheard) return true
      return other.finAt === other.next && ack === other.next + 1
    }
    // Who speaks first of all has heard nothing; of anybody else it cannot be known yet.
    return Number.isNaN(ack) || this.#isFirstWord
  }

  get #isFirstWord(): boolean {
    return this.isOpener && this.#seen.total === 0
  }

  #skipTo(offset: number, at: number): void {
    if (!(offset > this.next)) return
    this.#sink.gap(this.#flow, this.direction, this.next, offset - this.next, at)
    this.#seen.skip(this.next, offset)
    this.next = offset
  }

  #deliver(bytes: Uint8Array, ack: number, at: number, isUnchecked: boolean): void {
    const offset = this.next
    if (isUnchecked) {
      this.#uncheckedFrom = Math.min(this.#uncheckedFrom, offset)
      this.#uncheckedTo = offset + bytes.length
    }
    if (!this.#other!.isOpen && this.#isFirstWord) this.#other!.#openBefore(ack)
    this.next += bytes.length
    this.#spokeAt = at
    this.#seen.add(bytes, offset)
    this.#sink.data(this.#flow, this.direction, bytes, offset, ack, at)
  }

  /** More than the sender said there would be: whichever is true, the last word before is not sure. */
  #afterEnd(bytes: Uint8Array, offset: number, ack: number, at: number, isUnchecked: boolean): void {
    const room = this.finAt - offset
    this.doubt(this.finAt - 1, offset + bytes.length)
    if (room > 0) this.take(bytes.subarray(0, room), offset, ack, at, isUnchecked)
  }

  /** In order of offsets; what is there already is compared and not kept twice. */
  #hold(bytes: Uint8Array, begin: number, ack: number, at: number, isUnchecked: boolean): void {
    const held = this.#held
    const end = begin + bytes.length
    let offset = begin
    let place = this.#placeOf(begin)
    while (offset < end) {
      const next = held[place]
      const free = next === undefined ? end : Math.min(end, next.offset)
      if (free > offset) {
        const piece = new Uint8Array(bytes.subarray(offset - begin, free - begin))
        held.splice(place++, 0, { offset, bytes: piece, ack, at, isUnchecked })
        this.#heldBytes += free - offset + PIECE_COST
        offset = free
      }
      if (next === undefined || offset === end) return
      const to = Math.min(end, next.offset + next.bytes.length)
      const isSame = equal(bytes, offset - begin, next.bytes, offset - next.offset, to - offset)
      if (!isSame) this.doubt(offset, to)
      offset = to
      place++
    }
  }

  /** The first piece that ends behind an offset. */
  #placeOf(offset: number): number {
    let [low, high] = [0, this.#held.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const { offset: at, bytes } = this.#held[middle]!
      if (at + bytes.length > offset) high = middle
      else low = middle + 1
    }
    return low
  }

  /** After a silence, a byte that is sent again only to see whether somebody is there may be any byte (RFC 9293 §3.8.4). */
  #compare(bytes: Uint8Array, offset: number, at: number): void {
    if (bytes.length === 1 && offset === this.next - 1 && at - this.#spokeAt >= PROBE_MS) return
    if (!this.#seen.agrees(bytes, offset, this.next)) this.doubt(offset, offset + bytes.length)
  }
}

const endOf = ({ finAt }: StreamHalf): number => (Number.isNaN(finAt) ? Infinity : finAt)

function equal(one: Uint8Array, from: number, other: Uint8Array, begin: number, length: number): boolean {
  for (let at = 0; at < length; at++) if (one[from + at] !== other[begin + at]) return false
  return true
}
