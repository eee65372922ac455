/**
 * ResourceSync writer: every document of resourcesync.ts, out of page entries, change entries and references. Each is
 * a valid sitemap, so whoever reads only sitemaps gets the URLs.
 *
 * A resource list or change list that does not fit one file becomes parts and an index. A part of a change list has
 * its own `from` and `until`: it ends where the next begins, and only the last may be open.
 */
import type { Instant } from '../instant.ts'
import { COMITY_NAMESPACE, RESOURCESYNC_NAMESPACE } from './resourcesync.ts'
import type { SyncCapability, SyncFacts, SyncLink, SyncSpan } from './resourcesync.ts'
import { SITEMAP_LIMITS } from './sitemap.ts'
import { sitemapText, writeSitemapFiles } from './sitemap-files.ts'
import type {
  SitemapDialect,
  SitemapFile,
  SitemapFileLimits,
  SitemapHead,
  SitemapPlace,
  SitemapSlice,
} from './sitemap-files.ts'
import { lastmodXml, locXml, partLocXml } from './sitemap-writer.ts'
import { w3cDate } from './w3c-date.ts'
import { webUrl } from '../url/web-url.ts'
import { xmlAttributes } from './xml-text.ts'

/** What a document says of itself. */
export interface SyncHead extends SyncSpan {
  readonly capability: SyncCapability
  readonly links?: readonly SyncLink[] | undefined
}

/** A document, in parts when it does not fit one file. Changes must come oldest first. Lazy, as `writeSitemaps`. */
export function writeSyncFiles(
  head: SyncHead,
  entries: Iterable<SyncFacts>,
  place: SitemapPlace,
  limits?: SitemapFileLimits,
): Generator<SitemapFile> {
  return writeSitemapFiles(dialectOf(head, place), entries, place, limits)
}

/**
 * One document that is never split: a manifest, or a part or index of which the caller keeps the boundaries. Throws a
 * RangeError when it is larger than a sitemap may be.
 */
export function writeSyncDocument(
  head: SyncHead,
  entries: Iterable<SyncFacts>,
  { isIndex = false }: { readonly isIndex?: boolean } = {},
  limits: SitemapFileLimits = SITEMAP_LIMITS,
): string {
  const [tag, root] = isIndex ? (['sitemap', 'sitemapindex'] as const) : (['url', 'urlset'] as const)
  const all = [...entries]
  const body = all.map((entry) => entryXml(tag, entry, isIndex ? undefined : head.capability) ?? '')
  if (all.length > limits.maxEntries) {
    throw new RangeError(`${all.length} entries are more than one file may have; use writeSyncFiles`)
  }
  return sitemapText(root, headXml(head, all), body, limits).chunks.join('')
}

function dialectOf(head: SyncHead, place: SitemapPlace): SitemapDialect<SyncFacts> {
  return {
    entry: (entry) => entryXml('url', entry, head.capability),
    head: (slice) => {
      if (slice === undefined || (slice.number === 1 && slice.next === undefined)) {
        return headXml(head, slice?.entries ?? [])
      }
      const links = [...(head.links ?? []), { rel: 'index', href: place.url }]
      return headXml({ ...head, ...spanOf(slice, head), links }, slice.entries)
    },
    part: (url, slice, modifiedAt) => {
      const span = spanXml(spanOf(slice, head))
      return `<sitemap>${partLocXml(url)}${lastmodXml(modifiedAt)}${element('md', span)}</sitemap>\n`
    },
  }
}

/** What of the head's span a slice has: all of a moment, its own share of a stretch of time. */
function spanOf(
  { number, entries, next }: SitemapSlice<SyncFacts>,
  { at, completedAt, from, until }: SyncSpan,
): SyncSpan {
  if (from === undefined) return { at, completedAt }
  const [first] = entries
  return {
    from: number === 1 ? from : (first?.changedAt ?? first?.from ?? from),
    until: next === undefined ? until : (next.changedAt ?? next.from ?? until),
  }
}

function headXml(head: SyncHead, entries: readonly SyncFacts[]): SitemapHead {
  const namespaces = {
    'xmlns:rs': RESOURCESYNC_NAMESPACE,
    'xmlns:comity': entries.some(({ extension }) => extension !== undefined) ? COMITY_NAMESPACE : undefined,
  }
  const md = element('md', { capability: head.capability, ...spanXml(head) })
  return { attributes: xmlAttributes(namespaces), children: `${linksXml(head.links)}${md}\n` }
}

/** `within` is what the document is; only where documents of all kinds are listed does an entry say its own. */
function entryXml(tag: 'url' | 'sitemap', entry: SyncFacts, within: SyncCapability | undefined): string | undefined {
  const loc = locXml(entry.url)
  if (loc === undefined) return undefined
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
