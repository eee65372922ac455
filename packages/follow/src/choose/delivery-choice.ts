/**
 * Delivery choice: how pages come, once it is decided which. One by one, or many in one request (002 §6.2, schemes 4 and 5);
 * the pages are the same, so the most value per byte is the fewest bytes. Estimates come with it, for whoever asks why.
 *
 * One by one, a page costs a request, and its body when it has changed. In a batch it costs a line of the request and, when
 * it has changed, its body and what stands around it; what has not changed costs nothing more. In a package of changed pages
 * it comes whole, with others that nobody may have wanted. Pure.
 */
import { HEAD_BYTES, REQUEST_BYTES } from '../request-price.ts'

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
  /** Pages that have changed can come in packages; what that has cost so far. */
  readonly changeDump?: PackageCost | undefined
}

/** For each page that was wanted. */
interface PackageCost {
  /** Undefined while nobody has tried. */
  readonly requests?: number | undefined
  readonly bytes?: number | undefined
}

export interface Estimate {
  readonly bytes: number
  readonly requests: number
}

interface Delivery {
  readonly way: 'single' | 'batch' | 'change-dump'
  readonly single: Estimate
  readonly batch?: Estimate | undefined
  readonly changeDump?: Estimate | undefined
}

interface FirstCopy {
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
/** A line of what a filter tells, packed. */
const NAME_BYTES = 60
/** More news than that is weighed as so much. */
const MOST_COUNTED = 1_000
/** A dump's package names the page twice and has a line for it in the manifest; packed. */
const PACKED_ENTRY_BYTES = 150

/** Wanted pages in one package, before anybody has seen one. */
const PACKED_TOGETHER = 16

/** `costOf` says what counts where that is not bytes alone. */
export function chooseDelivery(
  pages: readonly DuePage[],
  { batchPages, differences, changeDump }: Deliveries,
  costOf: (estimate: Estimate) => number = ({ bytes }) => bytes,
): Delivery {
  const single = singleEstimate(pages, differences === true)
  if (pages.length === 0) return { way: 'single', single }
  const batch = batchPages === undefined || batchPages < 1 ? undefined : batchEstimate(pages, batchPages)
  const packed = changeDump === undefined ? undefined : packedEstimate(pages, changeDump)
  let [way, least]: [Delivery['way'], number] = ['single', costOf(single)]
  if (batch !== undefined && costOf(batch) < least) [way, least] = ['batch', costOf(batch)]
  if (packed !== undefined && costOf(packed) < least) way = 'change-dump'
  return { way, single, batch, changeDump: packed }
}

function singleEstimate(pages: readonly DuePage[], differences: boolean): Estimate {
  return { bytes: pages.length * HEAD_BYTES + bodiesOf(pages, differences), requests: pages.length }
}

function batchEstimate(pages: readonly DuePage[], batchPages: number): Estimate {
  const requests = Math.ceil(pages.length / batchPages)
  const changed = pages.reduce((sum, { chance }) => sum + chance, 0)
  const around = requests * (HEAD_BYTES + CLOSING_BYTES) + pages.length * LINE_BYTES + changed * RECORD_BYTES
  return { bytes: around + bodiesOf(pages, true), requests }
}

/** A list of packages, and the packages with pages among them. */
function packedEstimate(pages: readonly DuePage[], cost: PackageCost): Estimate {
  const { requests: requestsEach = 1 / PACKED_TOGETHER, bytes: bytesEach } = cost
  const requests = 1 + Math.ceil(pages.length * requestsEach)
  const bodies = pages.reduce((sum, { bytes }) => sum + (bytesEach ?? bytes + PACKED_ENTRY_BYTES), 0)
  return { bytes: requests * HEAD_BYTES + bodies, requests }
}

function bodiesOf(pages: readonly DuePage[], withDifferences: boolean): number {
  return pages.reduce((sum, page) => sum + page.chance * bodyBytes(page, withDifferences), 0)
}

/** What a filter is expected to tell of at a poll. */
export interface FilterNews {
  /** Pages that have changed. */
  readonly pages: number
  /** Of one of them, as it is sent. */
  readonly bytes: number
  /** Share of them that are fetched when they are told of: the others are not worth it. */
  readonly wanted: number
}

/** Whether a filter is asked for the pages that have changed, or for their names, to fetch those that are worth it. */
export function wantsPages(
  { pages, bytes, wanted }: FilterNews,
  deliveries: Deliveries,
  costOf: (estimate: Estimate) => number,
): boolean {
  const count = Math.max(1, Math.round(pages))
  const changed = Array.from({ length: Math.min(count, MOST_COUNTED) }, () => ({ bytes, chance: 1, hasBase: true }))
  const { single, batch = single } = chooseDelivery(changed, deliveries, costOf)
  const later = costOf(batch) < costOf(single) ? batch : single
  const named = {
    bytes: HEAD_BYTES + changed.length * NAME_BYTES + wanted * later.bytes,
    requests: 1 + wanted * later.requests,
  }
  const around = HEAD_BYTES + CLOSING_BYTES + changed.length * RECORD_BYTES
  const sent = { bytes: around + bodiesOf(changed, true), requests: 1 }
  return costOf(sent) < costOf(named)
}

/** For a site of which we hold nothing yet, or nearly nothing: all of it at once, or page by page. */
export function chooseFirstCopy(pages: readonly DuePage[], dumpBytes: number | undefined): FirstCopy {
  const single = singleEstimate(
    pages.map((page) => ({ ...page, chance: 1 })),
    false,
  )
  if (dumpBytes === undefined || pages.length === 0) return { way: 'pages', pages: single }
  // The list of packages, the manifest, and the packages themselves.
  const dump = { bytes: dumpBytes + 2 * HEAD_BYTES + pages.length * PACKED_ENTRY_BYTES, requests: 3 }
  return { way: priceOf(dump) < priceOf(single) ? 'dump' : 'pages', pages: single, dump }
}

const priceOf = ({ bytes, requests }: Estimate): number => bytes + requests * REQUEST_BYTES

function bodyBytes({ bytes, hasBase }: DuePage, withDifferences: boolean): number {
  return hasBase && withDifferences ? bytes * DIFFERENCE_SHARE : bytes
}
