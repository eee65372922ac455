/**
 * Page words: from a page that may be indexed to what is shipped of it: its words in their order, its title and
 * headings, and its links with their words (001 §IV: "each page is parsed to remove HTML tagging, tokenize it … and
 * extract postings"). Links that ask not to be followed are no recommendation, and stay out.
 */
import { shipDocument } from '@comity/index/internal'
import type { PdfReader, ShippedDocument } from '@comity/index'
import { headerOf, parseRobotsDirectives } from '@comity/protocol'
import type { HeaderList, HtmlPage, Instant, RobotsDirectives } from '@comity/protocol'
import { mediaTypeOf, PageReader, shippedType } from './page-reading.ts'
import type { ReadPage } from './page-reading.ts'

export interface SeenPage {
  readonly url: string
  readonly at: Instant
  readonly headers: HeaderList
  /** Without its content coding. */
  readonly body: Uint8Array
  /** 64 hexadecimal digits of SHA-256. */
  readonly digest: string
  /** Where somebody has read it already. */
  readonly reading?: ReadPage | undefined
}

/** Media type without parameters, in lower case. */
export const typeOf = (headers: HeaderList): string => mediaTypeOf(headerOf(headers, 'content-type'))

export const isPdf = (headers: HeaderList): boolean => typeOf(headers) === 'application/pdf'

/** Of HTML and text. */
export function pageWords(page: SeenPage, productToken: string): ShippedDocument {
  const { robots, document } = readingOf(page)
  if (document === undefined) throw new TypeError('a PDF file is read elsewhere')
  if ('error' in document) throw document.error
  const { nofollow } = pageDirectives({ robots }, page.headers, productToken)
  return { ...document, at: page.at, links: nofollow ? [] : document.links }
}

function readingOf({ url, at, headers, body, reading }: SeenPage): ReadPage {
  if (reading !== undefined) return reading
  const type = headerOf(headers, 'content-type')
  const read = new PageReader().read({ url, at, type, coding: undefined, body, maxBytes: Infinity })
  if (read.kind !== 'ok') throw new TypeError('a body without a coding cannot be read')
  return read
}

/** Undefined when there is nothing to be read in it. */
export async function pdfWords(
  { url, at, headers, body, digest }: SeenPage,
  reader: Pick<PdfReader, 'read'>,
): Promise<ShippedDocument | undefined> {
  const reading = await reader.read(body)
  if (reading.kind !== 'ok') return undefined
  const type = shippedType(headerOf(headers, 'content-type'))
  const { title, text } = reading
  return shipDocument({
    url,
    at,
    type,
    digest: `sha-256:${digest}`,
    language: undefined,
    title,
    headings: [],
    text,
    links: [],
  })
}

/** Whether the page itself may be kept by others, as far as it says. */
export const mayArchive = (page: SeenPage, productToken: string): boolean =>
  !pageDirectives(readingOf(page), page.headers, productToken).noarchive

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
