/** A signed program for tests, and a store that trusts its key. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { AgentStore, makeBundle, signBundle } from '@comity/agent'
import type { AgentBundle } from '@comity/agent'
import { newKeyRing } from '@comity/protocol'
import type { RingKey } from '@comity/protocol'

export const NOW: number = Date.UTC(2026, 10, 15)
const ENGINE = 'https://engine.example/keys'
const [key] = newKeyRing(Buffer.alloc(32, 7), 0)

export function programBundle(version: string, source: string, signer: RingKey = key): AgentBundle {
  const manifest = {
    name: 'rules',
    version,
    about: 'Says what is indexed.',
    api: 1,
    hostVersion: '0.1.0',
    engine: ENGINE,
    madeAt: NOW - 1_000,
    expiresAt: NOW + 86_400_000,
    perPage: true,
    reads: ['pages'],
    emits: ['meta', 'postings'],
    unaudited: [],
    caps: { cpuMs: 2_000, wallMs: 20_000, memoryBytes: 32 << 20 },
  } as const
  return signBundle(makeBundle(manifest, source), signer)
}

export function programStore(t: TestContext, ...bundles: readonly AgentBundle[]): AgentStore {
  const dir = mkdtempSync(join(tmpdir(), 'comity-program-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const store = new AgentStore(dir)
  store.trust([key.publicKey], ENGINE)
  for (const one of bundles) store.install(one, { at: NOW })
  return store
}
