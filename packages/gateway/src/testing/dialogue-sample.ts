/**
 * Dialogue sample: a TCP connection written out by hand, for tests that want every packet to be as they say. Each step adds
 * packets to a list, a millisecond apart; the test may then take some away, turn them round or change them.
 */
import { pcapFile, tcpPacket } from './packet-sample.ts'
import type { Endpoint, Sums, Wire } from './packet-sample.ts'
import type { ObservedExchange } from '../http/observed-exchange.ts'
import { Rebuilder } from '../rebuilder.ts'
import type { RebuildCounters, RebuildOptions } from '../rebuilder.ts'
import { ACK, FIN, RST, SYN } from '../packets/tcp-segment.ts'

/** 0: the client, 1: the server. */
type Side = 0 | 1

interface DialogueOptions {
  readonly client?: Endpoint
  readonly server?: Endpoint
  readonly openings?: readonly [number, number]
  readonly sums?: readonly [Sums, Sums]
  readonly startAt?: number
  /** Largest payload of a packet. */
  readonly segment?: number
}

interface Step {
  readonly flags?: number
  /** Instead of what the side has heard, or would send next. */
  readonly ack?: number
  readonly at?: number
  readonly stamp?: number
  readonly urgent?: number
}

export class Dialogue {
  packets: Wire[] = []
  /** Numbers of the byte that each side sends next, and expects next. */
  readonly next: [number, number]
  readonly #ends: readonly [Endpoint, Endpoint]
  readonly #sums: readonly [Sums, Sums]
  readonly #segment: number
  #at: number

  constructor(options: DialogueOptions = {}) {
    const { client = { address: [10, 1, 0, 1], port: 40_000 }, server = { address: [10, 2, 0, 2], port: 80 } } = options
    const {
      openings = [1_000, 900_000],
      sums = ['right', 'right'],
      startAt = 1_700_000_000_000,
      segment = 1_460,
    } = options
    this.#ends = [client, server]
    this.#sums = sums
    this.#segment = segment
    this.next = [openings[0], openings[1]]
    this.#at = startAt
  }

  /** The time of the packet before. */
  get at(): number {
    return this.#at
  }

  wait(ms: number): this {
    this.#at += ms
    return this
  }

  open(): this {
    this.send(0, '', { flags: SYN })
    this.next[0] = (this.next[0] + 1) >>> 0
    this.send(1, '', { flags: SYN | ACK })
    this.next[1] = (this.next[1] + 1) >>> 0
    return this.send(0, '')
  }

  /** In order, in as many packets as it takes. */
  say(side: Side, text: string | Uint8Array, step: Step = {}): this {
    const bytes = Buffer.from(text as string, 'latin1')
    for (let at = 0; at < bytes.length; at += this.#segment) {
      const piece = bytes.subarray(at, at + this.#segment)
      this.send(side, piece, step)
      this.next[side] = (this.next[side] + piece.length) >>> 0
    }
    return this
  }

  /** A request and its answer. */
  exchange(request: string, answer: string): this {
    return this.say(0, request).say(1, answer)
  }

  close(first: Side = 1): this {
    return this.finish(first)
      .finish(first === 0 ? 1 : 0)
      .send(first, '')
  }

  finish(side: Side): this {
    this.send(side, '', { flags: FIN | ACK })
    this.next[side] = (this.next[side] + 1) >>> 0
    return this
  }

  reset(side: Side): this {
    return this.send(side, '', { flags: RST | ACK })
  }

  /** Bytes that are sent, and not captured. */
  lose(side: Side, text: string | number): this {
    const length = typeof text === 'number' ? text : text.length
    this.next[side] = (this.next[side] + length) >>> 0
    return this
  }

  /** One packet; what the side sends next stays what it was. `offset`: bytes before that. */
  send(side: Side, text: string | Uint8Array, step: Step = {}, offset = 0): this {
    const other = side === 0 ? 1 : 0
    const { flags = ACK, ack = this.next[other], stamp, urgent, at } = step
    this.#at += 1
    const segment = {
      from: this.#ends[side],
      to: this.#ends[other],
      seq: (this.next[side] - offset) >>> 0,
      ack: flags & ACK ? ack >>> 0 : 0,
      flags,
      payload: Buffer.from(text as string, 'latin1'),
      stamp,
      urgent,
    }
    this.packets.push({ at: at ?? this.#at, bytes: tcpPacket(segment, this.#sums[side]) })
    return this
  }
}

export interface Rebuilt {
  readonly exchanges: readonly ObservedExchange[]
  readonly counters: RebuildCounters
  readonly problem: string | undefined
  readonly held: { readonly flows: number; readonly bytes: number }
}

export function rebuilt(capture: Uint8Array | readonly Wire[], options: RebuildOptions = {}): Rebuilt {
  const exchanges: ObservedExchange[] = []
  const rebuilder = new Rebuilder({ observed: (observed) => void exchanges.push(observed) }, options)
  rebuilder.write(capture instanceof Uint8Array ? capture : pcapFile(capture))
  const { problem } = rebuilder.end()
  return { exchanges, counters: rebuilder.counters, problem, held: rebuilder.memory }
}

/** As one line each: what a test compares. */
export function told({ exchanges }: Rebuilt): string[] {
  return exchanges.map(({ verdict, request, response, body }) => {
    const asked = request === undefined ? '-' : `${request.method} ${request.target}`
    const said = response === undefined ? '-' : `${response.status} ${text(body)}`
    return `${verdict}: ${asked} => ${said}`.trimEnd()
  })
}

const text = (body: Uint8Array): string => {
  const shown = Buffer.from(body).toString('latin1')
  return shown.length > 60 ? `${shown.slice(0, 20)}… ${shown.length}` : shown
}

/** A request for a path, as short as one can be. */
export const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: a.example\r\n${more}\r\n`
/** An answer with a length. */
export const ok = (body: string, more = ''): string =>
  `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${body.length}\r\n${more}\r\n${body}`
