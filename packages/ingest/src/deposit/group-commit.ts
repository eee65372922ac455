/**
 * Group commit: many visits become durable together. One commit runs at a time; what arrives meanwhile goes with the
 * next, so the disk sets the pace and nothing waits longer than one commit and the interval.
 *
 * A page is acknowledged when the commit that holds it has resolved, never before.
 */
import type { Collection } from '@comity/collection'
import type { Frontier } from '@comity/frontier'
import { committed } from '../events.ts'

export interface CommitHooks {
  readonly before: () => void
  /** Everything that was in is durable now. */
  readonly after?: (() => void) | undefined
  readonly onError: (error: Error) => void
}

export class GroupCommit {
  readonly #collection: Collection
  readonly #frontier: Frontier
  readonly #everyMs: number
  readonly #hooks: CommitHooks
  /** Pages deposited and not acknowledged. */
  #pending = 0
  #wanted = false
  #running: Promise<void> | undefined
  #hurry: (() => void) | undefined
  #failed = false
  #wakeups: (() => void)[] = []

  constructor(collection: Collection, frontier: Frontier, everyMs: number, hooks: CommitHooks) {
    this.#collection = collection
    this.#frontier = frontier
    this.#everyMs = everyMs
    this.#hooks = hooks
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
      this.#hooks.before()
      await this.#collection.commit(this.#frontier.drain())
      this.#frontier.stored()
      this.#pending -= pages
      this.#hooks.after?.()
      if (committed.hasSubscribers) committed.publish({ pages, tookMs: performance.now() - began })
    } catch (error) {
      this.#failed = true
      this.#hooks.onError(error as Error)
    }
    for (const wake of this.#wakeups.splice(0)) wake()
  }
}
