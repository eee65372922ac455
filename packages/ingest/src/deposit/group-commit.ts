/**
 * Group commit: many visits become durable together. One commit runs at a time; what arrives meanwhile goes with the
 * next, so the disk sets the pace and nothing waits longer than one commit and the interval.
 *
 * A page is acknowledged when the commit that holds it has resolved, never before.
 */
import type { Collection } from '@comity/collection'
import type { Frontier } from '@comity/frontier'
import { committed } from '../events.ts'
import type { IngestEvents } from '../ingest-events.ts'

interface GroupCommitParts {
  readonly collection: Collection
  readonly frontier: Frontier
  readonly everyMs: number
  readonly taken: IngestEvents
  readonly onError: (error: Error) => void
}

export class GroupCommit {
  readonly #collection: Collection
  readonly #frontier: Frontier
  readonly #everyMs: number
  readonly #taken: IngestEvents
  readonly #onError: (error: Error) => void
  /** Pages deposited and not acknowledged. */
  #pending = 0
  #wanted = false
  #running: Promise<void> | undefined
  #hurry: (() => void) | undefined
  #failed = false
  #wakeups: (() => void)[] = []

  /** Deposits that are told in `taken` are made durable, and so is what those who follow it write when a commit begins. */
  constructor(parts: GroupCommitParts) {
    this.#collection = parts.collection
    this.#frontier = parts.frontier
    this.#everyMs = parts.everyMs
    this.#taken = parts.taken
    this.#onError = parts.onError
    parts.taken.follow('deposit', () => this.add())
  }

  get pending(): number {
    return this.#pending
  }

  /** One more page is in; see that it becomes durable soon. */
  add(): void {
    this.#pending++
    this.soon()
  }

  /** Something besides a page is to become durable: a clock, a robots.txt. */
  soon(): void {
    this.#wanted = true
    this.#running ??= this.#run()
  }

  /** Resolves when not too much is waiting to become durable, so that a slow disk slows the crawl, not fills the memory. */
  async room(maxPages: number, maxBytes: number): Promise<void> {
    while (!this.#failed && (this.#pending > maxPages || this.#collection.pendingBytes > maxBytes)) {
      this.#hurry?.()
      await new Promise<void>((resolve) => this.#wakeups.push(resolve))
    }
  }

  /** Everything that is in now, durable. */
  async flush(): Promise<void> {
    this.#hurry?.()
    await this.#running
    if (!this.#failed) await this.#commit()
  }

  async #run(): Promise<void> {
    while (this.#wanted && !this.#failed) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, this.#everyMs)
        this.#hurry = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      await this.#commit()
    }
    this.#running = undefined
  }

  async #commit(): Promise<void> {
    const pages = this.#pending
    this.#wanted = false
    const began = performance.now()
    try {
      this.#taken.tell('committing', undefined)
      await this.#collection.commit(this.#frontier.drain())
      this.#frontier.stored()
      this.#pending -= pages
      this.#taken.tell('committed', undefined)
      if (committed.hasSubscribers) committed.publish({ pages, tookMs: performance.now() - began })
    } catch (error) {
      this.#failed = true
      this.#onError(error as Error)
    }
    for (const wake of this.#wakeups.splice(0)) wake()
  }
}
