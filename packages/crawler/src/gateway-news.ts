/**
 * GatewayNews: a batch of a gateway's with all that is packed in it: the pages whose words it ships, and those it ships
 * whole. Read by the receiver, which takes nothing that cannot be read to its end, and by whoever takes it in.
 */
import { readBatchAnswer, readGatewayBatch } from '@comity/protocol'
import type { BatchPage, GatewayBatch } from '@comity/protocol'
import { readShipment } from '@comity/index'
import type { ShippedDocument } from '@comity/index'

export interface GatewayNews {
  readonly batch: GatewayBatch
  readonly documents: readonly ShippedDocument[]
  readonly pages: readonly BatchPage[]
}

export interface GatewayNewsLimits {
  readonly maxBytes: number
  readonly maxUnpackedBytes: number
  /** Of hits, of pages seen again or gone, and of those that are shipped. */
  readonly maxRows: number
}

export const gatewayNewsLimits: GatewayNewsLimits = {
  maxBytes: 16 << 20,
  maxUnpackedBytes: 128 << 20,
  maxRows: 200_000,
}

export type ReadGatewayNews =
  | { readonly kind: 'news'; readonly news: GatewayNews }
  | { readonly kind: 'refused'; readonly problem: string }

const GZIP = 0x1f

/** Never throws. */
export function readGatewayNews(bytes: Uint8Array, limits: GatewayNewsLimits = gatewayNewsLimits): ReadGatewayNews {
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
  if (pages[0] === GZIP) return { kind: 'refused', problem: 'its pages are packed twice' }
  const whole = pages.length === 0 ? { pages: [], problems: [] } : readBatchAnswer(pages)
  const [problem] = whole.problems
  if (problem !== undefined) return { kind: 'refused', problem: `its pages: ${problem}` }
  return { kind: 'news', news: { batch: read.batch, documents: shipped.documents, pages: whole.pages } }
}

/** Every address that it speaks of, once for each row. */
export function* urlsOfNews({ batch, documents, pages }: GatewayNews): Generator<string> {
  for (const rows of [batch.hits, batch.seen, batch.gone, documents, pages]) for (const { url } of rows) yield url
}
