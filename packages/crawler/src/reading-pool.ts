/**
 * ReadingPool: worker threads that read answers, so that parsing and compressing do not hold up the network.
 *
 * Work goes to the thread with the least waiting bytes. When the threads are behind, small pages are read in the main
 * thread, which would otherwise wait for them: on two cores that is a tenth more pages a second. `room` resolves when
 * there is less unread than the limit: visits await it, so a slow processor slows the crawl down instead of filling
 * the memory.
 */
import { Worker } from 'node:worker_threads'
import { read } from './reading.ts'
import type { Answered, Reading, ReadingOptions } from './reading.ts'
import type { Done, Work } from './reading-worker.ts'

/** A page of this size is read in a few milliseconds, which no connection notices. */
const MAX_INLINE_BYTES = 128 << 10

interface Thread {
  readonly worker: Worker
  bytes: number
}
interface Waiting {
  readonly thread: Thread
  readonly bytes: number
  readonly resolve: (reading: Reading) => void
  readonly reject: (error: Error) => void
}

export class ReadingPool implements AsyncDisposable {
  readonly #options: ReadingOptions
  readonly #threads: Thread[]
  readonly #maxBytes: number
  readonly #waiting = new Map<number, Waiting>()
  #unread = 0
  #error: Error | undefined
  #next = 0
  #wakeups: (() => void)[] = []

  /** With no threads at all, reading happens where it is asked for. */
  constructor(options: ReadingOptions, threads: number, maxUnreadBytes: number) {
    this.#options = options
    this.#maxBytes = maxUnreadBytes
    this.#threads = Array.from({ length: threads }, () => this.#start())
  }

  /** Bytes handed over and not read yet. */
  get unreadBytes(): number {
    return this.#unread
  }

  /** The answer's body changes hands: the caller must not touch it again. */
  read(answered: Answered): Promise<Reading> {
    if (this.#error !== undefined) return Promise.reject(this.#error)
    if (this.#threads.length === 0 || this.#isBehind(answered.body.length)) return this.#readHere(answered)
    const thread = this.#threads.reduce((least, one) => (one.bytes < least.bytes ? one : least))
    const id = this.#next++
    // An empty body costs a turn too.
    const bytes = answered.body.length + 1_000
    thread.bytes += bytes
    this.#unread += bytes
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { thread, bytes, resolve, reject })
      thread.worker.postMessage({ id, answered } satisfies Work, [answered.body.buffer])
    })
  }

  async room(): Promise<void> {
    while (this.#unread > this.#maxBytes) await new Promise<void>((resolve) => this.#wakeups.push(resolve))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()))
  }

  // Async, so that a fault of ours rejects as it would from a thread.
  async #readHere(answered: Answered): Promise<Reading> {
    return read(answered, this.#options)
  }

  /** With the threads this far behind, the main thread would only wait for them: it reads a small page itself. */
  #isBehind(bytes: number): boolean {
    return bytes <= MAX_INLINE_BYTES && this.#unread > this.#maxBytes / 4
  }

  #start(): Thread {
    const worker = new Worker(new URL('./reading-worker.ts', import.meta.url), { workerData: this.#options })
    const thread = { worker, bytes: 0 }
    worker.on('message', (batch: readonly Done[]) => batch.forEach((done) => this.#finish(done)))
    worker.on('error', (error) => this.#fail(thread, error as Error))
    worker.unref()
    return thread
  }

  #finish(done: Done): void {
    const waiting = this.#waiting.get(done.id)
    if (waiting === undefined) return
    this.#waiting.delete(done.id)
    this.#settle(waiting)
    if ('reading' in done) waiting.resolve(done.reading)
    else waiting.reject(done.error)
  }

  /** A dead thread is our own bug: all it held fails, nothing more is taken, and the crawl stops with its error. */
  #fail(thread: Thread, error: Error): void {
    this.#error = error
    for (const [id, waiting] of this.#waiting) {
      if (waiting.thread !== thread) continue
      this.#waiting.delete(id)
      this.#settle(waiting)
      waiting.reject(error)
    }
  }

  #settle({ thread, bytes }: Waiting): void {
    thread.bytes -= bytes
    this.#unread -= bytes
    if (this.#unread > this.#maxBytes) return
    for (const wake of this.#wakeups.splice(0)) wake()
  }
}
