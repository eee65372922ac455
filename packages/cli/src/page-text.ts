/** The words of a stored page, as they were captured last. */
import { decodeBody, decodeText, headerOf, entityBody, mediaKindOf, readHtml } from '@comity/protocol'
import type { CollectionView } from './collection-view.ts'
import type { Visited } from './export-rows.ts'

const MAX_DECODED_BYTES = 20 << 20

/** Undefined for what is no page, and for pages that ask not to be shown from an archive. */
export function pageText({ row, url }: Visited, { collection }: CollectionView): string | undefined {
  if (row.body === undefined || row.noarchive || mediaKindOf(row.type, url) !== 'page') return undefined
  const message = collection.readMessage(row.body)
  const coding = headerOf(message.headers, 'content-encoding')
  const decoded = decodeBody(entityBody(message), coding, { maxBytes: MAX_DECODED_BYTES })
  return decoded.kind === 'ok' ? readHtml(decodeText(decoded.body, row.type).text).text : undefined
}
