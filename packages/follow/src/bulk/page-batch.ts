/**
 * Page batch: many pages of a site in the answer to one request (`bulk/batch.ts` of protocol): what is asked, and what the answer
 * says of each page. A page of which nothing sure is said is to be visited by itself.
 *
 *   asked ──▶ came        whole, gone, or as a difference from what is held
 *        ├──▶ unchanged   the closing of a whole answer does not name it: our copy is still good
 *        └──▶ unsure      refused, left for another answer, or the answer is not whole
 */
import { BATCH_TYPE, headerOf, TOO_MUCH_WORK, WARC_TYPE, writeBatch } from '@comity/protocol'
import type { BatchPage, ReadBatch } from '@comity/protocol'
import { ownDocuments } from '@comity/ingest'
import type { Ask, Documents, Exchange } from '@comity/ingest'

/** Pages of one batch. */
export const BATCH_PAGES = 50
/** An answer of this many bytes, packed, is as much as one request should bring. */
const MAX_ANSWER_BYTES = 64 << 20
const MAX_UNPACKED_BYTES = 256 << 20

interface BatchWish {
  readonly url: string
  /** Of the version that is held; what differs from it is enough then. */
  readonly etag?: string | undefined
}

/** All but where, and by which method. */
export function batchQuestion(
  pages: readonly BatchWish[],
): Required<Pick<Ask, 'headers' | 'body'>> & { readonly maxBodyBytes: number } {
  const lines = pages.map(({ url, etag }) => ({ url, etag, delta: etag !== undefined }))
  const headers = { 'content-type': BATCH_TYPE, accept: WARC_TYPE }
  return { headers, body: writeBatch(lines), maxBodyBytes: MAX_ANSWER_BYTES }
}

/** `closing` is there only when the answer is whole. */
type BatchAnswer = ReadBatch & { readonly bytes: number }

export async function readBatchOf(
  exchange: Exchange,
  documents: Documents = ownDocuments,
): Promise<BatchAnswer | { readonly problem: string }> {
  if (exchange.kind === 'failed') return { problem: exchange.message }
  const { head, body, truncated } = exchange
  if (head.status !== 200) return { problem: `asked for many pages, it answered ${head.status}` }
  const coding = headerOf(head.headers, 'content-encoding')
  const read = await documents.work('batch', { body, coding, maxBytes: MAX_UNPACKED_BYTES })
  if (read === TOO_MUCH_WORK) return { problem: `its answer is ${TOO_MUCH_WORK}` }
  if (read.kind === 'unreadable') return { problem: read.problem }
  // A record that was damaged is left out: silence about its page says nothing then.
  const isWhole = truncated === undefined && read.isWhole && read.pages.length >= (read.closing?.sent ?? 0)
  return { ...read, closing: isWhole ? read.closing : undefined, bytes: body.length }
}

interface SortedBatch {
  readonly came: readonly BatchPage[]
  readonly unchanged: readonly string[]
  readonly unsure: readonly string[]
}

/** By URL. What nobody asked for is left out, and of a page that came twice the first counts. */
export function sortBatch(
  asked: Iterable<string>,
  { pages, closing }: Pick<BatchAnswer, 'pages' | 'closing'>,
): SortedBatch {
  const open = new Set(asked)
  const came = pages.filter(({ url }) => open.delete(url))
  const left = new Set([...(closing?.rest ?? []), ...(closing?.refused ?? [])])
  const isUnsure = (url: string): boolean => closing === undefined || left.has(url)
  return {
    came,
    unchanged: [...open].filter((url) => !isUnsure(url)),
    unsure: [...open].filter(isUnsure),
  }
}
