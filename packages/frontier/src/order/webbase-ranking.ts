/**
 * WebBase's way (003 §5.1): all URLs go into 500 queues by a hash of their server's name, and the crawler reads one URL
 * from each queue in turn, so that a server is hit once for every 500 URLs at most.
 *
 * A queue's turn is a number that grows by the number of queues each time the queue was read; one that was empty
 * meanwhile joins at the current round.
 */
import type { Ranking, OrderSiteFacts } from './order.ts'

export class WebbaseRanking implements Ranking {
  readonly #queues: number
  readonly #turns: Float64Array
  readonly #queueOf = new Map<string, number>()
  #now = 0

  constructor(queues: number) {
    this.#queues = queues
    this.#turns = Float64Array.from({ length: queues }, (_, queue) => queue)
  }

  /** First in, first out: pages are numbered as they are found. */
  rankPage(page: number): number {
    return page
  }

  rankSite({ origin }: OrderSiteFacts): number {
    return this.#turnOf(this.#queue(origin))
  }

  taken({ origin }: OrderSiteFacts): void {
    const queue = this.#queue(origin)
    this.#now = this.#turnOf(queue)
    this.#turns[queue] = this.#now + this.#queues
  }

  /** The first turn of a queue that is not over yet. */
  #turnOf(queue: number): number {
    const turn = this.#turns[queue]!
    return turn >= this.#now ? turn : turn + Math.ceil((this.#now - turn) / this.#queues) * this.#queues
  }

  #queue(origin: string): number {
    const known = this.#queueOf.get(origin)
    if (known !== undefined) return known
    let hash = 0x811c9dc5
    for (let i = 0; i < origin.length; i++) hash = Math.imul(hash ^ origin.charCodeAt(i), 0x01000193)
    const queue = (hash >>> 0) % this.#queues
    this.#queueOf.set(origin, queue)
    return queue
  }
}
