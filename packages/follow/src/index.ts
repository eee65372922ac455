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
export { lastWatch, recordWatchRun } from './memory/watch-memory.ts'
export type { WatchMemory } from './memory/watch-memory.ts'
export { planChangeDump } from './bulk/change-dump-plan.ts'
export type { ChangeDumpPlan } from './bulk/change-dump-plan.ts'
export { chooseDelivery, chooseFirstCopy, wantsPages } from './choose/delivery-choice.ts'
export type { Deliveries, DuePage, Estimate } from './choose/delivery-choice.ts'
export { MAX_PACKAGE_BYTES, dumpLimits, dumpedHeaders, isOutdated, readDumpPackage } from './bulk/dump-package.ts'
export type { PackedEntry } from './bulk/dump-package.ts'
export { Questions } from './questions.ts'
export { canListAll, isChangeOffer, newOffer, CHANGE_OFFERS } from './site-offers.ts'
export type {
  BulkWay,
  BulkOfferKind,
  Offer,
  OfferKind,
  PolledKind,
  PushOffer,
  SiteOffers,
  ChangeOfferKind,
} from './site-offers.ts'
export { SiteTalk } from './site-talk.ts'
export type { Spent } from './site-talk.ts'
export { answerOfSent, reportedOfSent } from './sent-page.ts'
export { planDump, readPackages } from './bulk/dump-plan.ts'
export type { DumpPackage, DumpPlan, DumpTerms } from './bulk/dump-plan.ts'
export { DumpFetch } from './bulk/dump-fetch.ts'
export type { FilePart } from './bulk/dump-fetch.ts'
export { BATCH_PAGES, batchQuestion, readBatchOf, sortBatch } from './bulk/page-batch.ts'
export { judgeClaim, judgeSentVersion } from './choose/sent-judgement.ts'
export type { IntakeChoice, SentVersion } from './choose/sent-judgement.ts'
export { HeldVersion } from './held-version.ts'
export type { HeldOptions, Rebuilt } from './held-version.ts'
export { isNewsOf, keptDigest, shortDigest, signalOfReport } from './reported-signal.ts'
export { nextPoll, nextPollAt } from './choose/next-poll.ts'
export {
  afterBadPages,
  afterBulk,
  afterGoodPages,
  afterPoll,
  afterSearch,
  afterTrouble,
  isSameOffer,
  withFeeds,
} from './offers/record.ts'
export { NO_REQUEST, TOO_COSTLY_REPLY, inquire, headersOf } from './inquiry.ts'
export type { Inquiry } from './inquiry.ts'
export { OFFER_POLLS } from './polls/offer-polls.ts'
export { ownUrl } from './offer-poll.ts'
export type { ChangedPagesWish, BulkCost, OfferPoll, OfferPollEnd, OfferPollParts, ReportedPage } from './offer-poll.ts'
export { OfferMemory } from './offers/memory.ts'
export { FeedLinks } from './offers/feed-links.ts'
export { searchOffers } from './offers/search.ts'
export type { BrokenDocument, FoundOffers } from './offers/search.ts'
export { WHOLE_LISTINGS, pollForTypes } from './polls/media-type-poll.ts'
export type { MediaTypePoll } from './polls/media-type-poll.ts'
export { LIE_WEIGHTS, NEW_PUSH_RECORD, checkedPush, isHintOnly, isToBeChecked, tookPush } from './choose/push-record.ts'
export type { PushFinding, PushRecord } from './choose/push-record.ts'
export { findingOf, judgeUnfetched, isSameVersion, isWorthAnother, pageLookOf, staleForMs } from './choose/push-look.ts'
export type { PageLook, SentClaim } from './choose/push-look.ts'
export { SitePriority } from './choose/site-priority.ts'
export { chooseSubscriptions } from './choose/subscription-choice.ts'
export type { Candidate } from './choose/subscription-choice.ts'
export { Calendar } from './choose/calendar.ts'
export type { ChannelRecords } from './choose/listing-choice.ts'
export { paced, pollPeriodMs } from './choose/poll-period.ts'
export type { NewsPace } from './choose/poll-period.ts'
export { HEAD_BYTES } from './request-price.ts'
export { ExpiresCalendar } from './choose/expires-calendar.ts'
