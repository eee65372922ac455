/**
 * List formats: how each kind of XML that lists pages names its entries and what it says of them: sitemaps
 * (sitemaps.org), RSS 2.0 and 1.0, Atom (RFC 4287). A new kind is a new row here, with a case in `sitemap-entry.test.ts`. What is no XML
 * is named here, too: plain lines, and JSON Feed (`feeds/json-feed.ts`).
 */
import { tableOf } from '../lookup.ts'

/** What a field means. The other of each comes second: a date or an address where the first is missing. */
export type ListField = 'loc' | 'other-loc' | 'date' | 'other-date' | 'changefreq' | 'priority'

type XmlFormat = 'urlset' | 'sitemapindex' | 'rss' | 'atom'

/** `text`: plain lines. */
export type SitemapFormat = XmlFormat | 'json-feed' | 'text' | 'unknown'

interface ListFormat {
  /** Names of its root element, without prefix, in lower case. */
  readonly roots: readonly string[]
  /** Names of its entries, and of the fields in each. */
  readonly entries: Readonly<Record<string, Readonly<Record<string, ListField>>>>
  /** It has the newest pages of a site and never all: a page that it does not name any more is not gone. */
  readonly isFeed?: boolean
}

const SITEMAP_FIELDS: ListFormat['entries'][string] = {
  loc: 'loc',
  lastmod: 'date',
  changefreq: 'changefreq',
  priority: 'priority',
}
/** Many put the ones among the others. */
const SITEMAP_ENTRIES = { url: SITEMAP_FIELDS, sitemap: SITEMAP_FIELDS }

const FORMATS: Readonly<Record<XmlFormat, ListFormat>> = {
  urlset: { roots: ['urlset'], entries: SITEMAP_ENTRIES },
  sitemapindex: { roots: ['sitemapindex'], entries: SITEMAP_ENTRIES },
  rss: {
    roots: ['rss', 'rdf'],
    // An item without a link may have its address as guid.
    entries: { item: { link: 'loc', guid: 'other-loc', pubdate: 'date', date: 'other-date' } },
    isFeed: true,
  },
  atom: {
    roots: ['feed'],
    entries: {
      entry: { link: 'loc', updated: 'date', modified: 'date', published: 'other-date', issued: 'other-date' },
    },
    isFeed: true,
  },
}

const rows = Object.entries(FORMATS) as readonly (readonly [XmlFormat, ListFormat])[]
const xmlFormats: ReadonlyMap<SitemapFormat, ListFormat> = new Map(rows)
const byRoot = new Map(rows.flatMap(([name, { roots }]) => roots.map((root) => [root, name] as const)))
/** The fields of an entry, by its name, in each format. */
const fieldsBy = new Map<SitemapFormat, ReadonlyMap<string, ReadonlyMap<string, ListField>>>(
  rows.map(([name, { entries }]) => [
    name,
    new Map(Object.entries(entries).map(([entry, fields]) => [entry, tableOf(fields)])),
  ]),
)
/** Of what has an unknown root: whatever any of them has, the first format first. */
const fieldsOfAny = new Map([...fieldsBy.values()].toReversed().flatMap((entries) => Array.from(entries)))
const fieldsIn = (format: SitemapFormat): ReadonlyMap<string, ReadonlyMap<string, ListField>> | undefined =>
  format === 'unknown' ? fieldsOfAny : fieldsBy.get(format)
const feeds = new Set<SitemapFormat>([
  ...rows.filter(([, { isFeed }]) => isFeed === true).map(([name]) => name),
  'json-feed',
])

export const formatOfRoot = (root: string): SitemapFormat => byRoot.get(root) ?? 'unknown'

/** By format, since RSS has a `<url>` of its own, for its image. */
export const isEntryOf = (format: SitemapFormat, name: string): boolean => fieldsIn(format)?.has(name) === true

export const fieldOf = (format: SitemapFormat, entry: string, name: string): ListField | undefined =>
  fieldsIn(format)?.get(entry)?.get(name)

/** The names of the elements that a document of this format ends with; none where nothing tells that it is whole. */
export const rootsOf = (format: SitemapFormat): readonly string[] => xmlFormats.get(format)?.roots ?? []

export const isFeed = (format: SitemapFormat): boolean => feeds.has(format)
