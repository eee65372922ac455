/**
 * Listing choice: of all that a site offers to tell of its changes, what is asked. One at a time, as they tell the same:
 * the one with the most value per byte,
 *
 *   recall × (½ + ½ precision) ÷ (bytes of a poll + its requests)
 *
 * since what a channel does not tell is lost, and what it tells wrongly only costs visits. What was never tried is thought
 * of by its nature. An offer that failed rests, longer each time, and the next best is asked instead: all of them tell of
 * pages by dates and digests that are compared with what we hold, so nothing is lost in between. Pure.
 */
import type { Instant } from '@comity/protocol'
import { HEAD_BYTES } from '../request-price.ts'
import { isChangeOffer } from '../site-offers.ts'
import type { Offer, ChangeOfferKind } from '../site-offers.ts'

/** What was learnt of one channel of a site. */
export interface ChannelRecord {
  /** Share of the changes that it announces. */
  readonly recall: number
  /** Share of its announcements that are right. */
  readonly precision: number
}

export type ChannelRecords = Readonly<Partial<Record<ChangeOfferKind, ChannelRecord>>>

interface Nature extends ChannelRecord {
  readonly bytes: number
  readonly requests: number
}

/** What is thought of an offer that nobody has tried: ours to say, as nobody has measured them side by side. */
const NATURES: Readonly<Record<ChangeOfferKind, Nature>> = {
  filter: { recall: 0.95, precision: 0.95, bytes: 500, requests: 1 },
  'change-list': { recall: 0.95, precision: 0.95, bytes: 2_000, requests: 1 },
  // 000 §3.3: a list and the open archive, half full.
  'metadata-archive': { recall: 0.9, precision: 0.9, bytes: 20_000, requests: 2 },
  // 002 §6.5.3: 61,504 bytes for 249 pages.
  'robots-rdf': { recall: 0.8, precision: 0.8, bytes: 61_504, requests: 1 },
  // Written for search engines, by whatever wrote the site: lastmod is missing or wrong on many.
  sitemap: { recall: 0.5, precision: 0.6, bytes: 50_000, requests: 1 },
}

/** Nothing is thought of as worthless for good, so that the only offer is still asked, and can mend. */
const LEAST_RECALL = 0.01

/** What is asked at `now`; undefined when there is nothing, or everything rests. */
export function chooseListing(
  offers: readonly Offer[],
  records: ChannelRecords | undefined,
  now: Instant,
): Offer | undefined {
  let best: Offer | undefined
  let most = -Infinity
  for (const offer of offers) {
    if (!isChangeOffer(offer.kind) || offer.restsUntil > now) continue
    const value = valuePerByte(offer, records?.[offer.kind])
    if (value > most) [best, most] = [offer, value]
  }
  return best
}

/** When one of them can be asked again; Infinity when none tells anything. */
export function listingWakesAt(offers: readonly Offer[]): Instant {
  return offers.reduce((at, { kind, restsUntil }) => (isChangeOffer(kind) ? Math.min(at, restsUntil) : at), Infinity)
}

export function valuePerByte(offer: Offer, record?: ChannelRecord): number {
  if (!isChangeOffer(offer.kind)) return 0
  const nature = NATURES[offer.kind]
  const { recall, precision } = record ?? nature
  const { bytes = nature.bytes, requests = nature.requests } = offer
  const cost = Math.max(0, bytes) + Math.max(1, requests) * HEAD_BYTES
  return (Math.max(LEAST_RECALL, recall) * (0.5 + 0.5 * precision)) / cost
}

/** How long an offer rests after so many failures in a row: a minute, then twice as long each time, at most a day. */
export function restMs(failures: number, dayMs: number): number {
  const minute = dayMs / 1_440
  return Math.min(dayMs, minute * 2 ** Math.min(30, Math.max(0, failures - 1)))
}
