/**
 * Page words: from a page that may be indexed to what is shipped of it: its words in their order, its title and
 * headings, and its links with their words (001 §IV: "each page is parsed to remove HTML tagging, tokenize it … and
 * extract postings"). Links that ask not to be followed are no recommendation, and stay out.
 */
import { shipDocument, shippedLimits } from '@comity/index'
import type { PdfReader, ShippedDocument, ShippedLink } from '@comity/index'
import { createLinkResolver, decodeText, headerOf, parseRobotsDirectives, readHtml } from '@comity/protocol'
import type { HeaderList, HtmlLinkKind, HtmlPage, Instant, RobotsDirectives } from '@comity/protocol'

export interface SeenPage {
  readonly url: string
  readonly at: Instant
  readonly headers: HeaderList
  /** Without its content coding. */
  readonly body: Uint8Array
  /** 64 hexadecimal digits of SHA-256. */
  readonly digest: string
}

/** Media type without parameters, in lower case. */
export const typeOf = (headers: HeaderList): string =>
  (headerOf(headers, 'content-type') ?? '').split(';', 1)[0]!.trim().toLowerCase()

export const isPdf = (headers: HeaderList): boolean => typeOf(headers) === 'application/pdf'

/** Of HTML and text. */
export function pageWords(page: SeenPage, productToken: string): ShippedDocument {
  const { headers, body } = page
  const type = typeOf(headers)
  const { text } = decodeText(body, headerOf(headers, 'content-type'))
  if (type === 'text/plain') return shipped(page, { title: '', headings: [], text, links: [] })
  const html = readHtml(text)
  const { lang = '' } = html
  return shipped(page, {
    title: html.title,
    headings: html.headings.map((heading) => heading.text),
    text: html.text,
    language: lang !== '' && lang.length <= shippedLimits.maxLanguage ? lang : undefined,
    links: linksOf(html, page, productToken),
  })
}

/** Undefined when there is nothing to be read in it. */
export async function pdfWords(page: SeenPage, reader: Pick<PdfReader, 'read'>): Promise<ShippedDocument | undefined> {
  const reading = await reader.read(page.body)
  if (reading.kind !== 'ok') return undefined
  return shipped(page, { title: reading.title, headings: [], text: reading.text, links: [] })
}

interface Words {
  readonly title: string
  readonly headings: readonly string[]
  readonly text: string
  readonly language?: string | undefined
  readonly links: readonly ShippedLink[]
}

function shipped({ url, at, headers, digest }: SeenPage, words: Words): ShippedDocument {
  const type = typeOf(headers).slice(0, shippedLimits.maxType)
  return shipDocument({ url, at, type, digest: `sha-256:${digest}`, language: undefined, ...words })
}

const FOLLOWED: ReadonlySet<HtmlLinkKind> = new Set(['page', 'frame', 'refresh', 'alternate'])

/** Each target once, with the first words that are said of it. */
function linksOf(html: HtmlPage, { url, headers }: SeenPage, productToken: string): ShippedLink[] {
  if (pageDirectives(html, headers, productToken).nofollow) return []
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

/** Whether the page itself may be kept by others, as far as it says. */
export function mayArchive({ headers, body }: SeenPage, productToken: string): boolean {
  const isHtml = typeOf(headers) !== 'text/plain' && !isPdf(headers)
  const robots = isHtml ? readHtml(decodeText(body, headerOf(headers, 'content-type')).text).robots : []
  return !pageDirectives({ robots }, headers, productToken).noarchive
}

/** What a page says to robots, in its head and in the answer's: to all of them, and to ours by its name. */
export function pageDirectives(
  { robots }: Pick<HtmlPage, 'robots'>,
  headers: HeaderList,
  productToken: string,
): RobotsDirectives {
  const metas = robots.map(({ agent, content }) => (agent === 'robots' ? content : `${agent}: ${content}`))
  const tags = headers.filter(([name]) => name.toLowerCase() === 'x-robots-tag').map(([, value]) => value)
  return parseRobotsDirectives([...tags, ...metas], productToken)
}
