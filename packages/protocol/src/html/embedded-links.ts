/**
 * Embedded links: what a document says of itself in `link` elements, for whoever found no `Link` field (RFC 8288 appendices
 * A and B; WebSub §4 wants both).
 *
 *   HTML     `<link>` in the head only: what visitors write into a page ends up in its body (WebSub §8.1)
 *   Atom     `<link>` of the feed, RSS `<atom:link>` of the channel, ResourceSync `<rs:ln>` of the list: not those of entries
 *
 * Nothing makes it throw; time is linear, and what is kept is capped.
 */
import { decodeReferences } from './entities.ts'
import { attributeNames, elementNames } from './html-names.ts'
import { HtmlScanner } from './scanner.ts'
import { LenientXml } from '../feeds/lenient-xml.ts'
import { webUrl } from '../url/web-url.ts'

export interface EmbeddedLink {
  /** Absolute, http or https. */
  readonly href: string
  /** In lower case. */
  readonly rels: readonly string[]
}

export type LinkedFormat = 'html' | 'xml'

/** Enough for any head, and for all that stands before the first entry of a feed. */
const MAX_CHARS = 1 << 20
const MAX_LINKS = 256
const MAX_VALUE = 8_192

/** Whether a document of this media type can hold such links. */
export function linkedFormat(type: string | undefined): LinkedFormat | undefined {
  const name = (type ?? '').split(';')[0]!.trim().toLowerCase()
  if (name === 'text/html' || name === 'application/xhtml+xml') return 'html'
  return /[/+]xml$/.test(name) ? 'xml' : undefined
}

/** `url` is where the document stands; a base that it names itself counts. */
export function readEmbeddedLinks(text: string, format: LinkedFormat, url: string): readonly EmbeddedLink[] {
  const start = text.slice(0, MAX_CHARS)
  const { links, base } = format === 'html' ? linksOfHtml(start) : linksOfXml(start)
  const resolved = (base === undefined ? undefined : webUrl(base, url)) ?? url
  return links.flatMap(({ rel, href }) => {
    const target = webUrl(href, resolved)
    return target === undefined ? [] : [{ href: target, rels: rel.toLowerCase().split(/\s+/).filter(Boolean) }]
  })
}

interface Found {
  readonly links: { readonly rel: string; readonly href: string }[]
  base?: string | undefined
}

const [REL, HREF] = [attributeNames.idOf('rel'), attributeNames.idOf('href')]
const HEAD = new Set(['html', 'head', 'title', 'base', 'link', 'meta', 'style', 'script', 'template', ''])

function linksOfHtml(text: string): Found {
  const found: Found = { links: [] }
  let [isHead, templates] = [true, 0]
  const scanner: HtmlScanner = new HtmlScanner({
    text: (_, end) => end,
    open: (element) => {
      const name = elementNames.names[element] ?? ''
      if (!HEAD.has(name)) isHead = false
      if (name === 'template') templates++
      if (!isHead || templates > 0) return
      const href = valueOf(scanner, HREF)
      if (name === 'base') found.base ??= href
      if (name === 'link') note(found, valueOf(scanner, REL), href)
    },
    close: (element) => {
      const name = elementNames.names[element]
      if (name === 'head') isHead = false
      if (name === 'template') templates = Math.max(0, templates - 1)
    },
  })
  scanner.write(text)
  scanner.end()
  return found
}

function valueOf({ attributes, codes }: HtmlScanner, attribute: number): string | undefined {
  if (!attributes.has(attribute)) return undefined
  const units = codes.subarray(attributes.starts[attribute], attributes.ends[attribute])
  return units.length > MAX_VALUE ? undefined : decodeReferences(String.fromCharCode(...units), true)
}

function linksOfXml(text: string): Found {
  const found: Found = { links: [] }
  const path: string[] = []
  const xml = new LenientXml(
    {
      open: (name, attribute) => {
        const local = localName(name)
        const isLink = local === 'link' || local === 'ln'
        // Of the document itself: below its root, or below the channel that stands there.
        const isOwn = path.length === 1 || (path.length === 2 && path[1] === 'channel')
        if (isLink && isOwn) note(found, attribute('rel'), attribute('href'))
        path.push(local)
      },
      text: () => undefined,
      close: () => path.pop(),
    },
    () => undefined,
  )
  xml.write(text)
  xml.end()
  return found
}

function note({ links }: Found, rel: string | undefined, href: string | undefined): void {
  if (rel === undefined || href === undefined || href.trim() === '' || href.length > MAX_VALUE) return
  if (links.length < MAX_LINKS) links.push({ rel, href: href.trim() })
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1).toLowerCase()
