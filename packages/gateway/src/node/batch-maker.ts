/**
 * BatchMaker: gathers what goes by until it is cut: words of pages that are new or changed, whole pages of those who
 * want that, hits, and what was seen to be as it was or to be gone. Of a page that changes twice before the cut, the
 * later is shipped.
 */
import { readShipment, shipmentFormat, writeShipment } from '@comity/index/internal'
import type { ShippedDocument } from '@comity/index'
import { readGatewayBatch, writeBatchPage, writeDigestField, writeGatewayBatch, addCount } from '@comity/protocol'
import type { GatewayBatch, HeaderList, Instant, GatewaySeenAgain, GatewaySeenGone } from '@comity/protocol'
import type { Gathered } from './batch-schedule.ts'
import { HitCount } from './hit-count.ts'
import type { SeenPage } from './page-words.ts'

export interface CutBatch {
  readonly batch: GatewayBatch
  readonly bytes: Uint8Array
}

/** Documents that cannot be written are left out, each told with its fault. */
type OnFault = (document: ShippedDocument, error: unknown) => void

/** About what a page costs in a batch, found on manuals: its own row, its words and its links. */
const ROW_BYTES = 60
const WORD_BYTES = 0.8
const LINK_BYTES = 4
/** Of a WARC record, packed. */
const PACKED_SHARE = 0.3
/** Less than make a batch: what cannot be written must not be tried with each page that passes. */
const MOST_CARRIED = 20_000

export class BatchMaker {
  readonly #hits = new HitCount()
  readonly #documents = new Map<string, ShippedDocument>()
  readonly #pages = new Map<string, Uint8Array>()
  readonly #seen = new Map<string, GatewaySeenAgain>()
  readonly #gone = new Map<string, GatewaySeenGone>()
  #skipped: Record<string, number> = {}
  #htmlBytes = 0
  #pageCount = 0
  #since: Instant | undefined
  #until: Instant = 0
  #bytes = 0

