/**
 * Agent placement: an agent of an engine, put at a site in one step, as engine and owner would do it in five: built, signed with
 * a key of the engine's, the key trusted by the site for that engine, the bundle installed there, and kept by the engine, which
 * will hear it and audit it. For demonstrations and tests, where both are in one hand.
 */
import { createPublicKey, randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateFolder } from '@comity/disk'
import {
  AGENT_API,
  AgentStore,
  describeAgent,
  HOST_VERSION,
  makeBundle,
  readAgentManifest,
  signBundle,
  writeBundle,
} from '@comity/agent'
import type { AgentBundle, AgentManifest } from '@comity/agent'
import { newKeyRing } from '@comity/protocol'
import type { SigningKey } from '@comity/protocol'
import { UsageError } from '../usage-error.ts'

interface AgentPlacement {
  /** The program, a JavaScript module with a manifest. */
  readonly source: string
  /** Whose it is: where the engine's keys are. What the agent says goes to subscribers at that host. */
  readonly engine: string
  /** The folder of the site's agents. */
  readonly agents: string
  /** The folder of the engine's bundles. */
  readonly bundles: string
  readonly at: number
  /** Of the engine; a new one unless given. */
  readonly key?: SigningKey | undefined
  readonly manifest?: Partial<AgentManifest> | undefined
}

const DAY_MS = 86_400_000

/** Throws with the reason when it is no agent, or the site does not take it. */
export async function placeAgent(placement: AgentPlacement): Promise<AgentBundle> {
  const { agents, bundles, at, engine, key = newKeyRing(randomBytes(32), at)[0] } = placement
  const signed = signBundle(await bundleOf(placement), key)
  const store = new AgentStore(agents)
  store.trust([createPublicKey(key.privateKey)], engine)
  store.install(signed, { at })
  makePrivateFolder(bundles)
  writeFileSync(join(bundles, `${signed.manifest.name}-${signed.manifest.version}.agent`), writeBundle(signed))
  return signed
}

async function bundleOf({ source, engine, at, manifest = {} }: AgentPlacement): Promise<AgentBundle> {
  const described = await describeAgent(source)
  if (described.kind === 'refused')
    throw new UsageError(`The program is no agent (${described.outcome}): ${described.message}.`)
  const usual = { api: AGENT_API, hostVersion: HOST_VERSION, reads: ['pages'], unaudited: [], caps: {} }
  const dates = { madeAt: dateOf(at), expiresAt: dateOf(at + 365 * DAY_MS) }
  const read = readAgentManifest({ ...usual, ...dates, ...(described.manifest as object), engine, ...manifest })
  if (read.kind === 'refused') throw new UsageError(`The program is no agent: ${read.problem}.`)
  return makeBundle(read.manifest, source)
}

const dateOf = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`
