/** What follows from keys and bundles that do not count any more. Pure. */
import { revoked, withdrawn } from './roll-out.ts'
import type { AgentRollOut, VersionState } from './roll-out.ts'
import type { StoredAgent, StoreFile } from './store-file.ts'

/** After new revocations: bundles that were revoked, and those that only revoked keys signed, do not run any more. */
export function withoutRevoked(store: StoreFile): StoreFile {
  const agents = store.agents.map((agent) => {
    const isMeant = (digest: string): boolean => reasonFor(store, agent.engine, digest) !== undefined
    const lost = agent.versions.filter((one) => one.withdrawn === undefined && isMeant(one.digest))
    return changed(agent, lost, (state, { digest }) => revoked(state, digest, reasonFor(store, agent.engine, digest)!))
  })
  return withoutUnsigned({ ...store, agents }, 'revoked by its engine (its key)')
}

const reasonFor = ({ revoked: list }: StoreFile, engine: string, digest: string): string | undefined =>
  list.find((one) => one.kind === 'bundle' && one.id === digest && one.engine === engine)?.reason

/** Versions that no key signed which still counts are withdrawn. */
export function withoutUnsigned(store: StoreFile, reason: string): StoreFile {
  const agents = store.agents.map((agent) => {
    const lost = agent.versions.filter(
      ({ signers, withdrawn: why }) =>
        why === undefined && !signers.some((keyId) => counts(store, agent.engine, keyId)),
    )
    return changed(agent, lost, (state, { digest }) => withdrawn(state, digest, reason))
  })
  return { ...store, agents }
}

function counts({ keys, revoked: list }: StoreFile, engine: string, keyId: string): boolean {
  const isTrusted = keys.some((one) => one.keyId === keyId && one.engine === engine)
  return isTrusted && !list.some((one) => one.kind === 'key' && one.id === keyId && one.engine === engine)
}

/** An agent after something was done about some of its versions, one after another. */
function changed(
  agent: StoredAgent,
  versions: readonly VersionState[],
  change: (state: AgentRollOut, version: VersionState) => AgentRollOut,
): StoredAgent {
  let state: AgentRollOut = agent
  for (const version of versions) state = change(state, version)
  return { ...agent, ...state }
}
