/**
 * Next poll: which of a site's offers is polled next, and when. The best of them (`choose/listing-choice.ts`), when news is
 * likely (`choose/poll-period.ts`); a gap in what changes were told is closed first, by what lists all pages. Feeds tell of some
 * changes, sooner than a sitemap does: they are polled beside one, at a pace of their own, or where there is nothing else. Pure.
 */
import type { Instant } from '@comity/protocol'
import { chooseListing, listingWakesAt } from './listing-choice.ts'
import type { ChannelRecords } from './listing-choice.ts'
import { MAX_OUTDATED, pollPeriodMs } from './poll-period.ts'
import type { NewsPace } from './poll-period.ts'
import { HEAD_BYTES } from '../request-price.ts'
import type { Offer, SiteOffers } from '../site-offers.ts'

interface NextPollTerms {
  readonly minPollMs: number
  /** The longest that a site is left alone. */
  readonly dayMs: number
}

/** Undefined when there is nothing, or everything rests. */
export function nextPoll(
  row: SiteOffers,
  records: ChannelRecords | undefined,
  terms: NextPollTerms,
  now: Instant,
): Offer | undefined {
  const listing = nextListing(row, records, now)
  const feeds = feedsBeside(row, listing)
  if (feeds === undefined || feeds.restsUntil > now) return listing
  if (listing === undefined) return feeds
  return listingAt(row, listing, terms, now, MIDDLE) <= feedsAt(feeds, terms, MIDDLE) ? listing : feeds
}

function nextListing(row: SiteOffers, records: ChannelRecords | undefined, now: Instant): Offer | undefined {
  // A change list cannot close a gap in itself.
  const listing = row.isBehind === true ? row.offers.filter(({ kind }) => kind !== 'change-list') : []
  return chooseListing(listing, records, now) ?? chooseListing(row.offers, records, now)
}

/** What tells of all changes, and in time, leaves nothing to feeds. */
function feedsBeside(row: SiteOffers, listing: Offer | undefined): Offer | undefined {
  if (listing !== undefined && listing.kind !== 'sitemap') return undefined
  return row.offers.find(({ kind }) => kind === 'feed')
}

/** So that sites which were looked at together are not for ever. */
const JITTER = 0.2

/** `chance`, from 0 to 1, says where within its bounds the moment is. */
export function nextPollAt(
  row: SiteOffers,
  records: ChannelRecords | undefined,
  terms: NextPollTerms,
  now: Instant,
  chance: () => number,
): Instant {
  const listing = nextListing(row, records, now)
  const feeds = feedsBeside(row, listing)
  const listedAt = listing === undefined ? listingWakesAt(row.offers) : listingAt(row, listing, terms, now, chance)
  const fedAt = feeds === undefined ? Infinity : Math.max(feeds.restsUntil, feedsAt(feeds, terms, chance))
  return Math.min(listedAt, fedAt, row.lookAgainAt)
}

const MIDDLE = (): number => 0.5

function listingAt(row: SiteOffers, listing: Offer, terms: NextPollTerms, now: Instant, chance: () => number): Instant {
  if (row.toldAt === undefined || (row.isBehind === true && listing.kind !== 'change-list')) return now
  return row.toldAt + periodOf(listing, row.pace, terms, chance)
}

/** The first time, at once. */
function feedsAt(feeds: Offer, terms: NextPollTerms, chance: () => number): Instant {
  return feeds.checkedAt === 0 ? 0 : feeds.checkedAt + periodOf(feeds, feeds.pace, terms, chance)
}

function periodOf(
  offer: Offer,
  pace: NewsPace | undefined,
  { minPollMs, dayMs }: NextPollTerms,
  chance: () => number,
): number {
  const terms = { maxOutdated: MAX_OUTDATED, minMs: minPollMs, maxMs: Math.max(minPollMs, dayMs) }
  const idle = (offer.idleBytes ?? 0) + (offer.requests ?? 1) * HEAD_BYTES
  const period = pollPeriodMs(pace, idle, terms) * (1 + JITTER * (chance() - 0.5))
  return Math.ceil(Math.max(minPollMs, period))
}
