/**
 * Page reader: the fields of a page, out of its bytes as they were sent or stored. It is made once, of fields, and reads any number of pages.
 *
 * For pages that somebody wants something of, one at a time: a tree takes some ten times as long as what a crawl does with a page by
 * itself, which needs no tree.
 */
import { decodeBody, decodeText, headerOf, mediaKindOf } from '@comity/protocol'
import type { Capture } from '@comity/protocol'
import { valuesOf } from './field.ts'
import type { Field, ValuesOf } from './field.ts'
import { pageTree } from './page-tree.ts'

/** A capture is one, and so is what a collection has stored. */
export type PageBytes = Pick<Capture, 'url' | 'headers' | 'body'>

export type ReadPage<Values> =
  | { readonly kind: 'read'; readonly values: Values }
  /** It has not what was required, by these names: another kind of page, or the site looks otherwise now. */
  | { readonly kind: 'incomplete'; readonly missing: readonly string[] }
  /** It is no HTML, or no reader should hold it. */
  | { readonly kind: 'unreadable'; readonly message: string }

export interface PageReaderLimits {
  /** Of the page, unpacked; a longer one is unreadable. */
  readonly maxBytes: number
}

export const pageReaderLimits: PageReaderLimits = { maxBytes: 2 << 20 }

export function pageReader<Fields extends Readonly<Record<string, Field<unknown>>>>(
  fields: Fields,
  limits: Partial<PageReaderLimits> = {},
): (page: PageBytes) => ReadPage<ValuesOf<Fields>> {
  const { maxBytes } = { ...pageReaderLimits, ...limits }
  return (page) => {
    const html = htmlOf(page, maxBytes)
    if ('message' in html) return { kind: 'unreadable', message: html.message }
    const tree = pageTree(html.text, page.url)
    if (tree.kind === 'too-large') return { kind: 'unreadable', message: tree.message }
    const values = valuesOf(fields, tree)
    const found = new Map<string, unknown>(Object.entries(values))
    const missing = Object.entries(fields)
      .filter(([name, { isRequired }]) => isRequired === true && found.get(name) === undefined)
      .map(([name]) => name)
    return missing.length > 0 ? { kind: 'incomplete', missing } : { kind: 'read', values }
  }
}

function htmlOf({ url, headers, body }: PageBytes, maxBytes: number): { text: string } | { message: string } {
  const type = headerOf(headers, 'content-type')
  if (mediaKindOf(type, url) !== 'page') return { message: `it is no HTML but ${type ?? 'of an unknown type'}` }
  const decoded = decodeBody(body, headerOf(headers, 'content-encoding'), { maxBytes })
  if (decoded.kind === 'too-large') return { message: `it has more than ${maxBytes} bytes` }
  if (decoded.kind === 'unknown-coding') return { message: 'its content coding is unknown' }
  if (decoded.body.length > maxBytes) return { message: `it has more than ${maxBytes} bytes` }
  return { text: decodeText(decoded.body, type).text }
}
