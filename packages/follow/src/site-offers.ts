/**
 * SiteOffers: what a site offers crawlers besides its pages, as far as we have looked, what each offer has cost and brought
 * so far, and how far each has told us. One row a site; field names are part of the format: add, never rename.
 */
import type { Instant } from '@comity/protocol'
import type { InboxScheme } from '@comity/collection'
import type { DocumentMark } from '@comity/ingest'
import type { NamedRow } from './offers/named-pages.ts'
import type { NewsPace } from './choose/poll-period.ts'

/** Documents that tell of all changes, cheapest by nature first; then what brings pages many at a time. */
export const CHANGE_OFFERS = ['filter', 'change-list', 'metadata-archive', 'robots-rdf', 'sitemap'] as const
export const BULK_OFFERS = ['batch', 'dump', 'change-dump', 'wacz'] as const

export type ChangeOfferKind = (typeof CHANGE_OFFERS)[number]
export type BulkOfferKind = (typeof BULK_OFFERS)[number]
/** What can be polled: a feed tells of the newest pages, beside what tells of all. */
export type PolledKind = ChangeOfferKind | 'feed'
export type OfferKind = PolledKind | BulkOfferKind
/** All ways by which many pages come at a time: a filter of changes can be asked for the pages, too. */
export type BulkWay = BulkOfferKind | 'filter'

export interface Offer {
  readonly kind: OfferKind
  /** Absolute, on the site's own origin. Where a poll begins. */
  readonly url: string
  /** Documents that a poll takes in as well: all sitemaps that robots.txt names are one offer, as are all feeds. */
  readonly also?: readonly string[] | undefined
  /** When it was last looked at to the end; 0: never. */
  readonly checkedAt: Instant
  /** What a poll costs, bodies as sent, in the mean; of a dump, its size. Undefined while nobody knows. */
  readonly bytes?: number | undefined
  /** The same of a poll that brings nothing. */
  readonly idleBytes?: number | undefined
  /** Requests of a poll, in the mean. */
  readonly requests?: number | undefined
  /** News a poll brings, in the mean. */
  readonly news: number
  /** Failures in a row, what the last was, and until when the offer is left alone for them. */
  readonly failures: number
  readonly problem?: string | undefined
  readonly restsUntil: Instant
  /** Of a filter: asking it for pages was of no use, so often in a row, and is not tried before then. */
  readonly bringFailures?: number | undefined
  readonly bringProblem?: string | undefined
  readonly bringsAgainAt?: Instant | undefined
  /** Of feeds: how often they had news. */
  readonly pace?: NewsPace | undefined
}

/** What a site sends to whoever subscribes (W3C WebSub). */
export interface PushOffer {
  /** May be anybody's. */
  readonly hub: string
  readonly topics: Readonly<Partial<Record<InboxScheme, string>>>
}

export interface SiteOffers {
  /** When we last looked for offers, and when we do so again. */
  readonly lookedAt: Instant
  readonly lookAgainAt: Instant
  readonly offers: readonly Offer[]
  /** One body that the site's pages resemble (RFC 9842). */
  readonly dictionary?: string | undefined
  readonly push?: PushOffer | undefined
  /** How far the filter has told us, and how it wants to be asked. */
  readonly token?: string | undefined
  readonly method?: 'QUERY' | 'POST' | 'GET' | undefined
  /** Instant of the last change that the change list told us, and its part that is still open. */
  readonly changesUntil?: Instant | undefined
  readonly openList?: string | undefined
  /** Highest number of the metadata archives that were read in full. */
  readonly archivesUpTo?: number | undefined
  /** By URL. */
  readonly marks?: Readonly<Record<string, DocumentMark>> | undefined
  /** Pages that complete lists name, by where the list begins, then by document. */
  readonly named?: Readonly<Record<string, NamedRow>> | undefined
  /** Changes were told with a gap before them: what lists all pages is asked next. */
  readonly isBehind?: boolean | undefined
  /** When we were last told everything, by whatever offer, and how often that brought news. */
  readonly toldAt?: Instant | undefined
  readonly pace?: NewsPace | undefined
}

export function newOffer(kind: OfferKind, url: string): Offer {
  return { kind, url, checkedAt: 0, news: 0, failures: 0, restsUntil: 0 }
}

export function isChangeOffer(kind: OfferKind): kind is ChangeOfferKind {
  return (CHANGE_OFFERS as readonly OfferKind[]).includes(kind)
}

/** Whether a gap between changes can be closed: all but change lists tell of pages, whenever they changed. */
export function canListAll(offers: readonly Offer[]): boolean {
  return offers.some(({ kind }) => isChangeOffer(kind) && kind !== 'change-list')
}
