/**
 * Conversation sample: HTTP over TCP made up by somebody who knows the truth. Client and server hear each other perfectly, late
 * or at once; what they said, and which answer is whose, is known whatever a capture makes of it (`testing/capture-sample.ts`).
 *
 * Clients wait for each answer, or ask several at once, or ask again in the middle of an answer; bodies may look like HTTP
 * themselves. An answer says in a field of its own which request it answers.
 */
import { exchangeOf } from './exchange-sample.ts'
import type { SampleExchange } from './exchange-sample.ts'
import { tcpPacket } from './packet-sample.ts'
import type { Endpoint, Sums } from './packet-sample.ts'
import { ACK, FIN, RST, SYN } from '../packets/tcp-segment.ts'

interface ConversationOptions {
  readonly name: string
  readonly exchanges: number
  /** Requests that may wait for an answer at one time; 1: the client waits for each. */
  readonly depth: number
  /** Largest payload of a packet. */
  readonly segment: number
  /** Share of the payloads that are sent once more, in other pieces. */
  readonly resent: number
  /** Share of the packets that somebody sends with other bytes, right before or behind the true ones. */
  readonly forged: number
  /** Share of packets that are damaged on their way, and sent again. */
  readonly damaged: number
  /** How long sides think, at most. */
  readonly thinkMs: number
  /** The connection is reset in the middle; by which side. */
  readonly reset: 0 | 1 | undefined
  readonly end: 'close' | 'half-close' | 'none'
  readonly isV6: boolean
  readonly hasStamps: boolean
  /** The first request comes with the opening (RFC 7413). */
  readonly isFast: boolean
  /** Silent sides ask whether the other is still there, with a byte that means nothing. */
  readonly probes: boolean
  readonly clientPort: number
  /** What the network card does with the sums of each side. */
  readonly sums: readonly [Sums, Sums]
  /** First numbers of the two sides. */
  readonly openings: readonly [number, number]
}

export interface SamplePacket {
  readonly at: number
  readonly bytes: Uint8Array
  /** A capture that loses this one must lose all of its group: without one of them nobody could know the truth. */
  readonly group?: number | undefined
}

export interface SampleConversation {
  readonly packets: readonly SamplePacket[]
  /** All that was asked. */
  readonly exchanges: readonly SampleExchange[]
  /** URLs of those whose answer was sent to its end, with nothing forged before. */
  readonly finished: ReadonlySet<string>
  readonly lastAt: number
}

export function makeConversation(
  random: () => number,
  options: ConversationOptions,
  startAt: number,
): SampleConversation {
  return new Conversation(random, options, startAt).run()
}

class Conversation {
  readonly #random: () => number
  readonly #options: ConversationOptions
  readonly #packets: SamplePacket[] = []
  readonly #exchanges: SampleExchange[] = []
  readonly #finished = new Set<string>()
  readonly #ends: readonly [Endpoint, Endpoint]
  /** TCP's number of the first byte of each side. */
  readonly #base: [number, number]
  /** Bytes that a side has sent, and has received of the other. */
  readonly #sent: [number, number] = [0, 0]
  readonly #heard: [number, number] = [0, 0]
  readonly #isOver: [boolean, boolean] = [false, false]
  #at: number
  /** Ends of requests in the client's bytes, of their heads, and of answers in the server's. */
  readonly #requestEnds: number[] = []
  readonly #answerEnds: number[] = []
  /** Answers that were given well before anything was forged. */
  #sureAnswers = Infinity

