export { accessHits } from './access-hits.ts'
export type { AccessHits } from './access-hits.ts'
export { auditAgent } from './agent-audit.ts'
export type { AuditReport, AuditTask, Disagreement } from './agent-audit.ts'
export { BUNDLE_TYPE, makeBundle, MAX_BUNDLE_BYTES, readBundle, writeBundle } from './agent-bundle.ts'
export type { AgentBundle, BundleSignature, ReadBundle } from './agent-bundle.ts'
export { CAP_NAMES, capProblem, defaultCaps, defaultDayCaps, grantedCaps } from './agent-caps.ts'
export type { AgentCaps, DayCaps } from './agent-caps.ts'
export { describeAgent, runAgent } from './agent-host.ts'
export type { AgentRun, AgentTask, AgentUse, Description } from './agent-host.ts'
export {
  AGENT_API,
  AGENT_READS,
  compareVersions,
  HOST_VERSION,
  readManifest,
  RECORD_KINDS,
  writeManifest,
} from './agent-manifest.ts'
export type { AgentManifest, AgentRead, ReadManifest, RecordKind } from './agent-manifest.ts'
export { AgentMemory } from './agent-memory.ts'
export { AGENT_OUTCOMES, isFault } from './agent-outcome.ts'
export type { AgentOutcome, OutcomeMeaning } from './agent-outcome.ts'
export { bodyDigest, MemoryPages, pagesDigest } from './agent-pages.ts'
export type { AgentPage, AgentPages } from './agent-pages.ts'
export type { AgentRecord } from './agent-record.ts'
export { endLine, headLine, readResult, recordLine, RESULT_TYPE } from './agent-result.ts'
export type { AgentResult, ReadResult, ReportedRecord, ResultHead } from './agent-result.ts'
export type { AgentHtml, EmittedRecord, ServiceUse } from './agent-services.ts'
export { AgentStore } from './agent-store.ts'
export type { Installed, InstallOptions, Revoked } from './agent-store.ts'
export { signBundle, signersOf } from './bundle-signature.ts'
export type { KeyOf } from './bundle-signature.ts'
export type { DayUse } from './day-use.ts'
export { AgentError, bundleUnreadable, resultUnreadable } from './errors.ts'
export type { AgentErrorCode } from './errors.ts'
export { runInstalled, takeResult } from './installed-run.ts'
export type { InstalledRun, InstalledRunOptions } from './installed-run.ts'
export { readRevocations, writeRevocations } from './revocation-list.ts'
export type { ReadRevocations, Revocation, RevocationList } from './revocation-list.ts'
export { chosenVersion, isRevoked } from './roll-out.ts'
export type { AgentState, Choice, RollOut, VersionState } from './roll-out.ts'
export { resultPath } from './store-file.ts'
export type { LastRun, RevokedId, StoredAgent, StoreFile, TrustedKey } from './store-file.ts'
