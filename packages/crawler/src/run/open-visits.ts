/**
 * OpenVisits: what visits wait for at this moment, so that a run that stops need not wait for who says nothing. Visits under way may
 * finish their request; one that is silent for a moment after the stop is cut off, and so is, a little later, one that drips.
 * Whatever is cut off was never asked: it is asked for again by the next run.
 */
import type { Instant } from '@comity/protocol'

interface Waited {
  /** When something was heard last, or it began. */
  readonly heardAt: Instant
  /** End it now. */
  cut(): void
}

/** Silence after a stop. */
const SILENT_MS = 1_500
/** All of it after a stop, however busily somebody drips. */
const MOST_MS = 10_000
const LOOK_EVERY_MS = 100

export class OpenVisits implements Disposable {
  readonly #now: () => Instant
  readonly #open = new Set<Waited>()
  #stoppedAt: Instant | undefined
  #timer: NodeJS.Timeout | undefined
  #isOver = false

  constructor(now: () => Instant) {
    this.#now = now
  }

  /** How to say that it is over. */
  enter(waited: Waited): () => void {
    this.#open.add(waited)
    return () => this.#open.delete(waited)
  }

  /** From now on nobody is waited for without end. Calling it twice is harmless. */
  stop(): void {
    if (this.#isOver) return
    this.#stoppedAt ??= this.#now()
    // Whoever is waited for keeps the process; this alone is no reason to.
    this.#timer ??= setInterval(() => this.look(), LOOK_EVERY_MS).unref()
  }

  /** Happens by itself after a stop. */
  look(): void {
    const stoppedAt = this.#stoppedAt
    if (stoppedAt === undefined) return
    const now = this.#now()
    for (const waited of this.#open) {
      const isSilent = now - Math.max(stoppedAt, waited.heardAt) >= SILENT_MS
      if (isSilent || now - stoppedAt >= MOST_MS) waited.cut()
    }
  }

  /** All of them, at once. */
  cutAll(): void {
    for (const waited of this.#open) waited.cut()
  }

  [Symbol.dispose](): void {
    this.#isOver = true
    clearInterval(this.#timer)
  }
}
