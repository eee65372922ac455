/** Stored content: what a capture's body says, with its content codings undone. */
import { decodeBody, decodeText, entityBody, headerOf, isReadAsText, mediaKindOf, readHtml } from '@comity/protocol'
import type { HtmlPage, MediaKind } from '@comity/protocol'
import type { Collection } from '../collection.ts'
import type { WarcPosition } from '../rows/rows.ts'

export type StoredContent =
  | { readonly kind: 'ok'; readonly bytes: Uint8Array; readonly type: string | undefined }
  /** It cannot be unpacked, or would be larger than anybody should hold. */
  | { readonly kind: 'unreadable'; readonly message: string }

/** No body may unpack to more than this; a crawl's own limit is the same by default. */
const MAX_DECODED_BYTES = 20 << 20

export function storedContent(collection: Collection, position: WarcPosition): StoredContent {
  const message = collection.readMessage(position)
  const coding = headerOf(message.headers, 'content-encoding')
  const decoded = decodeBody(entityBody(message), coding, { maxBytes: MAX_DECODED_BYTES })
  if (decoded.kind === 'too-large') return { kind: 'unreadable', message: 'it would unpack to more than 20 MB' }
  if (decoded.kind === 'unknown-coding') return { kind: 'unreadable', message: 'its content coding is unknown' }
  // Of a body that is cut or damaged, what came before that is still what the page said.
  return { kind: 'ok', bytes: decoded.body, type: headerOf(message.headers, 'content-type') }
}

/** The kinds of body that have words, and can be read without another program. */
export type ReadableContent =
  | { readonly kind: 'page'; readonly page: HtmlPage }
  | { readonly kind: 'text'; readonly text: string }
  /** Of another kind, or unreadable; the bytes are there for whoever knows what to do with them. */
  | { readonly kind: 'other'; readonly media: MediaKind; readonly content: StoredContent }

/** `mostBytes`: as much of a long body as is looked at; the end of a cut page is what a reader would not have reached. */
export function readableContent(
  collection: Collection,
  position: WarcPosition,
  url: string,
  mostBytes: number = Infinity,
): ReadableContent {
  const content = storedContent(collection, position)
  const media = mediaKindOf(content.kind === 'ok' ? content.type : undefined, url)
  if (content.kind !== 'ok') return { kind: 'other', media, content }
  const { type, bytes } = content
  if (media === 'page') return { kind: 'page', page: readHtml(decodeText(bytes, type, mostBytes).text) }
  return isReadAsText(media, type)
    ? { kind: 'text', text: decodeText(bytes, type, mostBytes).text }
    : { kind: 'other', media, content }
}
