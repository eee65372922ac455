/**
 * Origin robots: the robots.txt of a server behind us, read again now and then. As RFC 9309 §2.3.1 has it for crawlers: none
 * allows everything, one that cannot be had disallows everything, and one that was had counts for a day more.
 */
import type { Instant } from '@comity/protocol'

export interface FetchedRobots {
  readonly status: number
  readonly text: string
}

const REFRESH_MS = 3_600_000
const RETRY_MS = 60_000
const TRUST_MS = 86_400_000
const DISALLOW_ALL = 'User-agent: *\nDisallow: /\n'

export class OriginRobots {
  readonly #fetch: () => Promise<FetchedRobots>
  readonly #now: () => Instant
  #known: { readonly text: string; readonly at: Instant } | undefined
  #dueAt: Instant = -Infinity
  #running: Promise<void> | undefined

  constructor(fetch: () => Promise<FetchedRobots>, now: () => Instant) {
    this.#fetch = fetch
    this.#now = now
  }

  get isKnown(): boolean {
    return this.#known !== undefined && this.#now() - this.#known.at < TRUST_MS
  }

  get text(): string {
    return this.isKnown ? this.#known!.text : DISALLOW_ALL
  }

  /** Cheap when it is not due. Never throws. */
  async refresh(): Promise<void> {
    if (this.#now() < this.#dueAt) return
    this.#running ??= this.#read().finally(() => (this.#running = undefined))
    await this.#running
  }

  async #read(): Promise<void> {
    const text = await this.#text()
    const now = this.#now()
    this.#dueAt = now + (text === undefined ? RETRY_MS : REFRESH_MS)
    if (text !== undefined) this.#known = { text, at: now }
  }

  async #text(): Promise<string | undefined> {
    try {
      const { status, text } = await this.#fetch()
      if (status === 200) return text
      return status >= 400 && status < 500 && status !== 429 ? '' : undefined
    } catch {
      // Not to be had: what that means is decided above.
      return undefined
    }
  }
}
