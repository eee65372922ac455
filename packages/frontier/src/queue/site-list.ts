/** SiteList: every site by its origin and its id, and which of them the next batch must tell of. */
import { hostOf, registrableDomain } from '@comity/protocol'
import { pageLogUnreadable } from './frontier-batch.ts'
import type { PageTable } from './page-table.ts'
import { siteLimits } from './frontier-options.ts'
import type { SiteLimits } from './frontier-options.ts'
import { Site } from './site.ts'
import type { SiteRow } from './site.ts'

export class SiteList {
  readonly #table: PageTable
  readonly #limits: SiteLimits
  readonly #ids = new Map<string, number>()
  readonly #perDomain = new Map<string, number>()
  #touched = new Set<Site>()
  readonly all: Site[] = []

  constructor(table: PageTable, limits: SiteLimits = siteLimits) {
    this.#table = table
    this.#limits = limits
  }

  /** The id of a known site. */
  find(origin: string): number | undefined {
    return this.#ids.get(origin)
  }

  /** The id of a site, known or new. */
  idOf(origin: string): number {
    const known = this.#ids.get(origin)
    if (known !== undefined) return known
    const site = new Site(this.all.length, origin, this.#table)
    this.all.push(site)
    this.#ids.set(origin, site.id)
    this.#touched.add(site)
    const domain = domainOf(origin)
    this.#perDomain.set(domain, (this.#perDomain.get(domain) ?? 0) + 1)
    return site.id
  }

  /** The same, but -1 for a new site when no more may be remembered. */
  idIfRoom(origin: string): number {
    const { maxSites, maxSitesPerDomain } = this.#limits
    const known = this.#ids.get(origin)
    if (known !== undefined) return known
    const siblings = this.#perDomain.get(domainOf(origin)) ?? 0
    return this.all.length < maxSites && siblings < maxSitesPerDomain ? this.idOf(origin) : -1
  }

  at(id: number): Site {
    return this.all[id]!
  }

  ofPage(page: number): Site {
    return this.all[this.#table.siteOf(page)]!
  }

  /** A site that is about to change, or just has: the next batch will have its row. */
  touch(id: number): Site {
    const site = this.all[id]!
    this.#touched.add(site)
    return site
  }

  drain(): [site: number, row: SiteRow][] {
    const rows = Array.from(this.#touched, (site): [number, SiteRow] => [site.id, site.toRow()])
    this.#touched = new Set()
    return rows
  }

  restore(rows: Iterable<readonly [site: number, row: SiteRow]>): void {
    for (const [id, row] of rows) {
      const site = this.at(this.idOf(row.origin))
      if (site.id !== id) throw pageLogUnreadable(`site ${row.origin} was kept as ${id} and came back as ${site.id}`)
      site.fromRow(row)
    }
    this.#touched.clear()
  }
}

const domainOf = (origin: string): string => registrableDomain(hostOf(origin))
