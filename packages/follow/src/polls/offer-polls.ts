/** Offer polls: how each kind of document that tells of changes is read. */
import { pollArchives } from './archive-poll.ts'
import { pollChangeList } from './change-list-poll.ts'
import { pollFeeds } from './feed-poll.ts'
import { pollFilter } from './filter-poll.ts'
import { pollPageList } from './page-list-poll.ts'
import { pollRobotsRdf } from './robots-rdf-poll.ts'
import type { OfferPoll } from '../offer-poll.ts'
import type { PolledKind } from '../site-offers.ts'

export const OFFER_POLLS: Readonly<Record<PolledKind, OfferPoll>> = {
  filter: pollFilter,
  'change-list': pollChangeList,
  'metadata-archive': pollArchives,
  'robots-rdf': pollRobotsRdf,
  sitemap: pollPageList,
  feed: pollFeeds,
}
