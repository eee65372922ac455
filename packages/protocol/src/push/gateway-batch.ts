/**
 * Gateway batch: what a gateway saw in a while, on its way to the repository (001 §V). Words and links of pages that are new
 * or changed, hits of all pages, and which pages were seen to be as they were. Of readers there is nothing in it but how many.
 *
 *   bytes     "cgb" · version 1 · zstd of the payload
 *   payload   run: text · number · from, to: milliseconds
 *             URLs: count · each: characters shared with the one before, text of the rest; sorted, each once
 *             hits: count · each: URL by its number less the one before · readers · robots
 *             seen: count · each: URL likewise · seconds since `from`, signed · 32 bytes of digest
 *             gone: count · each: URL likewise · seconds since `from`, signed · status
 *             figures: pages · bytes of HTML · count · each: reason, times
 *             postings: bytes · pages: bytes
 *
 * Numbers are as `delta/varint-bytes.ts` has them. The same batch gives the same bytes, in whatever order its rows are given: they
 * are read in the order of their URLs. Whatever bytes come, reading gives a batch or what is wrong with it, and unpacks no
 * more than its limit.
 */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { Instant } from '../instant.ts'
import { VarintReader, VarintWriter } from '../delta/varint-bytes.ts'

export const GATEWAY_BATCH_TYPE = 'application/vnd.comity.gateway-batch'
/** Below the address of a receiver. */
export const GATEWAY_PATH = '/gateway'

/** How often a page went by, fresh or not (001 §IV's hit frequency). */
export interface PageHits {
  readonly url: string
  /** By people, as far as their programs tell. */
  readonly readers: number
  readonly robots: number
}

/** A page went by as it was before: whoever has that has the page as it is. */
export interface GatewaySeenAgain {
  readonly url: string
  /** `sha-256:` and 64 hexadecimal digits over the page's body without codings. */
  readonly digest: string
  /** In whole seconds. */
  readonly at: Instant
}

/** A page that had been there was answered with 404, 410 or 451. */
export interface GatewaySeenGone {
  readonly url: string
  readonly status: number
  readonly at: Instant
}

export interface GatewayFigures {
  /** Pages that went by and may be indexed, each time. */
  readonly pages: number
  /** Bytes of them, without codings: what shipped bytes are compared with (001 §IV: about 7 %). */
  readonly htmlBytes: number
  /** What went by and was left out, by reason. */
  readonly skipped: Readonly<Record<string, number>>
}

export interface GatewayBatch {
  /** A random name of the gateway's state: a new one when that was lost. */
  readonly run: string
  /** 1, 2, 3 … within a run: a repository takes each once. */
  readonly number: number
  /** What passed in this time. */
  readonly from: Instant
  readonly to: Instant
  /** A shipment of pages that are new or changed, as `@comity/index` writes it; may be empty. */
  readonly postings: Uint8Array
  /** A WARC of whole pages, where their owner chose that; may be empty. */
  readonly pages: Uint8Array
  readonly hits: readonly PageHits[]
  readonly seen: readonly GatewaySeenAgain[]
  readonly gone: readonly GatewaySeenGone[]
  readonly figures: GatewayFigures
}

export interface GatewayBatchLimits {
  readonly maxBytes: number
  readonly maxUnpackedBytes: number
  /** Of hits, of pages seen again, and of those gone. */
  readonly maxRows: number
  readonly maxUrlBytes: number
}

const gatewayBatchLimits: GatewayBatchLimits = {
  maxBytes: 64 << 20,
  maxUnpackedBytes: 256 << 20,
  maxRows: 1_000_000,
  maxUrlBytes: 8_192,
}

export type ReadGatewayBatch =
  | { readonly kind: 'batch'; readonly batch: GatewayBatch }
  | { readonly kind: 'refused'; readonly problem: string }

const MAGIC = Buffer.from('cgb\u0001', 'latin1')
const LEVEL = 9
const SECOND = 1_000
const DIGEST_BYTES = 32
const RUN = /^[\w-]{8,64}$/
const REASON = /^[a-z][a-z0-9-]{0,39}$/
const MAX_REASONS = 200

