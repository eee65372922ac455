/**
 * How fresh a copy is that becomes the site at certain moments: the share of pages that are the same here and there, over the
 * year, and how old those are that are not. A page that only one side has is not the same; between two moments a page is
 * fresh until it changes, and from then on as old as that change.
 */
import type { Instant } from '@comity/protocol'
import type { Year } from '../../cooperating/year.ts'

export interface Staleness {
  /** Of the pages, over the year: between 0 and 1. */
  readonly stale: number
  /** Of a page's copy, over all pages, fresh ones too, and the year. */
  readonly ageMs: number
}

/** `synced` in order, after `year.from`, when the copy begins as the site. */
export function stalenessOf(year: Year, synced: readonly Instant[]): Staleness {
  const { from, until, events } = year
  const balance = new Balance(year)
  const length = until - from
  let [at, stale, aged, next] = [0, 0, 0, 0]
  const moveTo = (moment: Instant): void => {
    const end = Math.min(Math.max(moment - from, at), length)
    stale += (end - at) * balance.stale
    aged += (end - at) * balance.ageAt((at + end) / 2)
    at = end
  }
  for (const moment of [...synced, until]) {
    for (; next < events.length && events[next]!.at <= Math.min(moment, until); next++) {
      const event = events[next]!
      moveTo(event.at)
      balance.change(event.path, event.content, at)
    }
    moveTo(moment)
    if (at < length) balance.sync()
  }
  return { stale: stale / length, ageMs: aged / length }
}

/** Both sides of the pages that ever change, and which are not the same since when. Time is from the year's beginning. */
class Balance {
  readonly #site = new Map<string, string>()
  readonly #copy: Map<string, string>
  readonly #since = new Map<string, number>()
  #sinceSum = 0
  /** Pages that either side has, those that never change too. */
  #all = 0

  constructor({ present, events }: Year) {
    const changing = new Set(events.map(({ path }) => path))
    for (const { path, content } of present) {
      if (content === undefined) continue
      this.#all++
      if (changing.has(path)) this.#site.set(path, content)
    }
    this.#copy = new Map(this.#site)
  }

  get stale(): number {
    return this.#all === 0 ? 0 : this.#since.size / this.#all
  }

  /** Ages grow evenly, so in the middle of a stretch they are what they are on average. */
  ageAt(at: number): number {
    return this.#all === 0 ? 0 : (this.#since.size * at - this.#sinceSum) / this.#all
  }

  change(path: string, content: string | undefined, at: number): void {
    const was = this.#isAnywhere(path)
    if (content === undefined) this.#site.delete(path)
    else this.#site.set(path, content)
    this.#all += Number(this.#isAnywhere(path)) - Number(was)
    this.#note(path, at)
  }

  sync(): void {
    for (const path of this.#since.keys()) {
      const content = this.#site.get(path)
      if (content === undefined) {
        this.#copy.delete(path)
        this.#all--
      } else this.#copy.set(path, content)
    }
    this.#since.clear()
    this.#sinceSum = 0
  }

  #isAnywhere(path: string): boolean {
    return this.#site.has(path) || this.#copy.has(path)
  }

  #note(path: string, at: number): void {
    const since = this.#since.get(path)
    const isSame = this.#site.get(path) === this.#copy.get(path)
    if (isSame && since !== undefined) {
      this.#since.delete(path)
      this.#sinceSum -= since
    } else if (!isSame && since === undefined) {
      this.#since.set(path, at)
      this.#sinceSum += at
    }
  }
}
