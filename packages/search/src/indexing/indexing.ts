/**
 * Indexing: the index of a collection follows its crawl, in a thread of its own. After each commit the thread is told; what the
 * pages say it hears from those who have read them (`indexing/read-pages.ts`), and what it has not heard it reads back from the
 * archive, so that whatever happens the index can be made from what is on disk.
 *
 * When the thread falls behind, `room` makes the crawl wait: a page is searchable within a second of its
 * acknowledgement because there are never more unindexed ones than the thread does in less.
 *
 * A thread that ends by itself while it works on a page, by all the memory that it takes, say, is followed by another, which
 * goes on from the last commit; a page at which two have ended is kept aside (`faults/fault-isolation.ts` of ingest).
 */
import { join } from 'node:path'
import { MessageChannel, Worker } from 'node:worker_threads'
import { addCount } from '@comity/protocol'
import { endedAtWork } from '@comity/collection'
import type { Collection } from '@comity/collection'
import { IndexError, readIndexManifest } from '@comity/index'
import { attemptsPath } from '@comity/ingest'
import type { ReadingPool, TermFeed } from '@comity/ingest'
import type { IndexUpdaterReport } from './index-updater.ts'
import type { IndexingCall, IndexingFeed, IndexingNews, IndexingStart } from './indexing-worker.ts'
import { readingFact } from './readership.ts'

interface IndexingThread {
  /** What it runs. */
  readonly program: URL
  /** More threads than this ending by themselves in one run are no matter of single pages. */
  readonly mostDeaths: number
}

const indexingThread: IndexingThread = { program: new URL('indexing-worker.ts', import.meta.url), mostDeaths: 20 }

export class Indexing implements AsyncDisposable {
  readonly #collection: Collection
  readonly #options: IndexingStart['options']
  readonly #thread: IndexingThread
  readonly #ended = Promise.withResolvers<void>()
  #worker: Worker
  /** The last change the thread was told of, and how many pages that makes. */
  #seen: number
  /** What was counted of readers when the thread was last told. */
  #readVersion: number | undefined
  #committed = 0
  #report: IndexUpdaterReport
  /** What earlier updaters came to: each rest begins a new one, and so does each thread that takes the place of another. */
  #before: Pick<IndexUpdaterReport, 'pages' | 'readBack' | 'unread'> = { pages: 0, readBack: 0, unread: {} }
  #deaths = 0
  #error: Error | undefined
  #hasEnded = false
  /** The thread is up. */
  #hasBegun = false
  #isResting = false
  /** Asked of the thread, and not done. */
  #pending: IndexingCall | undefined
  #wakeups: (() => void)[] = []
  #readers: Pick<ReadingPool, 'feed'> | undefined
  readonly #onSearchable: ((number: number) => void) | undefined

  /** `onSearchable` is told which change of the collection can be found now. */
  constructor(
    collection: Collection,
    options: IndexingStart['options'] = {},
    onSearchable?: (number: number) => void,
    thread: Partial<IndexingThread> = {},
  ) {
    this.#collection = collection
    this.#options = options
    this.#thread = { ...indexingThread, ...thread }
    this.#onSearchable = onSearchable
    this.#seen = positionIn(collection.dir)
    this.#report = { position: this.#seen, pages: 0, searchable: 0, readBack: 0, unread: {} }
    this.#worker = this.#start()
    this.follow()
  }

