/**
 * PDF text: the words of a PDF file, read in a worker thread.
 *
 * A PDF is a program of a stranger's: small files unpack to gigabytes and page trees run in circles. So it is read in a
 * thread of its own that is ended when it takes too long or too much, and every such end is a named outcome. Scripts in
 * a PDF never run: the reader has no interpreter for them, and nothing in it calls `eval`.
 *
 * A thread costs 0.2 s to start, so it is kept for the next file. One file is read at a time.
 */
import { Worker } from 'node:worker_threads'
import type { PdfAnswer, PdfQuestion } from './pdf-worker.ts'

export interface PdfLimits {
  /** Larger files are not opened. */
  readonly maxBytes: number
  /** From the start to the end of one file. What was read by four fifths of it is kept. */
  readonly timeMs: number
  /** Of the thread: objects, and beside them as much again of unpacked streams. */
  readonly memoryBytes: number
  readonly maxPages: number
  readonly maxChars: number
}

/** A manual of two thousand pages has some four million characters, and takes about as many milliseconds. */
export const pdfLimits: PdfLimits = {
  maxBytes: 64 << 20,
  timeMs: 10_000,
  memoryBytes: 256 << 20,
  maxPages: 5_000,
  maxChars: 8_000_000,
}

export type PdfReading =
  | {
      readonly kind: 'ok'
      /** '' when the file names none. */
      readonly title: string
      readonly text: string
      /** As the file counts them. */
      readonly pages: number
      /** There is more text than was read. */
      readonly isCut: boolean
    }
  | { readonly kind: 'bad'; readonly reason: PdfProblem; readonly message: string }

export type PdfProblem =
  | 'not-pdf' // no PDF, or so damaged that nothing can be found in it
  | 'locked' // needs a password
  | 'too-large'
  | 'time'
  | 'memory'
  | 'no-reader' // the optional package that reads them is not installed

export class PdfReader implements AsyncDisposable {
  readonly #limits: PdfLimits
  #worker: Worker | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(limits: PdfLimits = pdfLimits) {
    this.#limits = limits
  }

  /** Never rejects for a file's fault. */
  read(bytes: Uint8Array): Promise<PdfReading> {
    const { maxBytes } = this.#limits
    if (bytes.length > maxBytes) return Promise.resolve(bad('too-large', `the file is longer than ${maxBytes} bytes`))
    if (!looksLikePdf(bytes)) return Promise.resolve(bad('not-pdf', 'the file does not begin as a PDF does'))
    const reading = this.#last.then(() => this.#readNext(bytes))
    this.#last = reading.catch(() => undefined)
    return reading
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#last
    await this.#end()
  }

  async #readNext(bytes: Uint8Array): Promise<PdfReading> {
    const worker = (this.#worker ??= this.#start())
    const { timeMs, maxPages, maxChars } = this.#limits
    // A copy: its buffer changes threads.
    const question: PdfQuestion = { bytes: Uint8Array.from(bytes), timeMs: timeMs * 0.8, maxPages, maxChars }
    const answer = await this.#ask(worker, question)
    if (answer.kind === 'bad' && (answer.reason === 'time' || answer.reason === 'memory')) await this.#end()
    return answer
  }

  #ask(worker: Worker, question: PdfQuestion): Promise<PdfReading> {
    const { timeMs, memoryBytes } = this.#limits
    const { promise, resolve, reject } = Promise.withResolvers<PdfReading>()
    const onMessage = (answer: PdfAnswer): void => resolve(answer)
    const onError = (error: Error & { code?: string }): void => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') resolve(tooMuch(memoryBytes))
      else reject(error)
    }
    const timer = setTimeout(() => resolve(bad('time', `it was not read in ${timeMs} ms`)), timeMs)
    const watch = setInterval(() => void this.#weigh(worker, () => resolve(tooMuch(memoryBytes))), WEIGH_EVERY_MS)
    worker.on('message', onMessage)
    worker.on('error', onError)
    worker.ref()
    worker.postMessage(question, [question.bytes.buffer])
    return promise.finally(() => {
      clearTimeout(timer)
      clearInterval(watch)
      worker.off('message', onMessage)
      worker.off('error', onError)
      // An idle thread keeps no process alive.
      worker.unref()
    })
  }

  /** `resourceLimits` counts objects only. Unpacked streams stand beside them, and are what a bomb is made of. */
  async #weigh(worker: Worker, onTooMuch: () => void): Promise<void> {
    try {
      const { external_memory: outside } = await worker.getHeapStatistics()
      if (outside > this.#limits.memoryBytes) onTooMuch()
    } catch {
      // The thread has ended, and whoever waits for it has been told.
    }
  }

  #start(): Worker {
    const maxOldGenerationSizeMb = Math.max(32, this.#limits.memoryBytes / 2 ** 20)
    const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb, maxYoungGenerationSizeMb: 32 },
      // A broken file makes the reader warn; it is told by the outcome.
      stdout: true,
      stderr: true,
    })
    // Also one that dies with nothing to do is replaced.
    worker.on('error', () => (this.#worker = undefined))
    return worker
  }

  async #end(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }
}

/** A bomb of zeros grows by less than 100 MB between two looks. */
const WEIGH_EVERY_MS = 100

/** Readers accept what stands before the mark within the first kilobyte (ISO 32000-1 annex H, note 13). */
function looksLikePdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1_024)).includes('%PDF-')
}

const bad = (reason: PdfProblem, message: string): PdfReading => ({ kind: 'bad', reason, message })
const tooMuch = (bytes: number): PdfReading => bad('memory', `reading it takes more than ${bytes} bytes of memory`)
