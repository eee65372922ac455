/**
 * AnswerRenewal: while somebody searches, the index is looked at several times a second, and what is asked often is
 * found anew where it has changed, between the answers to others. When nobody has searched for a while it rests.
 *
 * It takes a quarter of a processor at most: after a round that took long comes a rest three times as long. What counts
 * is what this thread has computed, and not how long others kept it from it: a rest would make answers still older.
 */
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'

/** Well below the age an answer may have, so that it is found anew before it is too old. */
const EVERY_MS = 60
const COST_RATIO = 3
const AWAKE_MS = 3_000

/** One round; `pause` is waited for before each answer, and fails when it is all over. */
type RenewalRound = (pause: () => Promise<void>) => Promise<void>

/** Real time, or a test's. */
export interface RenewalClock {
  now(): number
  /** Milliseconds that this thread has computed so far. */
  spentMs(): number
  /** Fails when the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

// Nobody waits for this: it does not keep the process alive.
const REAL: RenewalClock = {
  now: () => performance.now(),
  spentMs: () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1_000
  },
  sleep: (ms, signal) => sleep(ms, undefined, { signal, ref: false }),
}

export class AnswerRenewal implements AsyncDisposable {
  readonly #round: RenewalRound
  readonly #clock: RenewalClock
  readonly #closing = new AbortController()
  #awakeUntil = -Infinity
  #running: Promise<void> | undefined

  constructor(round: RenewalRound, clock: RenewalClock = REAL) {
    this.#round = round
    this.#clock = clock
  }

  /** Somebody searches. */
  wake(): void {
    this.#awakeUntil = this.#clock.now() + AWAKE_MS
    this.#running ??= this.#run().finally(() => (this.#running = undefined))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing
    for (let restMs = EVERY_MS; this.#clock.now() < this.#awakeUntil;) {
      await this.#clock.sleep(restMs, signal).catch(() => undefined)
      if (signal.aborted) return
      const before = this.#clock.spentMs()
      // What goes wrong here goes wrong again for whoever asks next, and is told to them.
      await this.#round(() => setImmediate(undefined, { signal })).catch(() => undefined)
      restMs = Math.max(EVERY_MS, COST_RATIO * (this.#clock.spentMs() - before))
    }
  }
}
