import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { AgentBundle } from '../bundle/bundle.ts'
import type { AgentManifest } from '../bundle/manifest.ts'
import { ENGINE, NOW, sampleBundle, sampleKey, testFolder } from '../testing/agent-sample.ts'
import { AgentStore } from './agent-store.ts'
import { signBundle } from '../bundle/bundle-signature.ts'
import { takeFolderLock } from '@comity/disk'
import { HOSTILE_NAMES } from '@comity/disk/testing'
import { writeRevocations } from './revocation-list.ts'
import { chosenVersion } from './roll-out.ts'

const signed = (more: Partial<AgentManifest> = {}, key = 1): AgentBundle =>
  signBundle(sampleBundle(`// ${JSON.stringify(more)}\nexport function onPage() {}`, more), sampleKey(key))
const at = NOW

/** A store whose owner trusts keys 1 and 2 for the engine. */
function storeIn(t: TestContext): AgentStore {
  const store = new AgentStore(testFolder(t))
  store.trust([sampleKey(1).publicKey, sampleKey(2).publicKey], ENGINE)
  return store
}
const running = (store: AgentStore, name = 'sample'): string | undefined => {
  const choice = chosenVersion(store.agent(name), at)
  return choice.kind === 'version' ? choice.version.version : undefined
}
const refusal =
  (code: string, message: RegExp): ((error: unknown) => boolean) =>
  (error) => {
    assert.equal((error as { code?: unknown }).code, code)
    assert.match(String(error), message)
    return true
  }

test('a bundle that a trusted key signed is installed, and is there for whoever opens the store next', (t) => {
  const store = storeIn(t)
  const bundle = signed()
  const { kind, agent } = store.install(bundle, { at })
  assert.equal(kind, 'installed')
  assert.deepEqual(agent.versions[0]?.signers, [sampleKey(1).keyId])
  const again = new AgentStore(store.dir)
  assert.equal(running(again), '1.0.0')
  assert.deepEqual(again.bundle(bundle.digest), bundle)
  assert.equal(again.install(bundle, { at }).kind, 'there')
})

// oxfmt-ignore
const refusals: [sentence: string, bundle: AgentBundle, message: RegExp][] = [
  ['nobody signed',                        sampleBundle('x'),                                       /nobody has signed it/],
  ['a stranger signed',                    signed({}, 7),                                           /none of its keys is trusted here \([\w-]{43}\).*--trust KEYS\.json/],
  ['was changed after it was signed',      { ...sampleBundle('evil'), signatures: signed().signatures }, /signature is wrong/],
  ['says it is of another engine',         signed({ engine: 'https://other.example/keys' }),        /trusted for https:\/\/engine\.example/],
  ['has expired',                          signed({ madeAt: NOW - 2_000, expiresAt: NOW - 1_000 }), /expired on 2026-11-14/],
  ['comes from the future',                signed({ madeAt: NOW + 200_000_000 }),                   /set the clock right/],
  ['is for another API',                   signed({ api: 2 }),                                      /version 2 of the agent API/],
  ['is for a later host',                  signed({ hostVersion: '9.0.0' }),                        /needs version 9\.0\.0/],
]
for (const [sentence, bundle, message] of refusals) {
  test(`a bundle that ${sentence} is refused`, (t) => {
    const store = storeIn(t)
    assert.throws(() => store.install(bundle, { at }), refusal('BUNDLE_REFUSED', message))
    assert.deepEqual(store.read().agents, [])
    assert.deepEqual(readdirSync(join(store.dir, 'bundles')), [])
  })
}

test('a version that is not newer is refused, unless the owner wants it', (t) => {
  const store = storeIn(t)
  store.install(signed({ version: '1.10.0' }), { at })
  assert.throws(
    () => store.install(signed({ version: '1.9.0' }), { at }),
    refusal('BUNDLE_REFUSED', /1\.9\.0 is not newer/),
  )
  store.install(signed({ version: '1.9.0' }), { at, mayBeOlder: true })
  assert.equal(running(store), '1.9.0')
})

