/**
 * ReadingPool: worker threads that read answers, so that parsing and compressing do not hold up the network.
 *
 * Answers wait here, and each thread is handed only a little ahead of what it reads. The main thread reads from the
 * same queue when the threads have enough: a small page in each turn of the event loop, after the visits have asked for
 * what they want next. So neither core waits for the other, and a large page in a thread holds up nobody. `room`
 * resolves when there is less unread than the limit: visits await it, so a slow processor slows the crawl down instead
 * of filling the memory. A thread that sleeps is not woken for every small page: they are handed over a few at a time.
 *
 * A page that cannot be read for a fault of ours rejects alone, with a `ReadingFault`. So does one that ends its thread, by all
 * the memory it takes, say: another thread takes its place and reads what that one had before it.
 *
 * A thread that gets no further with one page is ended and another takes its place. That page is kept as it came, its
 * outcome is `too-much-work`, and what the thread had before it is read by others: bodies are copied to threads, not given
 * away, so nothing is lost with one. Both copies are given back as soon as the page is read, so that there are few at any
 * time. Nor does the main thread read what unpacks to more than a page's worth.
 */
import { Worker } from 'node:worker_threads'
import { notedWork } from '@comity/collection/internal'
import type { AttemptNote } from '@comity/collection'
import type { TooMuchWork } from '@comity/protocol'
import { read, readWithin } from './reading.ts'
import type { Answered, Reading, ReadingMemory, ReadingOptions } from './reading.ts'
import { DocumentThread } from '../documents/thread.ts'
import { ownDocuments } from '../documents/work.ts'
import type { Documents, WorkArgs, WorkName, WorkValue } from '../documents/work.ts'
import { release } from '../documents/leftovers.ts'
import type { Done, FeedWork, ReadingThreadData, Work } from './worker.ts'
import { TermSender } from './term-sender.ts'
import type { TermFeed } from './term-sender.ts'
import { TopicReader } from './topic-reader.ts'

/** A page of this size is read in a few milliseconds, which no connection notices. */
const MAX_INLINE_BYTES = 128 << 10
/** And so is what it unpacks to; of more, a thread finds out how much. */
const MAX_INLINE_DECODED_BYTES = 512 << 10
/** With no room left the visits wait for the readers anyway, and a tenth of a second is better spent on reading. */
const MAX_WAITED_FOR_BYTES = 2 << 20
/** What a thread has before it, so that it never waits for the next message: some ten pages. */
const AHEAD_BYTES = 512 << 10
/** And all of them together: two copies are held of it. */
const MAX_AHEAD_BYTES = 1 << 20
/** The main thread has nearly as much to do for a page as who reads it, so more than a few would wait for that. */
const MOST_THREADS = 4
/** Threads that may end in a row without having read a page. */
const MOST_DEATHS = 8
/** How long a thread may be at one page, and how often it is looked after meanwhile. The largest takes a second or two. */
const TIME_LIMIT_MS = 30_000
const OFFER_POLLS = 6
/** An empty body costs a turn too. */
const BYTES_OF_A_TURN = 1_000
/** To be handed over costs as much as a tenth of reading a small page, and to wake who sleeps as much again: so many bytes are worth it, ... */
const WORTH_WAKING_BYTES = 64 << 10
/** ... or so long a wait, which no rest between visits is as short as. */
const WAIT_FOR_MORE_MS = 5

/** How many threads read where nobody says: the main thread has a core of its own, if there are two. */
export const defaultThreads = (cores: number): number => Math.min(Math.max(cores - 1, 1), MOST_THREADS)

/** A fault of ours while one answer was read. */
export class ReadingFault extends Error {
  override readonly name: string = 'ReadingFault'
  /** Of the answer. */
  readonly body: Uint8Array
  constructor(cause: Error, body: Uint8Array) {
    super(String(cause), { cause })
    this.body = body
  }
}

interface Thread {
  readonly worker: Worker
  /** Until then it is handed nothing: what it had before it would wait for as long as a thread takes to start. */
  isStarted: boolean
  /** The number of the job it is at; shared with it. */
  readonly current: Int32Array
  /** What was seen there last, and how often. */
  seen: { id: number; times: number }
  /** What it was handed and has not brought back. */
  readonly jobs: Map<number, Job>
  /** Of these, what goes with the next message. */
  outgoing: Work[]
  bytes: number
}

interface Job {
  readonly answered: Answered
  readonly note: AttemptNote | undefined
  /** It unpacks to more than the main thread should meet. */
  isForThreads: boolean
  /** A thread got no further with it. */
  isUnread: boolean
  readonly bytes: number
  readonly resolve: (reading: Reading) => void
  readonly reject: (error: Error) => void
}

