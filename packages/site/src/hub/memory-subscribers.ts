/** Memory subscribers: a store that ends with the process, for tests and for sites whose subscribers are all configured. */
import type { Subscriber, Subscribers } from './subscriber.ts'

export class MemorySubscribers implements Subscribers {
  readonly #rows: Map<string, Subscriber>

  constructor(subscribers: Iterable<Subscriber> = []) {
    this.#rows = new Map([...subscribers].map((subscriber) => [subscriber.id, subscriber]))
  }

  all(): Iterable<Subscriber> {
    return [...this.#rows.values()]
  }

  get(id: string): Subscriber | undefined {
    return this.#rows.get(id)
  }

  async put(subscriber: Subscriber): Promise<void> {
    this.#rows.set(subscriber.id, subscriber)
  }

  async delete(id: string): Promise<void> {
    this.#rows.delete(id)
  }
}
