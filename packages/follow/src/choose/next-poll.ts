/**
 * Next poll: which of a site's offers is polled next, and when. The best of them (`choose/listing-choice.ts`), when news is
 * likely (`choose/poll-period.ts`); a gap in what changes were told is closed first, by what lists all pages. Pure.
 */
import type { Instant } from '@comity/protocol'
import { chooseListing, listingWakesAt } from './listing-choice.ts'
import type { ChannelRecords } from './listing-choice.ts'
import { MAX_OUTDATED, pollPeriodMs } from './poll-period.ts'
import { HEAD_BYTES } from '../request-price.ts'
import type { Offer, SiteOffers } from '../site-offers.ts'

interface NextPollTerms {
  readonly minPollMs: number
  /** The longest that a site is left alone. */
  readonly dayMs: number
}

/** Undefined when there is nothing, or everything rests. */
export function nextPoll(row: SiteOffers, records: ChannelRecords | undefined, now: Instant): Offer | undefined {
  // A change list cannot close a gap in itself.
  const listing = row.isBehind === true ? row.offers.filter(({ kind }) => kind !== 'change-list') : []
  return chooseListing(listing, records, now) ?? chooseListing(row.offers, records, now)
}

/** So that sites which were looked at together are not for ever. */
const JITTER = 0.2

/** `chance`, from 0 to 1, says where within its bounds the moment is. */
export function nextPollAt(
  row: SiteOffers,
  records: ChannelRecords | undefined,
  { minPollMs, dayMs }: NextPollTerms,
  now: Instant,
  chance: () => number,
): Instant {
  const best = nextPoll(row, records, now)
  if (best === undefined) return Math.min(listingWakesAt(row.offers), row.lookAgainAt)
  if (row.toldAt === undefined || (row.isBehind === true && best.kind !== 'change-list')) return now
  const terms = { maxOutdated: MAX_OUTDATED, minMs: minPollMs, maxMs: Math.max(minPollMs, dayMs) }
  const idle = (best.idleBytes ?? 0) + (best.requests ?? 1) * HEAD_BYTES
  const period = pollPeriodMs(row.pace, idle, terms) * (1 + JITTER * (chance() - 0.5))
  return Math.min(row.lookAgainAt, row.toldAt + Math.ceil(Math.max(minPollMs, period)))
}