test('the name of an agent belongs to the engine that was first', (t) => {
  const store = storeIn(t)
  const engine = 'https://other.example/keys'
  store.trust([sampleKey(5).publicKey], engine)
  store.install(signed(), { at })
  assert.throws(
    () => store.install(signed({ engine, version: '2.0.0' }, 5), { at }),
    refusal('BUNDLE_REFUSED', /of https:\/\/engine/),
  )
})

test('an engine that changes its keys signs with both, and then with the new one', (t) => {
  const store = new AgentStore(testFolder(t))
  store.trust([sampleKey(1).publicKey], ENGINE)
  store.install(signBundle(signed({ version: '1.0.0' }), sampleKey(2)), { at })
  store.trust([sampleKey(2).publicKey], ENGINE)
  store.install(signed({ version: '2.0.0' }, 2), { at })
  assert.equal(running(store), '2.0.0')
})

test('a version under trial stands beside the one that runs', (t) => {
  const store = storeIn(t)
  store.install(signed({ version: '1.0.0' }), { at })
  const { agent } = store.install(signed({ version: '2.0.0' }), { at, rollOut: { kind: 'share', share: 0 } })
  assert.equal(running(store), '1.0.0')
  assert.equal(agent.versions.length, 2)
  store.install(signed({ version: '2.0.0' }), { at })
  assert.equal(running(store), '2.0.0')
})

test('an owner goes back, and is told when there is nothing to go back to', (t) => {
  const store = storeIn(t)
  store.install(signed({ version: '1.0.0' }), { at })
  assert.equal(store.rollBack('sample'), undefined)
  store.install(signed({ version: '2.0.0' }), { at })
  assert.equal(store.rollBack('sample')?.current, signed({ version: '1.0.0' }).digest)
  assert.equal(running(store), '1.0.0')
  assert.equal(running(new AgentStore(store.dir)), '1.0.0')
  assert.throws(() => store.rollBack('nobody'), refusal('AGENT_UNKNOWN', /no agent nobody/))
})

test('a bundle that its engine revokes stops, and cannot come back', (t) => {
  const store = storeIn(t)
  const [one, two] = [signed({ version: '1.0.0' }), signed({ version: '2.0.0' })]
  store.install(one, { at })
  store.install(two, { at })
  const list = writeRevocations(at, [{ kind: 'bundle', id: two.digest, reason: 'reads too much' }], sampleKey(2))
  assert.deepEqual(store.revoke(Buffer.from(list), at), { kind: 'applied', revocations: 1, stopped: ['sample'] })
  assert.equal(running(store), '1.0.0')
  assert.throws(() => store.install(two, { at }), refusal('BUNDLE_REFUSED', /revoked it \(reads too much\)/))
  assert.equal(store.rollBack('sample', '2.0.0'), undefined)
  assert.deepEqual(store.revoke(Buffer.from(list), at), { kind: 'applied', revocations: 0, stopped: [] })
})

test('a key that its engine revokes takes along what it alone signed', (t) => {
  const store = storeIn(t)
  store.install(signed({ version: '1.0.0' }, 2), { at })
  store.install(signed({ version: '2.0.0' }, 1), { at })
  const list = writeRevocations(at, [{ kind: 'key', id: sampleKey(1).keyId, reason: 'stolen' }], sampleKey(2))
  assert.equal(store.revoke(Buffer.from(list), at).kind, 'applied')
  assert.equal(running(store), '1.0.0')
  assert.throws(
    () => store.install(signed({ version: '3.0.0' }, 1), { at }),
    refusal('BUNDLE_REFUSED', /key was revoked/),
  )
})

