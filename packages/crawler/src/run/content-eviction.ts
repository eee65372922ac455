/**
 * ContentEviction: the content of at most B pages is held, the least important is dropped (003 §3, Limited Buffer Crawl).
 * What was dropped stays known: its row, its links, its place in the graph that importance comes from.
 *
 * A page is dropped the moment another takes its place; its bytes are given back when there are as many dropped as kept,
 * and at the end. So the archive is at most twice as large as what it holds, and each byte is copied about once.
 */
import { dropContents } from '@comity/collection'
import type { Collection } from '@comity/collection'
import { LimitedBuffer } from '@comity/frontier'
import type { Frontier } from '@comity/frontier'
import type { Instant } from '@comity/protocol'

/** Less than this is not worth copying anything for. */
const MIN_DROPPED_BYTES = 64 << 20

export class ContentEviction {
  readonly #collection: Collection
  readonly #buffer: LimitedBuffer
  readonly #kept = new Set<number>()
  /** Dropped, and still on disk. */
  readonly #dropped = new Set<number>()
  #keptBytes = 0
  #droppedBytes = 0

  constructor(collection: Collection, frontier: Frontier, capacity: number) {
    this.#collection = collection
    this.#buffer = new LimitedBuffer(capacity, (page) => -frontier.rankOf(page))
  }

  /** What the collection holds from earlier runs; with less room than they had, some of it goes. */
  restore(): void {
    for (const { key, value } of this.#collection.pages()) {
      if (value.body !== undefined) this.add(key)
      else if (value.isDropped && this.#hasRecords(key)) this.#dropped.add(key)
    }
  }

  /** A page's content has come. Of a page that is held already it is another version. */
  add(page: number): void {
    this.#keptBytes += this.#bytesOf(page)
    this.#dropped.delete(page)
    if (this.#kept.has(page)) return
    this.#kept.add(page)
    const gone = this.#buffer.add(page)
    if (gone === undefined) return
    this.#kept.delete(gone)
    const bytes = this.#bytesOf(gone)
    this.#keptBytes -= bytes
    this.#droppedBytes += bytes
    this.#dropped.add(gone)
    this.#collection.drop(gone)
  }

  /** There is enough to give back. */
  get isDue(): boolean {
    return this.#droppedBytes > Math.max(MIN_DROPPED_BYTES, this.#keptBytes)
  }

  /** Give back the room of all that was dropped. Everything must be committed, and nothing under way. */
  async giveBack(now: Instant): Promise<void> {
    if (this.#dropped.size === 0) return
    await dropContents(this.#collection, [...this.#dropped], now)
    this.#dropped.clear()
    this.#droppedBytes = 0
  }

  #hasRecords(page: number): boolean {
    for (const { value } of this.#collection.captures(page)) if (value.record !== undefined) return true
    return false
  }

  #bytesOf(page: number): number {
    return this.#collection.page(page)?.body?.length ?? 0
  }
}
