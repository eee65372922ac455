export { Attempts, endedAtWork, notedWork } from './faults/attempts.ts'
export type { AttemptNote } from './faults/attempts.ts'
export { contentVersion, isGoneOrMoved } from './rows/change-list.ts'
export { knownAs, stillKnownAs } from './rows/known-as.ts'
export type { Change } from './rows/change-list.ts'
export { follow } from './follow.ts'
export type { FollowedAnswer, FollowedChange, FollowedPage, FollowOptions } from './follow.ts'
export { FollowedCollection } from './followed-collection.ts'
export { Collection } from './collection.ts'
export { collectionDefaults } from './collection-options.ts'
export type { CollectionOptions } from './collection-options.ts'
export { CollectionError } from './errors.ts'
export type { CollectionErrorCode } from './errors.ts'
export {
  DeadLetters,
  deadLetters,
  dropLetters,
  LETTER_KINDS,
  letterSummary,
  readLetter,
  retryLetters,
} from './faults/dead-letters.ts'
export type {
  DeadLetter,
  DeadLetterGroup,
  LetterKind,
  LetterLimits,
  LetterSummary,
  LetterWriter,
  NewLetter,
} from './faults/dead-letters.ts'
export { countSent, dropContents, forgetPages, forgetSite, forgottenSites } from './forget/forget.ts'
export type { ForgetOptions, Forgotten } from './forget/forget.ts'
export { inboxCursor } from './forget/sent.ts'
export type { ForgottenSent } from './forget/sent.ts'
export type { RedactedRemainder, RedactedItem, SentContent, SentRedactor } from './inbox/sent-content.ts'
export { FORGOTTEN_SEED_MARK } from './forget/forgotten-rows.ts'
export { FileInbox } from './inbox/file-inbox.ts'
export type { InboxFigures, InboxOptions } from './inbox/file-inbox.ts'
export { examineState, isMendable, removeRows, wantWhole } from './rows/state-repair.ts'
export type { StateTrial } from './rows/state-trial.ts'
export { readManifest, renewManifest } from './manifest.ts'
export { factKind, FACTS } from './rows/facts.ts'
export type { FactKind, Facts } from './rows/facts.ts'
export type { FrontierRows } from './rows/frontier-rows.ts'
export { INBOX_DOORS, INBOX_SCHEMES, MAX_INLINE_BYTES } from './inbox/inbox.ts'
export type {
  Appended,
  BodyFile,
  Inbox,
  InboxDepth,
  InboxEndpoint,
  InboxItem,
  InboxProof,
  InboxScheme,
  KeyClaim,
  NewInboxItem,
  WaitingItem,
} from './inbox/inbox.ts'
export { knownPages } from './rows/known-pages.ts'
export type { KnownPage } from './rows/known-pages.ts'
export { encodeLinks, packAnchors, unpackAnchors } from './rows/link-list.ts'
export type { StoredLink } from './rows/link-list.ts'
export { MemoryInbox } from './inbox/memory-inbox.ts'
export type { MemoryInboxOptions } from './inbox/memory-inbox.ts'
export type { PageText } from './rows/page-texts.ts'
export type {
  AllFields,
  AnswerKind,
  BodyRow,
  CaptureRow,
  Scheme,
  PageRow,
  RobotsRow,
  SiteFacts,
  Timings,
  WarcPosition,
} from './rows/rows.ts'
export { storedPage } from './rows/stored-page.ts'
export type { StoredPage } from './rows/stored-page.ts'
export {
  isAmount,
  isBytes,
  isCount,
  isFlag,
  isHour,
  isInstant,
  isNumber,
  isText,
  isListOf,
  isMapOf,
  isMaybe,
  isOneOf,
  isRecordOf,
} from './rows/row-shape.ts'
export type { Shape } from './rows/row-shape.ts'
export type { Opening, Taken } from './rows/shard-lists.ts'
export { SpoolFile } from './warc/spool-file.ts'
export type { Subscription, SubscriptionState, SubscriptionWish } from './inbox/subscription.ts'
export { SubscriptionStore } from './inbox/subscription-store.ts'
export type { Confirmation, SubscriptionStoreOptions } from './inbox/subscription-store.ts'
export { survey } from './rows/survey.ts'
export type { SiteSurvey, Survey } from './rows/survey.ts'
export type { Deposit } from './rows/uncommitted.ts'
export { withHits, addHour, decodeReading, encodeReading, fadedTo, HOUR_MS } from './rows/reading-row.ts'
export type { HourHits, NewHits, ReadingRow } from './rows/reading-row.ts'
export { isStorageFault } from './faults/storage-fault.ts'
export { readableContent, storedContent, storedHeaders } from './warc/stored-content.ts'
export type { ReadableContent, StoredContent } from './warc/stored-content.ts'