test("nobody revokes what is another engine's", (t) => {
  const store = storeIn(t)
  const engine = 'https://other.example/keys'
  store.trust([sampleKey(5).publicKey], engine)
  store.install(signed(), { at })
  const list = writeRevocations(
    at,
    [
      { kind: 'bundle', id: signed().digest, reason: '' },
      { kind: 'key', id: sampleKey(1).keyId, reason: '' },
    ],
    sampleKey(5),
  )
  assert.equal(store.revoke(Buffer.from(list), at).kind, 'applied')
  assert.equal(running(store), '1.0.0')
  const stranger = writeRevocations(at, [{ kind: 'bundle', id: signed().digest, reason: '' }], sampleKey(7))
  assert.equal(store.revoke(Buffer.from(stranger), at).kind, 'refused')
})

test('an owner who trusts a key no more stops what it alone signed', (t) => {
  const store = storeIn(t)
  store.install(signed(), { at })
  store.distrust(sampleKey(1).keyId)
  assert.equal(running(store), undefined)
  assert.throws(
    () => store.install(signed({ version: '2.0.0' }), { at }),
    refusal('BUNDLE_REFUSED', /none of its keys/),
  )
})

test('what is removed leaves nothing behind', (t) => {
  const store = storeIn(t)
  store.install(signed(), { at })
  store.remove('sample')
  assert.deepEqual(readdirSync(join(store.dir, 'bundles')), [])
  assert.throws(() => store.agent('sample'), refusal('AGENT_UNKNOWN', /sample/))
})

test('a program that is not what was installed is not run', (t) => {
  const store = storeIn(t)
  const bundle = signed()
  store.install(bundle, { at })
  const path = join(store.dir, 'bundles', `${bundle.digest.slice(8)}.agent`)
  writeFileSync(path, readFileSync(path, 'utf8').replace('onPage', 'onCake'))
  assert.throws(() => store.bundle(bundle.digest), refusal('AGENTS_DAMAGED', /another program/))
  writeFileSync(path, 'nonsense')
  assert.throws(() => store.bundle(bundle.digest), refusal('AGENTS_DAMAGED', /does not begin/))
})

test('a file that is not what was written is refused by name, and left alone', (t) => {
  const store = storeIn(t)
  const path = join(store.dir, 'agents.json')
  for (const text of ['{', '{"format":2}', '{"format":1}', 'null']) {
    writeFileSync(path, text)
    assert.throws(() => store.install(signed(), { at }), refusal('AGENTS_DAMAGED', /agents\.json/))
    assert.equal(readFileSync(path, 'utf8'), text)
  }
})

test('whoever finds the store in other hands is told whose', (t) => {
  const store = storeIn(t)
  const lock = takeFolderLock(store.dir, 'agents')
  assert.ok(!('heldBy' in lock))
  assert.throws(() => store.install(signed(), { at }), refusal('AGENTS_HELD', new RegExp(`process ${process.pid} `)))
  lock[Symbol.dispose]()
  assert.equal(store.install(signed(), { at }).kind, 'installed')
})

test('a store that names a file outside its folder is damaged', (t) => {
  const store = storeIn(t)
  store.install(signed(), { at })
  const path = join(store.dir, 'agents.json')
  const text = readFileSync(path, 'utf8')
  const json = JSON.parse(text) as { agents: { name: string; memory: object; versions: { digest: string }[] }[] }
  const [agent] = json.agents
  const digest = agent!.versions[0]!.digest
  for (const name of HOSTILE_NAMES) {
    const changes = [
      { ...agent, name },
      { ...agent, memory: { [`sha-256:${name}`]: 1 } },
      { ...agent, memory: { [digest]: name } },
      { ...agent, results: [name] },
      { ...agent, versions: [{ ...agent!.versions[0], digest: `sha-256:${name}` }] },
    ]
    for (const one of changes) {
      writeFileSync(path, JSON.stringify({ ...json, agents: [one] }))
      assert.throws(() => store.read(), refusal('AGENTS_DAMAGED', /agents\.json/), JSON.stringify(one))
    }
    assert.throws(() => store.bundle(`sha-256:${name}`), /is no file of ours|ENOENT/)
  }
  writeFileSync(path, text)
  assert.equal(running(store), '1.0.0')
})
