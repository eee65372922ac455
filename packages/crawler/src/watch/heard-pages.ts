/** HeardPages: what sites and gateways say of pages, told to who decides when each is visited. */
import type { Instant, Signal } from '@comity/protocol'
import type { RevisitHandler } from './revisit-handler.ts'
import type { WatchFigures } from './watch-figures.ts'

export class HeardPages {
  readonly #revisits: RevisitHandler
  readonly #figures: WatchFigures
  readonly #now: () => Instant

  constructor(revisits: RevisitHandler, figures: WatchFigures, now: () => Instant) {
    this.#revisits = revisits
    this.#figures = figures
    this.#now = now
  }

  /** Somebody claims that a page changed; the verdict `counted` makes it news. */
  signal(signal: Signal): string {
    const verdict = this.#revisits.heard(signal, this.#now())
    this.#figures.heard(signal.channel, verdict)
    return verdict
  }

  /** A gateway saw that our copy of a page was as the page then. */
  confirmed(page: number, at: Instant): void {
    this.#revisits.confirmed(page, at)
  }

  /** A site's own order of its pages, best first. */
  ordered(pages: readonly number[]): void {
    this.#revisits.reorder(pages, this.#now())
  }

  importanceOf(page: number): number {
    return this.#revisits.queue.factsOf(page, this.#now())?.importance ?? 1
  }
}
