/**
 * UnpackedGatewayBatch: a batch of a gateway's with all that is packed in it: the pages whose words it ships, and those it ships
 * whole. Read by the receiver, which takes nothing that cannot be read to its end, and by whoever takes it in.
 */
import { packingOf, readBatchAnswer, readGatewayBatch } from '@comity/protocol'
import type { BatchPage, GatewayBatch } from '@comity/protocol'
import { readShipment } from '@comity/index'
import { ownBodies } from '../documents/read-document.ts'
import type { ShippedDocument } from '@comity/index'

export interface UnpackedGatewayBatch {
  readonly batch: GatewayBatch
  readonly documents: readonly ShippedDocument[]
  readonly pages: readonly BatchPage[]
}

export interface UnpackedBatchLimits {
  readonly maxBytes: number
  readonly maxUnpackedBytes: number
  /** Of hits, of pages seen again or gone, and of those that are shipped. */
  readonly maxRows: number
}

export const unpackedBatchLimits: UnpackedBatchLimits = {
  maxBytes: 16 << 20,
  maxUnpackedBytes: 128 << 20,
  maxRows: 200_000,
}

export type ReadUnpackedBatch =
  | { readonly kind: 'news'; readonly news: UnpackedGatewayBatch }
  | { readonly kind: 'refused'; readonly problem: string }

/** Never throws. */
export function unpackGatewayBatch(
  bytes: Uint8Array,
  limits: UnpackedBatchLimits = unpackedBatchLimits,
): ReadUnpackedBatch {
  const { maxUnpackedBytes, maxRows } = limits
  const read = readGatewayBatch(bytes, limits)
  if (read.kind === 'refused') return read
  const { postings, pages } = read.batch
  const shipped =
    postings.length === 0
      ? { kind: 'shipment' as const, documents: [] }
      : readShipment(postings, { maxUnpackedBytes, maxDocuments: maxRows })
  if (shipped.kind === 'refused') return { kind: 'refused', problem: `its postings: ${shipped.problem}` }
  // The batch is packed as a whole; what is packed once more only looks smaller.
  if (packingOf(pages) !== undefined) return { kind: 'refused', problem: 'its pages are packed twice' }
  const whole = pages.length === 0 ? { pages: [], problems: [] } : readBatchAnswer(pages)
  const [problem] = whole.problems
  if (problem !== undefined) return { kind: 'refused', problem: `its pages: ${problem}` }
  return { kind: 'news', news: { batch: read.batch, documents: shipped.documents, pages: whole.pages } }
}

/** The same with bytes of their own, and without what was taken apart: the way to another thread takes all along that is viewed. */
export function ownUnpackedBatch(read: ReadUnpackedBatch): ReadUnpackedBatch {
  if (read.kind === 'refused') return read
  const { batch, documents, pages } = read.news
  const none = new Uint8Array(0)
  return {
    kind: 'news',
    news: { batch: { ...batch, postings: none, pages: none }, documents, pages: ownBodies(pages) },
  }
}

/** What a batch is and how many of its rows are of which host, for who has to know no more. */
export interface GatewayDigest {
  readonly kind: 'digest'
  readonly batch: Pick<GatewayBatch, 'run' | 'number' | 'figures'>
  /** An address of each host, and its rows. */
  readonly hosts: readonly { readonly url: string; readonly rows: number }[]
}

/** Never throws. */
export function digestUnpackedBatch(
  bytes: Uint8Array,
  limits: UnpackedBatchLimits = unpackedBatchLimits,
): GatewayDigest | (ReadUnpackedBatch & { readonly kind: 'refused' }) {
  const read = unpackGatewayBatch(bytes, limits)
  if (read.kind === 'refused') return read
  const { run, number, figures } = read.news.batch
  const hosts = new Map<string, { url: string; rows: number }>()
  for (const url of urlsOfNews(read.news)) {
    const host = URL.parse(url)?.host ?? ''
    const known = hosts.get(host)
    if (known === undefined) hosts.set(host, { url, rows: 1 })
    else known.rows++
  }
  return { kind: 'digest', batch: { run, number, figures }, hosts: [...hosts.values()] }
}

/** Every address that it speaks of, once for each row. */
export function* urlsOfNews({ batch, documents, pages }: UnpackedGatewayBatch): Generator<string> {
  for (const rows of [batch.hits, batch.seen, batch.gone, documents, pages]) for (const { url } of rows) yield url
}