export function writeGatewayBatch(batch: GatewayBatch): Uint8Array {
  const { run, number, from, to, figures, postings, pages } = batch
  const [hits, seen, gone] = [byUrl(batch.hits), byUrl(batch.seen), byUrl(batch.gone)]
  const urls = [...new Set([...hits, ...seen, ...gone].map(({ url }) => url))].toSorted(compare)
  const numbers = new Map(urls.map((url, place) => [url, place]))
  const out = new VarintWriter()
  out.text(run)
  for (const value of [number, from, to]) out.number(value)
  writeUrls(urls, out)
  const since = (at: Instant): number => Math.floor(at / SECOND) - Math.floor(from / SECOND)
  writeRows(hits, numbers, out, ({ readers, robots }) => {
    out.number(readers)
    out.number(robots)
  })
  writeRows(seen, numbers, out, ({ at, digest }) => {
    out.signed(since(at))
    out.raw(Buffer.from(digest.slice(digest.indexOf(':') + 1), 'hex'))
  })
  writeRows(gone, numbers, out, ({ at, status }) => {
    out.signed(since(at))
    out.number(status)
  })
  out.number(figures.pages)
  out.number(figures.htmlBytes)
  const reasons = Object.entries(figures.skipped).toSorted(([a], [b]) => compare(a, b))
  out.number(reasons.length)
  for (const [reason, times] of reasons) {
    out.text(reason)
    out.number(times)
  }
  out.bytes(postings)
  out.bytes(pages)
  const packed = zstdCompressSync(out.end(), { params: { [constants.ZSTD_c_compressionLevel]: LEVEL } })
  return Buffer.concat([MAGIC, packed])
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const byUrl = <R extends { readonly url: string }>(rows: readonly R[]): R[] =>
  rows.toSorted((a, b) => compare(a.url, b.url))

function writeUrls(urls: readonly string[], out: VarintWriter): void {
  out.number(urls.length)
  let last = ''
  for (const url of urls) {
    let shared = 0
    while (shared < url.length && shared < last.length && url[shared] === last[shared]) shared++
    // Not between the halves of a character.
    if (shared > 0 && /[\ud800-\udbff]/.test(url[shared - 1]!)) shared--
    out.number(shared)
    out.text(url.slice(shared))
    last = url
  }
}

function writeRows<R extends { readonly url: string }>(
  rows: readonly R[],
  numbers: ReadonlyMap<string, number>,
  out: VarintWriter,
  write: (row: R) => void,
): void {
  out.number(rows.length)
  let last = 0
  for (const row of rows) {
    const place = numbers.get(row.url)!
    out.number(place - last)
    last = place
    write(row)
  }
}

/** Never throws. */
export function readGatewayBatch(bytes: Uint8Array, limits: Partial<GatewayBatchLimits> = {}): ReadGatewayBatch {
  const all = { ...gatewayBatchLimits, ...limits }
  if (bytes.length > all.maxBytes) return refused(`it has more than ${all.maxBytes} bytes`)
  if (!MAGIC.equals(bytes.subarray(0, MAGIC.length)))
    return refused('it is no batch of a gateway, or of another version')
  const payload = unpacked(bytes.subarray(MAGIC.length), all.maxUnpackedBytes)
  if (payload === undefined) return refused('it cannot be unpacked, or is too large when it is')
  try {
    return { kind: 'batch', batch: batchOf(new VarintReader(payload), all) }
  } catch (error) {
    if (error instanceof RangeError) return refused(error.message)
    throw error
  }
}

const refused = (problem: string): ReadGatewayBatch => ({ kind: 'refused', problem })

function unpacked(bytes: Uint8Array, maxOutputLength: number): Buffer | undefined {
  try {
    return zstdDecompressSync(bytes, { maxOutputLength })
  } catch {
    // No zstd, damaged, or a bomb.
    return undefined
  }
}

function batchOf(read: VarintReader, limits: GatewayBatchLimits): GatewayBatch {
  const run = read.text(64)
  if (!RUN.test(run)) throw new RangeError('its run has no name')
  const [number, from, to] = [read.number(), read.number(), read.number()]
  if (number < 1 || to < from) throw new RangeError('its number or its time cannot be')
  const urls = readUrls(read, limits)
  const begin = Math.floor(from / SECOND)
  const atOf = (): Instant => {
    const at = (begin + read.signed()) * SECOND
    if (at < 0 || !Number.isSafeInteger(at)) throw new RangeError('a time cannot be')
    return at
  }
  const hits = readRows(read, urls, limits, (url) => ({ url, readers: read.number(), robots: read.number() }))
  const seen = readRows(read, urls, limits, (url) => {
    const at = atOf()
    return { url, digest: `sha-256:${Buffer.from(read.raw(DIGEST_BYTES)).toString('hex')}`, at }
  })
  const gone = readRows(read, urls, limits, (url) => ({ url, at: atOf(), status: read.number() }))
  const figures = readFigures(read)
  const [postings, pages] = [read.bytes(), read.bytes()]
  if (read.left > 0) throw new RangeError('something follows its end')
  return { run, number, from, to, postings, pages, hits, seen, gone, figures }
}

function readUrls(read: VarintReader, { maxRows, maxUrlBytes }: GatewayBatchLimits): string[] {
  const urls: string[] = []
  const count = read.count(3 * maxRows, 'URLs')
  for (let i = 0, last = ''; i < count; i++) {
    const shared = read.number()
    if (shared > last.length) throw new RangeError('a URL has more in common with the one before than that has')
    const url = last.slice(0, shared) + read.text(maxUrlBytes)
    if (url.length > maxUrlBytes) throw new RangeError('a URL is too long')
    if (url <= last) throw new RangeError('its URLs are in no order')
    if (!/^https?:\/\//.test(url) || URL.parse(url) === null) throw new RangeError('a URL is none')
    urls.push((last = url))
  }
  return urls
}

function readRows<R>(
  read: VarintReader,
  urls: readonly string[],
  { maxRows }: GatewayBatchLimits,
  row: (url: string) => R,
): R[] {
  const rows: R[] = []
  const count = read.count(maxRows, 'rows')
  for (let i = 0, place = 0; i < count; i++) {
    const url = urls[(place += read.number())]
    if (url === undefined) throw new RangeError('a row is of no URL')
    rows.push(row(url))
  }
  return rows
}

function readFigures(read: VarintReader): GatewayFigures {
  const [pages, htmlBytes] = [read.number(), read.number()]
  const skipped: [string, number][] = []
  const count = read.count(MAX_REASONS, 'reasons')
  for (let i = 0; i < count; i++) {
    const reason = read.text(40)
    if (!REASON.test(reason)) throw new RangeError('a reason is none')
    skipped.push([reason, read.number()])
  }
  return { pages, htmlBytes, skipped: Object.fromEntries(skipped) }
}
