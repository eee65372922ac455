/**
 * Observation queue: what was seen while pages are answered goes to the journal behind their backs, all that came together
 * in one record: no visitor waits for a disk. What does not fit is dropped; the page will be seen again.
 */
import type { Instant } from '@comity/protocol'
import type { Journal, Observation, JournaledPage } from './journal.ts'

const MAX_OBSERVATIONS = 5_000
const MAX_BODY_BYTES = 64 << 20

export class ObservationQueue {
  readonly #journal: Journal
  readonly #now: () => Instant
  readonly #onError: (error: unknown) => void
  /** By path: of two observations of one page the later counts. */
  #waiting = new Map<string, Observation>()
  #recording: ReadonlyMap<string, Observation> = new Map()
  #bodyBytes = 0
  #running: Promise<void> | undefined

  constructor(journal: Journal, now: () => Instant, onError: (error: unknown) => void) {
    this.#journal = journal
    this.#now = now
    this.#onError = onError
  }

  /** The page as it was last seen, recorded or not. */
  page(path: string): JournaledPage | undefined {
    const seen = this.#waiting.get(path) ?? this.#recording.get(path)
    if (seen === undefined) return this.#journal.page(path)
    return 'gone' in seen ? undefined : seen
  }

  add(seen: Observation): void {
    const bytes = bodyBytes(seen) - bodyBytes(this.#waiting.get(seen.path))
    if (this.#waiting.size >= MAX_OBSERVATIONS || this.#bodyBytes + bytes > MAX_BODY_BYTES) return
    this.#waiting.set(seen.path, seen)
    this.#bodyBytes += bytes
    this.#running ??= this.#run()
  }

  /** All that was added is recorded, or was told to be impossible. */
  async settled(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    // Not at once: all that is answered in this turn goes together.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#waiting.size > 0) {
      this.#recording = this.#waiting
      this.#waiting = new Map()
      this.#bodyBytes = 0
      try {
        await this.#journal.record(this.#recording.values(), this.#now())
      } catch (error) {
        this.#onError(error)
      }
    }
    this.#recording = new Map()
    this.#running = undefined
  }
}

const bodyBytes = (seen: Observation | undefined): number =>
  seen === undefined || 'gone' in seen ? 0 : (seen.body?.length ?? 0)
