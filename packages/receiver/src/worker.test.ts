import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import {
  newKeyRing,
  publishedKeys,
  signingKeyOf,
  verificationUrl,
  writeKeySet,
  KEY_DIRECTORY_PATH,
} from '@comity/protocol'
import { ReceiverThread } from './thread.ts'
import {
  askReceiver,
  file,
  notification,
  PUBLIC,
  signedQuestion,
  SITE,
  TOPIC,
  urlsOf,
  warc,
} from './testing/sample-receiver.ts'
import type { FetchedFrom } from './proof/speaker-proof.ts'
import { WatchEndpoints } from './watch-endpoints.ts'

function folder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'comity-receiver-thread-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

/** The thread has a clock of its own: the real one. */
const ring = newKeyRing(Buffer.alloc(32, 1), Date.now() - 60_000)
const sign = { key: signingKeyOf(ring, Date.now()) }
const fetchFrom = async (origin: string, path: string): Promise<FetchedFrom> =>
  origin === SITE && path === KEY_DIRECTORY_PATH ? file(writeKeySet(publishedKeys(ring, Date.now()))) : file('', 404)
const settings = { after: 0, publicUrl: PUBLIC, strangersPriority: 1, inbox: { minFreeBytes: 0 } }

test('a receiver in a thread takes, tells, and hands over what it kept', async (t) => {
  const arrival = Promise.withResolvers<number>()
  const errors: unknown[] = []
  const world = { fetchFrom, onKept: arrival.resolve, onError: (error: unknown) => errors.push(error) }
  await using thread = new ReceiverThread({ ...settings, dir: folder(t) }, world)
  const { port } = await thread.listen()
  const body = warc(['/1'], SITE, 'x'.repeat(400_000))
  assert.equal((await askReceiver(port, '/push', signedQuestion({ body, sign }, Date.now(), 'a'))).status, 202)
  const notice = signedQuestion({ body: notification(), type: 'application/xml', sign }, Date.now(), 'b')
  assert.equal((await askReceiver(port, '/push', notice)).status, 202)
  const last = await arrival.promise
  assert.ok(last >= 1)
  const [large] = await thread.read(0, 10)
  assert.ok(Buffer.from(large!.body).equals(body))
  const [small] = await thread.read(1, 10)
  assert.deepEqual(urlsOf(small!), [`${SITE}/1`])
  await thread.acknowledged(2)
  const { totals, inbox } = await thread.figures()
  assert.deepEqual([totals.accepted, inbox.items], [2, 0])
  assert.equal((await thread.site(SITE))?.accepted, 2)
  assert.deepEqual(errors, [])
})

test('subscriptions, worths and what the crawler heard itself go through the thread too', async (t) => {
  await using thread = new ReceiverThread({ ...settings, dir: folder(t) }, { fetchFrom })
  const { port } = await thread.listen()
  const { token } = (await thread.subscribe({ origin: SITE, topic: TOPIC, hub: `${SITE}/hub`, scheme: 'changes' }))!
  const { search } = new URL(
    verificationUrl(PUBLIC, { mode: 'subscribe', topic: TOPIC, challenge: 'c', leaseSeconds: 60 }),
  )
  assert.equal((await askReceiver(port, `/websub/${token}${search}`)).text, 'c')
  assert.equal((await thread.subscriptions())[0]?.state, 'active')
  assert.equal((await thread.leave(token))?.state, 'leaving')
  const item = {
    at: 1,
    origin: SITE,
    door: 'stream',
    scheme: 'changes',
    proof: 'subscription',
    type: 'application/x-ndjson',
  } as const
  assert.deepEqual(await thread.append({ ...item, body: Buffer.from('{}\n') }), { kind: 'kept', number: 1 })
  assert.deepEqual(
    (await thread.read(0, 5)).map(({ door }) => door),
    ['stream'],
  )
  await thread.setPriorities([[SITE, 0]])
  const refused = await askReceiver(port, '/push', signedQuestion({ body: warc(), sign }, Date.now(), 'a'))
  assert.deepEqual([refused.status, refused.kind], [429, 'not-wanted'])
})

test('a thread that cannot begin says why to whoever asks first', async (t) => {
  const dir = folder(t)
  await using first = new ReceiverThread({ ...settings, dir }, { fetchFrom })
  await first.listen()
  await using second = new ReceiverThread({ ...settings, dir }, { fetchFrom })
  await assert.rejects(second.listen(), { name: 'CollectionError', code: 'COLLECTION_HELD' })
})

test('a run opens the doors, is told when something waits, and closes them', async (t) => {
  const rung = Promise.withResolvers<void>()
  const doors = new WatchEndpoints({ ...settings, dir: folder(t), publicUrl: undefined, listen: {} })
  await doors.begin({ after: 0, fetchFrom, ring: rung.resolve, failed: assert.ifError })
  const callback = new URL(doors.callbackOf('token'))
  assert.equal(callback.pathname, '/websub/token')
  const question = { body: notification(), type: 'application/xml', sign, base: callback.origin }
  const { status } = await askReceiver(Number(callback.port), '/push', signedQuestion(question, Date.now(), 'a'))
  assert.equal(status, 202)
  await rung.promise
  assert.equal(doors.last, 1)
  assert.deepEqual(
    (await doors.read(0, 10)).map(({ number }) => number),
    [1],
  )
  assert.equal((await doors.figures())?.totals.accepted, 1)
  await doors.end()
})
