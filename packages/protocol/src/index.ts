export {
  canonicalPath,
  isPlainPath,
  pathSpellings,
  pathSteps,
  urlSpellings,
  withCanonicalPath,
} from './canonical-path.ts'
export { canonicalUrl, hostOf, registrableDomain, siteOf } from './canonical-url.ts'
export { plainHost } from './plain-host.ts'
export { headerOf } from './capture.ts'
export type { Capture, CaptureSource, HeaderList } from './capture.ts'
export { decodeText, sniffCharset } from './charset.ts'
export type { Charset, DecodedText } from './charset.ts'
export { decodeBody } from './content-coding.ts'
export { unpackedPieces } from './unpacked-pieces.ts'
export type { UnpackedEnd, UnpackLimits } from './unpacked-pieces.ts'
export type { DecodedBody } from './content-coding.ts'
export { bindsConnection, credentialField, credentialNames, isCredentialName } from './credential-fields.ts'
export { clientNetwork } from './client-network.ts'
export { CLIENT_SHARE, ClientPlaces } from './client-places.ts'
export type { ConnectionServer, PlaceTerms } from './client-places.ts'
export { FairLine } from './fair-line.ts'
export { FairShare } from './fair-share.ts'
export { clientIn, forwardedClient, plainAddress, proxySet } from './forwarded-client.ts'
export type { Proxies } from './forwarded-client.ts'
export { looksSecret } from './secret-address.ts'
export { HOST_FIELDS, isSteered, STEERING_FIELDS } from './steering-fields.ts'
export { checkDigest, payloadDigest } from './digest.ts'
export { globPieces, matchesGlob, withAllBelow } from './glob.ts'
export { digestProblem } from './warc-digests.ts'
export { createHtmlReader, htmlLimits, readHtml } from './html.ts'
export type { HtmlHeading, HtmlLimits, HtmlLink, HtmlLinkKind, HtmlPage, HtmlReader } from './html.ts'
export { entityBody, parseHttpBlock, requestHead, responseHead } from './http-block.ts'
export type { HttpBlock } from './http-block.ts'
export type { Instant } from './instant.ts'
export type { Link } from './link.ts'
export { messageOf, textOf } from './text-of.ts'
export { addCount, ownValue, tableOf } from './lookup.ts'
export { createLinkResolver } from './link-resolver.ts'
export type { LinkResolver } from './link-resolver.ts'
export { likelyKindOf, mediaKindOf } from './media-kind.ts'
export type { MediaKind } from './media-kind.ts'
export { isAskedFromElsewhere, ownHost } from './own-host.ts'
export type { AskedFor } from './own-host.ts'
export { pathRule } from './path-rule.ts'
export type { PathRule } from './path-rule.ts'
export { retryAfter } from './retry-after.ts'
export { isAllowed, isAllowedIn, isAllowedInEverySpelling, openRobots, packRobots, parseRobots } from './robots.ts'
export type { PackedRobots, Robots, RobotsGroup } from './robots.ts'
export { RobotsRules } from './robots-rules.ts'
export type { RobotsDecision, RobotsRule } from './robots-rules.ts'
export { mergeRobotsDirectives, noDirectives, parseRobotsDirectives } from './robots-directives.ts'
export type { RobotsDirectives } from './robots-directives.ts'
export { MAX_ROBOTS_REDIRECTS, robotsExpiresAt, robotsVerdict } from './robots-verdict.ts'
export type { RobotsOutcome, RobotsVerdict } from './robots-verdict.ts'
export { sideEffectOf } from './side-effects.ts'
export type { SideEffect } from './side-effects.ts'
export type { ChangeEntry, ChangeKind, PageEntry } from './page-entry.ts'
export { SIGNAL_CHANNELS } from './signal.ts'
export type { Signal, SignalChannel } from './signal.ts'
export { hammingDistance, simhash } from './simhash.ts'
export type { Simhash } from './simhash.ts'
export { linkTargets, parseLinkHeader } from './link-header.ts'
export type { HeaderLink } from './link-header.ts'
export {
  COMITY_NAMESPACE,
  RESOURCESYNC_REL,
  RESOURCESYNC_WELL_KNOWN,
  SYNC_MANIFEST,
  SYNC_PATCH_REL,
} from './resourcesync.ts'
export type { SyncCapability, SyncChange, SyncEntry, SyncFacts, SyncLink, SyncPage } from './resourcesync.ts'
export type { SyncReference, SyncSpan } from './resourcesync.ts'
export { createSyncReader, readSync } from './resourcesync-reader.ts'
export type { SyncProblem, SyncReader, SyncReaderOptions, SyncSummary } from './resourcesync-reader.ts'
export { writeSyncDocument, writeSyncFiles } from './resourcesync-writer.ts'
export type { SyncHead } from './resourcesync-writer.ts'
export { writeSitemaps } from './sitemap-writer.ts'
export type { SitemapFile, SitemapFileLimits, SitemapPlace } from './sitemap-files.ts'
export { w3cDate } from './w3c-date.ts'
export { xmlAttributes, xmlText } from './xml-text.ts'
export { createSitemapReader, readSitemap, sitemapScope } from './sitemap.ts'
export type { SitemapReader, SitemapSummary } from './sitemap.ts'
export type { SitemapEntry } from './sitemap-entry.ts'
export { writeUrlKey } from './url-key.ts'
export { defaultUrlRules } from './url-rules.ts'
export type { UrlRules } from './url-rules.ts'
export { trapOf } from './url-traps.ts'
export type { Trap } from './url-traps.ts'
export { csvCell, tsvCell } from './table-cell.ts'
export type { TableCell } from './table-cell.ts'
export { createWarcReader, readRecordAt, readWarc } from './warc-reader.ts'
export type { WarcReadOptions } from './warc-reader.ts'
export type { WarcItem } from './warc-parser.ts'
export { resourceTypeOf, warcMessage } from './warc-message.ts'
export type { WarcMessage } from './warc-message.ts'
export { warcDate, warcField, warcFieldsOf, warcTarget, warcType } from './warc-record.ts'
export type { WarcRecord, WarcType } from './warc-record.ts'
export {
  encodeRecord,
  gzipRecord,
  storedRecord,
  metadataRecord,
  requestRecord,
  resourceRecord,
  responseRecord,
  revisitRecord,
  warcinfoRecord,
} from './warc-writer.ts'
export { packEntries, ZipEntries } from './zip-entries.ts'
export type { PackedEntries, ZipEntry } from './zip-entries.ts'
export {
  findZipDirectory,
  readDirectoryBytes,
  readZipDirectory,
  readZipEntry,
  readZipText,
  zipLimits,
} from './zip-reader.ts'
export type { ByteSource, DirectoryBytes, ZipDirectory, ZipEnd, ZipLimits } from './zip-reader.ts'
export { TOO_MUCH_WORK, WORK_LIMITS, WorkBudget } from './work-budget.ts'
export type { TooMuchWork, WorkOf } from './work-budget.ts'
export { ZipWriter } from './zip-writer.ts'
export { cdxTimestamp, cdxjLine, cdxjPrefix, idxHeader, idxLine, parseCdxjLine, parseIdxLine, surtOf } from './cdxj.ts'
export type { CdxjBlock, CdxjEntry } from './cdxj.ts'
export {
  WACZ_PATHS,
  WACZ_VERSION,
  isWaczArchive,
  waczDigest,
  waczPackage,
  waczPageLine,
  waczPagesHeader,
} from './wacz.ts'
export type { WaczPackage, WaczPage, WaczResource } from './wacz.ts'
export { API_CATALOG_PATH, API_CATALOG_REL, API_CATALOG_TYPE, readApiCatalog, writeApiCatalog } from './api-catalog.ts'
export type { ApiCatalog, CatalogItem } from './api-catalog.ts'
export { BATCH_PATH, BATCH_TYPE, batchLimits, readBatch, writeBatch } from './batch.ts'
export type { BatchLimits, BatchLine, BatchRequest } from './batch.ts'
export { WARC_TYPE, readBatchAnswer, writeBatchPage, writeClosing } from './batch-answer.ts'
export type { BatchPage, Closing, ReadBatch } from './batch-answer.ts'
export {
  CHANGES_PATH,
  CHANGES_TYPE,
  QUERY_TYPE,
  changeLine,
  changesEndLine,
  isAskedFor,
  matchesType,
  readChangeParameters,
  readChangeQuery,
  readChanges,
  writeChangeQuery,
} from './change-query.ts'
export type { ChangeFields, ChangeQuery, ChangesEnd, ReadChanges, ReadQuery } from './change-query.ts'
export { contentRange, parseContentRange, parseRange } from './byte-ranges.ts'
export type { ByteRange, RangeVerdict } from './byte-ranges.ts'
export { combinedField } from './combined-field.ts'
export { evaluateConditions, mayServeRange } from './conditional-request.ts'
export type { ConditionalRequest, ConditionVerdict, Validators } from './conditional-request.ts'
export { applyDelta, deltaAnswer, deltaRequest, parseDeltaWish } from './delta-coding.ts'
export type {
  AppliedDelta,
  DeltaAnswer,
  DeltaFault,
  DeltaOptions,
  DeltaWish,
  Instance,
  ReceivedDelta,
} from './delta-coding.ts'
export { decodeWithDictionary, encodeWithDictionary } from './dictionary-coding.ts'
export type { DecodedDictionary, DictionaryCoding } from './dictionary-coding.ts'
export {
  chooseDictionary,
  DICTIONARY_VARY,
  dictionaryMatches,
  offerDictionary,
  parseDictionaryOffer,
  parseUseAsDictionary,
  writeUseAsDictionary,
} from './dictionary-negotiation.ts'
export type { DictionaryOffer, DictionaryUse, StoredDictionary } from './dictionary-negotiation.ts'
export { isWeak, matchesStrongly, matchesWeakly, parseEntityTag, parseEntityTags } from './entity-tag.ts'
export { parseHttpDate, writeHttpDate } from './http-date.ts'
export { parseQualityList, qualityOf } from './quality-list.ts'
export type { QualityItem } from './quality-list.ts'
export { checkDigestField, checkUnencoded, parseDigestField, writeDigestField } from './repr-digest.ts'
export { decodeVcdiff } from './vcdiff-decoder.ts'
export type { DecodedVcdiff, VcdiffFault, VcdiffLimits } from './vcdiff-decoder.ts'
export { encodeVcdiff } from './vcdiff-encoder.ts'
export { archivesSince, canFollow } from './archive-choice.ts'
export type { ArchiveWish } from './archive-choice.ts'
export type { ArchiveEntry } from './archive-line.ts'
export { archivesOfRobots, metadataRecords, readArchiveList, writeArchiveLists } from './archive-list.ts'
export type { ArchiveList, ArchiveLists, ListedArchive } from './archive-list.ts'
export { formatArchiveName, OTHER_GROUP, parseArchiveName } from './archive-name.ts'
export type { ArchiveName } from './archive-name.ts'
export { archivePlanDefaults, changeArchives, pagesOf, planArchives, restoreArchives } from './archive-plan.ts'
export type { ArchivePlan, ArchivePlanOptions, ArchivePlanStep, PlannedArchive } from './archive-plan.ts'
export { archiveLimits, archiveText, readArchive, writeArchive } from './metadata-archive.ts'
export type { ArchiveLimits, ArchiveProblem, ArchiveReading, ArchiveReadOptions } from './metadata-archive.ts'
export type { ArchiveWriteOptions } from './metadata-archive.ts'
export { ROBOTS_RDF_TYPE, robotsRdfDefaults, writeRobotsRdf } from './robots-rdf.ts'
export type { RobotsRdfExtra, RobotsRdfFile, RobotsRdfOptions } from './robots-rdf.ts'
export { robotsRdfLimits } from './robots-rdf-items.ts'
export type { RobotsRdf, RobotsRdfLimits, RobotsRdfProblem } from './robots-rdf-items.ts'
export { ROBOTS_RDF } from './robots-rdf-parts.ts'
export { createRobotsRdfReader, readRobotsRdf } from './robots-rdf-reader.ts'
export type { RobotsRdfReader } from './robots-rdf-reader.ts'
export { isTextType, mimeTypeOf, typeByEnding } from './mime-types.ts'
export { isPrivateAddress, mayVisit } from './private-address.ts'
export type { AllowPrivate } from './private-address.ts'
export {
  appendVerdict,
  nextUploadPart,
  PARTIAL_UPLOAD_TYPE,
  readUploadFields,
  statedLength,
  UPLOAD_RESUMPTION_STATUS,
  writeUploadFields,
} from './resumable-upload.ts'
export type { AppendVerdict, UploadFields, UploadLimits, UploadPart, UploadResource } from './resumable-upload.ts'
export { ACCESS_LOG_FAULTS, MAX_ACCESS_LINE, readAccessLogLine, writeAccessLogLine } from './access-log-line.ts'
export type { AccessLogFault, AccessLogLine, LoggedRequest } from './access-log-line.ts'
export { CRAWLER_AGENTS, readCrawlerAgent } from './crawler-agent.ts'
export type { CrawlerAgent, CrawlerPurpose, ReadAgent } from './crawler-agent.ts'
export {
  notificationLimits,
  NOTIFICATION_TYPE,
  notificationSignals,
  readChangeNotification,
  writeChangeNotification,
} from './change-notification.ts'
export type { ChangeNotification, NotificationLimits, ReadNotification } from './change-notification.ts'
export {
  INDEXNOW_TYPE,
  indexNowUrl,
  isIndexNowKey,
  isKeyFile,
  isKeyFileType,
  isUnderKeyLocation,
  keyFileUrl,
  MAX_INDEXNOW_BYTES,
  MAX_INDEXNOW_URLS,
  parseIndexNow,
  writeIndexNow,
} from './indexnow.ts'
export type { IndexNow, ReadIndexNow } from './indexnow.ts'
export { EVENT_STREAM_TYPE, EventReader, writeEvent, writeEventComment } from './server-sent-events.ts'
export type { EventMessage, EventReaderOptions, ReceivedEvent } from './server-sent-events.ts'
export {
  checkHubSignature,
  FORM_TYPE,
  HUB_REL,
  hubLinks,
  hubMode,
  hubSignature,
  MAX_FORM_BYTES,
  parsePublishForm,
  parseSubscribeForm,
  parseVerification,
  readHubLinks,
  sameUrl,
  SELF_REL,
  spelling,
  verificationUrl,
  writePublishForm,
  writeSubscribeForm,
} from './websub.ts'
export type { HubAlgorithm, HubSignatureVerdict, ReadSubscribe, SubscribeRequest, Verification } from './websub.ts'
export { checkContentDigest, contentDigest } from './content-digest.ts'
export { PUSH_TAG, signMessage, verifyMessage } from './http-signature.ts'
export type {
  RefusedSignature,
  SignatureVerdict,
  SigningKey,
  SignOptions,
  ValidSignature,
  VerifyOptions,
} from './http-signature.ts'
export { isAlive, KEY_DIRECTORY_PATH, KEY_DIRECTORY_TYPE, readKeySet, thumbprint, writeKeySet } from './key-set.ts'
export type { KeyLife, KeySet, PublishedKey } from './key-set.ts'
export type { SignedAnswer, SignedMessage } from './signature-component.ts'
export { directoryLimits, KeyDirectories } from './key-directories.ts'
export type { DirectoryLimits, FetchedKeys, FetchKeys, FoundKey } from './key-directories.ts'
export {
  DIRECTORY_MAX_AGE_SECONDS,
  newKeyRing,
  publishedKeys,
  readKeyRing,
  rotateKeyRing,
  rotationDefaults,
  signingKeyOf,
  writeKeyRing,
} from './key-ring.ts'
export type { KeyRing, RingKey, RotationOptions } from './key-ring.ts'
export { SignatureMemory } from './signature-memory.ts'
export {
  ACCEPT_BOT_SIGNATURE,
  botClaims,
  MAX_BOT_LIFE_MS,
  signBotRequest,
  verifyBot,
  WEB_BOT_AUTH_TAG,
} from './web-bot-auth.ts'
export type { BotClaim, BotClaims, BotSignOptions } from './web-bot-auth.ts'
export { KEY_DIRECTORY_TAG, keyDirectoryAnswer } from './key-directory-answer.ts'
export { linkedFormat, readEmbeddedLinks } from './embedded-links.ts'
export type { EmbeddedLink, LinkedFormat } from './embedded-links.ts'
export {
  GATEWAY_BATCH_TYPE,
  GATEWAY_PATH,
  gatewayBatchLimits,
  readGatewayBatch,
  writeGatewayBatch,
} from './gateway-batch.ts'
export type {
  GatewayBatch,
  GatewayBatchLimits,
  GatewayFigures,
  PageHits,
  ReadGatewayBatch,
  SeenAgain,
  SeenGone,
} from './gateway-batch.ts'
export { faultFigure, faultsOf, isFaultFigure, PROGRAMS_PATH } from './gateway-program.ts'
export { VarintReader, VarintWriter } from './varint-bytes.ts'
export { parseFieldDictionary, parseFieldItem } from './structured-field.ts'
export type { FieldItem, FieldMember } from './structured-field.ts'
