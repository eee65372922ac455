/**
 * Live hub: the samples of one crawl for many listeners. It listens to the crawl while somebody listens to it, and
 * remembers the last minutes, so that one who lost the connection gets what was missed (`Last-Event-ID`: the instant of
 * the last sample seen, which still means the same after a restart).
 */
import type { Instant } from '@comity/protocol'
import type { LiveSample } from '../model/models.ts'
import type { CrawlPort } from '../ports.ts'

interface Listener {
  sample(sample: LiveSample): void
  /** The crawl has ended; another may begin. */
  end(): void
}

/** Five minutes of a sample a second. */
const MAX_REMEMBERED = 300
/** How long until we look for a crawl again. */
const LOOK_EVERY_MS = 2_000
/** How long we go on listening after the last listener left: it may only have lost its connection. */
const LINGER_MS = 30_000

export class LiveHub {
  readonly #crawl: CrawlPort
  readonly #wait: (ms: number, signal: AbortSignal) => Promise<void>
  readonly #listeners = new Set<Listener>()
  #remembered: LiveSample[] = []
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
    for (const sample of this.#remembered) if (sample.at > since) listener.sample(sample)
    this.#listeners.add(listener)
    if (this.#following === undefined) {
      this.#following = new AbortController()
      void this.#follow(this.#following.signal)
    }
    return () => {
      if (this.#listeners.delete(listener) && this.#listeners.size === 0) void this.#linger()
    }
  }

  /** Stop at once, when the server does. */
  close(): void {
    this.#following?.abort()
    this.#following = undefined
    this.#remembered = []
  }

  async #linger(): Promise<void> {
    const following = this.#following
    if (following === undefined) return
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
      this.#remembered = []
      if (heard > 0) for (const listener of this.#listeners) listener.end()
      await this.#wait(LOOK_EVERY_MS, signal)
    }
  }

  #remember(sample: LiveSample): void {
    this.#remembered.push(sample)
    if (this.#remembered.length > MAX_REMEMBERED) this.#remembered.shift()
  }
}
