export {
  canonicalPath,
  isPlainPath,
  pathSpellings,
  pathSteps,
  urlSpellings,
  withCanonicalPath,
} from './url/canonical-path.ts'
export { canonicalUrl } from './url/canonical-url.ts'
export { plainHost } from './url/plain-host.ts'
export { headerOf } from './capture.ts'
export type { Capture, CaptureSource, HeaderList } from './capture.ts'
export { decodeText, sniffCharset } from './http/charset.ts'
export type { Charset, DecodedText } from './http/charset.ts'
export { decodeBody, undoCoding } from './coding/content-coding.ts'
export { GZIP_MEMBER_HEAD, isPackedList, PACKING_BYTES, packingOf } from './coding/packing.ts'
export { unpackZstd, ZstdUnpacker } from './coding/zstd-frames.ts'
export { unpackedPieces } from './coding/unpacked-pieces.ts'
export type { UnpackedEnd, UnpackLimits } from './coding/unpacked-pieces.ts'
export type { Coding, DecodedBody } from './coding/content-coding.ts'
export { bindsConnection, credentialField, credentialNames, isCredentialName } from './client/credential-fields.ts'
export { clientNetwork } from './client/client-network.ts'
export { CLIENT_SHARE, ClientPlaces } from './client/client-places.ts'
export type { ConnectionServer, PlaceTerms } from './client/client-places.ts'
export { FairLine } from './client/fair-line.ts'
export { FairShare } from './client/fair-share.ts'
export { clientIn, forwardedClient, plainAddress, proxySet } from './client/forwarded-client.ts'
export type { Proxies } from './client/forwarded-client.ts'
export { looksSecret } from './url/secret-address.ts'
export { HOST_FIELDS, isSteered, STEERING_FIELDS } from './client/steering-fields.ts'
export { checkDigest, payloadDigest } from './archive/digest.ts'
export { globPieces, matchesGlob, withAllBelow } from './url/glob.ts'
export { digestProblem } from './archive/warc-digests.ts'
export { hasAnchor, readAnchors } from './html/anchors.ts'
export type { Anchors } from './html/anchors.ts'
export { createHtmlReader, readHtml } from './html/html.ts'
export { decodeReferences } from './html/entities.ts'
export { srcsetUrls } from './html/html-values.ts'
export { needsScripts } from './html/needs-scripts.ts'
export type { HtmlHeading, HtmlLimits, HtmlLink, HtmlLinkKind, HtmlPage, HtmlReader } from './html/html.ts'
export { entityBody, parseHttpBlock, requestHead, responseHead } from './http/http-block.ts'
export type { HttpBlock } from './http/http-block.ts'
export type { Instant } from './instant.ts'
export type { Link } from './link.ts'
export { messageOf, textOf } from './text-of.ts'
export { addCount, ownValue, tableOf } from './lookup.ts'
export { createLinkResolver } from './url/link-resolver.ts'
export type { LinkResolver } from './url/link-resolver.ts'
export { essenceOf, FEED_TYPES, isReadAsText, likelyKindOf, mediaKindOf } from './http/media-kind.ts'
export type { MediaKind } from './http/media-kind.ts'
export { isAskedFromElsewhere, ownHost } from './client/own-host.ts'
export type { AskedFor } from './client/own-host.ts'
export { pathRule } from './url/path-rule.ts'
export type { PathRule } from './url/path-rule.ts'
export { retryAfter } from './http/retry-after.ts'
export { readAnswerHead } from './http1/answer-head.ts'
export type { AnswerFraming, AnswerHead } from './http1/answer-head.ts'
export { ChunkReader, isTrailer, LONG_LINE } from './http1/chunk-reader.ts'
export { endsBare, readWireHead, WireHead, wireHeadEnd } from './http1/wire-head.ts'
export {
  isAllowed,
  isAllowedIn,
  isAllowedInEverySpelling,
  openRobots,
  packRobots,
  parseRobots,
} from './robots/robots.ts'
export type { PackedRobots, Robots, RobotsGroup } from './robots/robots.ts'
export type { RobotsDecision } from './robots/rules.ts'
export { parseRobotsDirectives } from './robots/directives.ts'
export type { RobotsDirectives } from './robots/directives.ts'
export { MAX_ROBOTS_REDIRECTS, robotsExpiresAt, robotsVerdict } from './robots/verdict.ts'
export type { RobotsOutcome, RobotsVerdict } from './robots/verdict.ts'
export { SIDE_EFFECT_RULES, sideEffectOf } from './url/side-effects.ts'
export type { SideEffect } from './url/side-effects.ts'
export { changeEntryOf, pageEntryOf } from './feeds/page-entry.ts'
export type { ChangeEntry, ChangeKind, PageEntry } from './feeds/page-entry.ts'
export { SIGNAL_CHANNELS } from './signal.ts'
export type { Signal, SignalChannel } from './signal.ts'
export { hammingDistance, simhash } from './html/simhash.ts'
export type { Simhash } from './html/simhash.ts'
export { linkTargets, parseLinkHeader } from './http/link-header.ts'
export type { HeaderLink } from './http/link-header.ts'
export { RESOURCESYNC_REL, RESOURCESYNC_WELL_KNOWN, SYNC_MANIFEST } from './feeds/resourcesync.ts'
export type {
  SyncCapability,
  SyncChange,
  SyncEntry,
  SyncFacts,
  SyncLink,
  SyncPage,
  SyncReference,
  SyncSpan,
} from './feeds/resourcesync.ts'
export { createSyncReader, readSync } from './feeds/resourcesync-reader.ts'
export { typeOfMarks } from './feeds/resourcesync-marks.ts'
export type { SyncProblem, SyncReader, SyncReaderOptions, SyncSummary } from './feeds/resourcesync-reader.ts'
export { writeSyncDocument } from './feeds/resourcesync-writer.ts'
export type { SyncDocumentHead } from './feeds/resourcesync-writer.ts'
export { writeSitemap, writeSitemapIndex } from './feeds/sitemap-writer.ts'
export { xmlText } from './feeds/xml-text.ts'
export { isFeed, rootsOf } from './feeds/list-formats.ts'
export { createSitemapReader, readSitemap } from './feeds/sitemap.ts'
export type { SitemapReader, SitemapSummary } from './feeds/sitemap.ts'
export type { SitemapEntry } from './feeds/sitemap-entry.ts'
export { writeUrlKey } from './url/url-key.ts'
export { hostOf, matchesSite, registrableDomain, siteOf } from './url/site.ts'
export type { SitePattern } from './url/site.ts'
export { defaultUrlRules, firstUrlRules, hasSameUrlRules, isParameterName, urlRuleLimits } from './url/url-rules.ts'
export type { SiteUrlRules, UrlRules } from './url/url-rules.ts'
export { trapOf } from './url/url-traps.ts'
export type { Trap } from './url/url-traps.ts'
export { csvCell, tsvCell } from './table-cell.ts'
export type { TableCell } from './table-cell.ts'
export { createWarcReader, readRecordAt, readWarc } from './archive/warc-reader.ts'
export type { WarcReadOptions } from './archive/warc-reader.ts'
export type { WarcItem } from './archive/warc-parser.ts'
export { resourceTypeOf, warcMessage } from './archive/warc-message.ts'
export type { WarcMessage } from './archive/warc-message.ts'
export { warcDate, warcField, warcTarget, warcType } from './archive/warc-record.ts'
export type { WarcRecord } from './archive/warc-record.ts'
export {
  encodeRecord,
  gzipResponse,
  gzipRecord,
  storedRecord,
  metadataRecord,
  requestRecord,
  resourceRecord,
  responseRecord,
  revisitRecord,
  warcinfoRecord,
} from './archive/warc-writer.ts'
export { packEntries, ZipEntries } from './archive/zip-entries.ts'
export type { PackedEntries, ZipEntry } from './archive/zip-entries.ts'
export { findZipDirectory, readDirectoryBytes, readZipDirectory, readZipEntry } from './archive/zip-reader.ts'
export type { ByteSource, DirectoryBytes, ZipDirectory, ZipEntryResult, ZipLimits } from './archive/zip-reader.ts'
export { TOO_MUCH_WORK, WorkBudget } from './work-budget.ts'
export type { TooMuchWork, WorkOf } from './work-budget.ts'
export { ZipWriter } from './archive/zip-writer.ts'
export type { ZipEntryToWrite } from './archive/zip-writer.ts'
export { cdxjLine, cdxjPrefix, idxHeader, idxLine, parseCdxjLine, surtOf } from './archive/cdxj.ts'
export type { CdxjBlock, CdxjEntry } from './archive/cdxj.ts'
export { WACZ_PATHS, isWaczArchive, waczDigest, waczPackage, waczPageLine, waczPagesHeader } from './archive/wacz.ts'
export type { WaczPackage, WaczPage, WaczResource } from './archive/wacz.ts'
export {
  API_CATALOG_PATH,
  API_CATALOG_REL,
  API_CATALOG_TYPE,
  isLinkset,
  readApiCatalog,
  writeApiCatalog,
} from './bulk/api-catalog.ts'
export type { ApiCatalog, CatalogItem } from './bulk/api-catalog.ts'
export { BATCH_PATH, BATCH_TYPE, batchLimits, readBatch, writeBatch } from './bulk/batch.ts'
export type { BatchLimits, BatchLine, BatchRequest } from './bulk/batch.ts'
export { WARC_TYPE, readBatchAnswer, writeBatchPage, writeClosing } from './bulk/batch-answer.ts'
export type { BatchPage, Closing, ReadBatch } from './bulk/batch-answer.ts'
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
} from './bulk/change-query.ts'
export type { ChangeFields, ChangeQuery, ChangesEnd, ReadChanges, ReadQuery } from './bulk/change-query.ts'
export { contentRange, parseContentRange, parseRange } from './http/byte-ranges.ts'
export type { ByteRange, RangeVerdict } from './http/byte-ranges.ts'
export { combinedField } from './http/combined-field.ts'
export { evaluateConditions, mayServeRange } from './http/conditional-request.ts'
export type { ConditionalRequest, ConditionVerdict, Validators } from './http/conditional-request.ts'
export { applyDelta, deltaAnswer, deltaRequest, parseDeltaWish } from './delta/delta-coding.ts'
export type {
  AppliedDelta,
  DeltaAnswer,
  DeltaFault,
  DeltaOptions,
  DeltaWish,
  DeltaInstance,
  ReceivedDelta,
} from './delta/delta-coding.ts'
export { decodeWithDictionary, encodeWithDictionary } from './delta/dictionary-coding.ts'
export type { DecodedDictionary, DictionaryCoding } from './delta/dictionary-coding.ts'
export {
  DICTIONARY_VARY,
  dictionaryMatches,
  offerDictionary,
  parseDictionaryOffer,
  parseUseAsDictionary,
  writeUseAsDictionary,
} from './delta/dictionary-negotiation.ts'
export type { DictionaryOffer, DictionaryUse, StoredDictionary } from './delta/dictionary-negotiation.ts'
export { isWeak, matchesWeakly, parseEntityTag, parseEntityTags } from './http/entity-tag.ts'
export { parseHttpDate, writeHttpDate } from './http/http-date.ts'
export { parseQualityList, qualityOf } from './http/quality-list.ts'
export type { QualityItem } from './http/quality-list.ts'
export { checkDigestField, checkUnencoded, parseDigestField, writeDigestField } from './archive/repr-digest.ts'
export { decodeVcdiff } from './delta/vcdiff-decoder.ts'
export type { DecodedVcdiff, VcdiffFault, VcdiffLimits } from './delta/vcdiff-decoder.ts'
export { encodeVcdiff } from './delta/vcdiff-encoder.ts'
export { metadataArchivesSince, canGoOnFrom } from './metadata-archive/choice.ts'
export type { ArchiveWish } from './metadata-archive/choice.ts'
export type { ArchiveEntry } from './metadata-archive/archive-line.ts'
export { archivesOfRobots, metadataRecords, readArchiveList, writeArchiveLists } from './metadata-archive/list.ts'
export type { MetadataArchiveList, MetadataArchiveLists, ListedArchive } from './metadata-archive/list.ts'
export { formatMetadataArchiveName, OTHER_GROUP, parseMetadataArchiveName } from './metadata-archive/archive-name.ts'
export type { MetadataArchiveName } from './metadata-archive/archive-name.ts'
export { archivePlanDefaults, changeArchives, planMetadataArchives } from './metadata-archive/plan.ts'
export type { ArchivePlan, ArchivePlanOptions, ArchivePlanStep, PlannedArchive } from './metadata-archive/plan.ts'
export { archiveText, readMetadataArchive, writeMetadataArchive } from './metadata-archive/metadata-archive.ts'
export type {
  ArchiveLimits,
  MetadataArchiveProblem,
  ArchiveReading,
  ArchiveReadOptions,
  ArchiveWriteOptions,
} from './metadata-archive/metadata-archive.ts'
export { ROBOTS_RDF_TYPE, writeRobotsRdf } from './feeds/robots-rdf.ts'
export type { RobotsRdfExtra, RobotsRdfFile, RobotsRdfOptions } from './feeds/robots-rdf.ts'
export type { RobotsRdf, RobotsRdfLimits, RobotsRdfProblem } from './feeds/robots-rdf-items.ts'
export { ROBOTS_RDF } from './feeds/robots-rdf-parts.ts'
export { createRobotsRdfReader, readRobotsRdf } from './feeds/robots-rdf-reader.ts'
export type { RobotsRdfReader } from './feeds/robots-rdf-reader.ts'
export { trimBlanks } from './http/trim-blanks.ts'
export { isTextType, mimeTypeOf, typeByEnding } from './http/mime-types.ts'
export { networkTable, parseNetwork } from './url/network.ts'
export { isPrivateAddress, mayVisit } from './url/private-address.ts'
export type { AllowPrivate } from './url/private-address.ts'
export {
  appendVerdict,
  nextUploadPart,
  PARTIAL_UPLOAD_TYPE,
  readUploadFields,
  statedLength,
  UPLOAD_RESUMPTION_STATUS,
  writeUploadFields,
} from './push/resumable-upload.ts'
export type { AppendVerdict, UploadFields, UploadLimits, UploadPart, UploadResource } from './push/resumable-upload.ts'
export { MAX_ACCESS_LINE, readAccessLogLine } from './http/access-log-line.ts'
export type { AccessLogFault, AccessLogLine, LoggedRequest } from './http/access-log-line.ts'
export { KNOWN_ROBOTS, NAMELESS_ROBOT, readUserAgent, ROBOT_KINDS, robotKind } from './identity/user-agent.ts'
export type { ReadUserAgent, RobotAgent, RobotKind, RobotPurpose } from './identity/user-agent.ts'
export {
  NOTIFICATION_TYPE,
  notificationSignals,
  readChangeNotification,
  writeChangeNotification,
} from './push/change-notification.ts'
export type { ChangeNotification, NotificationLimits, ReadNotification } from './push/change-notification.ts'
export {
  INDEXNOW_TYPE,
  isIndexNowKey,
  isKeyFile,
  isKeyFileType,
  keyFileUrl,
  MAX_INDEXNOW_BYTES,
  parseIndexNow,
  writeIndexNow,
} from './push/indexnow.ts'
export type { IndexNow, ReadIndexNow } from './push/indexnow.ts'
export { EVENT_STREAM_TYPE, writeEvent, writeEventComment } from './push/server-sent-events.ts'
export type { EventMessage } from './push/server-sent-events.ts'
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
} from './push/websub.ts'
export type { HubAlgorithm, HubSignatureVerdict, ReadSubscribe, SubscribeRequest, Verification } from './push/websub.ts'
export { checkContentDigest, contentDigest } from './archive/content-digest.ts'
export { PUSH_TAG, signMessage, verifyMessage } from './identity/http-signature.ts'
export type {
  RefusedSignature,
  SignatureVerdict,
  SigningKey,
  SignOptions,
  ValidSignature,
  VerifyOptions,
} from './identity/http-signature.ts'
export { KEY_DIRECTORY_PATH, KEY_DIRECTORY_TYPE, readKeySet, thumbprint, writeKeySet } from './identity/key-set.ts'
export type { KeyLife, KeySet, PublishedKey } from './identity/key-set.ts'
export type { SignedAnswer, SignedMessage } from './identity/signature-component.ts'
export { KeyDirectories } from './identity/key-directories.ts'
export type { DirectoryLimits, FetchedKeys, FetchKeys, FoundKey } from './identity/key-directories.ts'
export {
  newKeyRing,
  publishedKeys,
  readKeyRing,
  rotateKeyRing,
  rotationDefaults,
  signingKeyOf,
  writeKeyRing,
} from './identity/key-ring.ts'
export type { KeyRing, RingKey, RotationOptions } from './identity/key-ring.ts'
export { SignatureMemory } from './identity/signature-memory.ts'
export {
  ACCEPT_BOT_SIGNATURE,
  botClaims,
  signBotRequest,
  verifyBot,
  WEB_BOT_AUTH_TAG,
} from './identity/web-bot-auth.ts'
export type { BotClaim, BotClaims, BotSignOptions } from './identity/web-bot-auth.ts'
export { KEY_DIRECTORY_TAG, keyDirectoryAnswer } from './identity/key-directory-answer.ts'
export { GATEWAY_BATCH_TYPE, GATEWAY_PATH, readGatewayBatch, writeGatewayBatch } from './push/gateway-batch.ts'
export type {
  GatewayBatch,
  GatewayBatchLimits,
  GatewayFigures,
  PageHits,
  ReadGatewayBatch,
  GatewaySeenAgain,
  GatewaySeenGone,
} from './push/gateway-batch.ts'
export { faultFigure, gatewayFaultsOf, isFaultFigure, PROGRAMS_PATH } from './push/gateway-program.ts'
export { VarintReader } from './delta/varint-bytes.ts'
export { parseFieldDictionary, parseFieldItem } from './http/structured-field.ts'
export type { FieldItem, FieldMember } from './http/structured-field.ts'
