export { PushStore } from './memory/push-store.ts'
export type { PushRow, IntakeFigures, SubscriptionRow } from './memory/push-store.ts'
export type {
  DelayFigures,
  EndpointFigures,
  PushFigures,
  SchemeFigures,
  SubscriptionCounts,
  WatchSample,
} from './memory/watch-sample.ts'
export { isBelieved } from './memory/push-story.ts'
export type { PushStory } from './memory/push-story.ts'
export { cooperationStory, isCooperating, recordsOf } from './memory/cooperation-story.ts'
export type { ChannelStory, CooperationStory, OfferStory } from './memory/cooperation-story.ts'
export { CooperationStore, cooperationOf } from './memory/cooperation-store.ts'
export type { CooperationRow } from './memory/cooperation-store.ts'
export { freshnessStory } from './memory/freshness-story.ts'
export type { FreshnessStory } from './memory/freshness-story.ts'
export { lastWatch, rememberWatch } from './memory/watch-memory.ts'
export type { WatchMemory } from './memory/watch-memory.ts'
export { planChangeDump } from './bulk/change-dump-plan.ts'
export type { ChangeDumpPlan } from './bulk/change-dump-plan.ts'
export { chooseDelivery, chooseFirstCopy, wantsPages } from './choose/delivery-choice.ts'
export type { Deliveries, DuePage, Estimate } from './choose/delivery-choice.ts'
export { MAX_PACKAGE_BYTES, dumpLimits, dumpedHeaders, readDumpPackage } from './bulk/dump-package.ts'
export type { PackedEntry } from './bulk/dump-package.ts'
export { Questions } from './questions.ts'
export { canListAll, isTelling } from './site-offers.ts'
export type { Bringer, BringingKind, Offer, OfferKind, SiteOffers, TellingKind } from './site-offers.ts'
export { SiteTalk } from './site-talk.ts'
export type { Spent } from './site-talk.ts'
export { answerOfSent } from './sent-page.ts'
export { planDump } from './bulk/dump-plan.ts'
export type { DumpPackage, DumpPlan, DumpTerms } from './bulk/dump-plan.ts'
export {
  afterBadPages,
  afterBringing,
  afterGoodPages,
  afterPoll,
  afterSearch,
  afterTrouble,
  isSameOffer,
} from './offers/record.ts'
export { PAUSE, UNASKED, UNREAD, headersOf } from './conversation.ts'
export type { Conversation } from './conversation.ts'
export { pollChangeList } from './polls/change-list-poll.ts'
export { ownUrl } from './offer-poll.ts'
export type { Bringing, Brought, OfferPoll, OfferPollEnd, ReportedPage } from './offer-poll.ts'
export { OfferMemory } from './offers/memory.ts'
export { searchOffers } from './offers/search.ts'
export type { Found } from './offers/search.ts'
export { WHOLE_LISTINGS, pollForTypes } from './polls/media-type-poll.ts'
export type { MediaTypePoll } from './polls/media-type-poll.ts'
export { pollArchives } from './polls/archive-poll.ts'
export { pollFilter } from './polls/filter-poll.ts'
export { pollPageList } from './polls/page-list-poll.ts'
export { pollRobotsRdf } from './polls/robots-rdf-poll.ts'
export { NEW_PUSH_RECORD, checkedPush, isHintOnly, isToBeChecked, tookPush } from './choose/push-record.ts'
export type { PushRecord } from './choose/push-record.ts'
export { SitePriority } from './choose/site-priority.ts'
export { chooseSubscriptions } from './choose/subscription-choice.ts'
export type { Candidate } from './choose/subscription-choice.ts'
export { Calendar } from './choose/calendar.ts'
export { chooseListing, listingWakesAt } from './choose/listing-choice.ts'
export type { ChannelRecords } from './choose/listing-choice.ts'
export { MAX_OUTDATED, pollPeriodMs } from './choose/poll-period.ts'
export { HEAD_BYTES } from './request-price.ts'
export { ExpiresCalendar } from './choose/expires-calendar.ts'
