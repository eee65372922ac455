/** PageCensus: how many pages are in which state, and how many of each seed's pages are still to be fetched. */
import { LEASED, PAGE_STATES, WAITING } from './page-table.ts'
import type { PageState } from './page-table.ts'

export class PageCensus {
  readonly #counts = new Float64Array(PAGE_STATES.length)
  readonly #open = new Map<number, number>()

  count(state: PageState): number {
    return this.#counts[PAGE_STATES.indexOf(state)]!
  }

  /** Pages found from this seed that wait or are on their way. */
  openOf(seed: number): number {
    return this.#open.get(seed) ?? 0
  }

  enter(seed: number, state: number): void {
    this.#counts[state]!++
    if (isOpen(state)) this.#open.set(seed, this.openOf(seed) + 1)
  }

  move(seed: number, from: number, to: number): void {
    this.#counts[from]!--
    if (isOpen(from)) this.#open.set(seed, this.openOf(seed) - 1)
    this.enter(seed, to)
  }
}

const isOpen = (state: number): boolean => state === WAITING || state === LEASED
