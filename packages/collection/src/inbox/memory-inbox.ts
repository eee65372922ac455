/** Memory inbox: an inbox that is gone with its process; what the one on disk is held against. */
import type { Appended, Inbox, InboxDepth, InboxItem, NewInboxItem, WaitingItem } from './inbox.ts'

export interface MemoryInboxOptions {
  readonly maxItems: number
  readonly maxBytes: number
}

export class MemoryInbox implements Inbox {
  readonly #options: MemoryInboxOptions
  #items: InboxItem[] = []
  #bytes = 0
  #last: number

  constructor(after = 0, options: Partial<MemoryInboxOptions> = {}) {
    this.#last = after
    this.#options = { maxItems: 200_000, maxBytes: 256 << 20, ...options }
  }

  get last(): number {
    return this.#last
  }
  get depth(): InboxDepth {
    return { items: this.#items.length, bytes: this.#bytes }
  }

  async append(item: NewInboxItem): Promise<Appended> {
    if (this.#items.length >= this.#options.maxItems) return { kind: 'full', what: 'items' }
    if (this.#bytes + weightOf(item) > this.#options.maxBytes) return { kind: 'full', what: 'bytes' }
    this.#items.push({ ...item, number: ++this.#last })
    this.#bytes += weightOf(item)
    return { kind: 'kept', number: this.#last }
  }

  async read(after: number, limit: number): Promise<InboxItem[]> {
    return this.#items.filter(({ number }) => number > after).slice(0, limit)
  }

  async acknowledged(upTo: number): Promise<void> {
    this.#items = this.#items.filter(({ number }) => number > upTo)
    this.#bytes = this.#items.reduce((sum, item) => sum + weightOf(item), 0)
  }

  *waiting(): Generator<WaitingItem> {
    for (const item of this.#items) yield { number: item.number, origin: item.origin, bytes: weightOf(item) }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#items = []
  }
}

const weightOf = ({ body, file }: NewInboxItem): number => body.length + (file?.bytes ?? 0)
