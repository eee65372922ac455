/**
 * SentWords: a page of which its words were sent, and not the page: what an agent at its site made of it for an index (002
 * §6.4.2, the "partial inverted index"). It is held like a page whose body is a shipment of one document (`ship/posting-shipment.ts`
 * of `index`), by the digest of the page it was made from: so it can be found and compared, and whoever fetches the page
 * later finds it unchanged. A page that is held whole stays whole.
 */
import type { BatchPage, HeaderList, Instant } from '@comity/protocol'
import { storedContent } from '@comity/collection'
import type { Collection, PageRow } from '@comity/collection'
import { readShipment, SHIPMENT_TYPE, shippedFromRecord, writeShipment } from '@comity/index'
import type { ShippedDocument } from '@comity/index'
import { keyOfDigest } from '../content-key.ts'
import type { LinkTable, Reading } from './reading.ts'

export interface SentWords {
  /** As it comes in. */
  readonly page: BatchPage
  /** Of the page that the words are of. */
  readonly key: Uint8Array
  readonly digest: string
  readonly type: string
  readonly title: string
  /** What the page links to, where that was sent along and may be followed. */
  readonly links?: LinkTable | undefined
}

/** Unpacked, of one document. */
const MAX_UNPACKED_BYTES = 32 << 20

/** Undefined for a record that is none of words. */
export function sentWords(
  record: Readonly<Record<string, unknown>>,
  digest: string,
  at: Instant,
): SentWords | undefined {
  const read = shippedFromRecord(record, digest, at)
  return read.kind === 'refused' ? undefined : wordsOf(read.document)
}

/** Undefined for one whose digest is none. */
export function wordsOf(document: ShippedDocument): SentWords | undefined {
  const { url, type, title, digest, at } = document
  const key = keyOfDigest(digest)
  if (key === undefined) return undefined
  const body = writeShipment([document], 1)
  const headers = [
    ['Content-Type', SHIPMENT_TYPE],
    ['Content-Length', String(body.length)],
  ] as const
  return { page: { url, status: 200, headers, body, at }, key, digest, type, title }
}

/** The head of the page that the words are of, as far as it is known. */
export const headOfWords = <Head extends { readonly headers: HeaderList }>(head: Head, { type }: SentWords): Head => ({
  ...head,
  headers: [['Content-Type', type]],
})

/** What can be learnt of the page from its words. */
export const readingOfWords = (reading: Reading, { key, title, links }: SentWords): Reading => ({
  ...reading,
  contentKey: key,
  links: links ?? reading.links,
  sense: { ...reading.sense, title },
})

/** Only the words of it are held. */
export const isWordsOnly = (row: PageRow | undefined): boolean => row?.type === SHIPMENT_TYPE

/** The words of a page of which nothing else is held. Whatever a site calls by this name, they are words of that page. */
export function heldWords(collection: Collection, row: PageRow, url: string): ShippedDocument | undefined {
  if (row.body === undefined || !isWordsOnly(row)) return undefined
  const content = storedContent(collection, row.body)
  if (content.kind !== 'ok') return undefined
  const read = readShipment(content.bytes, { maxDocuments: 1, maxUnpackedBytes: MAX_UNPACKED_BYTES })
  const document = read.kind === 'shipment' ? read.documents[0] : undefined
  return document === undefined ? undefined : { ...document, url }
}
