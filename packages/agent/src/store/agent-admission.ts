/** Admission: may a bundle be installed on a site? Each reason to refuse it says what would help. Pure. */
import type { Instant } from '@comity/protocol'
import type { AgentBundle } from '../bundle/bundle.ts'
import { AGENT_API, compareVersions, HOST_VERSION } from '../bundle/manifest.ts'
import { signersOf } from '../bundle/bundle-signature.ts'
import { isRevoked } from './roll-out.ts'
import { publicKeyOf } from './store-file.ts'
import type { StoredAgent, StoreFile } from './store-file.ts'

type Admission =
  | { readonly kind: 'admitted'; readonly signers: readonly string[] }
  /** The very same bundle is there. */
  | { readonly kind: 'there'; readonly signers: readonly string[] }
  | { readonly kind: 'refused'; readonly reason: string }

/** Clocks differ; a bundle from further in the future than this was made by a wrong one. */
const MAX_SKEW_MS = 86_400_000

export function admission(bundle: AgentBundle, store: StoreFile, at: Instant, mayBeOlder: boolean): Admission {
  const { manifest, digest } = bundle
  const { name, version, api, hostVersion, madeAt, expiresAt, engine } = manifest
  if (api !== AGENT_API) return refused(`it is for version ${api} of the agent API, and this host has ${AGENT_API}.`)
  if (compareVersions(hostVersion, HOST_VERSION) > 0)
    return refused(`it needs version ${hostVersion} of @comity/agent, and this is ${HOST_VERSION}: update it.`)
  if (at >= expiresAt) return refused(`it expired on ${dayOf(expiresAt)}: ask ${engine} for a newer one.`)
  if (madeAt > at + MAX_SKEW_MS) return refused(`it says it was made on ${dayOf(madeAt)}: set the clock right.`)
  const signers = trustedSigners(bundle, store)
  if (signers.length === 0) return refused(distrustOf(bundle, store))
  const revocation = store.revoked.find((one) => one.kind === 'bundle' && one.id === digest && one.engine === engine)
  if (revocation !== undefined) return refused(`${engine} has revoked it${why(revocation.reason)}.`)
  const known = store.agents.find((agent) => agent.name === name)
  return known === undefined ? { kind: 'admitted', signers } : besides(known, bundle, signers, mayBeOlder, version)
}

function besides(
  known: StoredAgent,
  { manifest, digest }: AgentBundle,
  signers: readonly string[],
  mayBeOlder: boolean,
  version: string,
): Admission {
  if (known.engine !== manifest.engine)
    return refused(`there is an agent ${known.name} of ${known.engine} here: an agent's name belongs to who was first.`)
  const same = known.versions.find((one) => one.digest === digest)
  if (same !== undefined) return isRevoked(same) ? refused('it was revoked.') : { kind: 'there', signers }
  const newest = known.versions
    .map((one) => one.version)
    .toSorted(compareVersions)
    .at(-1)
  if (newest === undefined || compareVersions(version, newest) > 0 || mayBeOlder) return { kind: 'admitted', signers }
  return refused(
    `version ${newest} is installed, and ${version} is not newer. To go back, \`comity agent rollback\`; to install it all the same, --older.`,
  )
}

/** Those of the keys that signed it which speak for the engine it names, and were not revoked. */
function trustedSigners(bundle: AgentBundle, store: StoreFile): string[] {
  const { engine } = bundle.manifest
  const isGone = (keyId: string): boolean =>
    store.revoked.some((one) => one.kind === 'key' && one.id === keyId && one.engine === engine)
  return signersOf(bundle, (keyId) => {
    const key = store.keys.find((one) => one.keyId === keyId && one.engine === engine)
    return key === undefined || isGone(keyId) ? undefined : publicKeyOf(key)
  })
}

function distrustOf({ manifest: { engine }, signatures }: AgentBundle, store: StoreFile): string {
  if (signatures.length === 0) return 'nobody has signed it: `comity agent sign` does, with a key of the engine.'
  const ids = signatures.map(({ keyId }) => keyId)
  if (store.revoked.some(({ kind, id }) => kind === 'key' && ids.includes(id)))
    return `its key was revoked by ${engine}.`
  const known = store.keys.filter(({ keyId }) => ids.includes(keyId))
  if (known.some((key) => key.engine !== engine))
    return `it says it is of ${engine}, but the key that signed it is trusted for ${known[0]!.engine}.`
  if (known.length > 0) return 'its signature is wrong: it was changed after it was signed.'
  return `none of its keys is trusted here (${ids.join(', ')}). If you trust ${engine}, get its keys from there and add --trust KEYS.json.`
}

const refused = (reason: string): Admission => ({ kind: 'refused', reason })
const why = (reason: string): string => (reason === '' ? '' : ` (${reason})`)
const dayOf = (at: Instant): string => new Date(at).toISOString().slice(0, 10)
