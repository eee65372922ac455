/** DifferenceUse: whether pages of a site are asked for as differences from what we hold, and what came of it. */
import type { Instant } from '@comity/protocol'
import type { CooperationStore } from '@comity/follow'

export class DifferenceUse {
  readonly #store: CooperationStore | undefined
  readonly #now: () => Instant
  /** Sites whose differences could not be used, in this run. */
  readonly #broken = new Set<number>()

  /** `store`: of a run that keeps a collection fresh; no other asks for differences. */
  constructor(store: CooperationStore | undefined, now: () => Instant) {
    this.#store = store
    this.#now = now
  }

  isWanted(site: number): boolean {
    return this.#store !== undefined && !this.#broken.has(site)
  }

  /** One could not be used: none is asked for there any more. */
  failed(site: number, problem: string): void {
    this.#broken.add(site)
    this.#store?.brokenDifference(site, problem, this.#now())
  }
}
