/**
 * Living answer: what a site says to one request at one instant. Pure: the server around it only moves bytes.
 * Conditional requests follow RFC 9110 §13 (If-None-Match before If-Modified-Since), coding follows §12.5.3.
 */
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { HeaderList, Instant } from '@comity/protocol'
import { changedAt, draftsDirectory, versionOf } from './site.ts'
import type { LivingPage, LivingSite, SiteSpec, Trouble } from './site.ts'
import { escapedHtml, htmlOf, svgOf } from './page-text.ts'

export interface LivingAnswer {
  readonly status: number
  readonly headers: HeaderList
  readonly body: Uint8Array
  /** How long the site thinks before it answers. */
  readonly delayMs: number
}

/** Request header fields with lower-case names, as node:http gives them. */
export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>

export function answerOf(site: LivingSite, path: string, headers: RequestHeaders, at: Instant): LivingAnswer {
  const content = contentOf(site, path, at)
  const { spec } = site
  const coded = codedFor(content, spec, headers)
  const validators = content.changedAt === undefined ? [] : validatorsOf(spec, coded, content.changedAt)
  const varying: HeaderList = spec.gzip ? [['Vary', 'Accept-Encoding']] : []
  if (content.status === 200 && isUnchanged(headers, validators)) {
    return { status: 304, headers: [...validators, ...varying], body: new Uint8Array(), delayMs: spec.latencyMs }
  }
  const described: HeaderList = [
    ...content.headers,
    ...validators,
    ...varying,
    ...(coded.coding === undefined ? [] : [['Content-Encoding', coded.coding] as const]),
    ['Content-Length', String(coded.body.length)],
  ]
  return { status: content.status, headers: described, body: coded.body, delayMs: spec.latencyMs }
}

interface Content {
  readonly status: number
  readonly headers: HeaderList
  readonly text: string
  /** Set for what has validators. */
  readonly changedAt?: Instant
}

function contentOf(site: LivingSite, path: string, at: Instant): Content {
  if (path === '/robots.txt') return robotsOf(site)
  if (path === '/sitemap.xml' && site.spec.sitemap) return sitemapOf(site, at)
  const resource = site.resources.get(path)
  if (resource === undefined) return message(404, 'There is no such page here.')
  if (resource.kind === 'image') return typed('image/svg+xml', svgOf(resource.seed), site.epoch)
  if (resource.kind === 'loss') return message(resource.status, 'That page is not to be had.')
  if (resource.kind === 'redirect') return message(resource.status, 'It has moved.', [['Location', resource.location]])
  const { trouble } = resource
  if (trouble !== undefined && at < trouble.until) return troubled(trouble, at)
  return pageContent(site, resource, at)
}

function pageContent(site: LivingSite, page: LivingPage, at: Instant): Content {
  return typed(PAGE_TYPE, pageText(site, page, at), changedAt(shownPage(site, page), site.epoch, at))
}

export const PAGE_TYPE = 'text/html; charset=utf-8'

/** The HTML of a page that is in no trouble. */
export function pageText(site: LivingSite, page: LivingPage, at: Instant): string {
  const shown = shownPage(site, page)
  return htmlOf(site, shown, versionOf(shown, site.epoch, at))
}

function shownPage(site: LivingSite, page: LivingPage): LivingPage {
  const original = page.copyOf?.likeness === 'exact' ? site.resources.get(page.copyOf.path) : undefined
  return original?.kind === 'page' ? original : page
}

function robotsOf(site: LivingSite): Content {
  const { robots } = site.spec
  if (robots === 'missing') return message(404, 'There is no robots.txt here.')
  if (robots === 'server-error') return message(503, 'The rules cannot be read just now.')
  return typed('text/plain; charset=utf-8', robotsText(site))
}

