/** Offer record: what a search and a poll leave behind in a site's row of offers. Pure. */
import type { Instant } from '@comity/protocol'
import { restMs } from '../choose/listing-choice.ts'
import type { FoundOffers } from './search.ts'
import { paced } from '../choose/poll-period.ts'
import { canListAll, newOffer } from '../site-offers.ts'
import type { Offer, OfferKind, SiteOffers } from '../site-offers.ts'
import type { Spent } from '../site-talk.ts'

/** Weight of the newest poll in what polls cost and bring in the mean. */
const NEWEST = 0.3
/** Offers are looked for once a week, and after a day where something could not be asked. */
const SEARCH_DAYS = 7
const TROUBLED_SEARCH_DAYS = 1
const MAX_PROBLEM_CHARS = 200
const BROKEN_MS = 3_600_000
const MOST_BROKEN_MS = 30 * 86_400_000

/** What was found, with what is known of it; what could not be asked for is still thought to be there. */
export function afterSearch(
  before: SiteOffers | undefined,
  found: FoundOffers,
  at: Instant,
  dayMs: number,
): SiteOffers {
  const { offers, dictionary, push, isTroubled } = found
  const known = before?.offers ?? []
  const merged = offers.map((offer) => withHistory(offer, known))
  const kept = isTroubled ? known.filter((old) => !offers.some((offer) => isSameOffer(old, offer))) : []
  const lookAgainAt = at + (isTroubled ? TROUBLED_SEARCH_DAYS : SEARCH_DAYS) * dayMs
  return {
    ...before,
    lookedAt: at,
    lookAgainAt,
    offers: [...merged, ...kept],
    dictionary,
    push: push ?? (isTroubled ? before?.push : undefined),
  }
}

/** Feeds became known: they are one offer, and no part of the sitemaps. `found`: those that stood among the sitemaps. */
export function withFeeds(row: SiteOffers, feeds: readonly string[], found: readonly string[] = []): SiteOffers {
  const others = row.offers.flatMap((offer) => {
    if (offer.kind === 'feed') return []
    const urls = [offer.url, ...(offer.also ?? [])]
    const [url, ...also] = offer.kind === 'sitemap' ? urls.filter((one) => !found.includes(one)) : urls
    if (url === undefined) return []
    return url === offer.url
      ? [{ ...offer, also: also.length > 0 ? also : undefined }]
      : [{ ...newOffer(offer.kind, url), also }]
  })
  const [url, ...also] = feeds
  if (url === undefined) return { ...row, offers: others }
  return { ...row, offers: [...others, withHistory({ ...newOffer('feed', url), also }, row.offers)] }
}

function withHistory(offer: Offer, known: readonly Offer[]): Offer {
  const old = known.find((one) => isSameOffer(one, offer))
  return old === undefined ? offer : { ...old, also: offer.also, bytes: offer.bytes ?? old.bytes }
}

interface OfferPollOutcome {
  readonly at: Instant
  readonly news: number
  readonly spent: Spent
  readonly problem?: string | undefined
  readonly isBehind?: boolean | undefined
}

/** How long offers that fail rest. */
interface RestTerms {
  readonly dayMs: number
  readonly minPollMs: number
}

export function afterPoll(row: SiteOffers, offer: Offer, outcome: OfferPollOutcome, terms: RestTerms): SiteOffers {
  const isWell = outcome.problem === undefined
  // Other things may have been learnt of the offer since the poll began.
  const next = (one: Offer): Offer => (isWell ? looked(one, outcome) : failed(one, outcome, terms))
  const offers = row.offers.map((one) => (isSameOffer(one, offer) ? next(one) : one))
  // Feeds tell of some changes: how far we were told everything is as it was.
  const isTold = isWell && offer.kind !== 'feed'
  return isTold ? { ...row, ...told(row, offer, outcome), offers } : { ...row, offers }
}

export function isSameOffer(one: Offer, other: Offer): boolean {
  return one.kind === other.kind && one.url === other.url
}

