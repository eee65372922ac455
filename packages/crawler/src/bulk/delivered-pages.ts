/**
 * DeliveredPages: takes in pages that came many at a time, whatever brought them. Each is an answer of its own, goes the way
 * of any answer, and its capture says which scheme brought it.
 *
 * Nothing is believed blindly: of what was delivered, some pages are fetched too, whole, and a site that delivers other
 * pages than it serves delivers no more that way. A page that by its own word has changed since then is no lie, unless all that
 * are looked at have.
 */
import type { BatchPage, CaptureSource, Instant } from '@comity/protocol'
import type { Collection, PageRow, Scheme } from '@comity/collection'
import type { Frontier } from '@comity/frontier'
import { FAULT } from '@comity/ingest'
import type { FaultIsolation, PageHandler, PageTask, SettledVisit, ReadingPool } from '@comity/ingest'
import { answerOfSent, HeldVersion } from '@comity/follow'
import type { BulkWay } from '@comity/follow'

export interface DeliveredPagesParts {
  readonly frontier: Frontier
  readonly collection: Collection
  readonly pages: PageHandler
  readonly pool: Pick<ReadingPool, 'work'>
  readonly faults: FaultIsolation
  readonly random: () => number
  readonly maxDecodedBytes: number
  readonly room: () => Promise<void>
  /** Visit a page by itself. */
  readonly visitAlone: (page: number) => void
  /** What a site delivered is not what it serves. */
  readonly onLie: (site: number, way: BulkWay) => void
}

/** How, from where and when pages came. */
interface Arrival {
  readonly site: number
  readonly way: BulkWay
  readonly address: string
  readonly at: Instant
  /** When they were asked for: a copy that was made since is newer, as far as anybody knows. */
  readonly askedAt: Instant
}

interface Check {
  readonly way: BulkWay
  readonly deliveredAt: Instant
  /** By the site's clock. */
  readonly asOf: Instant
}

/** Of the pages that were delivered, those that are fetched too. */
const CHECKED_SHARE = 0.03
/** A page fetched this soon after its delivery and found to be another one was not what the site serves. */
const CHECKED_WITHIN_MS = 60_000
/** So many in a row may be said to have changed since. */
const MOST_EXCUSED = 3

/** What captures call the ways that pages come by. */
const SCHEMES: Readonly<Record<BulkWay, Scheme>> = {
  batch: 'batch',
  filter: 'filter',
  dump: 'dump',
  'change-dump': 'dump',
  wacz: 'dump',
}

/** Of a page that nobody had chosen to fetch. */
const SENT_ALONG = 'sent: the site was asked what had changed, and sent it along.'

export const schemeOf = (way: BulkWay): Scheme => SCHEMES[way]

export class DeliveredPages {
  readonly #parts: DeliveredPagesParts
  /** Delivered pages that are being fetched to be compared. */
  readonly #checks = new Map<number, Check>()
  /** By site: pages in a row that were others, and are said to have changed since they were delivered. */
  readonly #excused = new Map<number, number>()

  constructor(parts: DeliveredPagesParts) {
    this.#parts = parts
  }

  /**
   * False: this page could not be made whole, or we failed on it, and nothing was taken: it is to be visited by itself.
   * What was overtaken by a visit is left, and its page is well.
   * `wireBytes` is what it weighed on its way.
   */
  async take(page: number, sent: BatchPage, arrival: Arrival, wireBytes: number = sent.body.length): Promise<boolean> {
    const { url, body } = sent
    const from = `${arrival.way} of ${this.#parts.frontier.sites[arrival.site]?.origin}`
    const about = { key: `delivered ${url}`, kind: 'delivered', url, from, body } as const
    const came = await this.#parts.faults.apart(about, () => this.#take(page, sent, arrival, wireBytes))
    return came === FAULT ? false : came
  }

  async #take(page: number, sent: BatchPage, arrival: Arrival, wireBytes: number): Promise<boolean> {
    const { collection, pool, pages, room, random, maxDecodedBytes, visitAlone } = this.#parts
    const { site, way, address, at } = arrival
    const answer = answerOfSent(sent, at)
    const row = collection.page(page)
    if (row !== undefined && row.visitedAt > arrival.askedAt) return true
    const held = HeldVersion.of(sent.url, row, collection, { differences: 'any', maxBytes: maxDecodedBytes })
    const rebuilt = (await held?.rebuild(answer, pool)) ?? { kind: 'whole', answer }
    if (rebuilt.kind === 'broken' || rebuilt.answer.head.status === 226) return false
    await room()
    const as = way === 'change-dump' ? 'resource' : 'answer'
    const origin = { how: way, via: this.#parts.frontier.sites[site]!.origin, as } as const
    const scheme = schemeOf(way)
    const source: CaptureSource = scheme === 'dump' ? 'dump' : 'crawl'
    const why = way === 'filter' ? SENT_ALONG : undefined
    const came = { wireBytes, scheme, source, servedAt: sent.at, why }
    const task = this.#taskOf(page, sent.url)
    await pages.ingest({ task, site, answer: rebuilt.answer, address, origin, sent: came })
    // Who was excused is looked at again.
    if (this.#excused.has(site) || random() < CHECKED_SHARE) {
      this.#checks.set(page, { way, deliveredAt: at, asOf: sent.at ?? at })
      visitAlone(page)
    }
    return true
  }

  /** The site says that our copy is still good; false when there is none. */
  confirm(page: number, way: BulkWay, at: Instant): boolean {
    const { collection, pages, frontier } = this.#parts
    const row = collection.page(page)
    if (row?.body === undefined) return false
    pages.confirmed(this.#taskOf(page, frontier.urlOf(page)), row, at, { scheme: schemeOf(way) })
    return true
  }

  /** To be compared it is fetched as it is: who delivers a wrong page may say that it has not changed since. */
  mustBeWhole(page: number): boolean {
    return this.#checks.has(page)
  }

  /** A visit ended; perhaps it was to see whether a delivery was right. */
  settled({ page, outcome, row, before, at }: SettledVisit): void {
    const check = this.#checks.get(page)
    if (check === undefined || at === check.deliveredAt) return
    this.#checks.delete(page)
    if (outcome !== 'ok' || at - check.deliveredAt >= CHECKED_WITHIN_MS) return
    const isOther = row.changes > (before?.changes ?? 0)
    const excused = isOther && isModifiedSince(row, check) ? (this.#excused.get(row.site) ?? 0) + 1 : 0
    const isLie = isOther && (excused === 0 || excused > MOST_EXCUSED)
    if (isLie || !isOther) this.#excused.delete(row.site)
    else this.#excused.set(row.site, excused)
    if (isLie) this.#parts.onLie(row.site, check.way)
  }

  #taskOf(page: number, url: string): PageTask {
    return { kind: 'page', page, url, depth: this.#parts.frontier.pages.depthOf(page), tries: 0 }
  }
}

/** Dates of HTTP are whole seconds: within the same one, it may have. */
function isModifiedSince({ lastModified }: PageRow, { asOf }: Check): boolean {
  return Date.parse(lastModified ?? '') >= Math.floor(asOf / 1_000) * 1_000
}
