/** Offer due: which of a site's offers is looked at next, and when. Pure. */
import type { Instant } from '@comity/protocol'
import { HEAD_BYTES, MAX_OUTDATED, chooseListing, listingWakesAt, pollPeriodMs } from '@comity/follow'
import type { ChannelRecords, Offer, SiteOffers } from '@comity/follow'
import type { WatchOptions } from '../watch-options.ts'

/** So that sites which were looked at together are not for ever. */
const JITTER = 0.2

export function chooseOffer(row: SiteOffers, records: ChannelRecords | undefined, now: Instant): Offer | undefined {
  // A change list cannot close a gap in itself.
  const listing = row.isBehind === true ? row.offers.filter(({ kind }) => kind !== 'change-list') : []
  return chooseListing(listing, records, now) ?? chooseListing(row.offers, records, now)
}

export function offersDueAt(
  row: SiteOffers | undefined,
  records: ChannelRecords | undefined,
  { minPollMs, dayMs }: Pick<WatchOptions, 'minPollMs' | 'dayMs'>,
  now: Instant,
  random: () => number,
): Instant {
  if (row === undefined) return now
  const best = chooseOffer(row, records, now)
  if (best === undefined) return Math.min(listingWakesAt(row.offers), row.lookAgainAt)
  if (row.toldAt === undefined || (row.isBehind === true && best.kind !== 'change-list')) return now
  const terms = { maxOutdated: MAX_OUTDATED, minMs: minPollMs, maxMs: Math.max(minPollMs, dayMs) }
  const idle = (best.idleBytes ?? 0) + (best.requests ?? 1) * HEAD_BYTES
  const period = pollPeriodMs(row.pace, idle, terms) * (1 + JITTER * (random() - 0.5))
  return Math.min(row.lookAgainAt, row.toldAt + Math.ceil(Math.max(minPollMs, period)))
}
