/**
 * ApiCatalog: where a site says which schemes it offers (RFC 9727: `/.well-known/api-catalog`, a linkset of RFC 9264).
 * ResourceSync documents and sitemaps have ways of their own to be found; what no standard names a place for, the batch,
 * the filter and what can be subscribed to, stands here. The relation types are ours (RFC 8288 §2.1.2).
 */
import { parsedJson } from '../http/json-field.ts'

/** The relation of a `Link` that leads to it (§3). */
export const API_CATALOG_REL = 'api-catalog'
export const API_CATALOG_PATH = '/.well-known/api-catalog'
export const API_CATALOG_TYPE = 'application/linkset+json'

const CATALOG_RELATIONS = {
  batch: 'urn:comity:batch',
  changes: 'urn:comity:changes',
  /** One body that pages of the site resemble (RFC 9842 §3). */
  dictionary: 'compression-dictionary',
  /** A stream of what changes (`push/server-sent-events.ts`). */
  events: 'urn:comity:events',
  /** Where the topics below can be subscribed to (`push/websub.ts`); the topic of changes is the change list. */
  hub: 'hub',
  'push-differences': 'urn:comity:push:differences',
  'push-pages': 'urn:comity:push:pages',
  'push-batches': 'urn:comity:push:batches',
  'push-site': 'urn:comity:push:site',
  'push-agent': 'urn:comity:push:agent',
  resourcesync: 'resourcesync',
  wacz: 'urn:comity:wacz',
} as const

export type CatalogItem = keyof typeof CATALOG_RELATIONS

/** Absolute URLs by what they are. */
export type ApiCatalog = Readonly<Partial<Record<CatalogItem, string>>>

const ITEMS = Object.keys(CATALOG_RELATIONS) as CatalogItem[]
const MAX_CONTEXTS = 100

export function writeApiCatalog(anchor: string, catalog: ApiCatalog): string {
  const links = ITEMS.flatMap((item) => {
    const href = catalog[item]
    return href === undefined ? [] : [[CATALOG_RELATIONS[item], [{ href }]] as const]
  })
  return JSON.stringify({ linkset: [{ anchor, ...Object.fromEntries(links) }] })
}

/** RFC 9264 §4.2: an object with an array of this name. */
export function isLinkset(text: string): boolean {
  return Array.isArray(parsedJson(text)?.['linkset'])
}

/** What can be understood of a catalog; targets are made absolute by `base` and may lie anywhere: the caller decides. */
export function readApiCatalog(text: string, base: string): ApiCatalog {
  const linkset = parsedJson(text)?.['linkset']
  if (!Array.isArray(linkset)) return {}
  const found: Partial<Record<CatalogItem, string>> = {}
  for (const context of linkset.slice(0, MAX_CONTEXTS) as unknown[]) {
    for (const item of ITEMS) {
      const href = firstHref((context as Record<string, unknown> | null)?.[CATALOG_RELATIONS[item]])
      const url = href === undefined ? null : URL.parse(href, base)
      if (url !== null && found[item] === undefined) found[item] = url.href
    }
  }
  return found
}

function firstHref(targets: unknown): string | undefined {
  const target: unknown = Array.isArray(targets) ? targets[0] : undefined
  const href = (target as Record<string, unknown> | null | undefined)?.['href']
  return typeof href === 'string' && href.length <= 2_048 ? href : undefined
}