/** Only what lists all pages closes a gap between changes; where there is no such offer, visits have to do. */
function told(row: SiteOffers, { kind }: Offer, { at, news, isBehind }: OfferPollOutcome): Partial<SiteOffers> {
  const isGap = kind === 'change-list' && (row.isBehind === true || isBehind === true)
  const pace = row.toldAt === undefined ? row.pace : paced(row.pace, at - row.toldAt, news > 0)
  return { toldAt: at, isBehind: isGap && canListAll(row.offers), pace }
}

/** The first poll has everything to tell, and says nothing of what the next will cost. */
function looked(offer: Offer, { at, news, spent }: OfferPollOutcome): Offer {
  const well = { ...offer, checkedAt: at, failures: 0, restsUntil: 0, problem: undefined }
  if (offer.checkedAt === 0) return well
  return {
    ...well,
    bytes: mean(offer.bytes, spent.bytes),
    requests: mean(offer.requests, spent.requests),
    idleBytes: news > 0 ? offer.idleBytes : mean(offer.idleBytes, spent.bytes),
    news: mean(offer.news, news),
    ...(offer.kind === 'feed' ? { pace: paced(offer.pace, at - offer.checkedAt, news > 0) } : {}),
  }
}

/**
 * Pages came by an offer: what they cost together, and how many there were, in the mean. `offer` is as it was when they
 * were asked for: trouble that came up since, as a page that was found to be another one, stands.
 */
export function afterBulk(
  row: SiteOffers,
  offer: Offer,
  { at, news, spent }: Pick<OfferPollOutcome, 'at' | 'news' | 'spent'>,
): SiteOffers {
  const next = (one: Offer): Offer => ({
    ...one,
    ...(one.failures > offer.failures ? {} : { failures: 0, restsUntil: 0, problem: undefined }),
    checkedAt: at,
    bytes: mean(one.bytes, spent.bytes),
    requests: mean(one.requests, spent.requests),
    news: one.checkedAt === 0 ? news : mean(one.news, news),
  })
  return { ...row, offers: row.offers.map((one) => (isSameOffer(one, offer) ? next(one) : one)) }
}

/** What a site delivered was of no use, or not to be believed: that way rests, an hour first, twice as long each time. */
export function afterTrouble(row: SiteOffers, kind: OfferKind, problem: string, at: Instant): SiteOffers {
  const offers = row.offers.map((offer) => {
    if (offer.kind !== kind) return offer
    const restsUntil = at + Math.min(MOST_BROKEN_MS, BROKEN_MS * 2 ** offer.failures)
    return { ...offer, failures: offer.failures + 1, problem: problem.slice(0, MAX_PROBLEM_CHARS), restsUntil }
  })
  return { ...row, offers }
}

/** Asking the filter for pages was worth it. */
export function afterGoodPages(row: SiteOffers): SiteOffers {
  const mended = { bringFailures: undefined, bringProblem: undefined, bringsAgainAt: undefined }
  return { ...row, offers: row.offers.map((offer) => (offer.kind === 'filter' ? { ...offer, ...mended } : offer)) }
}

/** Asking the filter for pages was of no use, or its pages not to be believed; what changed is asked for all the same. */
export function afterBadPages(row: SiteOffers, problem: string, at: Instant): SiteOffers {
  const offers = row.offers.map((offer) => {
    if (offer.kind !== 'filter') return offer
    const bringFailures = (offer.bringFailures ?? 0) + 1
    const bringsAgainAt = at + Math.min(MOST_BROKEN_MS, BROKEN_MS * 2 ** (bringFailures - 1))
    return { ...offer, bringProblem: problem.slice(0, MAX_PROBLEM_CHARS), bringFailures, bringsAgainAt }
  })
  return { ...row, offers }
}

function failed(offer: Offer, { at, problem }: OfferPollOutcome, { dayMs, minPollMs }: RestTerms): Offer {
  const failures = offer.failures + 1
  const restsUntil = at + Math.max(minPollMs, restMs(failures, dayMs))
  return { ...offer, failures, problem: problem?.slice(0, MAX_PROBLEM_CHARS), restsUntil }
}

function mean(before: number | undefined, newest: number): number {
  return before === undefined ? newest : before + NEWEST * (newest - before)
}
