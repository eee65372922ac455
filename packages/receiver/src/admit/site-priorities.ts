/** SitePriorities: what each site is worth hearing, as the crawl says now and then; the rest is worth what a stranger is. */
export class SitePriorities {
  readonly #strangers: number
  #worths = new Map<string, number>()

  /** `strangers`: from 0, sites that the crawl has not named are not heard, to 1. */
  constructor(strangers: number) {
    this.#strangers = strangers
  }

  /** The crawl has named it. */
  has(origin: string): boolean {
    return this.#worths.has(origin)
  }

  of(origin: string): number {
    return this.#worths.get(origin) ?? this.#strangers
  }

  /** All that are known; those that were named before and are not now are strangers again. */
  replace(rows: Iterable<readonly [origin: string, worth: number]>): void {
    this.#worths = new Map(rows)
  }

  get size(): number {
    return this.#worths.size
  }
}
