/**
 * Program state: who runs which program, which versions failed where, and which were withdrawn; a file beside the operator's
 * (`programs/program-list.ts`). The receiver writes it, and so does an operator who forgives a version, in another process: each reads
 * what is there before it changes it.
 */
import { readFileSync, statSync } from 'node:fs'
import { writeDurably } from '@comity/disk'
import type { Instant } from '@comity/protocol'

/** Of one gateway and one program. */
export interface ProgramUse {
  readonly program: string
  readonly gateway: string
  /** What it had when it asked; undefined for nothing. */
  readonly runs?: string | undefined
  readonly nominated: string
  readonly askedAt: Instant
}

export interface WithdrawnProgram {
  readonly digest: string
  readonly version: string
  readonly reason: string
  readonly at: Instant
}

export interface ProgramState {
  readonly uses: readonly ProgramUse[]
  readonly withdrawn: readonly WithdrawnProgram[]
  /** By digest, by gateway. */
  readonly faults: Readonly<Record<string, Readonly<Record<string, number>>>>
}

const EMPTY: ProgramState = { uses: [], withdrawn: [], faults: {} }

/** Of a file of programs. */
export const programStatePath = (path: string): string => `${path}.state.json`

export class ProgramStateFile {
  readonly #path: string
  #state = EMPTY
  #version = ''

  /** `path`: the operator's file. */
  constructor(path: string) {
    this.#path = programStatePath(path)
  }

  get now(): ProgramState {
    const version = fileVersion(this.#path)
    if (version !== this.#version) {
      this.#version = version
      this.#state = readProgramState(this.#path)
    }
    return this.#state
  }

  /** What counts from now on, though the disk fails: then this throws. */
  change(change: (state: ProgramState) => ProgramState): void {
    this.#state = change(this.now)
    writeDurably(this.#path, `${JSON.stringify(this.#state, undefined, 2)}\n`)
    this.#version = fileVersion(this.#path)
  }
}

/** Empty for a file that is not there. */
export function fileVersion(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stat === undefined ? '' : `${stat.ino} ${stat.mtimeNs} ${stat.size}`
}

/** Never throws: what is lost with this file is what gateways say again. */
function readProgramState(path: string): ProgramState {
  try {
    const { uses, withdrawn, faults } = JSON.parse(readFileSync(path, 'utf8')) as Partial<ProgramState>
    const isWhole = Array.isArray(uses) && Array.isArray(withdrawn) && typeof faults === 'object' && faults !== null
    return isWhole ? { uses, withdrawn, faults } : EMPTY
  } catch {
    // The first start, or a file that nobody can read.
    return EMPTY
  }
}
