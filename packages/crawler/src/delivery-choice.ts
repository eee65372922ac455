/**
 * Delivery choice: how pages come, once it is decided which. One by one, or many in one request (002 §6.2, schemes 4 and 5);
 * the pages are the same, so the most value per byte is the fewest bytes. Estimates come with it, for whoever asks why.
 *
 * One by one, a page costs a request, and its body when it has changed. In a batch it costs a line of the request and, when
 * it has changed, its body and what stands around it; what has not changed costs nothing more. Pure.
 */
import { HEAD_BYTES } from './request-price.ts'

export interface DuePage {
  /** Of its body, as it was last sent. */
  readonly bytes: number
  /** Probability that it has changed. */
  readonly chance: number
  /** We hold the version before, so that a difference is enough. */
  readonly hasBase: boolean
}

export interface Deliveries {
  /** Pages that one batch request may ask for; undefined when the site takes none. */
  readonly batchPages?: number | undefined
  /** A single page can come as a difference (RFC 3229, RFC 9842). A batch always knows how. */
  readonly differences?: boolean | undefined
}

export interface Estimate {
  readonly bytes: number
  readonly requests: number
}

export interface Delivery {
  readonly way: 'single' | 'batch'
  readonly single: Estimate
  readonly batch?: Estimate | undefined
}

export interface FirstCopy {
  readonly way: 'pages' | 'dump'
  readonly pages: Estimate
  readonly dump?: Estimate | undefined
}

/** A line with URL, validator and digest; the heads of a WARC record and of the answer in it, packed. */
const LINE_BYTES = 160
const RECORD_BYTES = 250
/** The closing of a batch. */
const CLOSING_BYTES = 300
/** Of a page, when it comes as a difference. Half of the pages that change differ by less than 5 % (Ntoulas 2004). */
const DIFFERENCE_SHARE = 0.1
/** A dump's package names the page twice and has a line for it in the manifest; packed. */
const PACKED_ENTRY_BYTES = 150

export function chooseDelivery(pages: readonly DuePage[], { batchPages, differences }: Deliveries): Delivery {
  const bodies = (withDifferences: boolean): number =>
    pages.reduce((sum, page) => sum + page.chance * bodyBytes(page, withDifferences), 0)
  const single = { bytes: pages.length * HEAD_BYTES + bodies(differences === true), requests: pages.length }
  if (batchPages === undefined || batchPages < 1 || pages.length === 0) return { way: 'single', single }
  const requests = Math.ceil(pages.length / batchPages)
  const changed = pages.reduce((sum, { chance }) => sum + chance, 0)
  const around = requests * (HEAD_BYTES + CLOSING_BYTES) + pages.length * LINE_BYTES + changed * RECORD_BYTES
  const batch = { bytes: around + bodies(true), requests }
  return { way: batch.bytes < single.bytes ? 'batch' : 'single', single, batch }
}

/** For a site of which we hold nothing yet, or nearly nothing: all of it at once, or page by page. */
export function chooseFirstCopy(pages: readonly DuePage[], dumpBytes: number | undefined): FirstCopy {
  const single = chooseDelivery(
    pages.map((page) => ({ ...page, chance: 1, hasBase: false })),
    {},
  ).single
  if (dumpBytes === undefined || pages.length === 0) return { way: 'pages', pages: single }
  // The list of packages, the manifest, and the packages themselves.
  const dump = { bytes: dumpBytes + 2 * HEAD_BYTES + pages.length * PACKED_ENTRY_BYTES, requests: 3 }
  return { way: dump.bytes < single.bytes ? 'dump' : 'pages', pages: single, dump }
}

function bodyBytes({ bytes, hasBase }: DuePage, withDifferences: boolean): number {
  return hasBase && withDifferences ? bytes * DIFFERENCE_SHARE : bytes
}
