/**
 * Freshness of a copy that is right after every poll: the share of pages that are the same here and there, over the year. A
 * page that only one side has is not the same; between two polls a page is fresh until it changes.
 */
import type { Instant } from '@comity/protocol'
import { YearState } from './schemes-year.ts'
import type { Year } from './schemes-year.ts'

/** `polls` in order, after `year.from`, when the copy begins as the site. */
export function freshnessOf(year: Year, polls: readonly Instant[]): number {
  const site = new YearState(year)
  const balance = new Balance(site.pages)
  let [at, area] = [year.from, 0]
  const moveTo = (next: Instant): void => {
    const end = Math.min(Math.max(next, at), year.until)
    area += (end - at) * balance.fresh
    at = end
  }
  for (const poll of [...polls, year.until]) {
    for (const event of site.advance(poll)) {
      moveTo(event.at)
      balance.change(event.path, event.content)
    }
    moveTo(poll)
    if (poll < year.until) balance.poll()
  }
  return area / (year.until - year.from)
}

/** Both sides, and how many pages are the same. */
class Balance {
  readonly #site: Map<string, string>
  #copy: Map<string, string>
  #same: number
  #all: number

  constructor(pages: ReadonlyMap<string, string>) {
    this.#site = new Map(pages)
    this.#copy = new Map(pages)
    this.#same = this.#all = pages.size
  }

  get fresh(): number {
    return this.#all === 0 ? 1 : this.#same / this.#all
  }

  change(path: string, content: string | undefined): void {
    this.#count(path, -1)
    if (content === undefined) this.#site.delete(path)
    else this.#site.set(path, content)
    this.#count(path, 1)
  }

  poll(): void {
    this.#copy = new Map(this.#site)
    this.#same = this.#all = this.#site.size
  }

  #count(path: string, step: 1 | -1): void {
    const [here, there] = [this.#copy.get(path), this.#site.get(path)]
    if (here === undefined && there === undefined) return
    this.#all += step
    if (here === there) this.#same += step
  }
}
