/**
 * Write queue: whoever comes while a write is under way waits with all others who do, and one write is for all of them. So a
 * storm costs few syncs, and the disk sets the pace.
 */

export interface WaitingWrite<Item, Answer> {
  readonly item: Item
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

interface WriteQueueParts<Item, Answer> {
  /** Answers each of them. What it throws is told to all that have no answer. */
  readonly write: (group: readonly WaitingWrite<Item, Answer>[]) => Promise<void>
  /** One write takes about `maxWeight`, so that the first who waits need not wait for a long line. */
  readonly weightOf?: (item: Item) => number
  readonly maxWeight?: number
  /** When all that waited were written; what it throws is its own affair. */
  readonly afterwards?: () => Promise<void>
}

export class WriteQueue<Item, Answer> {
  readonly #parts: Required<WriteQueueParts<Item, Answer>>
  #waiting: WaitingWrite<Item, Answer>[] = []
  /** What is under way: one thing follows another. */
  #tail: Promise<void> = Promise.resolve()

  constructor(parts: WriteQueueParts<Item, Answer>) {
    this.#parts = { weightOf: () => 1, maxWeight: Infinity, afterwards: () => Promise.resolve(), ...parts }
  }

  add(item: Item): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    this.#waiting.push({ item, resolve, reject })
    // Those who come in the same turn go together.
    if (this.#waiting.length === 1) void this.run(() => this.#flush())
    return promise
  }

  /** Something that nothing is written beside. */
  run(work: () => Promise<void>): Promise<void> {
    const done = this.#tail.then(work)
    this.#tail = done.catch(() => undefined)
    return done
  }

  /** When all that came until now is done with. Never rejects. */
  async settled(): Promise<void> {
    await this.#tail
  }

  /** Never rejects: each who waits is told. */
  async #flush(): Promise<void> {
    const waiting = this.#waiting
    this.#waiting = []
    while (waiting.length > 0) {
      const group = this.#takeGroup(waiting)
      await this.#parts.write(group).catch((error: unknown) => {
        for (const { reject } of group) reject(error)
      })
    }
    await this.#parts.afterwards().catch(() => undefined)
  }

  #takeGroup(waiting: WaitingWrite<Item, Answer>[]): WaitingWrite<Item, Answer>[] {
    const { weightOf, maxWeight } = this.#parts
    let [count, weight] = [0, 0]
    while (count < waiting.length && (count === 0 || weight < maxWeight)) weight += weightOf(waiting[count++]!.item)
    return waiting.splice(0, count)
  }
}
