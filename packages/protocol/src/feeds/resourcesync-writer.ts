/**
 * ResourceSync writer: every document of resourcesync.ts, out of page entries, change entries and references. Each is
 * a valid sitemap, so whoever reads only sitemaps gets the URLs.
 */
import type { Instant } from '../instant.ts'
import { COMITY_NAMESPACE, RESOURCESYNC_NAMESPACE } from './resourcesync.ts'
import type { SyncCapability, SyncFacts, SyncLink, SyncSpan } from './resourcesync.ts'
import { lastmodXml, locXml, sitemapText } from './sitemap-writer.ts'
import type { SitemapFileLimits, SitemapHead } from './sitemap-writer.ts'
import { w3cDate } from './w3c-date.ts'
import { webUrl } from '../url/web-url.ts'
import { xmlAttributes } from './xml-text.ts'

/** What a document says of itself. */
export interface SyncDocumentHead extends SyncSpan {
  readonly capability: SyncCapability
  readonly links?: readonly SyncLink[] | undefined
}

/**
 * One document: a list, a part or the index of several, of which the caller keeps the boundaries, or a manifest. Throws a
 * RangeError when it is larger than a sitemap may be.
 */
export function writeSyncDocument(
  head: SyncDocumentHead,
  entries: Iterable<SyncFacts>,
  { isIndex = false }: { readonly isIndex?: boolean } = {},
  limits?: SitemapFileLimits,
): string {
  const [tag, root] = isIndex ? (['sitemap', 'sitemapindex'] as const) : (['url', 'urlset'] as const)
  const all = [...entries]
  const body = all.map((entry) => entryXml(tag, entry, isIndex ? undefined : head.capability))
  return sitemapText(root, headXml(head, all), body, limits)
}

function headXml(head: SyncDocumentHead, entries: readonly SyncFacts[]): SitemapHead {
  const namespaces = {
    'xmlns:rs': RESOURCESYNC_NAMESPACE,
    'xmlns:comity': entries.some(({ extension }) => extension !== undefined) ? COMITY_NAMESPACE : undefined,
  }
  const md = element('md', { capability: head.capability, ...spanXml(head) })
  return { attributes: xmlAttributes(namespaces), children: `${linksXml(head.links)}${md}\n` }
}

/** `within` is what the document is; only where documents of all kinds are listed does an entry say its own. */
function entryXml(tag: 'url' | 'sitemap', entry: SyncFacts, within: SyncCapability | undefined): string {
  const loc = locXml(entry.url)
  if (loc === undefined) return ''
  const md = element('md', {
    capability: within === 'description' || within === 'capabilitylist' ? entry.capability : undefined,
    change: entry.change,
    datetime: dateOf(entry.changedAt),
    ...factsXml(entry),
    path: entry.path,
    ...spanXml(entry),
    ...extensionXml(entry.extension),
  })
  return `<${tag}>${loc}${lastmodXml(entry.modifiedAt)}${md}${linksXml(entry.links)}</${tag}>\n`
}

function linksXml(links: readonly SyncLink[] = []): string {
  return links.map((link) => linkXml(link)).join('')
}

/** Left out when it leads nowhere that we could read again. */
function linkXml(link: SyncLink): string {
  const href = webUrl(link.href)
  if (href === undefined) return ''
  const { rel, priority: pri, modifiedAt } = link
  return element('ln', { rel, href, pri, modified: dateOf(modifiedAt), ...factsXml(link) })
}

type Values = Readonly<Record<string, string | number | undefined>>

const factsXml = ({ digest, bytes, type }: Pick<SyncFacts, 'digest' | 'bytes' | 'type'>): Values => ({
  hash: digest,
  length: bytes !== undefined && Number.isSafeInteger(bytes) && bytes >= 0 ? bytes : undefined,
  type,
})

const spanXml = ({ at, completedAt, from, until }: SyncSpan): Values => ({
  at: dateOf(at),
  completed: dateOf(completedAt),
  from: dateOf(from),
  until: dateOf(until),
})

function extensionXml(extension: Readonly<Record<string, string>> = {}): Values {
  return Object.fromEntries(
    Object.entries(extension).map(([name, value]) => {
      if (!/^[A-Za-z_][\w.-]{0,63}$/.test(name)) throw new TypeError(`"${name}" is no name for an attribute`)
      return [`comity:${name}`, value]
    }),
  )
}

const dateOf = (at: Instant | undefined): string | undefined => (at === undefined ? undefined : w3cDate(at))

/** An element of ResourceSync; nothing when it would say nothing. */
function element(name: 'md' | 'ln', values: Values): string {
  const attributes = xmlAttributes(values)
  return attributes === '' ? '' : `<rs:${name}${attributes}/>`
}
