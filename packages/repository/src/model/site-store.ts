/** Site store: every site with its counts, its clocks and its share of the importance, in the orders people ask for. */
import type { Collection } from '@comity/collection'
import type { SiteRow } from '@comity/frontier'
import type { LinkCensus } from './link-census.ts'
import type { CollectionCensus } from './collection-census.ts'
import type { SiteChoice, SiteList, SiteSort, SitesQuery, SurveyedRow } from '../ports.ts'

/** What a row of an older collection, or of one that nobody crawled, does not say. */
const UNASKED = { crawlDelayMs: 0, strikes: 0, askedUntil: 0, readyAt: 0 }

export class SiteStore {
  readonly #census: CollectionCensus
  readonly #links: LinkCensus
  readonly #rows: SiteRow[] = []
  readonly #ids = new Map<string, number>()

  constructor(census: CollectionCensus, links: LinkCensus) {
    this.#census = census
    this.#links = links
  }

  /** Clocks and names as they are now. */
  read(collection: Collection): void {
    for (const [site, row] of collection.sites<SiteRow>()) {
      this.#rows[site] = { ...UNASKED, ...row }
      this.#ids.set(row.origin, site)
    }
  }

  get count(): number {
    return this.#ids.size
  }

  /** Sites of which a page was ever visited. */
  get visited(): number {
    return this.#chosen('visited').length
  }

  /** Sites of which a page is held. */
  get held(): number {
    return [...this.#ids.values()].filter((site) => this.#census.siteAt(site).held > 0).length
  }

  get sites(): Iterable<number> {
    return this.#ids.values()
  }

  find(origin: string): number | undefined {
    return this.#ids.get(origin)
  }

  row(site: number): SurveyedRow {
    const { origin, crawlDelayMs, strikes, askedUntil, readyAt } = this.#rows[site]!
    const { known, held, errors, waiting, lastVisitAt } = this.#census.siteAt(site)
    // The rest that was set after the last visit shows what our own delay came to; nothing else has written it down.
    const restMs = lastVisitAt === undefined ? 0 : readyAt - lastVisitAt
    return {
      site,
      origin,
      known,
      held,
      errors,
      waiting,
      importance: this.#links.shareOf(site),
      delayMs: Math.round(Math.max(crawlDelayMs, restMs, 0)),
      backoffUntil: strikes > 0 ? askedUntil : undefined,
      strikes,
      lastVisitAt,
    }
  }

  list({ show, sort, offset, limit }: SitesQuery): SiteList {
    const order = this.#inOrder(sort, this.#chosen(show))
    const rows = order.slice(offset, offset + limit).map((site) => this.row(site))
    const { visited } = this
    return { total: order.length, visited, linked: this.count - visited, rows }
  }

  /** The most important first, with the pages held of each: 0 of one that was never visited. */
  ranked(show: SiteChoice): { site: number; origin: string; pages: number }[] {
    return this.#inOrder('importance', this.#chosen(show)).map((site) => {
      return { site, origin: this.#rows[site]!.origin, pages: this.#census.siteAt(site).held }
    })
  }

  #chosen(show: SiteChoice): number[] {
    const sites = [...this.#ids.values()]
    if (show === 'all') return sites
    return sites.filter((site) => (this.#census.siteAt(site).lastVisitAt !== undefined) === (show === 'visited'))
  }

  /** Descending but for names; equals by name, so that a second page of a list goes on where the first ended. */
  #inOrder(sort: SiteSort, sites: readonly number[]): number[] {
    const byName = (a: number, b: number): number => (this.#rows[a]!.origin < this.#rows[b]!.origin ? -1 : 1)
    if (sort === 'origin') return sites.toSorted(byName)
    const valueOf = (site: number): number => {
      const counts = this.#census.siteAt(site)
      // Until importance is known, the larger site.
      return sort === 'importance' ? this.#links.shareOf(site) || counts.known * Number.MIN_VALUE : counts[sort]
    }
    const values = new Map(sites.map((site) => [site, valueOf(site)]))
    return sites.toSorted((a, b) => values.get(b)! - values.get(a)! || byName(a, b))
  }
}
