/**
 * Sitemap writer: pages of a site as one sitemap, or the index of several (https://www.sitemaps.org/protocol.html). Of a
 * page it says where it is and when it changed last, the two that search engines use. Which pages stand together in a
 * file is its caller's choice; more than one file may have is an error.
 */
import type { Instant } from '../instant.ts'
import type { PageEntry } from './page-entry.ts'
import { SITEMAP_LIMITS } from './sitemap.ts'
import { w3cDate } from './w3c-date.ts'
import { webUrl } from '../url/web-url.ts'
import { xmlText } from './xml-text.ts'

export interface SitemapFileLimits {
  readonly maxBytes: number
  readonly maxEntries: number
}

export interface SitemapHead {
  /** Attributes of the root: its namespaces. */
  readonly attributes: string
  /** What comes before the entries. */
  readonly children: string
}

type SitemapListed = Pick<PageEntry, 'url' | 'modifiedAt'>

const PLAIN: SitemapHead = { attributes: '', children: '' }

/** Pages that a sitemap may not list are left out. */
export function writeSitemap(pages: Iterable<SitemapListed>, limits?: SitemapFileLimits): string {
  return sitemapText('urlset', PLAIN, Array.from(pages, entryXml('url')), limits)
}

export function writeSitemapIndex(parts: Iterable<SitemapListed>): string {
  return sitemapText('sitemapindex', PLAIN, Array.from(parts, entryXml('sitemap')))
}

const entryXml =
  (tag: string) =>
  ({ url, modifiedAt }: SitemapListed): string => {
    const loc = locXml(url)
    return loc === undefined ? '' : `<${tag}>${loc}${lastmodXml(modifiedAt)}</${tag}>\n`
  }

/** The text of a file. Throws a RangeError when it is larger than one may be. */
export function sitemapText(
  root: 'urlset' | 'sitemapindex',
  head: SitemapHead,
  entries: readonly string[],
  { maxEntries, maxBytes }: SitemapFileLimits = SITEMAP_LIMITS,
): string {
  if (entries.length > maxEntries) throw tooLarge(`${entries.length} entries are`)
  const open = `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${SITEMAP_NAMESPACE}"${head.attributes}>\n`
  const text = [open, head.children, ...entries, `</${root}>\n`].join('')
  const bytes = Buffer.byteLength(text)
  if (bytes > maxBytes) throw tooLarge(`a sitemap of ${bytes} bytes is`)
  return text
}

const tooLarge = (what: string): RangeError =>
  new RangeError(`${what} more than one file may have; give fewer entries, or less with each of them`)

/** `<loc>`, or undefined for what a sitemap may not list: other schemes, and 2,048 characters or more. */
export function locXml(url: string): string | undefined {
  const href = webUrl(url)
  return href === undefined || href.length >= SITEMAP_LIMITS.maxLocChars ? undefined : `<loc>${xmlText(href)}</loc>`
}

export function lastmodXml(at: Instant | undefined): string {
  const date = at === undefined ? undefined : w3cDate(at)
  return date === undefined ? '' : `<lastmod>${date}</lastmod>`
}

const SITEMAP_NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9'
