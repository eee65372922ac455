export type { IndexDocument } from './document.ts'
export { IndexError } from './errors.ts'
export type { IndexErrorCode } from './errors.ts'
export { readIndexManifest } from './index-manifest.ts'
export { indexDamage } from './read/index-damage.ts'
export { IndexReader } from './read/index-reader.ts'
export type { IndexView } from './read/index-reader.ts'
export { IndexWriter } from './write/index-writer.ts'
export type { IndexWriterOptions, ReadPlace, ShippedPlace } from './write/index-writer.ts'
export { PageAnalyzer, TermDictionary } from './write/page-terms.ts'
export type { PageTerms, DocumentText } from './write/page-terms.ts'
export { readPageValues, writePageValues } from './format/page-values.ts'
export type { ValueName } from './format/page-values.ts'
export { PdfReader } from './pdf/pdf-text.ts'
export { timesAsked } from './query/match-plan.ts'
export type { Plan } from './query/match-plan.ts'
export type { QueryLeaf } from './query/query.ts'
export { readSince } from './query/filter.ts'
export { pageFilter } from './query/page-filter.ts'
export type { PageTest } from './query/page-filter.ts'
export { readShipment, SHIPMENT_TYPE, shipmentFormat, writeShipment } from './ship/posting-shipment.ts'
export type { ReadShipment, ShipmentFormat, ShipmentLimits } from './ship/posting-shipment.ts'
export { RANKINGS, rankDefaults } from './rank/ranking.ts'
export type { RankWeights } from './rank/ranking.ts'
export { SearchEngine } from './search-engine.ts'
export type { SearchEngineOptions } from './search-engine.ts'
export { MAX_OFFSET, MAX_RESULTS } from './search-steps.ts'
export type { ContentSource, PageContent } from './rank/shown-results.ts'
export { DocumentShipper, shipDocument } from './ship/ship-document.ts'
export type { ShippedPage } from './ship/ship-document.ts'
export { shippedFromRecord, shippedLimits, shippedText } from './ship/shipped-document.ts'
export type { ReadShipped, ShippedDocument, ShippedLine, ShippedLink, ShippedText } from './ship/shipped-document.ts'
export type { Facet, RankName, SearchAnswer, SearchRequest, SearchResult, Snippet } from './search-types.ts'
export { IndexPart } from './parts/index-part.ts'
export type {
  FactsQuestion,
  IndexPartOptions,
  PartFacts,
  PartHit,
  PartRanking,
  SearchedPart,
  ShownHit,
  ShowQuestion,
} from './parts/index-part.ts'
export { SearchOfParts } from './parts/search-of-parts.ts'
export type { AnswerOfParts, PartResult } from './parts/search-of-parts.ts'
export type { RankStep } from './search-steps.ts'
export type { ScoringStatistics } from './rank/collection-statistics.ts'
