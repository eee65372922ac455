/**
 * CrawlBudget: what a crawl may cost, as it can be changed while it runs. A change holds for this run; the next one has
 * the limits it is given.
 */
import type { SiteBudget } from '@comity/frontier'
import { optionInvalid } from '../errors.ts'
import type { CrawlOptions } from '../options.ts'
import type { SiteOverride } from '../fetch/site-override.ts'

export interface CrawlBudget {
  /** Pages in the collection; Infinity: no limit. */
  readonly maxPages: number
  readonly maxBytes: number
  /** The same for each site that has no limits of its own. */
  readonly sitePages: number
  readonly siteBytes: number
}

const NAMES: ReadonlySet<string> = new Set(['maxPages', 'maxBytes', 'sitePages', 'siteBytes'])

/** The limits that count now, in the shape that `budgetFor` reads. */
export class RunBudget {
  readonly sites: readonly SiteOverride[]
  #maxPages: number
  #maxBytes: number
  #siteBudget: SiteBudget

  constructor({ sites, maxPages, maxBytes, siteBudget }: CrawlOptions) {
    this.sites = sites
    this.#maxPages = maxPages
    this.#maxBytes = maxBytes
    this.#siteBudget = siteBudget
  }

  get maxPages(): number {
    return this.#maxPages
  }
  get maxBytes(): number {
    return this.#maxBytes
  }
  get siteBudget(): SiteBudget {
    return this.#siteBudget
  }

  get(): CrawlBudget {
    const { maxPages: sitePages, maxBytes: siteBytes } = this.#siteBudget
    return { maxPages: this.#maxPages, maxBytes: this.#maxBytes, sitePages, siteBytes }
  }

  /** All of it or, when a part is impossible, nothing. */
  change(wanted: Partial<CrawlBudget>): void {
    for (const [name, value] of Object.entries(wanted)) {
      if (!NAMES.has(name)) throw optionInvalid(`There is no budget "${name}"; there are ${[...NAMES].join(', ')}.`)
      if (typeof value !== 'number' || !(value > 0)) {
        throw optionInvalid(`${name} must be more than 0, not ${String(value)}.`)
      }
    }
    const { maxPages, maxBytes, sitePages, siteBytes } = { ...this.get(), ...wanted }
    this.#maxPages = maxPages
    this.#maxBytes = maxBytes
    this.#siteBudget = { ...this.#siteBudget, maxPages: sitePages, maxBytes: siteBytes }
  }
}
