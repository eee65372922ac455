/** SiteList: every site by its origin and its id, and which of them the next batch must tell of. */
import { journalUnreadable } from './frontier-batch.ts'
import type { PageTable } from './page-table.ts'
import { Site } from './site.ts'
import type { SiteRow } from './site.ts'

export class SiteList {
  readonly #table: PageTable
  readonly #ids = new Map<string, number>()
  #touched = new Set<Site>()
  readonly all: Site[] = []

  constructor(table: PageTable) {
    this.#table = table
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
    return site.id
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
      if (site.id !== id) throw journalUnreadable(`site ${row.origin} was kept as ${id} and came back as ${site.id}`)
      site.fromRow(row)
    }
    this.#touched.clear()
  }
}
