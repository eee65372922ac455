/**
 * Page reading: all that is to be known of the body of an answer, in one pass: its digest, what it says to robots, whether it asks
 * for a password, and what is shipped of it if it may be indexed. Pure but for what it remembers of words, so that a thread may do it;
 * nothing of it leaves before the privacy gate has had its say.
 */
import { DocumentShipper, shippedLimits } from '@comity/index/internal'
import type { ShippedDocument, ShippedLink } from '@comity/index'
import { createLinkResolver, decodeBody, decodeText, readHtml } from '@comity/protocol'
import type { HtmlLinkKind, HtmlPage, Instant } from '@comity/protocol'
import { hash } from 'node:crypto'
import { asksForPassword } from '../privacy/password-form.ts'

/** An answer with a page, as it came. */
export interface PageSource {
  readonly url: string
  readonly at: Instant
  /** Content-Type and Content-Encoding. */
  readonly type: string | undefined
  readonly coding: string | undefined
  readonly body: Uint8Array
  /** Without its coding. */
  readonly maxBytes: number
}

export type PageReading =
  /** Its content coding cannot be taken off, or more comes out than may. */
  | { readonly kind: 'coding' }
  /** A fault of ours. */
  | { readonly kind: 'fault'; readonly error: unknown }
  | ReadPage

export interface ReadPage {
  readonly kind: 'ok'
  /** Without its content coding; of the same bytes where it has none. */
  readonly bytes: number
  /** 64 hexadecimal digits of SHA-256. */
  readonly digest: string
  /** What it says to robots, if it is HTML. */
  readonly robots: HtmlPage['robots']
  readonly asksForPassword: boolean
  /** With its links, whatever it says of them. None of a PDF file; `error`: a fault of ours. */
  readonly document: ShippedDocument | { readonly error: unknown } | undefined
}

const isHtmlType = (type: string | undefined): boolean =>
  /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(type ?? '')
const isPdfType = (type: string | undefined): boolean => /^\s*application\/pdf\b/i.test(type ?? '')

/** Media type without parameters, in lower case. */
export const mediaTypeOf = (field: string | undefined): string => (field ?? '').split(';', 1)[0]!.trim().toLowerCase()

/** Of one thread, page after page. Throws for a fault of ours that leaves nothing of a page. */
export class PageReader {
  readonly #shipper = new DocumentShipper()

  read(source: PageSource): PageReading {
    const { type, coding, body, maxBytes } = source
    const decoded = decodeBody(body, coding, { maxBytes })
    if (decoded.kind !== 'ok') return { kind: 'coding' }
    const digest = hash('sha256', decoded.body, 'hex')
    const read = { kind: 'ok', bytes: decoded.body.length, digest } as const
    if (isPdfType(type)) return { ...read, robots: [], asksForPassword: false, document: undefined }
    const { text } = decodeText(decoded.body, type)
    if (mediaTypeOf(type) === 'text/plain') {
      const words = { title: '', headings: [], text, links: [], language: undefined }
      return { ...read, robots: [], asksForPassword: false, document: this.#shipped(source, digest, () => words) }
    }
    const html = readHtml(text)
    return {
      ...read,
      robots: html.robots,
      asksForPassword: isHtmlType(type) && (html.asksForPassword === true || asksForPassword(text)),
      document: this.#shipped(source, digest, () => wordsOf(html, source.url)),
    }
  }

  #shipped({ url, at, type }: PageSource, digest: string, words: () => Words): ReadPage['document'] {
    try {
      return this.#shipper.ship({ url, at, ...words(), type: shippedType(type), digest: `sha-256:${digest}` })
    } catch (error) {
      return { error }
    }
  }
}

export const shippedType = (field: string | undefined): string => mediaTypeOf(field).slice(0, shippedLimits.maxType)

interface Words {
  readonly title: string
  readonly headings: readonly string[]
  readonly text: string
  readonly language: string | undefined
  readonly links: readonly ShippedLink[]
}

function wordsOf(html: HtmlPage, url: string): Words {
  const { lang = '' } = html
  return {
    title: html.title,
    headings: html.headings.map((heading) => heading.text),
    text: html.text,
    language: lang !== '' && lang.length <= shippedLimits.maxLanguage ? lang : undefined,
    links: linksOf(html, url),
  }
}

const FOLLOWED: ReadonlySet<HtmlLinkKind> = new Set(['page', 'frame', 'refresh', 'alternate'])

/** Each target once, with the first words that are said of it. */
function linksOf(html: HtmlPage, url: string): ShippedLink[] {
  const base = html.base === undefined ? null : URL.parse(html.base, url)
  const resolve = createLinkResolver(base?.href ?? url)
  const links = new Map<string, string>()
  for (const { href, kind, rel, anchor } of html.links) {
    if (!FOLLOWED.has(kind) || rel.includes('nofollow')) continue
    const target = resolve(href)
    if (target === undefined || target === url || target.length > shippedLimits.maxUrl) continue
    const known = links.get(target)
    if (known === undefined || known === '') links.set(target, anchor)
  }
  return Array.from(links, ([target, anchor]) => ({ url: target, anchor }))
}
