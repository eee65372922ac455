/**
 * Query filters: which pages come into question at all, whatever their words. `site:` `type:` `lang:` name what a page
 * must be one of (`-site:` and so on: none of), and `since:` from when on it was first seen.
 */
import { FEED_TYPES, tableOf } from '@comity/protocol'
import type { Instant } from '@comity/protocol'

export interface QueryFilters {
  /** A page is one of these; an empty list asks nothing. */
  readonly only: FilterLists
  /** A page is none of these. */
  readonly except: FilterLists
  readonly since?: Instant
}

export interface FilterLists {
  readonly sites: readonly SiteFilter[]
  /** Names of `TYPE_NAMES`, media types (`image/png`), or families of them (`image/*`). */
  readonly types: readonly string[]
  /** Language tags (BCP 47): `de` also takes `de-AT`. */
  readonly languages: readonly string[]
}

/** A host and all below it; with a port only at that port, with a path only at it and below. */
interface SiteFilter {
  readonly host: string
  readonly port?: number
  readonly pathPrefix?: string
}

export type FilterName = 'site' | 'type' | 'lang' | 'since'

/** What one filter of a query says. */
export type FilterValue =
  | { readonly name: 'site'; readonly values: readonly SiteFilter[] }
  | { readonly name: 'type' | 'lang'; readonly values: readonly string[] }
  | { readonly name: 'since'; readonly values: readonly Instant[] }

/** Everyday names of media types. */
// oxfmt-ignore
const TYPE_NAMES: ReadonlyMap<string, readonly string[]> = tableOf({
  html: ['text/html', 'application/xhtml+xml'],
  pdf: ['application/pdf'],
  text: ['text/plain', 'text/markdown'],
  markdown: ['text/markdown'],
  xml: ['application/xml', 'text/xml'],
  json: ['application/json', 'application/ld+json'],
  csv: ['text/csv'],
  feed: FEED_TYPES,
  css: ['text/css'],
  javascript: ['text/javascript', 'application/javascript', 'application/x-javascript'],
  image: ['image/*'],
  audio: ['audio/*'],
  video: ['video/*'],
})

/** Other names for the same. */
const typeAliases: ReadonlyMap<string, string> = new Map([
  ['htm', 'html'],
  ['xhtml', 'html'],
  ['page', 'html'],
  ['txt', 'text'],
  ['plain', 'text'],
  ['md', 'markdown'],
  ['rss', 'feed'],
  ['atom', 'feed'],
  ['js', 'javascript'],
  ['images', 'image'],
])

/** What stands behind `name:`, or a sentence that says what should. */
export function readFilter(name: FilterName, text: string, now: Instant): FilterValue | string {
  switch (name) {
    case 'site': {
      const sites = (text.includes('/') ? [text] : listed(text)).map(readSite)
      return sites.length > 0 && sites.every((site) => site !== undefined)
        ? { name, values: sites }
        : 'needs a host, as in site:example.org or site:example.org/docs'
    }
    case 'type': {
      const types = listed(text).map(readType)
      return types.length > 0 && types.every((type) => type !== undefined)
        ? { name, values: types }
        : `needs ${[...TYPE_NAMES.keys()].join(', ')}, or a media type, as in type:image/png`
    }
    case 'lang': {
      const tags = listed(text).map(readLanguage)
      return tags.length > 0 && tags.every((tag) => tag !== undefined)
        ? { name, values: tags }
        : 'needs the code of a language, as in lang:de or lang:pt-BR'
    }
    default: {
      const since = readSince(text, now)
      return since === undefined
        ? 'needs a date or how long ago, as in since:2026-01-31, since:24h, since:7d, since:2w, since:3m or since:1y'
        : { name, values: [since] }
    }
  }
}

/** `html,pdf` and `html|pdf`. */
function listed(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[,|]/)
    .filter((part) => part !== '')
}

