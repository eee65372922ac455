export { Attempts, endedAtWork, notedWork } from './attempts.ts'
export type { AttemptNote } from './attempts.ts'
export { contentVersion, isGone } from './change-list.ts'
export type { Change } from './change-list.ts'
export { Collection } from './collection.ts'
export { collectionDefaults } from './collection-options.ts'
export type { CollectionOptions } from './collection-options.ts'
export { CollectionError } from './errors.ts'
export type { CollectionErrorCode } from './errors.ts'
export {
  countLetters,
  DeadLetters,
  deadLetters,
  dropLetters,
  LETTER_KINDS,
  letterSummary,
  readLetter,
  retryLetters,
} from './dead-letters.ts'
export type {
  DeadLetter,
  LetterGroup,
  LetterKind,
  LetterLimits,
  LetterSummary,
  LetterWriter,
  NewLetter,
} from './dead-letters.ts'
export { countSent, dropContents, forgetPages, forgetSite, forgottenSites } from './forget.ts'
export type { ForgetOptions, Forgotten } from './forget.ts'
export { inboxCursor } from './forget-sent.ts'
export type { ForgottenSent } from './forget-sent.ts'
export type { Remainder, Rest, SentContent, Sift } from './sent-content.ts'
export { FORGOTTEN_SEED } from './forget-rows.ts'
export { FileInbox, inboxDefaults } from './file-inbox.ts'
export type { InboxFigures, InboxOptions } from './file-inbox.ts'
export type { FrontierRows } from './frontier-rows.ts'
export { INBOX_DOORS, INBOX_PROOFS, INBOX_SCHEMES, MAX_INLINE_BYTES } from './inbox.ts'
export type { Appended, BodyFile, Inbox, InboxDepth, InboxDoor, InboxItem, InboxProof, InboxScheme } from './inbox.ts'
export type { KeyClaim, NewInboxItem, WaitingItem } from './inbox.ts'
export { knownPages } from './known-pages.ts'
export type { KnownPage } from './known-pages.ts'
export { encodeLinks, packAnchors, unpackAnchors } from './link-list.ts'
export type { StoredLink } from './link-list.ts'
export { MemoryInbox } from './memory-inbox.ts'
export type { MemoryInboxOptions } from './memory-inbox.ts'
export type { PageText } from './page-texts.ts'
export type { BodyRow, CaptureRow, Scheme, PageRow, RobotsRow, SiteFacts, Timings, WarcPosition } from './rows.ts'
export { pageStory } from './page-story.ts'
export type { PageStory } from './page-story.ts'
export {
  isAmount,
  isBytes,
  isCount,
  isFlag,
  isHour,
  isInstant,
  isNumber,
  isText,
  listOf,
  mapOf,
  maybe,
  oneOf,
  recordOf,
} from './row-shape.ts'
export type { Shape } from './row-shape.ts'
export { SpoolFile } from './spool-file.ts'
export { SUBSCRIPTION_STATES } from './subscription.ts'
export type { Subscription, SubscriptionState, SubscriptionWish } from './subscription.ts'
export { SubscriptionBook } from './subscription-book.ts'
export type { Confirmation, SubscriptionBookOptions } from './subscription-book.ts'
export { survey } from './survey.ts'
export type { SiteSurvey, Survey } from './survey.ts'
export type { Deposit } from './uncommitted.ts'
export { addHits, addHour, decodeReading, encodeReading, fadedTo, HOUR_MS, HOURS_KEPT } from './reading-row.ts'
export type { HourHits, NewHits, ReadingRow } from './reading-row.ts'
export { isStorageFault } from './storage-fault.ts'
export { readableContent, storedContent } from './stored-content.ts'
export type { ReadableContent, StoredContent } from './stored-content.ts'
