/** A signed program in two versions, for tests. */
import { makeBundle, signBundle } from '@comity/agent'
import type { AgentBundle } from '@comity/agent'
import { newKeyRing } from '@comity/protocol'
import type { RingKey } from '@comity/protocol'

export const PROGRAM_ENGINE = 'https://engine.example/keys'
export const programKey: RingKey = newKeyRing(Buffer.alloc(32, 7), 0)[0]

export function unsignedProgram(version: string): AgentBundle {
  const manifest = {
    name: 'rules',
    version,
    about: 'Says what is indexed.',
    api: 1,
    hostVersion: '0.1.0',
    engine: PROGRAM_ENGINE,
    madeAt: 0,
    expiresAt: Date.UTC(2100, 0, 1),
    perPage: true,
    reads: ['pages'],
    emits: ['meta'],
    unaudited: [],
    caps: {},
  } as const
  return makeBundle(manifest, 'export function onPage() {}')
}

export const signedProgram = (version: string): AgentBundle => signBundle(unsignedProgram(version), programKey)
