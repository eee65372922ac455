/** What is counted in a run of the network once it has warmed up: of clients, of crawlers, and of index messages. */
export const CLIENT = 0
export const CRAWLER = 1
export const INDEX = 2
export type ExchangeKind = typeof CLIENT | typeof CRAWLER | typeof INDEX

interface KindOutcome {
  /** Bits of complete answers (of index messages: of the messages) in a tick. */
  readonly throughput: number
  /** Mean ticks from a request to its complete answer; NaN when none was completed. */
  readonly delay: number
  /** Requests that were completed over those that were made; NaN when none was made. */
  readonly completed: number
}

export interface NetworkOutcome {
  readonly client: KindOutcome
  readonly crawler: KindOutcome
  readonly index: KindOutcome
  /** Packets that found no room, over those that were sent; packets sent again, over those sent. */
  readonly lostShare: number
  readonly againShare: number
  readonly events: number
}

interface Counts {
  made: number
  completed: number
  bits: number
  ticks: number
}

export class NetworkMeasures {
  readonly #from: number
  readonly #until: number
  readonly #kinds: readonly Counts[] = Array.from({ length: 3 }, () => ({ made: 0, completed: 0, bits: 0, ticks: 0 }))
  sent = 0
  again = 0
  lost = 0

  constructor(from: number, until: number) {
    this.#from = from
    this.#until = until
  }

  made(kind: ExchangeKind, at: number): void {
    if (at >= this.#from) this.#kinds[kind]!.made++
  }

  completed(kind: ExchangeKind, bits: number, startedAt: number, at: number): void {
    if (at < this.#from) return
    const counts = this.#kinds[kind]!
    counts.completed++
    counts.bits += bits
    counts.ticks += at - startedAt
  }

  outcome(events: number): NetworkOutcome {
    const [client, crawler, index] = this.#kinds.map((counts) => this.#ofKind(counts)) as [
      KindOutcome,
      KindOutcome,
      KindOutcome,
    ]
    const share = (part: number): number => (this.sent === 0 ? 0 : part / this.sent)
    return { client, crawler, index, lostShare: share(this.lost), againShare: share(this.again), events }
  }

  #ofKind({ made, completed, bits, ticks }: Counts): KindOutcome {
    return {
      throughput: bits / (this.#until - this.#from),
      delay: completed === 0 ? NaN : ticks / completed,
      // What was asked before the count began may be completed in it.
      completed: made === 0 ? NaN : Math.min(1, completed / made),
    }
  }
}