export class ReadingPool implements AsyncDisposable, Documents {
  readonly #options: ReadingOptions
  /** Of this thread. */
  readonly #memory: ReadingMemory
  #connect: (() => TermFeed) | undefined
  #threads: Thread[]
  readonly #maxBytes: number
  readonly #maxAhead: number
  readonly #queue: Job[] = []
  readonly #documents = new DocumentThread()
  #turn: NodeJS.Immediate | undefined
  #wait: NodeJS.Timeout | undefined
  #queuedBytes = 0
  #watch: NodeJS.Timeout | undefined
  #unread = 0
  /** Threads that ended by themselves, and have not brought back anything since. */
  #deaths = 0
  #error: Error | undefined
  #isOver = false
  #nextId = 1
  #wakeups: (() => void)[] = []

  /** With no threads at all, everything is read in the main thread. */
  constructor(options: ReadingOptions, threads: number, maxUnreadBytes: number, timeLimitMs: number = TIME_LIMIT_MS) {
    this.#options = options
    this.#memory = { topic: new TopicReader(options.topic), terms: new TermSender() }
    this.#maxBytes = maxUnreadBytes
    this.#maxAhead = Math.min(AHEAD_BYTES, MAX_AHEAD_BYTES / Math.max(threads, 1))
    this.#threads = Array.from({ length: threads }, () => this.#start())
    if (threads > 0) this.#watch = setInterval(() => this.#lookAfter(), timeLimitMs / OFFER_POLLS).unref()
  }

