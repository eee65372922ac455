/**
 * Demo stalls: when this process was kept from running. Crawl and sites of the demo share one process, and on a busy machine
 * it stands still now and then; what a site notes then, it notes late, and a rest that was kept looks shorter than it was.
 * Nothing is forgiven for longer than it really stood still.
 */
import type { Instant } from '@comity/protocol'

const EVERY_MS = 20
/** A timer is never quite in time. */
const USUAL_MS = 10
const KEPT = 10_000
/** How long before what was noted a stall may have begun that made it late. */
const WINDOW_MS = 2_000

export class DemoStalls implements Disposable {
  readonly #stalls: { readonly at: Instant; readonly ms: number }[] = []
  readonly #timer: NodeJS.Timeout

  constructor(now: () => Instant = Date.now) {
    let last = now()
    this.#timer = setInterval(() => {
      const at = now()
      this.note(at, at - last - EVERY_MS)
      last = at
    }, EVERY_MS)
  }

  /** It ended at `at`, and took so long. */
  note(at: Instant, ms: number): void {
    if (ms < USUAL_MS) return
    this.#stalls.push({ at, ms })
    if (this.#stalls.length > KEPT) this.#stalls.shift()
  }

  /** The longest that can have made something late that was noted at this instant. */
  before(instant: Instant): number {
    const near = this.#stalls.filter(({ at, ms }) => at - ms <= instant && at >= instant - WINDOW_MS)
    return Math.max(0, ...near.map(({ ms }) => ms))
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }
}
