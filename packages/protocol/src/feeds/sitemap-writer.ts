/**
 * Sitemap writer: the pages of a site as plain sitemaps, split into parts with an index where one file does not hold
 * them (see sitemap-files.ts). Of a page it says where it is and when it changed last, the two that search engines use.
 */
import type { Instant } from '../instant.ts'
import type { PageEntry } from './page-entry.ts'
import { writeSitemapFiles } from './sitemap-files.ts'
import type { SitemapDialect, SitemapFile, SitemapFileLimits, SitemapPlace } from './sitemap-files.ts'
import { w3cDate } from './w3c-date.ts'
import { webUrl } from '../url/web-url.ts'
import { xmlText } from './xml-text.ts'

/** Sitemaps of these pages. Lazy: a part is made when it is asked for. */
export function writeSitemaps(
  pages: Iterable<PageEntry>,
  place: SitemapPlace,
  limits?: SitemapFileLimits,
): Generator<SitemapFile> {
  return writeSitemapFiles(plain, pages, place, limits)
}

const plain: SitemapDialect<PageEntry> = {
  entry: ({ url, modifiedAt }) => {
    const loc = locXml(url)
    return loc === undefined ? undefined : `<url>${loc}${lastmodXml(modifiedAt)}</url>\n`
  },
  head: () => ({ attributes: '', children: '' }),
  part: (url, _slice, modifiedAt) => `<sitemap>${partLocXml(url)}${lastmodXml(modifiedAt)}</sitemap>\n`,
}

/** `<loc>`, or undefined for what a sitemap may not list: other schemes, and 2,048 characters or more. */
export function locXml(url: string): string | undefined {
  const href = webUrl(url)
  return href === undefined || href.length >= MAX_LOC_CHARS ? undefined : `<loc>${xmlText(href)}</loc>`
}

/** `<loc>` of a file we write ourselves: that it cannot be listed is the caller's mistake. */
export function partLocXml(url: string): string {
  const loc = locXml(url)
  if (loc === undefined) throw new TypeError(`a sitemap cannot stand at "${url}": give an http(s) URL of its own`)
  return loc
}

export function lastmodXml(at: Instant | undefined): string {
  const date = at === undefined ? undefined : w3cDate(at)
  return date === undefined ? '' : `<lastmod>${date}</lastmod>`
}

const MAX_LOC_CHARS = 2_048
