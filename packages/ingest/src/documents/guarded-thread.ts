/**
 * GuardedThread: a thread that does one piece of work at a time, on what a stranger sent, and is not waited for without end. A
 * thread that takes too long over one piece is ended and another takes its place: that piece is `too-much-work`, and those
 * that waited behind it are done as if nothing had happened, since none of them had left this side.
 *
 * The thread is started when there is something to do, and ends when there was nothing for a while. A worker script answers
 * each message `{ job }` with `begun`, then with `{ value }` or `{ error }` (`serveGuardedThread`). Long lists in a value come packed,
 * and are opened some rows at a time (`documents/row-pieces.ts`).
 */
import { parentPort, Worker } from 'node:worker_threads'
import { TOO_MUCH_WORK } from '@comity/protocol'
import type { TooMuchWork } from '@comity/protocol'
import { Leftovers } from './leftovers.ts'
import { inPieces, outOfPieces } from './row-pieces.ts'
import type { InPieces } from './row-pieces.ts'

export interface GuardedThreadOptions {
  /** For one piece of work, waiting not counted. */
  readonly timeLimitMs?: number | undefined
  /** Of the thread; one that needs more is ended like one that takes too long. */
  readonly maxHeapMb?: number | undefined
  /** With nothing to do for so long, it ends; another is started when there is something again. */
  readonly idleMs?: number | undefined
}

interface Waiting {
  readonly job: unknown
  readonly given: readonly ArrayBuffer[]
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

type Report = 'begun' | InPieces | { readonly error: unknown }

/** What is counted ends long before; this is for what nobody thought of, on a machine that is busy. */
const TIME_LIMIT_MS = 30_000
const START_MS = 60_000
const IDLE_MS = 10_000
const MAX_HEAP_MB = 1_024
/** Fewer bytes are as soon copied. */
const MIN_GIVEN = 64 << 10
/** It reads one document at a time, and has no use for more. */
const YOUNG_MB = 16

export class GuardedThread implements AsyncDisposable {
  readonly #script: URL
  readonly #timeLimitMs: number
  readonly #maxHeapMb: number
  readonly #idleMs: number
  readonly #waiting: Waiting[] = []
  #worker: Worker | undefined
  #current: Waiting | undefined
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(script: URL, options: GuardedThreadOptions = {}) {
    const { timeLimitMs = TIME_LIMIT_MS, maxHeapMb = MAX_HEAP_MB, idleMs = IDLE_MS } = options
    this.#script = script
    this.#idleMs = idleMs
    this.#timeLimitMs = timeLimitMs
    this.#maxHeapMb = maxHeapMb
  }

  /** What came of it. Bytes are copied, but for those that are given away. Rejects for a fault of ours. */
  run<Value>(job: unknown, given: readonly ArrayBuffer[] = []): Promise<Value | TooMuchWork> {
    if (this.#isClosed) return Promise.reject(new Error('the bench is closed'))
    return new Promise<Value | TooMuchWork>((resolve, reject) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- who runs a job knows what its script answers.
      this.#waiting.push({ job, given, resolve: (value) => resolve(value as Value), reject })
      this.#next()
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    const left = [...(this.#current === undefined ? [] : [this.#current]), ...this.#waiting.splice(0)]
    this.#current = undefined
    for (const { reject } of left) reject(new Error('the bench was closed'))
    await this.#worker?.terminate()
  }

  #next(): void {
    if (this.#current !== undefined || this.#isClosed) return
    const next = this.#waiting.shift()
    if (next === undefined) return this.#rest()
    this.#current = next
    this.#worker ??= this.#start()
    this.#worker.ref()
    this.#limit(this.#timeLimitMs + START_MS)
    try {
      this.#worker.postMessage({ job: next.job }, next.given)
    } catch (error) {
      // It holds what cannot be sent.
      this.#settle(({ reject }) => reject(error))
    }
  }

  #rest(): void {
    this.#worker?.unref()
    this.#timer = setTimeout(() => this.#end(), this.#idleMs).unref()
  }

  #end(): void {
    const ended = this.#worker
    this.#worker = undefined
    void ended?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(this.#script, {
      resourceLimits: { maxOldGenerationSizeMb: this.#maxHeapMb, maxYoungGenerationSizeMb: YOUNG_MB },
    })
    worker.on('message', (report: Report) => {
      if (worker !== this.#worker) return
      // The time it took to start, on a machine that is busy, is nobody's work.
      if (report === 'begun') this.#limit(this.#timeLimitMs)
      else this.#settle(({ resolve, reject }) => settle(report, resolve, reject))
    })
    // Out of memory is what a document does to it; anything else that ends a thread is a fault of ours.
    worker.on('error', (error: Error & { code?: string }) =>
      this.#ended(worker, error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? undefined : error),
    )
    worker.on('exit', () => this.#ended(worker, new Error('the thread that read it has ended')))
    return worker
  }

  /** By itself. Without an error it is what was too much. */
  #ended(worker: Worker, error: Error | undefined): void {
    if (worker !== this.#worker) return
    this.#worker = undefined
    this.#settle(({ resolve, reject }) => (error === undefined ? resolve(TOO_MUCH_WORK) : reject(error)))
  }

  #limit(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#replace(), ms)
  }

  /** It takes too long. */
  #replace(): void {
    this.#end()
    this.#settle(({ resolve }) => resolve(TOO_MUCH_WORK))
  }

  #settle(by: (waiting: Waiting) => void): void {
    clearTimeout(this.#timer)
    const current = this.#current
    this.#current = undefined
    if (current !== undefined) by(current)
    this.#next()
  }
}

function settle(report: Exclude<Report, 'begun'>, resolve: Waiting['resolve'], reject: Waiting['reject']): void {
  if ('error' in report) reject(report.error)
  else resolve(outOfPieces(report))
}

/** What was made in this thread changes over to the one that wanted it. */
function ownBuffers(value: unknown): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>()
  const look = (one: unknown): void => {
    if (ArrayBuffer.isView(one)) {
      const { buffer, byteLength } = one
      if (buffer instanceof ArrayBuffer && byteLength >= MIN_GIVEN && byteLength === buffer.byteLength)
        buffers.add(buffer)
    } else if (typeof one === 'object' && one !== null) for (const part of Object.values(one)) look(part)
  }
  look(value)
  return [...buffers]
}

/** The other side: what a worker script calls, once. */
export function serveGuardedThread(work: (job: never) => unknown): void {
  const port = parentPort
  const leftovers = new Leftovers()
  if (port === null) throw new Error('this is started by GuardedThread, as a worker thread')
  port.on('message', ({ job }: { job: never }) => {
    void (async () => {
      port.postMessage('begun' satisfies Report)
      try {
        const value = await work(job)
        const report = inPieces(value)
        port.postMessage(report satisfies Report, ownBuffers(report))
      } catch (error) {
        port.postMessage({ error } satisfies Report)
      }
      await leftovers.clear()
    })()
  })
}
