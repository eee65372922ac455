/**
 * Agent store: the agents a site has let in, in a folder (`store/store-file.ts`). The owner chooses whose keys count; a bundle that
 * none of them signed does not get in. Versions stand side by side (`store/roll-out.ts`), and an engine can take back what it sent.
 *
 * Each method is one step: all or nothing, durable when it returns. Processes may share a store: a step holds its lock for a
 * moment, and reads what is there before it changes it.
 */
import { readFileSync } from 'node:fs'
import type { KeyObject } from 'node:crypto'
import { join } from 'node:path'
import { thumbprint } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import { admission } from './agent-admission.ts'
import type { AgentBundle } from '../bundle/bundle.ts'
import { readBundle, writeBundle } from '../bundle/bundle.ts'
import { makePrivateFolder, writeDurably, takeFolderLock } from '@comity/disk'
import { agentsDamaged, agentsHeld, agentUnknown, bundleRefused } from '../errors.ts'
import { readRevocations } from './revocation-list.ts'
import { rolledBack, withVersion } from './roll-out.ts'
import type { RollOut } from './roll-out.ts'
import { bundlePath, publicKeyOf, readStore, sweepStore, writeStore } from './store-file.ts'
import type { RevokedId, StoredAgent, StoreFile } from './store-file.ts'
import { withoutRevoked, withoutUnsigned } from './revocation.ts'

export interface InstallOptions {
  readonly at: Instant
  readonly rollOut?: RollOut | undefined
  readonly mayBeOlder?: boolean | undefined
  /** Let it see how often pages were read; as before unless said. */
  readonly mayReadLog?: boolean | undefined
}

export type Installed = { readonly kind: 'installed' | 'there'; readonly agent: StoredAgent }

export type Revoked =
  | { readonly kind: 'applied'; readonly revocations: number; readonly stopped: readonly string[] }
  | { readonly kind: 'refused'; readonly problem: string }

const LOCK = 'agents'
/** A step takes milliseconds; whoever finds the lock taken tries again for a while. */
const LOCK_TRIES = 40
const LOCK_WAIT_MS = 25

export class AgentStore {
  readonly dir: string

  constructor(dir: string) {
    for (const folder of ['', 'bundles', 'memory', 'results']) makePrivateFolder(join(dir, folder))
    this.dir = dir
  }

  /** As it is now. */
  read(): StoreFile {
    return readStore(this.dir)
  }

  agent(name: string): StoredAgent {
    const found = this.read().agents.find((one) => one.name === name)
    if (found === undefined) throw agentUnknown(name, this.dir)
    return found
  }

  /** Keys that speak for an engine from now on; returns those that were not trusted before. */
  trust(keys: Iterable<KeyObject>, engine: string): string[] {
    const added: string[] = []
    this.change((store) => {
      const fresh = [...keys].flatMap((key) => {
        const keyId = thumbprint(key)
        const isKnown = store.keys.some((one) => one.keyId === keyId && one.engine === engine)
        return isKnown ? [] : [{ keyId, x: String(key.export({ format: 'jwk' }).x), engine }]
      })
      added.push(...fresh.map(({ keyId }) => keyId))
      return { ...store, keys: [...store.keys, ...fresh] }
    })
    return added
  }

  /** The owner's own no to a key: what it alone signed does not run any more. */
  distrust(keyId: string): void {
    this.change((store) => {
      const next = { ...store, keys: store.keys.filter((one) => one.keyId !== keyId) }
      return withoutUnsigned(next, 'its key is not trusted any more')
    })
  }

