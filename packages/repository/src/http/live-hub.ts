/**
 * Live hub: the samples of one crawl for many listeners. It remembers the last hour, the last minutes as they were and what is
 * older by a sample now and then, so that a page that is opened shows what came before, and one who lost the connection gets what was
 * missed (`Last-Event-ID`: the instant of the last sample seen, which still means the same after a restart).
 */
import type { Instant } from '@comity/protocol'
import type { LiveSample } from '../model/models.ts'
import type { CrawlPort } from '../ports.ts'

interface Listener {
  sample(sample: LiveSample): void
  /** The crawl has ended; another may begin. */
  end(): void
}

/** Some minutes: a crawl tells two a second. */
const MAX_RECENT = 300
/** What is older, as a plot of an hour can show it. */
const OLDER_EVERY_MS = 15_000
const OLDEST_MS = 3_600_000
/** How long until we look for a crawl again. */
const LOOK_EVERY_MS = 2_000
/** How long we go on listening after the last listener left: it may only have lost its connection. */
const LINGER_MS = 30_000

export class LiveHub {
  readonly #crawl: CrawlPort
  readonly #wait: (ms: number, signal: AbortSignal) => Promise<void>
  readonly #listeners = new Set<Listener>()
  #recent: LiveSample[] = []
  #older: LiveSample[] = []
  #isKept = false
  #following: AbortController | undefined

  constructor(crawl: CrawlPort, wait: (ms: number, signal: AbortSignal) => Promise<void>) {
    this.#crawl = crawl
    this.#wait = wait
  }

  get listeners(): number {
    return this.#listeners.size
  }

  /** Hear every sample from now on, and first those after `since` that are remembered. Returns how to stop. */
  listen(listener: Listener, since: Instant = -Infinity): () => void {
    for (const sample of [...this.#older, ...this.#recent]) if (sample.at > since) listener.sample(sample)
    this.#listeners.add(listener)
    this.#begin()
    return () => {
      if (this.#listeners.delete(listener) && this.#listeners.size === 0) void this.#linger()
    }
  }

  /** From now on, also while nobody listens. */
  keep(): void {
    this.#isKept = true
    this.#begin()
  }

  /** Stop at once, when the server does. */
  close(): void {
    this.#following?.abort()
    this.#following = undefined
    this.#forget()
  }

  #begin(): void {
    if (this.#following !== undefined) return
    this.#following = new AbortController()
    void this.#follow(this.#following.signal)
  }

  async #linger(): Promise<void> {
    const following = this.#following
    if (following === undefined || this.#isKept) return
    await this.#wait(LINGER_MS, following.signal)
    // What is old would be taken for news by the next to come.
    if (this.#listeners.size === 0 && this.#following === following) this.close()
  }

  async #follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      let heard = 0
      try {
        for await (const sample of this.#crawl.samples(signal)) {
          if (signal.aborted) return
          heard++
          this.#remember(sample)
          for (const listener of this.#listeners) listener.sample(sample)
        }
      } catch {
        // A crawl that cannot be listened to has ended or not begun: we look again.
      }
      if (signal.aborted) return
      this.#forget()
      if (heard > 0) for (const listener of this.#listeners) listener.end()
      await this.#wait(LOOK_EVERY_MS, signal)
    }
  }

  #remember(sample: LiveSample): void {
    this.#recent.push(sample)
    if (this.#recent.length <= MAX_RECENT) return
    const past = this.#recent.shift()!
    const last = this.#older.at(-1)
    if (last === undefined || past.at - last.at >= OLDER_EVERY_MS) this.#older.push(past)
    while (this.#older.length > 0 && this.#older[0]!.at < sample.at - OLDEST_MS) this.#older.shift()
  }

  #forget(): void {
    this.#recent = []
    this.#older = []
  }
}
