export { GatewayStore, gatewayRows } from './gateway/store.ts'
export type { GatewayRow, GatewayRows } from './gateway/store.ts'
export { digestUnpackedBatch, unpackedBatchLimits, unpackGatewayBatch, urlsOfNews } from './gateway/unpacked-batch.ts'
export type {
  GatewayDigest,
  UnpackedGatewayBatch,
  UnpackedBatchLimits,
  ReadUnpackedBatch,
} from './gateway/unpacked-batch.ts'
export { GATEWAY_OUTCOMES } from './gateway/outcome.ts'
export type { GatewayOutcome } from './gateway/outcome.ts'
export { GATEWAY_ORIGIN } from './gateway/port.ts'
export type { GatewayPort } from './gateway/port.ts'
export { isTaken, withBatch } from './gateway/runs.ts'
export type { GatewayRun } from './gateway/runs.ts'
export { INTAKE_OUTCOMES } from './intake-outcome.ts'
export type { IntakeOutcome } from './intake-outcome.ts'
export { EVENT_NAMES, committed, robotsRead, sentIn, siteGivenUp, visited } from './events.ts'
export type { CommitEvent, RobotsEvent, SentEvent, SiteGivenUpEvent, VisitEvent } from './events.ts'
export { knownHooks } from './hooks.ts'
export type { Hooks } from './hooks.ts'
export type { SeenCapture } from './seen-capture.ts'
export {
  isErrorOutcome,
  isNobodyThere,
  isRedirect,
  meaningOf,
  outcomeOfError,
  outcomeOfStatus,
  OUTCOMES,
} from './outcome.ts'
export type { Outcome, SiteOutcome } from './outcome.ts'
export { Tally, TOTALS, earlierTotals, failuresOf, pagesNeedingScripts } from './tally.ts'
export type { Totals } from './tally.ts'
export { SKIP_REASONS, archivedOf } from './documents/archive-record.ts'
export type { ArchivedAnswer, ArchivedRevisit, SkipReason } from './documents/archive-record.ts'
export { contentKey, isDigestOf, isSameKey, keyOfDigest } from './content-key.ts'
export { comparableChange, judgePush } from './push-verdict.ts'
export type { PushVerdict, PushedVersion } from './push-verdict.ts'
export { isLight, ownDocuments } from './documents/work.ts'
export type { Documents, ListedLoc, ReadRules, WorkArgs } from './documents/work.ts'
export type { ArchiveStretch, DumpedPage } from './documents/archive-stretch.ts'
export { FAULT, FaultIsolation, attemptsPath } from './faults/fault-isolation.ts'
export type { FaultAbout } from './faults/fault-isolation.ts'
export { PageHandler } from './page-handler.ts'
export type { SettledVisit } from './page-handler.ts'
export { CrawlFollowUp } from './deposit/follow-up.ts'
export type { FollowUp, PageTask } from './deposit/follow-up.ts'
export { defaultThreads, ReadingPool } from './read/pool.ts'
export { timingsOf } from './exchange.ts'
export type { AnsweredExchange, Exchange, Head, PageAnswer, Timed, Truncation } from './exchange.ts'
export { cutProblem } from './documents/read-document.ts'
export {
  askableTypes,
  followedKinds,
  isMediaTypeCrawl,
  isSurelyUnwanted,
  isWanted,
  listedReason,
  mayBeWanted,
  mayLead,
} from './media-type-wish.ts'
export type { TypeWish } from './media-type-wish.ts'
export { isStrongDate, strongValidator } from './documents/strong-validator.ts'
export { zipDirectory } from './documents/zip-directory.ts'
export { MAX_DOCUMENT_BYTES, replyOf } from './documents/reply.ts'
export type { Ask, DocumentMark, DocumentReply, Reply } from './documents/reply.ts'
export { locationOf } from './location.ts'
export { DocumentThread } from './documents/thread.ts'
export { Acknowledgements } from './deposit/acknowledgements.ts'
export { earlierVisits } from './earlier-visits.ts'
export { GroupCommit } from './deposit/group-commit.ts'
export { LinkHandler } from './deposit/link-handler.ts'
export { OwnersFault } from './faults/owners-fault.ts'
export { shippedLinks } from './read/reading.ts'
export { release } from './documents/leftovers.ts'
export { MAX_TYPE, wordsOfPage, wordsOfText } from './read/term-sender.ts'
export type { SentTerms, TermFeed } from './read/term-sender.ts'
export type { Reading, ReadingOptions } from './read/reading.ts'
export { inMemory, unpackEntry } from './documents/zip-unpack.ts'
export { ROWS_A_TURN, TurnTaking } from './documents/turn-taking.ts'
export { isCooperationRow, isReadingFact, isWatchMemory } from './stored-shapes.ts'
export { fold } from './fold.ts'
export type { Ending } from './fold.ts'
export type { Topic } from './read/topic-reader.ts'
export { headOfWords, heldWords, isWordsOnly, sentWords, wordsOf } from './read/sent-words.ts'
export type { SentWords } from './read/sent-words.ts'
export { lastConfirmedAt, judgeSeen } from './gateway/verdict.ts'
export { IngestEvents } from './ingest-events.ts'
export type { IngestKinds } from './ingest-events.ts'
export { pageFacts, viewOfFact } from './page-facts.ts'
export type { PageFact, PageFactViews } from './page-facts.ts'
