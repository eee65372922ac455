/**
 * RunSwitch: whether a crawl goes on, rests, or is to end.
 *
 *   running ──pause──▶ pausing ──nothing under way, all durable──▶ paused        any of them ──stop──▶ stopping
 *      ▲─────────────────resume──┴───────────────────────────────────┘
 *
 * Whatever the state, clocks go on: a site that rests has rested when the crawl resumes, and no rest is cut short.
 */
export type RunState = 'running' | 'pausing' | 'paused' | 'stopping'

export class RunSwitch {
  #state: RunState = 'running'
  #halt = new AbortController()
  #waiting: (() => void)[] = []
  readonly #onStop: ((error: Error | undefined) => void)[] = []
  #error: Error | undefined
  #isInterrupted = false

  get state(): RunState {
    return this.#state
  }
  /** No request may begin. */
  get isHalted(): boolean {
    return this.#state !== 'running'
  }
  get isPaused(): boolean {
    return this.#state === 'pausing' || this.#state === 'paused'
  }
  get isStopping(): boolean {
    return this.#state === 'stopping'
  }
  /** Aborted when the crawl pauses or stops; another one after it has resumed. */
  get halt(): AbortSignal {
    return this.#halt.signal
  }

  /** Resolves when the crawl is quiet, or is not to be any more. */
  pause(): Promise<void> {
    if (this.#state === 'running') {
      this.#state = 'pausing'
      this.#halt.abort()
    }
    if (this.#state !== 'pausing') return Promise.resolve()
    return new Promise((resolve) => void this.#waiting.push(resolve))
  }

  /** Visits are over, and what they brought is durable. */
  quiet(): void {
    if (this.#state !== 'pausing') return
    this.#state = 'paused'
    this.#tell()
  }

  resume(): void {
    if (!this.isPaused) return
    this.#state = 'running'
    this.#halt = new AbortController()
    this.#tell()
  }

  /** Called at every stop, with the fault that was the reason. */
  onStop(listener: (error: Error | undefined) => void): void {
    this.#onStop.push(listener)
  }

  stop(): void {
    this.#state = 'stopping'
    this.#halt.abort()
    this.#tell()
    for (const listener of this.#onStop) listener(this.#error)
  }

  /** Somebody asked for the end. */
  interrupt(): void {
    this.#isInterrupted = true
    this.stop()
  }

  /** The first fault is the reason. */
  fail(error: Error): void {
    this.#error ??= error
    this.stop()
  }

  get error(): Error | undefined {
    return this.#error
  }
  get isInterrupted(): boolean {
    return this.#isInterrupted
  }

  #tell(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}