/** Of a site that has one. */
export function robotsText(site: LivingSite): string {
  const { robots, crawlDelaySeconds, sitemap } = site.spec
  const lines = [
    `# ${site.spec.title}`,
    'User-agent: *',
    robots === 'disallow-directory' ? `Disallow: ${draftsDirectory}` : 'Disallow:',
    ...(robots === 'crawl-delay' ? [`Crawl-delay: ${crawlDelaySeconds}`] : []),
    ...(sitemap ? ['', `Sitemap: ${site.origin}/sitemap.xml`] : []),
  ]
  return `${lines.join('\n')}\n`
}

/** Pages that work, none that robots.txt forbids, each with the day and second of its last change. */
function sitemapOf(site: LivingSite, at: Instant): Content {
  const pages = [...site.resources.values()]
    .filter((resource): resource is LivingPage => resource.kind === 'page')
    .filter(({ copyOf, path }) => copyOf === undefined && !path.startsWith(draftsDirectory))
  const entries = pages.map((page) => {
    const changed = new Date(changedAt(page, site.epoch, at)).toISOString()
    return `<url><loc>${escapedHtml(site.origin + page.path)}</loc><lastmod>${changed}</lastmod></url>`
  })
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
  return typed('application/xml', `${head}\n${entries.join('\n')}\n</urlset>\n`)
}

function troubled({ status, until, retryAfter }: Trouble, at: Instant): Content {
  // Rounded up: coming back at the named second must find the page recovered.
  const seconds = Math.ceil((until - at) / 1_000)
  const date = new Date(Math.ceil(until / 1_000) * 1_000).toUTCString()
  const value = retryAfter === 'seconds' ? String(seconds) : date
  return message(status, 'Please come back later.', retryAfter === 'none' ? [] : [['Retry-After', value]])
}

const typed = (type: string, text: string, changed?: Instant): Content => ({
  status: 200,
  headers: [['Content-Type', type]],
  text,
  ...(changed === undefined ? {} : { changedAt: changed }),
})

const message = (status: number, sentence: string, headers: HeaderList = []): Content => ({
  status,
  headers: [['Content-Type', 'text/html; charset=utf-8'], ...headers],
  text: `<!doctype html>\n<title>${status}</title>\n<p>${sentence}</p>\n`,
})

interface Coded {
  readonly body: Uint8Array
  readonly coding?: 'gzip'
}

function codedFor(content: Content, spec: SiteSpec, headers: RequestHeaders): Coded {
  const plain = Buffer.from(content.text)
  const accepted = /\bgzip\b/i.test(one(headers['accept-encoding']) ?? '')
  // A tiny body grows under gzip; real servers leave it alone.
  return spec.gzip && accepted && plain.length > 500 ? { body: gzipSync(plain), coding: 'gzip' } : { body: plain }
}

function validatorsOf(spec: SiteSpec, { body }: Coded, changed: Instant): HeaderList {
  // Over the bytes as sent, so each coding has its own strong tag (RFC 9110 §8.8.3.3).
  const tag = `"${createHash('sha1').update(body).digest('base64url').slice(0, 16)}"`
  const both: HeaderList = [
    ['ETag', tag],
    ['Last-Modified', new Date(changed).toUTCString()],
  ]
  return both.filter(([name]) => spec.validators === 'both' || name.toLowerCase() === spec.validators)
}

function isUnchanged(headers: RequestHeaders, validators: HeaderList): boolean {
  const [tag, modified] = ['ETag', 'Last-Modified'].map((name) => validators.find(([key]) => key === name)?.[1])
  const match = one(headers['if-none-match'])
  if (match !== undefined) {
    return match.trim() === '*' || (tag !== undefined && match.split(',').map(opaqueTag).includes(tag))
  }
  const since = Date.parse(one(headers['if-modified-since']) ?? '')
  return modified !== undefined && Date.parse(modified) <= since
}

/** Weak comparison looks at the tag alone (RFC 9110 §8.8.3.2). */
const opaqueTag = (value: string): string => value.trim().replace(/^W\//, '')

const one = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value)
