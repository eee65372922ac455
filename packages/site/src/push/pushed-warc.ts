/**
 * Pushed WARC: pages that changed, as a WARC file for whoever is sent them: each an HTTP answer in a record (200, 226 with a
 * difference, 410 when it is gone), and the closing as the last, without which it was cut off (`bulk/batch-answer.ts` of the
 * protocol). Each page has the digest of its whole body beside it, so nothing is applied twice or to the wrong version.
 *
 * A page whose bytes cannot be had, because parts of it differ in every answer or it is too large, is named in the closing:
 * whoever wants it asks for it.
 */
import { writeBatchPage, writeClosing, writeDigestField } from '@comity/protocol'
import type { BatchPage, Instant } from '@comity/protocol'
import type { Change } from '../journal/journal.ts'
import type { PageBundles } from '../serve/page-bundle.ts'
import type { PublicView } from '../privacy/public-view.ts'

export interface PushedWarc {
  readonly body: Uint8Array
  /** With the status of its record; undefined when it has none. */
  readonly pages: readonly { readonly change: Change; readonly status: number | undefined }[]
}

export interface WarcParts {
  readonly view: PublicView
  readonly bundles: PageBundles
  /** A record says when a page was so; that is now, since its bytes are looked at now. */
  readonly now: () => Instant
}

/** `baseOf`: the digest of the version that a page may be a difference from. */
export async function pushedWarc(
  { view, bundles, now }: WarcParts,
  changes: readonly Change[],
  isCoded: boolean,
  baseOf: (change: Change) => string | undefined = () => undefined,
): Promise<PushedWarc> {
  const records: Uint8Array[] = []
  const pages: { change: Change; status: number | undefined }[] = []
  const rest: string[] = []
  for (const change of changes) {
    const told = change.change === 'deleted' ? { gone: change.path } : { page: change, base: baseOf(change) }
    const page = await bundles.page(told, isCoded)
    pages.push({ change, status: page?.status })
    if (page === undefined) rest.push(view.url(change.path))
    else records.push(writeBatchPage(withDigest(page), now()))
  }
  const closing = { sent: records.length, unchanged: 0, rest, refused: [] }
  records.push(writeClosing(closing, view.url(view.paths.changeList), now()))
  return { body: Buffer.concat(records), pages }
}

/** A difference has it already. */
function withDigest(page: BatchPage): BatchPage {
  if (page.status !== 200) return page
  return { ...page, headers: [...page.headers, ['Repr-Digest', writeDigestField(page.body)]] }
}