  constructor(random: () => number, options: ConversationOptions, startAt: number) {
    this.#random = random
    this.#options = options
    this.#at = startAt
    const address = (last: number): readonly number[] =>
      options.isV6 ? [0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, last] : [10, 0, 0, last]
    this.#ends = [
      { address: address(1), port: options.clientPort },
      { address: address(2), port: 80 },
    ]
    this.#base = [...options.openings]
  }

  run(): SampleConversation {
    const { exchanges, depth, name, end, reset, segment } = this.#options
    const random = this.#random
    const resetAfter = reset === undefined ? Infinity : random() * exchanges
    for (let each = 0; each < exchanges; each++) {
      const isLast = each === exchanges - 1
      const mayClose = isLast && depth === 1 && end === 'close'
      this.#exchanges.push(exchangeOf(`/${name}/${each}`, mayClose, 15 * segment, random))
    }
    this.#open()
    while (this.#answerEnds.length < exchanges) {
      if (reset !== undefined && this.#answerEnds.length + random() > resetAfter) return this.#abort(reset)
      const asked = this.#requestEnds.length
      const mayAsk = asked < exchanges && asked - this.#answersHeard() < depth
      const isWaited = this.#answerEnds.length < asked
      if (mayAsk && (!isWaited || random() < 0.5)) this.#ask(this.#exchanges[asked]!)
      else if (isWaited) this.#answer(this.#exchanges[this.#answerEnds.length]!, depth)
      else this.#hear(0)
    }
    if (end !== 'none') this.#close()
    return this.#result()
  }

  #result(): SampleConversation {
    // What comes with something forged, or behind it, may be cut wrongly by whoever takes the forged bytes.
    const sure = Math.min(this.#answerEnds.length, this.#sureAnswers)
    for (const { url } of this.#exchanges.slice(0, Math.max(0, sure))) this.#finished.add(url)
    return { packets: this.#packets, exchanges: this.#exchanges, finished: this.#finished, lastAt: this.#at }
  }

  /** Answers that the client has received to their end. */
  #answersHeard(): number {
    return this.#answerEnds.filter((end) => end <= this.#heard[0]).length
  }

  #open(): void {
    const first = this.#options.isFast ? this.#exchanges[0] : undefined
    const flags = SYN
    this.#packet(0, flags, first?.request.head ?? new Uint8Array(0), -1)
    if (first !== undefined) {
      this.#sent[0] = this.#heard[1] = first.request.head.length
      this.#say(0, first.request.body)
      this.#requestEnds.push(this.#sent[0])
    }
    this.#packet(1, SYN | ACK, new Uint8Array(0), -1)
    this.#packet(0, ACK)
  }

  #ask({ request, expectsInterim }: SampleExchange): void {
    this.#think()
    this.#say(0, request.head)
    if (expectsInterim) {
      this.#hear(1)
      this.#say(1, Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'))
      this.#hear(0)
    }
    this.#say(0, request.body)
    this.#requestEnds.push(this.#sent[0])
    const isLast = this.#requestEnds.length === this.#exchanges.length
    if (isLast && this.#options.end === 'half-close') this.#finish(0)
  }

  /** A client that does not wait may ask in the middle of it. */
  #answer({ answer }: SampleExchange, depth: number): void {
    // A server hears a request before it answers it, and perhaps those behind it.
    this.#heard[1] = Math.max(this.#heard[1], this.#requestEnds[this.#answerEnds.length]!)
    if (this.#random() < 0.5) this.#hear(1)
    this.#think()
    const isCut = depth > 1 && this.#random() < 0.5
    const cut = isCut ? Math.floor(this.#random() * answer.length) : answer.length
    this.#say(1, answer.subarray(0, cut))
    if (isCut) {
      if (this.#random() < 0.7) this.#hear(0)
      const asked = this.#requestEnds.length
      const next = this.#exchanges[asked]
      if (next !== undefined && !next.expectsInterim && asked - this.#answersHeard() < depth) this.#ask(next)
      if (this.#random() < 0.5) this.#hear(1)
      this.#say(1, answer.subarray(cut))
    }
    this.#answerEnds.push(this.#sent[1])
    if (this.#options.depth === 1) this.#hear(0)
  }

  #hear(side: 0 | 1): void {
    this.#heard[side] = this.#sent[1 - side]!
    if (this.#random() < 0.5) this.#packet(side, ACK)
  }

  #think(): void {
    const { thinkMs, probes } = this.#options
    this.#at += this.#random() * thinkMs
    if (!probes || this.#random() > 0.3) return
    const side = this.#random() < 0.5 ? 0 : 1
    const other = side === 0 ? 1 : 0
    if (this.#heard[other] !== this.#sent[side] || this.#sent[side] === 0) return
    this.#at += 1_000 + this.#random() * 9_000
    this.#packet(side, ACK, Buffer.from([0]), this.#sent[side] - 1)
    this.#packet(other, ACK)
    this.#at += 100
  }

  #say(side: 0 | 1, bytes: Uint8Array): void {
    const { segment, resent, forged, damaged } = this.#options
    for (let at = 0; at < bytes.length;) {
      const piece = bytes.subarray(at, at + 1 + Math.floor(this.#random() * segment))
      if (this.#random() < forged) this.#forge(side, piece)
      else {
        // Not among the first: who has sent nothing that is right yet may be one who never does.
        if (this.#random() < damaged && this.#packets.length > 20) this.#damage(side, piece)
        this.#packet(side, ACK, piece, this.#sent[side])
      }
      this.#sent[side] += piece.length
      at += piece.length
      if (this.#random() < resent) {
        const from = Math.floor(this.#random() * at)
        const again = bytes.subarray(from, Math.min(at, from + segment))
        this.#packet(side, ACK, again, this.#sent[side] - at + from)
      }
      if (this.#random() < 0.4) {
        const other = side === 0 ? 1 : 0
        this.#heard[other] = this.#sent[side]
        this.#packet(other, ACK)
      }
    }
  }

  /** The true bytes, and others under the same numbers. */
  #forge(side: 0 | 1, piece: Uint8Array): void {
    const other = Uint8Array.from(piece)
    other[Math.floor(this.#random() * other.length)]! ^= 1
    const group = Math.floor(this.#random() * 2 ** 50)
    const both = this.#random() < 0.5 ? [piece, other] : [other, piece]
    for (const bytes of both) this.#packet(side, ACK, bytes, this.#sent[side], group)
    this.#sureAnswers = Math.min(this.#sureAnswers, this.#answerEnds.length - 2)
  }

  #damage(side: 0 | 1, piece: Uint8Array): void {
    this.#packet(side, ACK, piece, this.#sent[side])
    const { bytes, at } = this.#packets.pop()!
    const spoilt = Uint8Array.from(bytes)
    const from = this.#options.isV6 ? 40 : 20
    spoilt[from + Math.floor(this.#random() * (spoilt.length - from))]! ^= 1 << Math.floor(this.#random() * 8)
    this.#packets.push({ bytes: spoilt, at })
  }

  #close(): void {
    this.#heard[0] = this.#sent[1]
    this.#heard[1] = this.#sent[0]
    this.#finish(1)
    if (!this.#isOver[0]) this.#finish(0)
    else this.#packet(0, ACK)
    this.#packet(1, ACK)
  }

  #finish(side: 0 | 1): void {
    this.#packet(side, FIN | ACK)
    this.#isOver[side] = true
  }

  #abort(side: 0 | 1): SampleConversation {
    this.#heard[side] = this.#sent[1 - side]!
    this.#packet(side, RST | ACK)
    return this.#result()
  }

  #packet(
    side: 0 | 1,
    flags: number,
    payload: Uint8Array = new Uint8Array(0),
    offset: number = this.#sent[side] + (this.#isOver[side] ? 1 : 0),
    group?: number,
  ): void {
    this.#at += 0.05 + this.#random() * 0.1
    const other = side === 0 ? 1 : 0
    const heard = this.#heard[side] + (this.#isOver[other] ? 1 : 0)
    const { hasStamps, sums } = this.#options
    const segment = {
      from: this.#ends[side],
      to: this.#ends[other],
      seq: (this.#base[side] + offset) >>> 0,
      ack: flags & ACK ? (this.#base[other] + heard) >>> 0 : 0,
      flags,
      payload,
      stamp: hasStamps ? (Math.floor(this.#at) + 1e9 * side) >>> 0 : undefined,
      id: this.#packets.length & 0xffff,
    }
    this.#packets.push({ at: this.#at, bytes: tcpPacket(segment, sums[side]), group })
  }
}
