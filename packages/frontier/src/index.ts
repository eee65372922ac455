export { Frontier } from './queue/frontier.ts'
export { siteLimits } from './queue/frontier-options.ts'
export type { Discovery, FrontierOptions, SiteBudget, SiteLimits } from './queue/frontier-options.ts'
export { ALL_ADDRESSES, NO_PARENT, pageLogUnreadable, readPageLog } from './queue/frontier-batch.ts'
export type { FrontierBatch, FrontierSource, PageLogReader, BatchPageText } from './queue/frontier-batch.ts'
export type { HomeOf } from './shard/elsewhere.ts'
export { FrontierError } from './errors.ts'
export type { FrontierErrorCode } from './errors.ts'
export type { Disposition, Lease, Task } from './queue/lease.ts'
export { LinkGraph } from './order/link-graph.ts'
export { locationRules, parseLocationRules } from './order/location-score.ts'
export type { LocationRules } from './order/location-score.ts'
export { METRICS, metricNamed } from './order/metric.ts'
export type { Metric, MetricKind } from './order/metric.ts'
export { simpleOrder } from './order/order.ts'
export type { Order, OrderSettings, PageFacts, PageVisit, RankedWeb, Ranking, OrderSiteFacts } from './order/order.ts'
export { ORDERS, orderNamed, parseOrder, usableOrders } from './order/orders.ts'
export type { OrderKind } from './order/orders.ts'
export { parseExpression } from './order/expression.ts'
export { LimitedBuffer } from './order/limited-buffer.ts'
export { DAMPING, PageRank, TOLERANCE } from './order/page-rank.ts'
export type { BatchOptions, ChosenBatch } from './queue/page-queues.ts'
export {
  HOT_BODY_WORDS,
  WordCounts,
  isHot,
  topicSimilarity,
  similarityDefaults,
  wordCounts,
} from './order/similarity.ts'
export type { Idf, SimilarityOptions } from './order/similarity.ts'
export { DONE, FAILED, FORGOTTEN, LEASED, EXCLUDED, PAGE_STATES, WAITING, WRITTEN_STATES } from './queue/page-table.ts'
export type { PageState } from './queue/page-table.ts'
export { addressRestMs, connectionPages, politeDefaults } from './queue/politeness.ts'
export type { Answer, Politeness } from './queue/politeness.ts'
export { excludedPages } from './queue/excluded-pages.ts'
export {
  EXCLUSION_REASONS,
  endsMazes,
  exclusionSentence,
  holdsForKnown,
  judgedAgain,
  readmittedBy,
  reasonCode,
  reasonNamed,
} from './queue/exclusion-reasons.ts'
export type { ExclusionReason } from './queue/exclusion-reasons.ts'
export { SCOPE_KINDS, createScope, scopePattern } from './queue/scope.ts'
export type { ScopeFacts, Scope, ScopeKind, ScopeOptions } from './queue/scope.ts'
export type { Prerequisite, SiteRow } from './queue/site.ts'
export { NOTHING_SEEN, changeRate, withVisit } from './revisit/change-rate.ts'
export type { ChangeStats, RatePrior, RateVisit } from './revisit/change-rate.ts'
export type { RecallState } from './trust/channel-recall.ts'
export { SiteTrust } from './trust/site-trust.ts'
export type { ChannelState, Quarantine, QuarantineReason, SiteTrustState, TrustEvidence } from './trust/site-trust.ts'
export type { HeldPage, RevisitResult } from './revisit/knowledge.ts'
export { REVISIT_POLICIES, outdatedProbability, parsePolicy, policyDefaults, policyNamed } from './revisit/policies.ts'
export type { PolicySettings, RevisitFacts, RevisitPolicy, RevisitPolicyKind } from './revisit/policies.ts'
export { RevisitQueue } from './revisit/queue.ts'
export type { Revisit, RevisitOptions, SiteClock } from './revisit/queue.ts'
export { decodeRevisitRecord, encodeRevisitRecord } from './revisit/revisit-record.ts'
export type { RevisitRecord } from './revisit/revisit-record.ts'
export { judgeSignal, markOf, versionMark } from './trust/signal-filter.ts'
export type { SignalVerdict } from './trust/signal-filter.ts'
export type { Expectation, SignalCounts, SignalRatesState } from './trust/signal-rates.ts'
export { VisitBudget } from './queue/visit-budget.ts'
export type { BudgetOptions } from './queue/visit-budget.ts'
