/**
 * FairLine: who waits for a turn, client by client: each client's first, then each one's second. Nobody has the whole line
 * (`client/fair-share.ts`), and a long line of one's own keeps only oneself waiting. Deterministic; O(1) but for clients that are passed over.
 */
import { FairShare } from './fair-share.ts'

export class FairLine<Item> {
  readonly #places: FairShare
  /** By client; who was heard last is last. */
  readonly #waiting = new Map<string, Set<Item>>()

  constructor(most: number, share?: number) {
    this.#places = new FairShare(most, share)
  }

  get size(): number {
    return this.#places.used
  }

  /** False when the line is full, or this client has its share of it. Who does not wait yet may always, as long as there is room. */
  join(client: string, item: Item): boolean {
    const mayStand = this.#places.wouldTake(client, 1)
    if (mayStand === 'full' || (mayStand === 'over' && this.#waiting.has(client))) return false
    this.#places.add(client, 1)
    this.#waiting.set(client, (this.#waiting.get(client) ?? new Set()).add(item))
    return true
  }

  /** It waits no more. */
  leave(client: string, item: Item): void {
    const items = this.#waiting.get(client)
    if (items?.delete(item) !== true) return
    this.#places.give(client, 1)
    if (items.size === 0) this.#waiting.delete(client)
  }

  /** Whose turn it is; `mayGo`: those of whom it is not true are passed over. */
  next(mayGo: (client: string) => boolean = () => true): { readonly client: string; readonly item: Item } | undefined {
    for (const [client, items] of this.#waiting) {
      if (!mayGo(client)) continue
      const [item] = items as Set<Item> & Iterable<Item>
      this.leave(client, item!)
      if (this.#waiting.delete(client)) this.#waiting.set(client, items)
      return { client, item: item! }
    }
    return undefined
  }

  /** All of them, for whoever has to tell them that nothing comes of it. */
  clear(): void {
    for (const [client, items] of this.#waiting) for (const item of items) this.leave(client, item)
  }
}
