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
