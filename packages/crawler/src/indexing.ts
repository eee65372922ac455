/**
 * Indexing: the index of a collection follows its crawl, in a thread of its own. After each commit the thread is told;
 * it reads what is new back from the archive, so that whatever happens the index can be made from what is on disk.
 *
 * When the thread falls behind, `room` makes the crawl wait: a page is searchable within a second of its
 * acknowledgement because there are never more unindexed ones than the thread does in less.
 */
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Collection } from '@comity/collection'
import { IndexError, readIndexManifest } from '@comity/index'
import type { FeedReport } from './index-feed.ts'
import type { IndexingCall, IndexingNews, IndexingStart } from './indexing-worker.ts'
import { readingFact } from './reading-book.ts'

export class Indexing implements AsyncDisposable {
  readonly #collection: Collection
  readonly #worker: Worker
  readonly #ended: Promise<void>
  /** The last change the thread was told of, and how many pages that makes. */
  #seen: number
  /** What was counted of readers when the thread was last told. */
  #readVersion: number | undefined
  #committed = 0
  #report: FeedReport
  #error: Error | undefined
  #hasEnded = false
  #isResting = false
  #wakeups: (() => void)[] = []
  readonly #onSearchable: ((number: number) => void) | undefined

  /** `onSearchable` is told which change of the collection can be found now. */
  constructor(collection: Collection, options: IndexingStart['options'] = {}, onSearchable?: (number: number) => void) {
    this.#collection = collection
    this.#onSearchable = onSearchable
    this.#seen = positionIn(collection.dir)
    this.#report = { position: this.#seen, pages: 0, unread: {} }
    const workerData: IndexingStart = { dir: collection.dir, options }
    this.#worker = new Worker(new URL('indexing-worker.ts', import.meta.url), { workerData })
    this.#worker.on('message', (news: IndexingNews) => this.#hear(news))
    this.#worker.on('error', (error) => (this.#error ??= error as Error))
    this.#ended = new Promise((resolve) =>
      this.#worker.once('exit', () => {
        if (!this.#hasEnded) this.#error ??= new Error('the indexing thread ended by itself')
        this.#wake()
        resolve()
      }),
    )
    // A crawl that has ended otherwise need not wait for it.
    this.#worker.unref()
    this.follow()
  }

  /** Pages acknowledged and not yet searchable. */
  get unindexed(): number {
    return Math.max(0, this.#committed - this.#report.pages)
  }
  get report(): FeedReport {
    return this.#report
  }
  /** Why it stopped; the collection is whole without it. */
  get error(): Error | undefined {
    return this.#error
  }

  /** The collection has committed: tell the thread of what changed. */
  follow(): void {
    const before = this.#seen
    for (const { number, pages } of this.#collection.changes(before)) {
      this.#seen = number
      this.#committed += pages.length
    }
    const { version } = readingFact(this.#collection) ?? {}
    if (this.#seen > before || version !== this.#readVersion) this.#call('committed')
    this.#readVersion = version
  }

  /** Resolves when not more than so many pages are unindexed. */
  async room(maxPages: number): Promise<void> {
    await this.#until(() => this.unindexed <= maxPages)
  }

  /** Take in what there is and let go of the collection's files, until the next `follow`. */
  async rest(): Promise<void> {
    this.#isResting = false
    this.#call('rest')
    await this.#until(() => this.#isResting)
  }

  /** Index the rest and end; `inOrder`: with importance, what pages are called by now, and merges. */
  async finish(inOrder: boolean): Promise<void> {
    this.#worker.ref()
    this.#call(inOrder ? 'finish' : 'end')
    await this.#ended
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#hasEnded) await this.#worker.terminate()
  }

  #hear({ kind, report }: IndexingNews): void {
    this.#report = report
    this.#onSearchable?.(report.position)
    this.#isResting = kind === 'resting'
    this.#hasEnded ||= kind === 'ended'
    this.#wake()
  }

  async #until(isSo: () => boolean): Promise<void> {
    while (this.#error === undefined && !this.#hasEnded && !isSo())
      await new Promise<void>((resolve) => this.#wakeups.push(resolve))
  }

  #call(call: IndexingCall): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin.
    if (this.#error === undefined) this.#worker.postMessage(call)
  }

  #wake(): void {
    for (const wake of this.#wakeups.splice(0)) wake()
  }
}

/** How far the index is. Of one that is damaged the thread says so when it opens it: a crawl needs no index. */
function positionIn(dir: string): number {
  try {
    return readIndexManifest(join(dir, 'index')).position
  } catch (error) {
    if (error instanceof IndexError) return 0
    throw error
  }
}

/** What the index of a crawl came to. */
export interface IndexSummary {
  /** Pages put into the index or taken out by this run. */
  readonly pages: number
  readonly unread: FeedReport['unread']
  readonly problem?: string | undefined
}