  get gathered(): Gathered {
    const rows = this.#hits.size + this.#seen.size + this.#gone.size + this.#documents.size
    return { since: this.#since, bytes: this.#bytes + 6 * rows, rows }
  }

  /** A page went by, fresh or not. */
  hit(url: string, isByRobot: boolean, at: Instant): void {
    this.#begin(at)
    this.#hits.add(url, isByRobot)
  }

  /** Bytes of a page that may be indexed went by. */
  saw(htmlBytes: number): void {
    this.#pageCount++
    this.#htmlBytes += htmlBytes
  }

  skip(reason: string): void {
    addCount(this.#skipped, reason)
  }

  /** Of a program: told even when nothing else is. */
  fault(figure: string, times: number, at: Instant): void {
    this.#begin(at)
    addCount(this.#skipped, figure, times)
  }

  ship(document: ShippedDocument): void {
    const words = document.content.kind === 'line' ? document.content.text.length : document.content.text.length / 6
    const bytes = ROW_BYTES + WORD_BYTES * words + LINK_BYTES * document.links.length
    this.#begin(document.at)
    this.#seen.delete(document.url)
    this.#gone.delete(document.url)
    this.#documents.set(document.url, document)
    this.#bytes += bytes
  }

  /** The page itself, beside its words. */
  shipPage({ url, at, headers, body }: SeenPage): void {
    this.#begin(at)
    const kept: HeaderList = [
      ...headers.filter(([name]) => KEPT.has(name.toLowerCase())),
      ['Repr-Digest', writeDigestField(body)],
    ]
    this.#pages.set(url, writeBatchPage({ url, status: 200, headers: kept, body }, at))
    this.#bytes += PACKED_SHARE * body.length
  }

  seenAgain(url: string, digest: string, at: Instant): void {
    if (this.#documents.has(url)) return
    this.#begin(at)
    this.#gone.delete(url)
    this.#seen.set(url, { url, digest: `sha-256:${digest}`, at })
  }

  gone(url: string, status: number, at: Instant): void {
    this.#begin(at)
    this.#documents.delete(url)
    this.#pages.delete(url)
    this.#seen.delete(url)
    this.#gone.set(url, { url, status, at })
  }

  /** What was gone in a batch that was given up, unless something newer is known; as many as may be carried. */
  carry(gone: readonly GatewaySeenGone[], now: Instant): void {
    for (const one of gone.slice(0, Math.max(0, MOST_CARRIED - this.#gone.size))) {
      if (this.#documents.has(one.url) || this.#gone.has(one.url)) continue
      this.#begin(now)
      this.#gone.set(one.url, one)
    }
  }

  /** All that was gathered; undefined when that is nothing. What throws leaves all as it was. */
  cut(run: string, number: number, onFault: OnFault): CutBatch | undefined {
    if (this.#since === undefined) return undefined
    const documents = [...this.#documents.values()].toSorted((a, b) => (a.url < b.url ? -1 : 1))
    const batch: GatewayBatch = {
      run,
      number,
      from: Math.floor(this.#since),
      to: Math.ceil(this.#until),
      postings: shipmentOf(documents, (document, error) => {
        this.#pages.delete(document.url)
        onFault(document, error)
      }),
      pages: Buffer.concat([...this.#pages.values()]),
      hits: this.#hits.take(),
      seen: [...this.#seen.values()],
      gone: [...this.#gone.values()],
      figures: { pages: this.#pageCount, htmlBytes: this.#htmlBytes, skipped: this.#skipped },
    }
    const bytes = writeGatewayBatch(batch)
    this.#clear()
    return { batch, bytes }
  }

  /** All of it is given up. Pages that were to be shipped. */
  drop(): string[] {
    const urls = [...this.#documents.keys()]
    this.#clear()
    return urls
  }

  #begin(at: Instant): void {
    this.#since = Math.min(this.#since ?? at, at)
    this.#until = Math.max(this.#until, at)
  }

  #clear(): void {
    for (const rows of [this.#documents, this.#pages, this.#seen, this.#gone]) rows.clear()
    this.#skipped = {}
    this.#htmlBytes = this.#pageCount = this.#bytes = this.#until = 0
    this.#since = undefined
  }
}

const NOTHING = new Uint8Array(0)

/** They share their words; one that cannot be written must not take the others with it. */
function shipmentOf(documents: readonly ShippedDocument[], onFault: OnFault): Uint8Array {
  if (documents.length === 0) return NOTHING
  try {
    return writeShipment(documents)
  } catch (error) {
    const sound = documents.filter((document) => isSound(document, onFault))
    if (sound.length === documents.length) throw error
    return sound.length === 0 ? NOTHING : writeShipment(sound)
  }
}

function isSound(document: ShippedDocument, onFault: OnFault): boolean {
  try {
    return writeShipment([document]).length > 0
  } catch (error) {
    onFault(document, error)
    return false
  }
}

/** What describes the page; all else is of the connection or of whoever asked. */
const KEPT: ReadonlySet<string> = new Set([
  'content-type',
  'content-language',
  'date',
  'etag',
  'last-modified',
  'expires',
  'cache-control',
  'link',
  'x-robots-tag',
])

/** Pages that a batch tells as gone. */
export function goneRows(batch: Uint8Array): readonly GatewaySeenGone[] {
  const read = readGatewayBatch(batch)
  return read.kind === 'batch' ? read.batch.gone : []
}

/** Pages whose words are in a batch. */
export function shippedUrls(batch: Uint8Array): string[] {
  const read = readGatewayBatch(batch)
  const shipment = read.kind === 'batch' ? readShipment(read.batch.postings) : read
  return shipment.kind === 'shipment' ? shipment.documents.map(({ url }) => url) : []
}

/** The same batch for a repository of the first version; undefined when it is that already, or cannot be read. */
export function olderBatch(bytes: Uint8Array): Uint8Array | undefined {
  const read = readGatewayBatch(bytes)
  if (read.kind === 'refused' || (shipmentFormat(read.batch.postings) ?? 1) === 1) return undefined
  const shipment = readShipment(read.batch.postings)
  if (shipment.kind === 'refused') return undefined
  return writeGatewayBatch({ ...read.batch, postings: writeShipment(shipment.documents, 1) })
}