  /** Hear what pages say from those who read them. */
  hear(readers: Pick<ReadingPool, 'feed'>): void {
    this.#readers = readers
    // Counted by all of them and by who hears them.
    const load = new Int32Array(new SharedArrayBuffer(4))
    readers.feed(() => this.#feed(load))
  }

  /** Pages acknowledged and not yet searchable. */
  get unindexed(): number {
    return Math.max(0, this.#committed - this.#report.searchable)
  }
  get report(): IndexUpdaterReport {
    return this.#report
  }
  /** Why it stopped; the collection is whole without it. */
  get error(): Error | undefined {
    return this.#error
  }
  get summary(): IndexSummary {
    const { pages, readBack, unread } = this.#report
    return { pages, readBack, unread, problem: this.#error?.message }
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

  /** Resolves when not more than so many pages wait for the thread. */
  async room(maxPages: number): Promise<void> {
    await this.#until(() => this.#committed - this.#report.pages <= maxPages)
  }

  /** Take in what there is and let go of the collection's files, until the next `follow`. */
  async rest(): Promise<void> {
    this.#isResting = false
    this.#call((this.#pending = 'rest'))
    await this.#until(() => this.#isResting)
  }

  /** Index the rest, with what was counted of readers, and end; `inOrder`: with importance, what pages are called by now, and merges. */
  async finish(inOrder: boolean): Promise<void> {
    this.#worker.ref()
    this.#call((this.#pending = inOrder ? 'finish' : 'end'))
    await this.#ended.promise
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#hasEnded) return
    this.#hasEnded = true
    // One that is ended while it loads its database takes the process along.
    if (!this.#hasBegun) await this.#begun()
    await this.#worker.terminate()
  }

  #start(): Worker {
    const options = { ...this.#options, isSuccessor: this.#deaths > 0 }
    const workerData: IndexingStart = { dir: this.#collection.dir, options }
    this.#hasBegun = false
    const worker = new Worker(this.#thread.program, { workerData })
    let error: Error | undefined
    worker.on('message', (news: IndexingNews) => this.#hear(news))
    worker.on('error', (thrown) => (error = thrown as Error))
    worker.once('exit', () => this.#exited(error))
    // A crawl that has ended otherwise need not wait for it.
    worker.unref()
    return worker
  }

  #hear(news: IndexingNews): void {
    this.#hasBegun = true
    if (news.kind === 'begun') return
    const { kind, report } = news
    const { pages, readBack, unread } = this.#before
    const { searchable } = report
    const counts = { pages: pages + report.pages, searchable: pages + searchable, readBack: readBack + report.readBack }
    this.#report = { ...report, ...counts, unread: sumOf(unread, report.unread) }
    this.#onSearchable?.(report.position)
    this.#isResting = kind === 'resting'
    if (this.#isResting) [this.#pending, this.#before] = [undefined, this.#report]
    this.#hasEnded ||= kind === 'ended'
    this.#wake()
  }

  /** A page that ended it is worked on no more than twice; a thread that was not at work on one would end again. */
  #exited(error: Error | undefined): void {
    this.#hasBegun = true
    const wasAtWork = !this.#hasEnded && endedAtWork(attemptsPath(this.#collection.dir, 'index'))
    if (wasAtWork && ++this.#deaths < this.#thread.mostDeaths) return this.#startAgain()
    if (!this.#hasEnded) this.#error ??= error ?? new Error(endOf(this.#deaths))
    this.#wake()
    this.#ended.resolve()
  }

  /** What the last thread took in and did not commit is taken in again. */
  #startAgain(): void {
    const position = positionIn(this.#collection.dir)
    let left = 0
    for (const { number, pages } of this.#collection.changes(position)) if (number <= this.#seen) left += pages.length
    this.#before = { ...this.#report, pages: this.#committed - left }
    this.#worker = this.#start()
    if (this.#readers !== undefined) this.hear(this.#readers)
    if (this.#pending === undefined) return
    if (this.#pending !== 'rest') this.#worker.ref()
    this.#call(this.#pending)
  }

  /** It has, or never will. */
  async #begun(): Promise<void> {
    this.#worker.ref()
    await new Promise<unknown>((resolve) => this.#worker.once('message', resolve).once('exit', resolve))
  }

  #feed(load: Int32Array): TermFeed {
    const { port1, port2 } = new MessageChannel()
    const call: IndexingFeed = { feed: { port: port2, load } }
    this.#worker.postMessage(call, [port2])
    return { port: port1, load }
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

const endOf = (deaths: number): string =>
  `the indexing thread ended by itself${deaths === 0 ? '' : `, ${deaths} times while it worked on a page`}`

function sumOf(...counts: readonly IndexUpdaterReport['unread'][]): IndexUpdaterReport['unread'] {
  const sum: Record<string, number> = {}
  for (const [why, times] of counts.flatMap((one) => Object.entries(one))) addCount(sum, why, times)
  return sum
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
  /** Of them, or of those that were indexed again, read back from the archive; all others were read once. */
  readonly readBack: number
  readonly unread: IndexUpdaterReport['unread']
  readonly problem?: string | undefined
}