  /** Throws BUNDLE_REFUSED with the reason. */
  install(bundle: AgentBundle, options: InstallOptions): Installed {
    const { name, version, engine, expiresAt } = bundle.manifest
    let kind: Installed['kind'] = 'installed'
    const store = this.change((before) => {
      const verdict = admission(bundle, before, options.at, options.mayBeOlder === true)
      if (verdict.kind === 'refused') throw bundleRefused(`${name} ${version}`, verdict.reason)
      kind = verdict.kind === 'there' ? 'there' : 'installed'
      writeDurably(bundlePath(this.dir, bundle.digest), writeBundle(bundle))
      const known = before.agents.find((one) => one.name === name)
      const old = known?.versions.find(({ digest }) => digest === bundle.digest)
      const { digest } = bundle
      const fresh = {
        digest,
        version,
        signers: verdict.signers,
        installedAt: options.at,
        expiresAt,
        done: 0,
        faults: 0,
      }
      const agent: StoredAgent = known ?? {
        name,
        engine,
        versions: [],
        runs: 0,
        mayReadLog: false,
        memory: {},
        results: [],
      }
      const next = {
        ...agent,
        ...withVersion(
          agent,
          old === undefined ? fresh : { ...old, withdrawn: undefined, faults: 0 },
          options.rollOut ?? { kind: 'all' },
        ),
        mayReadLog: options.mayReadLog ?? agent.mayReadLog,
      }
      return { ...before, agents: [...before.agents.filter((one) => one.name !== name), next] }
    })
    return { kind, agent: store.agents.find((one) => one.name === name)! }
  }

  /** Take in an engine's list of what it takes back. */
  revoke(bytes: Uint8Array, at: Instant): Revoked {
    const before = this.read()
    const keyOf = (keyId: string): KeyObject | undefined => {
      const key = before.keys.find((one) => one.keyId === keyId)
      return key === undefined ? undefined : publicKeyOf(key)
    }
    const read = readRevocations(bytes, keyOf)
    if (read.kind === 'refused') return read
    const engines = before.keys.filter(({ keyId }) => keyId === read.list.keyId).map(({ engine }) => engine)
    const listed = engines.flatMap((engine) =>
      read.list.revocations.map(({ kind, id, reason }) => ({ kind, id, reason, engine, at })),
    )
    let fresh: RevokedId[] = []
    const store = this.change((now) => {
      fresh = listed.filter((one) => !now.revoked.some((old) => isSame(one, old)))
      return withoutRevoked({ ...now, revoked: [...now.revoked, ...fresh] })
    })
    const stopped = store.agents.filter((agent) => differs(agent, before)).map(({ name }) => name)
    return { kind: 'applied', revocations: fresh.length, stopped }
  }

  /** To a version by its number, or to the one before; undefined when there is none that may run. */
  rollBack(name: string, to?: string): StoredAgent | undefined {
    this.agent(name)
    let isFound = false
    const store = this.changeAgent(name, (agent) => {
      const next = rolledBack(agent, to)
      isFound = next !== undefined
      return { ...agent, ...next }
    })
    return isFound ? store.agents.find((one) => one.name === name) : undefined
  }

  /** Forget an agent with all its versions, and what it remembered. Its results stay until they are taken. */
  remove(name: string): void {
    this.agent(name)
    this.change((store) => ({ ...store, agents: store.agents.filter((one) => one.name !== name) }))
  }

  /** The program of a version, as it was installed. */
  bundle(digest: string): AgentBundle {
    const path = bundlePath(this.dir, digest)
    const read = readBundle(readFileSync(path))
    if (read.kind === 'refused') throw agentsDamaged(path, read.problem)
    if (read.bundle.digest !== digest) throw agentsDamaged(path, 'it is another program than was installed')
    return read.bundle
  }

  changeAgent(name: string, change: (agent: StoredAgent) => StoredAgent): StoreFile {
    return this.change((store) => ({
      ...store,
      agents: store.agents.map((one) => (one.name === name ? change(one) : one)),
    }))
  }

  /** One step: what `change` gives is durable when this returns; when it throws, nothing has happened. */
  change(change: (store: StoreFile) => StoreFile): StoreFile {
    using _ = this.#lock()
    const next = change(this.read())
    writeStore(this.dir, next)
    sweepStore(this.dir, next)
    return next
  }

  #lock(): Disposable {
    let who = ''
    for (let tries = 0; tries < LOCK_TRIES; tries++) {
      const lock = takeFolderLock(this.dir, LOCK)
      if (!('heldBy' in lock)) return lock
      who = lock.heldBy
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_WAIT_MS)
    }
    throw agentsHeld(this.dir, who)
  }
}

const isSame = (a: RevokedId, b: RevokedId): boolean => a.kind === b.kind && a.id === b.id && a.engine === b.engine

function differs(agent: StoredAgent, before: StoreFile): boolean {
  return JSON.stringify(agent) !== JSON.stringify(before.agents.find((one) => one.name === agent.name))
}
