export { Frontier } from './frontier.ts'
export { siteLimits } from './frontier-options.ts'
export type { Find, FrontierOptions, SiteBudget, SiteLimits } from './frontier-options.ts'
export { EVERYWHERE, NO_PARENT, findInJournal } from './frontier-batch.ts'
export type { FrontierBatch, FrontierSource, PageText } from './frontier-batch.ts'
export { FrontierError } from './errors.ts'
export type { FrontierErrorCode } from './errors.ts'
export type { Fate, Lease, Task } from './lease.ts'
export { MemoryStore } from './memory-store.ts'
export { chooseBatch } from './batch-choice.ts'
export { LinkGraph } from './link-graph.ts'
export { locationRules, parseLocationRules } from './location-score.ts'
export type { LocationRules } from './location-score.ts'
export { METRICS, metricNamed } from './metric.ts'
export type { Metric, MetricKind } from './metric.ts'
export { simpleOrder } from './order.ts'
export type { Order, OrderSettings, PageFacts, PageVisit, RankedWeb, Ranking, SiteFacts } from './order.ts'
export { ORDERS, orderNamed, parseOrder } from './orders.ts'
export type { OrderKind } from './orders.ts'
export { parseExpression } from './expression.ts'
export { KeepBuffer } from './keep-buffer.ts'
export { DAMPING, PageRank, TOLERANCE } from './page-rank.ts'
export type { BatchOptions, ChosenBatch } from './page-queues.ts'
export {
  HOT_BODY_WORDS,
  WordCounts,
  isHot,
  mentions,
  similarity,
  similarityDefaults,
  wordCounts,
} from './similarity.ts'
export type { Idf, SimilarityOptions } from './similarity.ts'
export { DONE, FAILED, FORGOTTEN, LEASED, OUTSIDE, PAGE_STATES, WAITING } from './page-table.ts'
export type { PageState } from './page-table.ts'
export { nextConnectionAt, nextRequestAt, politeManners } from './politeness.ts'
export type { Answer, Manners } from './politeness.ts'
export { OUTSIDE_REASONS, SCOPE_KINDS, createScope, reasonCode, reasonNamed } from './scope.ts'
export type { Found, OutsideReason, Scope, ScopeKind, ScopeOptions } from './scope.ts'
export type { Errand, SiteRow } from './site.ts'
export {
  HALF_DAY_PRIOR,
  NOTHING_SEEN,
  changeRate,
  datedChangeRate,
  exactChangeRate,
  loggedChangeRate,
  priorRate,
  regularChangeRate,
  sitePrior,
  withVisit,
} from './change-rate.ts'
export type { ChangeStats, DatedSums, RatePrior, RateVisit } from './change-rate.ts'
export type { RecallState } from './channel-recall.ts'
export { SiteTrust } from './channel-trust.ts'
export type { ChannelState, Quarantine, QuarantineReason, SiteTrustState, TrustEvidence } from './channel-trust.ts'
export { shareAtLeast, shareAtMost } from './confidence.ts'
export { expectedValue, noisyValue, r1, suspicionWorth, valuePerCost, visitCycle } from './crawl-value.ts'
export type { NoisyPage } from './crawl-value.ts'
export { VISIT_PATTERNS, ageOf, freshnessOf } from './freshness.ts'
export type { VisitPattern } from './freshness.ts'
export type { HeldPage, RevisitResult } from './revisit-knowledge.ts'
export { REVISIT_POLICIES, outdatedProbability, parsePolicy, policyDefaults, policyNamed } from './revisit-policies.ts'
export type { PolicySettings, RevisitFacts, RevisitPolicy, RevisitPolicyKind } from './revisit-policies.ts'
export { RevisitQueue, revisitDefaults } from './revisit-queue.ts'
export type { Revisit, RevisitOptions, RevisitReason, SiteClock } from './revisit-queue.ts'
export { decodeRevisitRecord, encodeRevisitRecord } from './revisit-record.ts'
export type { RevisitRecord } from './revisit-record.ts'
export { judgeSignal, markOf, versionMark } from './signal-filter.ts'
export type { HeardBefore, SignalVerdict } from './signal-filter.ts'
export type { Expectation, SignalCounts, SignalRatesState } from './signal-rates.ts'
export { fitTrust } from './trust-fit.ts'
export type { TrustPrior, TrustVisit } from './trust-fit.ts'
export { VisitBudget } from './visit-budget.ts'
export type { BudgetOptions } from './visit-budget.ts'
export {
  calendarFreshness,
  calendarPrices,
  calendarRates,
  harmonicRates,
  politeRates,
  randomRates,
} from './visit-rates.ts'
export type { HostedPage, RatedPage } from './visit-rates.ts'