  /** What pages say goes to whoever indexes, by a way of its own from each thread. Called again when another takes its place. */
  feed(connect: () => TermFeed): void {
    this.#connect = connect
    this.#memory.terms.begin(connect())
    for (const { worker } of this.#threads) sendFeed(worker, connect())
  }

  /** Whether the main thread reads everything itself. */
  get isInline(): boolean {
    return this.#threads.length === 0
  }

  /** Bytes handed over and not read yet. */
  get unreadBytes(): number {
    return this.#unread
  }

  /** The answer's body changes hands: the caller must not touch it again. Whoever reads it notes that, where there is a note. */
  read(answered: Answered, note?: AttemptNote): Promise<Reading> {
    if (this.#error !== undefined) return Promise.reject(this.#error)
    return new Promise((resolve, reject) => {
      const bytes = answered.body.length + BYTES_OF_A_TURN
      this.#unread += bytes
      this.#queuedBytes += bytes
      this.#queue.push({ answered, note, bytes, resolve, reject, isForThreads: false, isUnread: false })
      if (this.isInline || this.#queuedBytes >= WORTH_WAKING_BYTES) this.#handOut()
      else this.#wait ??= setTimeout(() => this.#handOut(), WAIT_FOR_MORE_MS)
    })
  }

  /** Somebody waits for what was handed in. */
  hurry(): void {
    if (this.#wait !== undefined) this.#handOut()
  }

  /** Documents that are no pages: read by a thread of their own, where there are any. */
  async work<Name extends WorkName>(name: Name, args: WorkArgs<Name>): Promise<WorkValue<Name> | TooMuchWork> {
    return await (this.#threads.length === 0 ? ownDocuments : this.#documents).work(name, args)
  }

  async room(): Promise<void> {
    while (this.#unread > this.#maxBytes) await new Promise<void>((resolve) => this.#wakeups.push(resolve))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true
    clearImmediate(this.#turn)
    clearTimeout(this.#wait)
    clearInterval(this.#watch)
    await this.#documents[Symbol.asyncDispose]()
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()))
  }

  /** To the threads as far as they have room, each in one message, and what is left to the main thread's next turn. */
  #handOut(): void {
    clearTimeout(this.#wait)
    this.#wait = undefined
    while (this.#queue.length > 0) {
      const thread = this.#leastBusy()
      if (thread === undefined || thread.bytes >= this.#maxAhead) break
      const job = this.#next()
      const id = this.#nextId++
      thread.bytes += job.bytes
      thread.jobs.set(id, job)
      const { answered, isUnread, note } = job
      thread.outgoing.push({ id, answered, isUnread, note })
    }
    for (const thread of this.#threads) sendWork(thread)
    if (this.#queue.length > 0) this.#turn ??= setImmediate(() => this.#takeTurn())
  }

  #next(at = 0): Job {
    const [job] = this.#queue.splice(at, 1) as [Job]
    this.#queuedBytes -= job.bytes
    return job
  }

  #putBack(jobs: readonly Job[]): void {
    this.#queue.unshift(...jobs)
    for (const { bytes } of jobs) this.#queuedBytes += bytes
  }

  #leastBusy(): Thread | undefined {
    let least: Thread | undefined
    for (const thread of this.#threads)
      if (thread.isStarted && (least === undefined || thread.bytes < least.bytes)) least = thread
    return least
  }

  #takeTurn(): void {
    this.#turn = undefined
    const most = this.#unread > this.#maxBytes ? MAX_WAITED_FOR_BYTES : MAX_INLINE_BYTES
    const isAlone = this.#threads.length === 0
    const own = this.#queue.findIndex(({ bytes, isForThreads }) => isAlone || (bytes <= most && !isForThreads))
    if (own === -1) return
    const job = this.#next(own)
    const done = attempt(job, this.#options, this.#memory, isAlone ? Infinity : MAX_INLINE_DECODED_BYTES)
    this.#memory.terms.send()
    if (done !== undefined) this.#settle(job, done)
    else {
      job.isForThreads = true
      this.#putBack([job])
    }
    this.#handOut()
  }

  /** Ends threads that get no further. */
  #lookAfter(): void {
    for (const [place, thread] of this.#threads.entries()) {
      const id = Atomics.load(thread.current, 0)
      thread.seen = { id, times: id === thread.seen.id && thread.jobs.has(id) ? thread.seen.times + 1 : 0 }
      const stuck = thread.jobs.get(id)
      // One that is only kept ends by itself.
      if (thread.seen.times <= OFFER_POLLS || stuck?.isUnread === true) continue
      this.#threads[place] = this.#start()
      void thread.worker.terminate()
      if (stuck !== undefined) stuck.isUnread = stuck.isForThreads = true
      this.#putBack([...thread.jobs.values()])
      thread.jobs.clear()
      this.#handOut()
    }
  }

  #start(): Thread {
    const current = new Int32Array(new SharedArrayBuffer(4)).fill(-1)
    const workerData: ReadingThreadData = { options: this.#options, current }
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData })
    const thread: Thread = {
      worker,
      isStarted: false,
      current,
      seen: { id: -1, times: 0 },
      jobs: new Map(),
      outgoing: [],
      bytes: 0,
    }
    worker.on('message', (batch: readonly Done[]) => this.#bringBack(thread, batch))
    worker.on('error', (error) => this.#fail(thread, error as Error))
    worker.on('exit', () => this.#fail(thread, new Error('the thread that read it has ended')))
    worker.unref()
    if (this.#connect !== undefined) sendFeed(worker, this.#connect())
    return thread
  }

  /** The first batch is empty: it says that the thread has started. */
  #bringBack(thread: Thread, batch: readonly Done[]): void {
    thread.isStarted = true
    if (batch.length > 0) this.#deaths = 0
    for (const done of batch) {
      const job = thread.jobs.get(done.id)
      if (job === undefined) continue
      thread.jobs.delete(done.id)
      thread.bytes -= job.bytes
      this.#settle(job, done)
    }
    this.#handOut()
  }

  /** Where threads end one after the other and read nothing, it is no page that ends them. */
  #fail(thread: Thread, error: Error): void {
    if (this.#isOver || !this.#threads.includes(thread)) return
    const last = thread.jobs.get(Atomics.load(thread.current, 0))
    this.#putBack(
      thread.jobs
        .values()
        .filter((job) => job !== last)
        .toArray(),
    )
    this.#threads = this.#threads.filter((one) => one !== thread)
    if (last !== undefined) this.#settle(last, { error })
    if (++this.#deaths <= MOST_DEATHS) this.#threads.push(this.#start())
    else this.#giveUp(error)
    this.#handOut()
  }

  #giveUp(error: Error): void {
    this.#error = error
    this.#queuedBytes = 0
    for (const job of this.#queue.splice(0)) this.#settle(job, { error })
  }

  #settle({ answered, bytes, resolve, reject }: Job, done: Result): void {
    this.#unread -= bytes
    if ('reading' in done) {
      release(answered.body)
      resolve(done.reading)
    } else reject(new ReadingFault(done.error, answered.body))
    if (this.#unread > this.#maxBytes) return
    for (const wake of this.#wakeups.splice(0)) wake()
  }
}

function sendWork(thread: Thread): void {
  if (thread.outgoing.length === 0) return
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin.
  thread.worker.postMessage(thread.outgoing satisfies Work[])
  thread.outgoing = []
}

function sendFeed(worker: Worker, feed: TermFeed): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin.
  worker.postMessage({ feed } satisfies FeedWork, [feed.port])
}

type Result = { readonly reading: Reading } | { readonly error: Error }

/** A fault of ours rejects as it would from a thread; undefined when it is for one of them. */
function attempt(
  { answered, note }: Job,
  options: ReadingOptions,
  memory: ReadingMemory,
  maxBytes: number,
): Result | undefined {
  try {
    const reading = notedWork(note, () =>
      maxBytes === Infinity ? read(answered, options, memory) : readWithin(maxBytes, answered, options, memory),
    )
    return reading === undefined ? undefined : { reading }
  } catch (error) {
    return { error: error as Error }
  }
}
