export { accessHits } from './access-hits.ts'
export type { AccessHits } from './access-hits.ts'
export { auditAgent } from './host/audit.ts'
export type { AuditReport, AuditTask, Disagreement } from './host/audit.ts'
export { BUNDLE_TYPE, makeBundle, MAX_BUNDLE_BYTES, readBundle, writeBundle } from './bundle/bundle.ts'
export type { AgentBundle, BundleSignature, ReadBundle } from './bundle/bundle.ts'
export { CAP_NAMES, capProblem, defaultCaps, defaultDayCaps, grantedCaps } from './bundle/caps.ts'
export type { AgentCaps, DayCaps } from './bundle/caps.ts'
export { describeAgent, runAgent } from './host/host.ts'
export type { AgentRun, AgentTask, AgentUse, Description } from './host/host.ts'
export {
  AGENT_API,
  AGENT_READS,
  compareVersions,
  HOST_VERSION,
  readManifest,
  RECORD_KINDS,
  writeManifest,
} from './bundle/manifest.ts'
export type { AgentManifest, AgentRead, ReadManifest, RecordKind } from './bundle/manifest.ts'
export { AgentMemory } from './host/memory.ts'
export { AGENT_OUTCOMES, isFault } from './agent-outcome.ts'
export type { AgentOutcome, OutcomeMeaning } from './agent-outcome.ts'
export { bodyDigest, MemoryPages, pagesDigest } from './host/pages.ts'
export type { AgentPage, AgentPages } from './host/pages.ts'
export type { AgentRecord } from './bundle/record.ts'
export { endLine, headLine, readResult, recordLine, RESULT_TYPE } from './bundle/result.ts'
export type { AgentResult, ReadResult, ReportedRecord, ResultHead } from './bundle/result.ts'
export type { AgentHtml, EmittedRecord, ServiceUse } from './host/services.ts'
export { AgentStore } from './store/agent-store.ts'
export type { Installed, InstallOptions, Revoked } from './store/agent-store.ts'
export { signBundle, signersOf } from './bundle/bundle-signature.ts'
export type { KeyOf } from './bundle/bundle-signature.ts'
export type { DayUse } from './day-use.ts'
export { AgentError, bundleUnreadable, resultUnreadable } from './errors.ts'
export type { AgentErrorCode } from './errors.ts'
export { runInstalled, takeResult } from './host/installed-run.ts'
export type { InstalledRun, InstalledRunOptions } from './host/installed-run.ts'
export { readRevocations, writeRevocations } from './store/revocation-list.ts'
export type { ReadRevocations, Revocation, RevocationList } from './store/revocation-list.ts'
export { chosenVersion, isRevoked } from './store/roll-out.ts'
export type { AgentState, Choice, RollOut, VersionState } from './store/roll-out.ts'
export { resultPath } from './store/store-file.ts'
export type { LastRun, RevokedId, StoredAgent, StoreFile, TrustedKey } from './store/store-file.ts'
