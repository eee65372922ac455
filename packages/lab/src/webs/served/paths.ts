/**
 * Served paths: where on its site each page of a web is served. A page keeps the path that the web gives it, unless a
 * crawl would take it for another page, for no page at all or for a trap: then it gets a plain one.
 */
import { canonicalUrl, likelyKindOf, siteOf, trapOf } from '@comity/protocol'
import type { WrittenWeb } from './page.ts'

interface ServedPaths {
  pathOf(page: number): string
  /** The page at a path of a site. */
  pageAt(site: number, path: string): number | undefined
}

export function servedPaths({ pages, sites, siteOf: siteOfPage, words }: WrittenWeb): ServedPaths {
  const bySite = Array.from({ length: sites }, () => new Map<string, number>([['/robots.txt', -1]]))
  const paths: string[] = []
  for (let page = 0; page < pages; page++) {
    const taken = bySite[siteOfPage[page]!]!
    const own = plainPath(words.urlOf(page))
    const path = own === undefined || taken.has(own) ? freePath(page, taken) : own
    taken.set(path, page)
    paths.push(path)
  }
  for (const taken of bySite) taken.delete('/robots.txt')
  return { pathOf: (page) => paths[page]!, pageAt: (site, path) => bySite[site]?.get(path) }
}

function plainPath(address: string): string | undefined {
  const url = canonicalUrl(address)
  if (url === undefined || trapOf(url) !== undefined || (likelyKindOf(url) ?? 'page') !== 'page') return undefined
  return url.slice(siteOf(url).length)
}

/** A page that comes later may be called so by the web: it then moves on itself. */
function freePath(page: number, taken: ReadonlyMap<string, number>): string {
  let path = `/page-${page}`
  while (taken.has(path)) path += '-'
  return path
}
