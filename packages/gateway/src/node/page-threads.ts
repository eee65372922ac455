/**
 * PageThreads: threads that read pages (`node/page-reading.ts`), for one who can wait for them without leaving what they are at:
 * packets come in a loop, and each page has its turn in it.
 *
 * Pages go to a thread many at a time, and come back so: a message costs as much as a tenth of reading a page. Words come as numbers into
 * the thread's own list; what is new of that is told with them. A thread that gets no further, or ends, is left alone: the page that
 * it was at is a fault, and what was before it is read here.
 */
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import { PageReader } from './page-reading.ts'
import type { PageReading, PageSource } from './page-reading.ts'
import { unpackedReading } from './packed-reading.ts'
import type { PackedReading } from './packed-reading.ts'

export interface PageJob {
  readonly isDone: boolean
  /** Waits for it. */
  result(): PageReading
}

/** What a thread has before it, so that it never waits for more: some forty pages. */
const AHEAD_BYTES = 1 << 20
const MESSAGE_BYTES = 128 << 10
/** The largest page takes a second or two. */
const TIME_LIMIT_MS = 30_000

/** Shared with a thread: how many messages it has sent, and the number of the page that it is at. */
const SENT = 0
const CURRENT = 1

/** What a thread is started with. */
export interface PageThreadData {
  readonly port: MessagePort
  readonly state: Int32Array
}

/** Pages to be read; their bodies one after the other. */
export interface PagesToRead {
  readonly pages: readonly (Omit<PageSource, 'body'> & { readonly id: number; readonly length: number })[]
  readonly bodies: Uint8Array<ArrayBuffer>
}

export interface PagesRead {
  readonly readings: readonly { readonly id: number; readonly reading: PackedReading }[]
}

export class PageThreads implements Disposable {
  readonly #threads: PageThread[]
  readonly #reader = new PageReader()

  /** `onRead`: something was read while nobody waited for it. */
  constructor(count: number, onRead: () => void) {
    const own = (source: PageSource): PageReading => this.#reader.read(source)
    this.#threads = Array.from({ length: count }, () => new PageThread(onRead, own))
  }

  /** Undefined when all threads have enough before them. */
  begin(source: PageSource): PageJob | undefined {
    let least: PageThread | undefined
    for (const thread of this.#threads)
      if (thread.hasRoom && (least === undefined || thread.bytes < least.bytes)) least = thread
    return least?.begin(source)
  }

  [Symbol.dispose](): void {
    for (const thread of this.#threads) thread.end()
  }
}

class PageThread {
  bytes = 0
  readonly #own: (source: PageSource) => PageReading
  readonly #worker: Worker
  readonly #port: MessagePort
  readonly #state = new Int32Array(new SharedArrayBuffer(8))
  readonly #jobs = new Map<number, Job>()
  #toSend: Job[] = []
  #bytesToSend = 0
  #flush: NodeJS.Immediate | undefined
  #words: string[] = []
  #next = 1
  #isOver = false

  constructor(onRead: () => void, own: (source: PageSource) => PageReading) {
    this.#own = own
    const { port1, port2 } = new MessageChannel()
    this.#port = port1
    const workerData: PageThreadData = { port: port2, state: this.#state }
    this.#worker = new Worker(new URL('./page-worker.ts', import.meta.url), { workerData, transferList: [port2] })
    this.#worker.unref()
    this.#worker.on('error', () => this.#giveUp())
    this.#worker.on('exit', () => this.#giveUp())
    port1.on('message', (message: PagesRead) => {
      this.#take(message)
      onRead()
    })
    port1.unref()
  }

  get hasRoom(): boolean {
    return !this.#isOver && this.bytes < AHEAD_BYTES
  }

  begin(source: PageSource): PageJob {
    const job = new Job(source, this.#next++, this)
    this.#jobs.set(job.id, job)
    this.bytes += source.body.length
    this.#toSend.push(job)
    this.#bytesToSend += source.body.length
    if (this.#bytesToSend >= MESSAGE_BYTES) this.#send()
    else this.#flush ??= setImmediate(() => this.#send())
    return job
  }

  /** Reads what has come; until this one has, if somebody waits for it. */
  waitFor(job: Job): void {
    this.#send()
    while (!job.isDone) {
      const seen = Atomics.load(this.#state, SENT)
      const received = receiveMessageOnPort(this.#port)
      if (received !== undefined) this.#take(received.message as PagesRead)
      else if (this.#isOver) this.#giveUp()
      else if (Atomics.wait(this.#state, SENT, seen, TIME_LIMIT_MS) === 'timed-out') this.#giveUp()
    }
  }

  end(): void {
    this.#isOver = true
    this.#port.close()
    void this.#worker.terminate()
  }

  #send(): void {
    clearImmediate(this.#flush)
    this.#flush = undefined
    if (this.#toSend.length === 0 || this.#isOver) return
    const bodies = new Uint8Array(this.#bytesToSend)
    let at = 0
    const pages = this.#toSend.map(({ id, source: { body, ...page } }) => {
      bodies.set(body, at)
      at += body.length
      return { ...page, id, length: body.length }
    })
    this.#toSend = []
    this.#bytesToSend = 0
    this.#port.postMessage({ pages, bodies } satisfies PagesToRead, [bodies.buffer])
  }

  #take({ readings }: PagesRead): void {
    for (const { id, reading } of readings) {
      if (reading.kind === 'ok' && reading.from === 0) this.#words = []
      const unpacked = unpackedReading(reading, this.#words)
      const job = this.#jobs.get(id)
      if (job !== undefined) this.#done(job, unpacked)
    }
  }

  #done(job: Job, reading: PageReading): void {
    this.#jobs.delete(job.id)
    this.bytes -= job.source.body.length
    job.done(reading)
  }

  #giveUp(): void {
    if (!this.#isOver) this.end()
    const current = Atomics.load(this.#state, CURRENT)
    const error = new Error('a thread got no further with this page')
    for (const job of this.#jobs.values())
      this.#done(job, job.id === current ? { kind: 'fault', error } : attempt(() => this.#own(job.source)))
  }
}

function attempt(read: () => PageReading): PageReading {
  try {
    return read()
  } catch (error) {
    return { kind: 'fault', error }
  }
}

class Job implements PageJob {
  readonly source: PageSource
  readonly id: number
  readonly #thread: PageThread
  #reading: PageReading | undefined

  constructor(source: PageSource, id: number, thread: PageThread) {
    this.source = source
    this.id = id
    this.#thread = thread
  }

  get isDone(): boolean {
    return this.#reading !== undefined
  }

  done(reading: PageReading): void {
    this.#reading = reading
  }

  result(): PageReading {
    this.#thread.waitFor(this)
    return this.#reading!
  }
}
