/** Stored content: what a capture's body says, with its content codings undone. */
import { basename } from 'node:path'
import { decodeBody, decodeText, entityBody, headerOf, isReadAsText, mediaKindOf, readHtml } from '@comity/protocol'
import type { HeaderList, HtmlPage, MediaKind, WarcMessage } from '@comity/protocol'
import type { Collection } from '../collection.ts'
import { CollectionError } from '../errors.ts'
import type { WarcPosition } from '../rows/rows.ts'

export type StoredContent =
  | { readonly kind: 'ok'; readonly bytes: Uint8Array; readonly type: string | undefined }
  /** It cannot be unpacked, or would be larger than anybody should hold. */
  | { readonly kind: 'unreadable'; readonly message: string }
  /** Its record is damaged, or not where the state says: what else is held is none the worse for it. */
  | { readonly kind: 'damaged'; readonly message: string; readonly error: CollectionError }

/** No body may unpack to more than this; a crawl's own limit is the same by default. */
const MAX_DECODED_BYTES = 20 << 20

/** `maxBytes`: what it may unpack to; more than is anybody's is not given. */
export function storedContent(
  collection: Collection,
  position: WarcPosition,
  maxBytes: number = MAX_DECODED_BYTES,
): StoredContent {
  const message = readOrDamage(collection, position)
  if (message instanceof CollectionError) return { kind: 'damaged', message: DAMAGED, error: message }
  const coding = headerOf(message.headers, 'content-encoding')
  const decoded = decodeBody(entityBody(message), coding, { maxBytes: Math.min(maxBytes, MAX_DECODED_BYTES) })
  if (decoded.kind === 'too-large') return { kind: 'unreadable', message: 'it would unpack to more than 20 MB' }
  if (decoded.kind === 'unknown-coding') return { kind: 'unreadable', message: 'its content coding is unknown' }
  // Of a body that is cut or damaged, what came before that is still what the page said.
  return { kind: 'ok', bytes: decoded.body, type: headerOf(message.headers, 'content-type') }
}

const DAMAGED = 'its record in the archive is damaged'

function readOrDamage(collection: Collection, position: WarcPosition): WarcMessage | CollectionError {
  try {
    return collection.readMessage(position)
  } catch (error) {
    if (!(error instanceof CollectionError) || error.code !== 'COLLECTION_DAMAGED') throw error
    const path = collection.warcPaths[position.file]
    collection.damage.note(`${path === undefined ? 'a record' : basename(path)} at ${position.offset}`)
    return error
  }
}

/** The header fields of a record; none where it is damaged. */
export function storedHeaders(collection: Collection, position: WarcPosition): HeaderList {
  const message = readOrDamage(collection, position)
  return message instanceof CollectionError ? [] : message.headers
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
