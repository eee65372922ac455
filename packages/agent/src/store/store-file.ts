/**
 * Store file: what a site knows of its agents, in one file, so that every step is one rename.
 *
 *   DIR/agents.json            keys, revocations, agents with their versions
 *   DIR/bundles/HEX.agent      programs, by digest
 *   DIR/memory/HEX-RUN.ndjson  what a version remembered after a run
 *   DIR/results/NAME-RUN.ndjson   what a run emitted, until somebody takes it
 *   DIR/*.lock                 who is at work (`folder-lock.ts`)
 *
 * Files that agents.json does not name are left over from a crash, and go with the next step.
 */
import { createPublicKey } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Instant } from '@comity/protocol'
import { isAgentName } from '../bundle/manifest.ts'
import type { AgentOutcome } from '../agent-outcome.ts'
import type { DayUse } from '../day-use.ts'
import { codeOf, pathInside, writeDurably } from '@comity/disk'
import { agentsDamaged } from '../errors.ts'
import type { AgentRollOut } from './roll-out.ts'

/** A key that the owner trusts to speak for an engine. */
export interface TrustedKey {
  readonly keyId: string
  /** The key itself: `x` of its JSON Web Key. */
  readonly x: string
  /** Whose it is, as manifests name it. */
  readonly engine: string
}

export interface RevokedId {
  readonly kind: 'bundle' | 'key'
  readonly id: string
  readonly engine: string
  readonly reason: string
  readonly at: Instant
}

export interface LastRun {
  readonly run: number
  readonly at: Instant
  readonly version: string
  readonly outcome: AgentOutcome
  readonly message: string
  readonly records: number
}

export interface StoredAgent extends AgentRollOut {
  readonly engine: string
  /** Whether the owner lets it see how often pages were read. */
  readonly mayReadLog: boolean
  readonly day?: DayUse | undefined
  readonly last?: LastRun | undefined
  /** By digest of a version, the run whose memory counts. */
  readonly memory: Readonly<Record<string, number>>
  /** Runs whose results wait to be taken. */
  readonly results: readonly number[]
}

export interface StoreFile {
  readonly format: 1
  readonly keys: readonly TrustedKey[]
  readonly revoked: readonly RevokedId[]
  readonly agents: readonly StoredAgent[]
}

const EMPTY: StoreFile = { format: 1, keys: [], revoked: [], agents: [] }

const pathOf = (dir: string): string => join(dir, 'agents.json')

export function readStore(dir: string): StoreFile {
  const path = pathOf(dir)
  let text = ''
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return EMPTY
    throw error
  }
  let store: Partial<StoreFile> | null = null
  try {
    store = JSON.parse(text) as Partial<StoreFile> | null
  } catch (cause) {
    throw agentsDamaged(path, 'it is not JSON', cause)
  }
  if (store?.format !== 1) throw agentsDamaged(path, 'it is of another version of comity')
  const { keys, revoked, agents } = store
  if (!Array.isArray(keys) || !Array.isArray(revoked) || !Array.isArray(agents))
    throw agentsDamaged(path, 'parts of it are missing')
  const stranger = agents.find((agent) => !isNamedByUs(agent))
  if (stranger !== undefined)
    throw agentsDamaged(path, `it has an agent that nobody installed: ${JSON.stringify(stranger.name)?.slice(0, 100)}`)
  return { format: 1, keys, revoked, agents }
}

/** Files are called by these: the folder may have come from somebody else, and no name in it may lead out of it. */
function isNamedByUs({ name, versions, memory, results }: Partial<StoredAgent>): boolean {
  const runs = [...Object.values(memory ?? {}), ...(results ?? [])]
  const digests = [...Object.keys(memory ?? {}), ...(versions ?? []).map(({ digest }) => digest)]
  return (
    isAgentName(name) &&
    digests.every((digest) => DIGEST.test(digest)) &&
    runs.every((run) => Number.isSafeInteger(run))
  )
}

const DIGEST = /^sha-256:[0-9a-f]{64}$/

export function writeStore(dir: string, store: StoreFile): void {
  writeDurably(pathOf(dir), `${JSON.stringify(store, undefined, 2)}\n`)
}

export const publicKeyOf = ({ x }: TrustedKey): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })

const hexOf = (digest: string): string => digest.slice(digest.indexOf(':') + 1)

export const bundlePath = (dir: string, digest: string): string => fileIn(dir, 'bundles', `${hexOf(digest)}.agent`)

export const memoryPath = (dir: string, digest: string, run: number): string =>
  fileIn(dir, 'memory', `${hexOf(digest)}-${run}.ndjson`)

export const resultPath = (dir: string, name: string, run: number): string =>
  fileIn(dir, 'results', `${name}-${run}.ndjson`)

function fileIn(dir: string, folder: string, name: string): string {
  const path = pathInside(join(dir, folder), name)
  if (path === undefined) throw agentsDamaged(join(dir, folder), `${JSON.stringify(name)} is no file of ours in it`)
  return path
}

/** Remove programs and memories that the store does not name. Results are left to whoever runs or takes them. */
export function sweepStore(dir: string, { agents }: StoreFile): void {
  const bundles = agents.flatMap(({ versions }) => versions.map(({ digest }) => bundlePath(dir, digest)))
  const memories = agents.flatMap(({ memory }) =>
    Object.entries(memory).map(([digest, run]) => memoryPath(dir, digest, run)),
  )
  const named = new Set([...bundles, ...memories])
  for (const folder of ['bundles', 'memory']) {
    for (const name of readdirSync(join(dir, folder))) {
      const path = join(dir, folder, name)
      if (!named.has(path)) rmSync(path, { force: true })
    }
  }
}
