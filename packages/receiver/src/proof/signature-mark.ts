/**
 * SignatureMark: up to when signatures were made that were taken here, on the disk, so that one that was used before a restart
 * is not taken after it. What was seen is remembered in memory (`SignatureMemory` of `protocol`) and lost with it; but all of it
 * was made before the mark, and of what was made later nothing was seen.
 *
 *   seen in memory ──▶ made after the mark? then the mark is moved behind it, durably ──▶ taken
 *
 * The clock alone would not do: senders' clocks may be ahead, several requests fall into one second, and our own clock may have
 * been set back. The mark is moved a second further than it has to be, so that it is written once in a while and not each time.
 */
import { readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import type { Instant } from '@comity/protocol'

const AHEAD_MS = 1_000

export class SignatureMark {
  readonly #path: string | undefined
  /** As it was found; nothing that was made by then is new. */
  readonly #before: Instant
  #durable: Instant
  #writing: Promise<void> | undefined

  /** Without a path it lasts as long as the process. */
  constructor(now: Instant, path?: string) {
    this.#path = path
    // Signatures count in whole seconds. Whoever started a moment ago without a mark has taken nothing.
    this.#before = Math.max(Math.floor(now / 1_000) * 1_000 - 1, path === undefined ? 0 : markIn(path))
    this.#durable = this.#before
  }

  /** How long until something new can be made, if this may have been seen before the start; 0 when it cannot have been. */
  waitMs(created: Instant, now: Instant): number {
    return created > this.#before ? 0 : Math.max(0, this.#before - now) + 1_000
  }

  /** Resolves when a process that starts from now on knows that this may have been seen. */
  async cover(created: Instant): Promise<void> {
    while (created > this.#durable) {
      // Not in `#move` itself: without a path that is over before there is a promise to forget.
      this.#writing ??= this.#move(created + AHEAD_MS).finally(() => (this.#writing = undefined))
      await this.#writing
    }
  }

  async #move(to: Instant): Promise<void> {
    if (this.#path !== undefined) {
      await writeFile(`${this.#path}.new`, `${JSON.stringify({ version: 1, until: to })}\n`, {
        mode: 0o600,
        flush: true,
      })
      await rename(`${this.#path}.new`, this.#path)
    }
    this.#durable = to
  }
}

/** A file that is not there, or says nothing, marks nothing: the clock has to do. */
function markIn(path: string): Instant {
  try {
    const { until } = JSON.parse(readFileSync(path, 'utf8')) as { readonly until?: unknown }
    return typeof until === 'number' && Number.isFinite(until) ? until : 0
  } catch {
    return 0
  }
}
