import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { AgentStore, endLine, headLine, recordLine, resultPath, writeRevocations } from '@comity/agent'
import type { AgentBundle } from '@comity/agent'
import { newKeyRing } from '@comity/protocol'
import type { Subscriber } from '@comity/site'
import { AgentOutboxFile } from './outbox.ts'
import { placeAgent } from './placement.ts'
import { temporaryFolder } from '../testing/spawned-comity.ts'

const folder = temporaryFolder()
after(() => folder[Symbol.dispose]())

const KEY = newKeyRing(Buffer.alloc(32, 3), 0)[0]
const AT = Date.UTC(2026, 10, 15)
const DIGEST = `sha-256:${'0'.repeat(64)}`
const SOURCE = `export const manifest = { name: 'sample', version: '1.0.0', about: 'A sample.', perPage: true, emits: ['meta', 'page'] }
export function onPage() {}`

const subscriber = (id: string, more: Partial<Subscriber> = {}): Subscriber => ({
  id,
  scheme: 'agent',
  by: 'websub',
  address: `https://engine.example/${id}`,
  begins: 0,
  ...more,
})

interface Sample {
  readonly store: AgentStore
  readonly bundle: AgentBundle
  readonly told: string[]
  readonly open: (subscribers: readonly Subscriber[]) => AgentOutboxFile
  /** A run with this number has something to say. */
  readonly result: (run: number, text?: string) => void
}

let made = 0

async function sample(): Promise<Sample> {
  const dir = folder.at(`outbox-${++made}`)
  const places = { agents: dir, bundles: `${dir}-bundles`, engine: 'https://engine.example/keys' }
  const bundle = await placeAgent({ source: SOURCE, ...places, at: AT, key: KEY })
  const store = new AgentStore(dir)
  const told: string[] = []
  return {
    store,
    bundle,
    told,
    open: (subscribers) =>
      new AgentOutboxFile({
        store,
        subscribers: { all: () => subscribers },
        file: join(dir, 'told.json'),
        tell: (text) => told.push(text),
      }),
    result: (run, text = resultOf(bundle)) => {
      writeFileSync(resultPath(dir, 'sample', run), text)
      store.changeAgent('sample', (agent) => ({ ...agent, runs: run, results: [...agent.results, run] }))
    },
  }
}

function resultOf({ digest }: AgentBundle): string {
  const head = { agent: 'sample', version: '1.0.0', bundle: digest, at: AT, pages: 1, pagesDigest: DIGEST }
  const records = ['meta', 'page'].map((kind) => ({
    page: DIGEST,
    text: `{"kind":"${kind}","url":"https://a.example/"}`,
  }))
  return [headLine(head), ...records.map((record) => recordLine(record)), endLine(2)].join('')
}

test('a result waits for whoever was there before it, line by line as it was written, until it is taken', async () => {
  const { store, open, result, bundle } = await sample()
  const one = subscriber('one')
  const outbox = open([one])
  assert.deepEqual(
    outbox.newcomersOf(store.agent('sample')).map(({ id }) => id),
    ['one'],
  )
  outbox.welcome(store.agent('sample'), [one])
  result(1)
  outbox.refresh()
  assert.equal(outbox.isWaiting(one), true)
  const letter = (await outbox.next(one))!
  assert.equal([letter.head, ...letter.records.map(({ line }) => line), endLine(2)].join(''), resultOf(bundle))
  assert.deepEqual(
    letter.records.map(({ wish }) => wish),
    [undefined, 'page'],
  )
  assert.equal((await open([one]).next(one))?.id, letter.id, 'also after a restart')
  await outbox.taken(one, letter)
  assert.equal(outbox.isWaiting(one), false)
  assert.deepEqual(store.agent('sample').results, [])
  assert.equal(open([one]).isWaiting(one), false)
})

test('what an agent says goes to its engine, and to addresses that the owner wrote down', async () => {
  const { store, open } = await sample()
  const others = [
    subscriber('stranger', { address: 'https://other.example/' }),
    subscriber('pages', { scheme: 'pages' }),
    subscriber('named', { by: 'push', address: 'https://other.example/push' }),
    subscriber('own'),
  ]
  const outbox = open(others)
  assert.deepEqual(
    outbox.audienceOf(store.agent('sample')).map(({ id }) => id),
    ['named', 'own'],
  )
  assert.equal(outbox.hasAgentFor('https://engine.example/callback'), true)
  assert.equal(outbox.hasAgentFor('https://other.example/callback'), false)
})

test('a result is kept until the slowest has it, and who comes later is not told what was said before', async () => {
  const { store, open, result } = await sample()
  const [one, two, late] = [subscriber('one'), subscriber('two'), subscriber('late')]
  const outbox = open([one, two, late])
  outbox.welcome(store.agent('sample'), [one, two])
  result(1)
  result(2)
  outbox.welcome(store.agent('sample'), [late])
  assert.deepEqual(store.agent('sample').memory, {})
  assert.equal(outbox.isWaiting(late), false)
  for (let letter = await outbox.next(one); letter !== undefined; letter = await outbox.next(one))
    await outbox.taken(one, letter)
  assert.deepEqual(store.agent('sample').results, [1, 2])
  assert.equal(outbox.waitingOf(store.agent('sample')), 2)
  await outbox.taken(two, (await outbox.next(two))!)
  assert.deepEqual(store.agent('sample').results, [2])
})

test('a run that told of all pages is known as such', async () => {
  const { store, open, result } = await sample()
  const one = subscriber('one')
  const outbox = open([one])
  outbox.welcome(store.agent('sample'), [one])
  result(1)
  outbox.toldAll('sample', 1)
  assert.equal((await outbox.next(one))?.isOfAll, true)
  result(2)
  await outbox.taken(one, (await outbox.next(one))!)
  assert.equal((await outbox.next(one))?.isOfAll, false)
})

test('what cannot be read, or is of a version that was revoked, is not sent, and keeps nobody waiting', async () => {
  const { store, open, result, bundle, told } = await sample()
  const one = subscriber('one')
  const outbox = open([one])
  outbox.welcome(store.agent('sample'), [one])
  result(1, 'what?')
  result(2)
  store.revoke(Buffer.from(writeRevocations(AT, [{ kind: 'bundle', id: bundle.digest, reason: '' }], KEY)), AT)
  assert.equal(await outbox.next(one), undefined)
  assert.deepEqual(store.agent('sample').results, [])
  assert.match(told.join('\n'), /Result 1 .* cannot be read[^]*Result 2 .* was revoked/)
})

test('a file that somebody wrote over is named, with what to do', async () => {
  const { store, open } = await sample()
  writeFileSync(join(store.dir, 'told.json'), '{')
  assert.throws(() => open([]), /told\.json is not what was written there: remove it/)
})
