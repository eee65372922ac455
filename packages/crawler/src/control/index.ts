/**
 * OfferPoll at a crawl of another process, and steer it: the client alone. Whoever only does that need not load a crawler.
 */
export { connectCrawl } from './client.ts'
export type { CrawlLine } from './client.ts'
export { ControlError } from './control-error.ts'
export type { ControlErrorCode } from './control-error.ts'
export type { CrawlBudget } from './crawl-budget.ts'
export type { AddedSeed, CrawlStatus } from './crawl-control.ts'
export type { CrawlSample } from './crawl-sample.ts'
