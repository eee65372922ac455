/** Program view: which versions of programs are nominated for whom, who runs what, and what was withdrawn; for people. */
import { ownValue } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import { readProgramList } from './program-list.ts'
import type { Program, ProgramVersion } from './program-list.ts'
import { ProgramStateFile } from './state.ts'
import type { ProgramState, ProgramUse } from './state.ts'

export interface ProgramVersionRow {
  readonly program: string
  readonly version: string
  readonly digest: string
  /** Gateways that may have the program at all; undefined for all that are trusted. */
  readonly licensed: readonly string[] | undefined
  /** Of all gateways, from 0 to 1, besides those that are named. */
  readonly share: number
  readonly gateways: readonly string[]
  /** So many ran it when they asked last. */
  readonly running: number
  readonly faults: number
  readonly maxFaults: number
  /** Why, and when. */
  readonly withdrawn?: string | undefined
  readonly withdrawnAt?: Instant | undefined
}

export interface ProgramUseRow {
  readonly gateway: string
  readonly program: string
  /** Versions, or the beginning of a digest that the file does not name. */
  readonly runs: string | undefined
  readonly nominated: string
  /** Of that version, here. */
  readonly faults: number
  readonly askedAt: Instant
}

export interface ProgramsView {
  readonly versions: readonly ProgramVersionRow[]
  readonly uses: readonly ProgramUseRow[]
}

/** Of the operator's file, or what is wrong with it. Never throws. */
export function programsView(path: string): ProgramsView | string {
  const programs = readProgramList(path)
  if (typeof programs === 'string') return programs
  const state = new ProgramStateFile(path).now
  const versions = programs.flatMap((program) => program.versions.map((version) => versionRow(program, version, state)))
  const uses = state.uses
    .map((use) => useRow(use, versions, state))
    .toSorted((a, b) => compare(a.gateway, b.gateway) || compare(a.program, b.program))
  return { versions, uses }
}

function versionRow(
  { name, gateways, maxFaults }: Program,
  one: ProgramVersion,
  state: ProgramState,
): ProgramVersionRow {
  const { version, digest, share } = one
  const gone = state.withdrawn.find((each) => each.digest === digest)
  return {
    program: name,
    version,
    digest,
    licensed: gateways,
    share,
    gateways: one.gateways,
    running: state.uses.filter(({ runs }) => runs === digest).length,
    faults: Object.values(ownValue(state.faults, digest) ?? {}).reduce((sum, times) => sum + times, 0),
    maxFaults,
    ...(gone === undefined ? {} : { withdrawn: gone.reason, withdrawnAt: gone.at }),
  }
}

function useRow(use: ProgramUse, versions: readonly ProgramVersionRow[], { faults }: ProgramState): ProgramUseRow {
  const { gateway, program, runs, nominated, askedAt } = use
  const nameOf = (digest: string): string =>
    versions.find((one) => one.digest === digest)?.version ?? digest.replace(/^sha-256:/, '').slice(0, 12)
  return {
    gateway,
    program,
    runs: runs === undefined ? undefined : nameOf(runs),
    nominated: nameOf(nominated),
    faults: ownValue(ownValue(faults, nominated), gateway) ?? 0,
    askedAt,
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
