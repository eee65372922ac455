/**
 * Stored body: what a capture holds, made harmless enough to hand to a browser.
 *
 * HTML goes out as HTML written anew (`copy/copied-html.ts`), under a policy that lets nothing run and nothing be asked; text as text;
 * pictures, documents and the rest as files to keep, since a reader that shows them inline is one more program that a
 * stranger's bytes could deceive. Whatever the charset was, text leaves as UTF-8.
 */
import { readableContent, storedContent } from '@comity/collection'
import type { Collection, WarcPosition } from '@comity/collection'
import { decodeText, mediaKindOf } from '@comity/protocol'
import type { MediaKind } from '@comity/protocol'
import { Problem } from '@comity/receiver'

export interface StoredBody {
  readonly kind: 'html' | 'text' | 'file'
  readonly bytes: Uint8Array
}

/**
 * What a browser may do with a stored page: lay it out, and where somebody clicks on a link, go there with the page that
 * frames it (`pages/copy-page.ts`). `sandbox` also takes its origin away.
 */
export const STORED_POLICY: string =
  "sandbox allow-top-navigation-by-user-activation; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; form-action 'none'; " +
  "base-uri 'none'; frame-ancestors 'self'"

/** What a browser gets to see as text. SVG is not among them: it is a picture that can run scripts. */
const TEXTS: ReadonlySet<MediaKind> = new Set(['text', 'data', 'feed', 'style', 'script'])

export function storedBody(collection: Collection, position: WarcPosition, url: string): StoredBody {
  const content = storedContent(collection, position)
  if (content.kind === 'damaged') throw content.error
  if (content.kind !== 'ok') throw unreadable(content.message)
  const { bytes, type } = content
  const kind = mediaKindOf(type, url)
  const isText = isShownAsText(kind, type)
  if (kind !== 'page' && !isText) return { kind: 'file', bytes }
  return { kind: isText ? 'text' : 'html', bytes: Buffer.from(decodeText(bytes, type).text) }
}

export const isShownAsText = (kind: MediaKind, type: string | undefined): boolean =>
  TEXTS.has(kind) && !/wasm/i.test(type ?? '')

/** The words of a stored page, line by line; undefined for what has none. */
export function storedText(collection: Collection, position: WarcPosition, url: string): string | undefined {
  const readable = readableContent(collection, position, url)
  if (readable.kind === 'page') return readable.page.text
  if (readable.kind === 'text') return readable.text
  if (readable.content.kind === 'ok') return undefined
  if (readable.content.kind === 'damaged') throw readable.content.error
  throw unreadable(readable.content.message)
}

const unreadable = (why: string): Problem =>
  new Problem('capture-unknown', `The body is held but cannot be shown: ${why}. It is in the WARC files.`)
