/**
 * Roll-out: which of an agent's versions runs next, and what follows from how it ran. Pure: the state of an agent goes in,
 * the next state comes out.
 *
 *   install ──▶ candidate ── good runs, or `all` ──▶ current ── a newer one takes over ──▶ earlier
 *                   │ faults                            │ faults: back to the newest earlier one that is ready
 *                   ▼                                   ▼
 *               withdrawn                           withdrawn
 *
 * A candidate runs in all runs until so many went well (`canary`), or in a share of the runs, chosen by a hash of the run's
 * number, so that the choice can be repeated. A version that fails `MAX_FAULTS` times in a row is withdrawn, a candidate at
 * its first fault. Expired and revoked versions never run.
 */
import { hash } from 'node:crypto'
import type { Instant } from '@comity/protocol'
import { isFault } from '../agent-outcome.ts'
import type { AgentOutcome } from '../agent-outcome.ts'

export type RollOut =
  | { readonly kind: 'all' }
  /** From 0 to 1. */
  | { readonly kind: 'share'; readonly share: number }
  | { readonly kind: 'canary'; readonly runs: number }

export interface VersionState {
  readonly digest: string
  readonly version: string
  /** Keys whose signatures were right when it was installed. */
  readonly signers: readonly string[]
  readonly installedAt: Instant
  readonly expiresAt: Instant
  /** Runs that were done, and faults in a row since. */
  readonly done: number
  readonly faults: number
  /** Why it does not run any more. */
  readonly withdrawn?: string | undefined
}

export interface AgentRollOut {
  readonly name: string
  /** In the order they were installed. */
  readonly versions: readonly VersionState[]
  readonly current?: string | undefined
  readonly candidate?: { readonly digest: string; readonly rollOut: RollOut } | undefined
  /** Runs until now, of all versions. */
  readonly runs: number
}

export const MAX_FAULTS = 3

export type VersionChoice =
  | { readonly kind: 'version'; readonly version: VersionState }
  | { readonly kind: 'none'; readonly reason: string }

/** The version that the next run is of. */
export function chosenVersion(state: AgentRollOut, at: Instant): VersionChoice {
  const usable = (digest: string | undefined): VersionState | undefined =>
    state.versions.find((one) => one.digest === digest && isUsable(one, at))
  const candidate = usable(state.candidate?.digest)
  const current = usable(state.current)
  const isTried = candidate !== undefined && (current === undefined || isTurn(state.candidate!, state.runs))
  const version = isTried ? candidate : current
  return version === undefined ? { kind: 'none', reason: reasonOf(state, at) } : { kind: 'version', version }
}

const isUsable = (version: VersionState, at: Instant): boolean =>
  version.withdrawn === undefined && at < version.expiresAt

function isTurn({ digest, rollOut }: NonNullable<AgentRollOut['candidate']>, run: number): boolean {
  if (rollOut.kind !== 'share') return true
  const first = hash('sha256', `${digest} ${run}`, 'buffer').readUInt32BE()
  return first / 2 ** 32 < rollOut.share
}

function reasonOf({ versions, current }: AgentRollOut, at: Instant): string {
  const last = versions.find(({ digest }) => digest === current) ?? versions.at(-1)
  if (last === undefined) return 'no version is installed'
  if (last.withdrawn !== undefined) return `version ${last.version} was withdrawn: ${last.withdrawn}`
  if (at >= last.expiresAt) return `version ${last.version} has expired: ask its engine for a newer one`
  return 'no version was chosen: choose one with `comity agent rollback`'
}

/** One more version, that is to take over as `rollOut` says. */
export function withVersion(state: AgentRollOut, version: VersionState, rollOut: RollOut): AgentRollOut {
  const versions = [...state.versions.filter(({ digest }) => digest !== version.digest), version]
  if (rollOut.kind === 'all' || state.current === undefined)
    return { ...state, versions, current: version.digest, candidate: undefined }
  return { ...state, versions, candidate: { digest: version.digest, rollOut } }
}

/** What follows from a run. */
export function afterRun(state: AgentRollOut, digest: string, outcome: AgentOutcome): AgentRollOut {
  const counted = { ...changed(state, digest, (version) => counts(version, outcome)), runs: state.runs + 1 }
  const version = counted.versions.find((one) => one.digest === digest)
  if (version === undefined) return counted
  const isCandidate = counted.candidate?.digest === digest
  if (version.faults >= (isCandidate ? 1 : MAX_FAULTS))
    return withdrawn(
      counted,
      digest,
      `${version.faults} run${version.faults === 1 ? '' : 's'} failed in a row, at last with ${outcome}`,
    )
  const { candidate } = counted
  const isProven = isCandidate && candidate?.rollOut.kind === 'canary' && version.done >= candidate.rollOut.runs
  return isProven ? { ...counted, current: digest, candidate: undefined } : counted
}

function counts(version: VersionState, outcome: AgentOutcome): VersionState {
  if (outcome === 'done') return { ...version, done: version.done + 1, faults: 0 }
  return isFault(outcome) ? { ...version, faults: version.faults + 1 } : version
}

/** A version that must not run any more; where it was current, the newest before it that is ready takes over. */
export function withdrawn(state: AgentRollOut, digest: string, reason: string): AgentRollOut {
  const next = changed(state, digest, (version) => ({ ...version, withdrawn: reason }))
  const candidate = next.candidate?.digest === digest ? undefined : next.candidate
  if (next.current !== digest) return { ...next, candidate }
  const at = next.versions.findIndex((one) => one.digest === digest)
  const earlier = next.versions.slice(0, at).findLast((one) => one.withdrawn === undefined)
  // Without another it stays named, so that the owner is told why nothing runs.
  return { ...next, candidate, current: earlier?.digest ?? digest }
}

/** By the owner's word: this version, or the one before the current. Its faults are forgiven; undefined when there is none. */
export function rolledBack(state: AgentRollOut, to?: string): AgentRollOut | undefined {
  const at = state.versions.findIndex(({ digest }) => digest === state.current)
  const wanted =
    to === undefined
      ? state.versions.slice(0, Math.max(0, at)).findLast((one) => !isRevoked(one))
      : state.versions.findLast(({ version, digest }) => version === to || digest === to)
  if (wanted === undefined || isRevoked(wanted)) return undefined
  const next = changed(state, wanted.digest, (version) => ({ ...version, faults: 0, withdrawn: undefined }))
  return { ...next, current: wanted.digest, candidate: undefined }
}

const REVOKED = 'revoked'

/** For ever: neither a roll-back nor another installation brings it back. */
export const revoked = (state: AgentRollOut, digest: string, reason: string): AgentRollOut =>
  withdrawn(state, digest, `${REVOKED} by its engine${reason === '' ? '' : ` (${reason})`}`)

export const isRevoked = ({ withdrawn: why }: VersionState): boolean => why?.startsWith(REVOKED) === true

function changed(state: AgentRollOut, digest: string, change: (version: VersionState) => VersionState): AgentRollOut {
  return { ...state, versions: state.versions.map((one) => (one.digest === digest ? change(one) : one)) }
}
