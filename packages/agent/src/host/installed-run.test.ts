import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { defaultDayCaps } from '../bundle/caps.ts'
import type { AgentManifest } from '../bundle/manifest.ts'
import { MemoryPages } from './pages.ts'
import { readResult } from '../bundle/result.ts'
import { ENGINE, HOME, NOW, sampleBundle, sampleKey, samplePages, testFolder } from '../testing/agent-sample.ts'
import { AgentStore } from '../store/agent-store.ts'
import { signBundle } from '../bundle/bundle-signature.ts'
import { takeFolderLock } from '@comity/disk'
import { runInstalled, takeResult } from './installed-run.ts'

/** Tells what is new to it. */
const NEWS = `export function onPage(page, agent) {
  if (agent.previous(page) === page.digest) return
  agent.remember(page, page.digest)
  agent.emit({ kind: 'meta', url: page.url })
}`
const BROKEN = 'export function onPage() { throw new Error("broken") }'

function storeIn(t: TestContext): AgentStore {
  const store = new AgentStore(testFolder(t))
  store.trust([sampleKey(1).publicKey], ENGINE)
  return store
}
function install(store: AgentStore, source: string, more: Partial<AgentManifest> = {}, mayReadLog = false): void {
  store.install(signBundle(sampleBundle(source, more), sampleKey(1)), { at: NOW, mayReadLog })
}
const options = { pages: samplePages(), at: NOW }

test('a run leaves its result and its memory, and the next begins where it ended', async (t) => {
  const store = storeIn(t)
  install(store, NEWS)
  const first = await runInstalled(store, 'sample', options)
  assert.deepEqual([first.outcome, first.version, first.number], ['done', '1.0.0', 1])
  const read = readResult(readFileSync(first.file!, 'utf8'))
  assert.ok(read.kind === 'result')
  assert.equal(read.result.records.length, 3)
  assert.deepEqual([read.result.head.at, read.result.head.pages], [NOW, 3])
  const second = await runInstalled(new AgentStore(store.dir), 'sample', {
    ...options,
    pages: samplePages().add(HOME, 'new'),
  })
  assert.equal(second.run?.use.records, 1)
  assert.deepEqual(store.agent('sample').results, [1, 2])
  assert.equal(readdirSync(join(store.dir, 'memory')).length, 1)
  takeResult(store, 'sample', 1)
  takeResult(store, 'sample', 1)
  assert.deepEqual(readdirSync(join(store.dir, 'results')), ['sample-2.ndjson'])
})

test('a version that fails three times gives way to the one before, which still knows what it knew', async (t) => {
  const store = storeIn(t)
  install(store, NEWS)
  await runInstalled(store, 'sample', options)
  install(store, BROKEN, { version: '2.0.0' })
  const versions: string[] = []
  for (let i = 0; i < 4; i++) {
    const { version, outcome, file } = await runInstalled(store, 'sample', options)
    versions.push(`${version} ${outcome}`)
    assert.equal(file, undefined)
  }
  assert.deepEqual(versions, ['2.0.0 threw', '2.0.0 threw', '2.0.0 threw', '1.0.0 done'])
  assert.equal(store.agent('sample').last?.records, 0)
  assert.match(store.agent('sample').versions[1]?.withdrawn ?? '', /3 runs failed/)
  assert.deepEqual(readdirSync(join(store.dir, 'results')).toSorted(), ['sample-1.ndjson'])
})

test('an agent without a version that may run is not run, and the reason is told', async (t) => {
  const store = storeIn(t)
  install(store, NEWS)
  const late = { ...options, at: NOW + 400 * 86_400_000 }
  await assert.rejects(runInstalled(store, 'sample', late), { code: 'AGENT_IDLE', message: /has expired/ })
  await assert.rejects(runInstalled(store, 'nobody', options), { code: 'AGENT_UNKNOWN' })
})

test('what may be used in a day is used once, and there again the next day', async (t) => {
  const store = storeIn(t)
  install(store, NEWS)
  const capped = { ...options, dayCaps: { ...defaultDayCaps, runs: 1 } }
  assert.equal((await runInstalled(store, 'sample', capped)).outcome, 'done')
  const spent = await runInstalled(store, 'sample', capped)
  assert.deepEqual([spent.outcome, spent.message, spent.run], ['day-spent', 'runs: 1 of 1', undefined])
  assert.equal((await runInstalled(store, 'sample', { ...capped, at: NOW + 86_400_000 })).outcome, 'done')
})

test('a run has no more than is left of the day', async (t) => {
  const store = storeIn(t)
  install(store, 'export function onPage(page, agent) { agent.read(page) }')
  const bytes = [...samplePages().list()].reduce((sum, page) => sum + page.bytes, 0)
  const capped = { ...options, dayCaps: { ...defaultDayCaps, readBytes: bytes + 10 } }
  assert.equal((await runInstalled(store, 'sample', capped)).outcome, 'done')
  assert.equal((await runInstalled(store, 'sample', capped)).outcome, 'reads-too-much')
})

test('the access log goes only to an agent whose owner lets it', async (t) => {
  const store = storeIn(t)
  const source = 'export default (agent) => agent.emit({ kind: "meta", url: "https://a.example/", log: agent.log() })'
  const log = new Map([[HOME, 3]])
  const logged = async (): Promise<unknown> => {
    const { file } = await runInstalled(store, 'sample', { ...options, log })
    const read = readResult(readFileSync(file!, 'utf8'))
    return read.kind === 'result' ? read.result.records[0]?.record['log'] : undefined
  }
  install(store, source, { perPage: false, reads: ['pages', 'log'] })
  assert.equal(await logged(), null)
  install(store, source, { perPage: false, reads: ['pages', 'log'] }, true)
  assert.deepEqual(await logged(), { [HOME]: 3 })
})

test('one run of an agent at a time', async (t) => {
  const store = storeIn(t)
  install(store, NEWS)
  const lock = takeFolderLock(store.dir, 'run-sample')
  assert.ok(!('heldBy' in lock))
  await assert.rejects(runInstalled(store, 'sample', options), { code: 'AGENTS_HELD', message: /which runs sample/ })
  lock[Symbol.dispose]()
  assert.equal((await runInstalled(store, 'sample', options)).outcome, 'done')
})

test('a host that is killed in the middle of a run leaves the state before it', async (t) => {
  const store = storeIn(t)
  install(
    store,
    'export function onPage(page, agent) { agent.remember(page, 1); agent.emit({ kind: "meta", url: page.url }); for (;;); }',
    {
      caps: { cpuMs: 60_000 },
    },
  )
  const before = readFileSync(join(store.dir, 'agents.json'), 'utf8')
  const child = spawn(process.execPath, [join(import.meta.dirname, '../testing/killed-run.ts'), store.dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [pid] = (await once(child.stdout, 'data')) as [Buffer]
  child.kill('SIGKILL')
  await once(child, 'close')
  // Its sandbox finds nobody to talk to, or is ended here: it was started by this test's own child.
  try {
    process.kill(Number(pid.toString()), 'SIGKILL')
  } catch {
    // Gone already.
  }
  assert.equal(readFileSync(join(store.dir, 'agents.json'), 'utf8'), before)
  assert.deepEqual(readdirSync(join(store.dir, 'memory')), [])
  install(store, NEWS, { version: '2.0.0' })
  const { outcome, number } = await runInstalled(store, 'sample', {
    ...options,
    pages: new MemoryPages().add(HOME, 'x'),
  })
  assert.deepEqual([outcome, number], ['done', 1])
  assert.deepEqual(readdirSync(join(store.dir, 'results')), ['sample-1.ndjson'])
})
