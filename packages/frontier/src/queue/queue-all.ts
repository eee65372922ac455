/**
 * Every waiting page into its site's queue at once, when a frontier comes back.
 *
 * One after the other, each page would touch its site, its heap and the ranks above it, all of them far apart: 900 ns a
 * page at ten million. Here the table is read twice in the order of pages, with a few small columns by site; since pages
 * mostly lie in the order they were found, few queues need to be put in order.
 */
import { pageLogUnreadable } from './frontier-batch.ts'
import { WAITING } from './page-table.ts'
import type { PageTable } from './page-table.ts'
import type { Site } from './site.ts'

export function queueAll(table: PageTable, sites: readonly Site[], rankOf: (site: Site, page: number) => number): void {
  const known = new Uint32Array(sites.length)
  const waiting = new Uint32Array(sites.length)
  const lastRank = new Float64Array(sites.length).fill(-Infinity)
  const inOrder = new Uint8Array(sites.length).fill(1)
  for (let page = 0; page < table.count; page++) {
    const id = table.siteOf(page)
    const site = sites[id]
    if (site === undefined) throw pageLogUnreadable(`page ${page} is on site ${id}, which is unknown`)
    known[id]!++
    if (table.stateOf(page) !== WAITING) continue
    waiting[id]!++
    table.setRank(page, rankOf(site, page))
    const rank = table.rankOf(page)
    if (rank < lastRank[id]!) inOrder[id] = 0
    lastRank[id] = rank
  }
  const starts = new Uint32Array(sites.length + 1)
  for (let id = 0; id < sites.length; id++) starts[id + 1] = starts[id]! + waiting[id]!
  const bySite = new Uint32Array(starts[sites.length]!)
  const filled = new Uint32Array(sites.length)
  for (let page = 0; page < table.count; page++) {
    if (table.stateOf(page) !== WAITING) continue
    const id = table.siteOf(page)
    const at = filled[id]!++
    bySite[starts[id]! + at] = page
    table.setPlace(page, at)
  }
  for (const [id, site] of sites.entries()) {
    site.known = known[id]!
    site.pages.fill(bySite.slice(starts[id], starts[id + 1]), inOrder[id] === 1)
  }
}
