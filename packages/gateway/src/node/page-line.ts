/**
 * PageLine: exchanges in the order in which they went by, while threads read the pages among them. Who comes behind a page that is
 * being read waits for it, so that whatever is decided is decided as if there were no threads.
 *
 *   taken ─▶ worth reading? ─▶ a thread, as long as one has room; else read here, now
 *                └─▶ waits in line ─▶ told, one after the other
 *
 * What waits is bounded: beyond that whoever brings more is held up until the first in line has been read.
 */
import { availableParallelism } from 'node:os'
import { PageThreads } from './page-threads.ts'
import type { PageJob } from './page-threads.ts'
import type { SeenExchange } from './seen-exchange.ts'

/** All cores but one, which has the packets. */
export const pageThreads = (): number => Math.max(0, Math.min(MOST_THREADS, availableParallelism() - 1))

const MOST_THREADS = 4
const MAX_WAITING_BYTES = 8 << 20
const MAX_WAITING = 1_024
/** A thread costs a tenth of a second of the processor to start: few pages are read here in less. */
const PAGES_FOR_THREADS = 100

interface Waiting {
  readonly seen: SeenExchange
  /** Undefined where nobody has to be waited for. */
  readonly job: PageJob | undefined
}

export class PageLine implements Disposable {
  readonly #tell: (seen: SeenExchange) => void
  readonly #isWorthReading: (seen: SeenExchange) => boolean
  readonly #count: number
  #threads: PageThreads | undefined
  #waiting: Waiting[] = []
  #first = 0
  #bytes = 0
  #pages = 0

  constructor(threads: number, tell: (seen: SeenExchange) => void, isWorthReading: (seen: SeenExchange) => boolean) {
    this.#count = threads
    this.#tell = tell
    this.#isWorthReading = isWorthReading
  }

  take(seen: SeenExchange): void {
    if (this.#count === 0) return this.#tell(seen)
    const job = this.#jobOf(seen)
    if (job === undefined && this.#length === 0) return this.#tell(seen)
    this.#waiting.push({ seen, job })
    this.#bytes += seen.observed.body.length
    this.go()
    while (this.#length > MAX_WAITING || this.#bytes > MAX_WAITING_BYTES) this.#next()
  }

  /** Tells of all that nobody has to wait for. */
  go(): void {
    while (this.#length > 0 && this.#waiting[this.#first]!.job?.isDone !== false) this.#next()
  }

  /** Waits for all of them. */
  end(): void {
    while (this.#length > 0) this.#next()
  }

  [Symbol.dispose](): void {
    this.#threads?.[Symbol.dispose]()
    this.#threads = undefined
  }

  get #length(): number {
    return this.#waiting.length - this.#first
  }

  /** What no thread has room for is read here meanwhile. */
  #jobOf(seen: SeenExchange): PageJob | undefined {
    if (!this.#isWorthReading(seen) || ++this.#pages <= PAGES_FOR_THREADS) return undefined
    this.#threads ??= new PageThreads(this.#count, () => this.go())
    const job = this.#threads.begin(seen.source)
    if (job !== undefined) seen.readBy(() => job.result())
    else if (this.#length > 0) seen.readNow()
    return job
  }

  #next(): void {
    const { seen } = this.#waiting[this.#first]!
    this.#first++
    if (this.#first === this.#waiting.length || this.#first > MAX_WAITING) {
      this.#waiting = this.#waiting.slice(this.#first)
      this.#first = 0
    }
    this.#bytes -= seen.observed.body.length
    this.#tell(seen)
  }
}
