/**
 * SitePriority: whom to listen to (002 §6.4.2: interrupts from too many sites overload a search engine; only a small group, the
 * important and fast-changing, is worth them). A site's worth is its importance times its change: the importance of the pages
 * that visits found changed, each counting half as much after a week. So nothing has to look at all pages to rank the sites.
 */
import type { Instant } from '@comity/protocol'

/** One row a site; field names are part of the format. */
export interface SitePriorityRow {
  readonly worth: number
  readonly at: Instant
}

const HALF_LIFE_DAYS = 7

export class SitePriority {
  readonly #rows = new Map<number, SitePriorityRow>()
  readonly #dayMs: number

  /** `dayMs`: how long a day lasts. */
  constructor(dayMs: number) {
    this.#dayMs = dayMs
  }

  restore(site: number, row: SitePriorityRow): void {
    this.#rows.set(site, row)
  }

  /** A page of a site was found to be another than before. */
  changed(site: number, importance: number, at: Instant): SitePriorityRow {
    const row = { worth: this.of(site, at) + importance, at }
    this.#rows.set(site, row)
    return row
  }

  of(site: number, now: Instant): number {
    const row = this.#rows.get(site)
    return row === undefined ? 0 : priorityAt(row, this.#dayMs, now)
  }

  /** The sites that were worth anything, the best first. */
  ranking(now: Instant): readonly { readonly site: number; readonly worth: number }[] {
    const sites = [...this.#rows.keys()].map((site) => ({ site, worth: this.of(site, now) }))
    return sites.toSorted((a, b) => b.worth - a.worth || a.site - b.site)
  }
}

/** What is left of it by now. */
export function priorityAt({ worth, at }: SitePriorityRow, dayMs: number, now: Instant): number {
  return worth * 0.5 ** (Math.max(0, now - at) / (HALF_LIFE_DAYS * dayMs))
}
