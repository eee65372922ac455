/** Samples for the tests of this package: manifests, bundles, keys, and a small site. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { newKeyRing } from '@comity/protocol'
import type { RingKey } from '@comity/protocol'
import { makeBundle } from '../bundle/bundle.ts'
import type { AgentBundle } from '../bundle/bundle.ts'
import { runAgent } from '../host/host.ts'
import type { AgentRun, AgentTask } from '../host/host.ts'
import type { AgentManifest } from '../bundle/manifest.ts'
import { MemoryPages } from '../host/pages.ts'
import type { EmittedRecord } from '../host/services.ts'

export const NOW: number = Date.UTC(2026, 10, 15)
const DAY = 86_400_000

export const ENGINE = 'https://engine.example/keys'

export function sampleManifest(more: Partial<AgentManifest> = {}): AgentManifest {
  return {
    name: 'sample',
    version: '1.0.0',
    about: 'Does what a test wants.',
    api: 1,
    hostVersion: '0.1.0',
    engine: ENGINE,
    madeAt: NOW - DAY,
    expiresAt: NOW + 365 * DAY,
    perPage: true,
    reads: ['pages'],
    emits: ['meta'],
    unaudited: [],
    caps: { cpuMs: 1_000, wallMs: 20_000, memoryBytes: 32 << 20 },
    ...more,
  }
}

export const sampleBundle = (source: string, more: Partial<AgentManifest> = {}): AgentBundle =>
  makeBundle(sampleManifest(more), source)

/** Always the same for a number. */
export const sampleKey = (number: number): RingKey => newKeyRing(Buffer.alloc(32, number + 1), 0)[0]

export const HOME = 'https://a.example/'
export const CATS = 'https://a.example/cats'
export const TEXT = 'https://a.example/plain.txt'

export const samplePages = (): MemoryPages =>
  new MemoryPages()
    .add(HOME, '<html lang=en><title>Home</title><h1>Welcome</h1><p>See <a href=/cats>the cats</a>.', 'text/html', 5)
    .add(CATS, '<title>Cats</title><p>Two cats. <a href="https://b.example/x#y" rel=nofollow>Elsewhere</a>')
    .add(TEXT, 'plain\0text \ud83d\ude00', 'text/plain')

interface Ran extends AgentRun {
  readonly emitted: readonly EmittedRecord[]
}

/** Runs a program over the sample pages, or others. */
export async function ran(
  source: string,
  more: Partial<AgentManifest> = {},
  task: Partial<AgentTask> = {},
): Promise<Ran> {
  const emitted: EmittedRecord[] = []
  const pages = task.pages ?? samplePages()
  const run = await runAgent({
    ...task,
    bundle: sampleBundle(source, more),
    pages,
    onRecord: (one) => emitted.push(one),
  })
  return { ...run, emitted }
}

/** A folder that is gone when the test ends. */
export function testFolder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'comity-agent-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}
