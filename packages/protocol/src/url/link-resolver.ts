/**
 * Link resolver: from the hrefs of one page to canonical URLs, thousands of pages a second.
 *
 * Most links are made of characters that canonicalisation leaves alone. Those are put together by hand; all
 * others, and every doubt, go to `canonicalUrl`. Both ways remember their answers for the page, as menus and footers
 * repeat themselves.
 *
 * Invariant: the answer always equals canonicalUrl(href, base, rules).
 */
import { canonicalUrl, MAX_INPUT_RATIO } from './canonical-url.ts'
import { isUnreserved } from './percent-encoding.ts'
import { siteOf } from './site.ts'
import { defaultUrlRules, keptQuery } from './url-rules.ts'
import type { UrlRules } from './url-rules.ts'

export type LinkResolver = (href: string) => string | undefined

/** A resolver for one page; `base` is the page's URL or its `<base href>`, made absolute. Drop it with the page. */
export function createLinkResolver(base: string, rules: UrlRules = defaultUrlRules): LinkResolver {
  const page = pageOf(base, rules)
  const slow = remembering((href) => canonicalUrl(href, base, rules))
  if (page === undefined) return slow
  const siteOfOrigin = remembering((origin) => {
    const root = canonicalUrl(`${origin}/`, base, rules)
    return root === undefined ? undefined : siteOf(root)
  })
  const fast = (href: string): string | undefined => {
    const hash = href.indexOf('#')
    const link = hash < 0 ? href : href.slice(0, hash)
    if (link === '') return page.url
    const originEnd = originLength(link)
    const rest = originEnd === 0 ? link : link.slice(originEnd)
    const shape = shapeOf(rest)
    if (shape === 'other') return undefined
    const site = originEnd === 0 ? page.site : siteOfOrigin(link.slice(0, originEnd))
    const path = originEnd === 0 ? absolutePath(rest, page.directory) : originRooted(rest)
    if (site === undefined || path === undefined) return undefined
    return shape === 'path' ? site + path : withQuery(site, path, rules)
  }
  return (href) => {
    const url = href.length > MAX_INPUT_RATIO * rules.maxLength ? undefined : fast(href)
    return url === undefined || url.length > rules.maxLength ? slow(href) : url
  }
}

interface Page {
  readonly url: string
  readonly site: string
  /** The path up to and with its last `/`; undefined when it is not made of plain characters only. */
  readonly directory: string | undefined
}

function pageOf(base: string, rules: UrlRules): Page | undefined {
  const url = canonicalUrl(base, undefined, rules)
  const parsed = URL.parse(base)
  if (url === undefined || parsed === null) return undefined
  // The directory of the address as given: what `canonicalUrl` would drop from it must stay until a link is resolved.
  const directory = parsed.pathname.slice(0, parsed.pathname.lastIndexOf('/') + 1)
  return { url, site: siteOf(url), directory: shapeOf(directory) === 'path' ? directory : undefined }
}

/** The length of `http://host` or `https://host:port` at the start of `link`; 0 when it has none, or an odd one. */
function originLength(link: string): number {
  const start = link.startsWith('https://') ? 8 : link.startsWith('http://') ? 7 : 0
  if (start === 0) return 0
  let end = start
  for (; end < link.length; end++) {
    const char = link.charCodeAt(end)
    if (char === SLASH) break
    // Letters, digits, `-`, `.` and the colon of a port; with any other the colon of the scheme sends it the slow way.
    if (!isUnreserved(char) && char !== COLON) return 0
  }
  return end === start ? 0 : end
}

type Shape = 'path' | 'path and query' | 'other'

/** Whether `text` is plain: unreserved characters and `/`, then perhaps a query of these, `=` and `&`. */
function shapeOf(text: string): Shape {
  let shape: Shape = 'path'
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i)
    if (isUnreserved(char) || char === SLASH) continue
    if (shape === 'path' && char === QUESTION) shape = 'path and query'
    else if (shape === 'path' || (char !== EQUALS && char !== AMPERSAND)) return 'other'
  }
  return shape
}

/** The path of a link without a scheme; undefined when it takes more than leading `./` and `../` to find it. */
function absolutePath(link: string, directory: string | undefined): string | undefined {
  if (link.startsWith('/')) return link.startsWith('//') || hasDotSegment(link) ? undefined : link
  if (directory === undefined || link.startsWith('?')) return undefined
  let above = directory
  let rest = link
  while (rest.startsWith('.')) {
    if (rest.startsWith('../')) {
      above = above.slice(0, Math.max(above.lastIndexOf('/', above.length - 2), 0) + 1)
      rest = rest.slice(3)
    } else if (rest.startsWith('./')) rest = rest.slice(2)
    else return undefined
  }
  return hasDotSegment(rest) ? undefined : above + rest
}

/** The path after an origin. */
function originRooted(rest: string): string | undefined {
  return rest === '' ? '/' : hasDotSegment(rest) ? undefined : rest
}

/** True for all dot segments behind a slash, and for innocent names (`/.well-known`): those take the slow way too. */
function hasDotSegment(path: string): boolean {
  return path.includes('/.')
}

function withQuery(site: string, path: string, rules: UrlRules): string {
  const mark = path.indexOf('?')
  const query = keptQuery(path.slice(mark + 1), rules, site)
  return query === '' ? site + path.slice(0, mark) : `${site}${path.slice(0, mark + 1)}${query}`
}

/** Enough for the menus of any page; a page of a million different links must not keep them all. */
const MAX_REMEMBERED = 2_000

function remembering(resolve: LinkResolver): LinkResolver {
  const answers = new Map<string, string | undefined>()
  return (text) => {
    const known = answers.get(text)
    if (known !== undefined || answers.has(text)) return known
    const answer = resolve(text)
    if (answers.size < MAX_REMEMBERED) answers.set(text, answer)
    return answer
  }
}

const SLASH = 0x2f
const COLON = 0x3a
const QUESTION = 0x3f
const EQUALS = 0x3d
const AMPERSAND = 0x26