function readSite(text: string): SiteFilter | undefined {
  // Whatever a browser's address bar may hold: scheme, user, host, port, path; what is asked behind `?` is no place.
  const parts =
    /^(?:https?:)?(?:\/\/)?(?:[^/?#@]*@)?(\[[^\]/?#]*\]|[^/?#:]*)(?::(\d{1,5}))?(\/[^?#]*)?(?:[?#].*)?$/is.exec(text)
  if (parts === null) return undefined
  const host = readHost(parts[1]!.replace(/^\*?\.+/, '').replace(/[.,;!]+$/, ''))
  const port = parts[2] === undefined ? undefined : Number(parts[2])
  if (host === undefined || (port !== undefined && (port < 1 || port > 65_535))) return undefined
  const pathPrefix = new URL(`http://host.example${parts[3] ?? '/'}`).pathname
  return { host, ...(port === undefined ? {} : { port }), ...(pathPrefix === '/' ? {} : { pathPrefix }) }
}

function readHost(text: string): string | undefined {
  // No name holds a comma or a bar: a list of sites, one with a path, would be shown as another list.
  if (text === '' || /[\s\\%<>"(),|*]/.test(text)) return undefined
  const url = URL.parse(`http://${text}/`)
  // Other scripts have dots of their own, which only now are dots.
  const host = url?.hostname.replace(/^\.+|\.+$/g, '')
  return host === '' || url?.pathname !== '/' ? undefined : host
}

function readType(text: string): string | undefined {
  const name = typeAliases.get(text) ?? text
  // RFC 6838 §4.2: the characters of a type's name.
  if (TYPE_NAMES.has(name) || /^[a-z0-9][a-z0-9!#$&^_.+-]*\/(?:\*|[a-z0-9][a-z0-9!#$&^_.+-]*)$/.test(name)) return name
  return undefined
}

function readLanguage(text: string): string | undefined {
  // A longer first part would be a name of a language, `german`, which no page declares.
  if (!/^[a-z]{2,3}(?:[-_][a-z0-9]{1,8}){0,3}$/.test(text)) return undefined
  try {
    return Intl.getCanonicalLocales(text.replaceAll('_', '-'))[0]
  } catch {
    return undefined
  }
}

const HOUR_MS = 3_600_000

/** A date, or how long ago: the instant from which on. */
export function readSince(text: string, now: Instant): Instant | undefined {
  const ago = /^(\d{1,5})([hdwmy])$/i.exec(text)
  // Nothing was seen before there was a Web, so an older instant is as good as any.
  if (ago !== null) return Math.max(0, before(now, Number(ago[1]), ago[2]!.toLowerCase()))
  const date = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{3}))?)?Z)?)?)?$/i.exec(text)
  if (date === null) return undefined
  const [year, month = 1, day = 1, hour = 0, minute = 0, second = 0, ms = 0] = date
    .slice(1)
    .map((part) => (part === undefined ? undefined : Number(part)))
  const instant = new Date(0)
  instant.setUTCFullYear(year!, month - 1, day)
  instant.setUTCHours(hour, minute, second, ms)
  // A day or hour that is none rolls over into the next month or day.
  const isReal = instant.getUTCMonth() === month - 1 && instant.getUTCDate() === day && minute < 60 && second < 60
  return isReal && hour < 24 ? Math.max(0, instant.getTime()) : undefined
}

function before(now: Instant, count: number, unit: string): Instant {
  if (unit === 'h') return now - count * HOUR_MS
  if (unit === 'd') return now - count * 24 * HOUR_MS
  if (unit === 'w') return now - count * 7 * 24 * HOUR_MS
  const date = new Date(now)
  const day = date.getUTCDate()
  date.setUTCMonth(date.getUTCMonth() - count * (unit === 'y' ? 12 : 1))
  // A month before the 31st of March is the last of February, not the 3rd of March.
  if (date.getUTCDate() !== day) date.setUTCDate(0)
  return date.getTime()
}

/** Each filter as it may stand in a query. */
export function showFilters({ only, except, since }: QueryFilters): string[] {
  return [
    ...showLists(only, ''),
    ...showLists(except, '-'),
    ...(since === undefined ? [] : [`since:${new Date(since).toISOString().replace(/T00:00:00\.000Z$/, '')}`]),
  ]
}

function showLists({ sites, types, languages }: FilterLists, sign: string): string[] {
  return [
    ...sites.map((site) => `${sign}site:${showSite(site)}`),
    ...types.map((type) => `${sign}type:${type}`),
    ...languages.map((language) => `${sign}lang:${language}`),
  ]
}

function showSite({ host, port, pathPrefix = '' }: SiteFilter): string {
  const text = `${host}${port === undefined ? '' : `:${port}`}${pathPrefix}`
  // A parenthesis without its partner would end the filter.
  return /[()]/.test(text) ? `"${text}"` : text
}

/** Whether a page's URL is of a site. A path counts whole: `/doc` is not the beginning of `/docs`. */
export function isOfSite(url: URL, { host, port, pathPrefix }: SiteFilter): boolean {
  if (url.hostname !== host && !url.hostname.endsWith(`.${host}`)) return false
  if (port !== undefined && port !== Number(url.port || (url.protocol === 'https:' ? 443 : 80))) return false
  if (pathPrefix === undefined || url.pathname === pathPrefix) return true
  return url.pathname.startsWith(pathPrefix.endsWith('/') ? pathPrefix : `${pathPrefix}/`)
}

/** Whether a media type without parameters is what a `type:` names. */
export function isOfType(type: string, filter: string): boolean {
  return (TYPE_NAMES.get(filter) ?? [filter]).some((one) =>
    one.endsWith('/*') ? type.startsWith(one.slice(0, -1)) : type === one,
  )
}

/**
 * Whether a page's language is in a range of languages (RFC 4647 §3.3.1). Pages are known by the first part of their
 * tag, so `pt-BR` takes all that is `pt`.
 */
export function isInLanguage(language: string, filter: string): boolean {
  const [tag, range] = [language.toLowerCase(), filter.toLowerCase()]
  return tag === range || tag.startsWith(`${range}-`) || range.startsWith(`${tag}-`)
}
