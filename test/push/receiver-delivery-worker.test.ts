/** A site's delivery worker and hub send to a receiver, with nothing in between that stands for either: what arrives is what was sent. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { readBatchAnswer, writeSubscribeForm } from '@comity/protocol'
import { untilSo } from '@comity/protocol/testing'
import {
  DeliveryWorkerMemory,
  createDeliveryWorker,
  httpPost,
  hubUrl,
  MemoryRows,
  MemorySubscribers,
  indexNowSubscriber,
  pushSchedule,
  pushSigner,
  pushSubscriber,
  topicUrl,
} from '@comity/site'
import type { DeliveryWorker, DeliveryReport, PushScheme } from '@comity/site'
import { BASE, SampleSite } from '../../packages/site/src/testing/site-sample.ts'
import { AT, file, RING, sampleReceiver, SITE, urlsOf } from '../../packages/receiver/src/testing/sample-receiver.ts'
import type { SampleReceiver } from '../../packages/receiver/src/testing/sample-receiver.ts'

const KEY = '4f1c0c2e9b7d4a56a3d2'

interface Pair {
  readonly receiver: SampleReceiver
  readonly sample: SampleSite
  readonly subscribers: MemorySubscribers
  readonly deliveryWorker: DeliveryWorker
  readonly reports: DeliveryReport[]
  readonly url: string
  /** Record, and let the delivery worker tell everybody who is to be told. */
  readonly put: (pages: Readonly<Record<string, string | null>>) => Promise<void>
}

async function pair(t: TestContext): Promise<Pair> {
  const receiver = await sampleReceiver(t, { publicUrl: '', limits: { maxNoticeBytes: 100_000 } })
  receiver.web.set(`${SITE}/${KEY}.txt`, file(KEY))
  const subscribers = new MemorySubscribers([])
  const keys = { ring: () => RING }
  const clock = {
    get now(): number {
      return sample.now
    },
  }
  const post = httpPost({
    allowPrivate: true,
    sign: pushSigner(keys, () => clock.now),
    // Nobody here is slow but the machine.
    idleMs: 60_000,
    timeoutMs: 120_000,
  })
  const push = { subscribers, indexNowKey: KEY, allowPrivate: true, post }
  const sample = new SampleSite({ keys, push })
  sample.now = AT
  const reports: DeliveryReport[] = []
  const read = async (path: string): Promise<Uint8Array | undefined> => sample.bodies.get(path)
  const deliveryWorker = createDeliveryWorker({
    site: { journal: sample.journal, base: BASE, now: () => sample.now, read, push, keys },
    subscribers,
    memory: new DeliveryWorkerMemory(new MemoryRows()),
    post,
    random: () => 0.5,
    schedule: pushSchedule('every 1 s'),
    limits: { partBytes: 20_000 },
    onReport: (report) => reports.push(report),
  })
  const put = async (pages: Readonly<Record<string, string | null>>): Promise<void> => {
    await sample.put(pages)
    // Batches wait for their moment.
    for (let round = 0; round < 2; round++) {
      sample.now += 5_000
      receiver.clock.now = sample.now
      await deliveryWorker.drain()
    }
  }
  return { receiver, sample, subscribers, deliveryWorker, reports, url: `http://127.0.0.1:${receiver.port}`, put }
}

/** What came of the attempts, but for those in which there was nothing to tell. */
const verdictsOf = (reports: readonly DeliveryReport[]): string[] =>
  [...new Set(reports.map(({ verdict }) => verdict))].filter((verdict) => verdict !== 'nothing')

const page = (n: number): string => `<p>${'words that stay the same, '.repeat(60)}</p><p>version ${n}</p>`

const pushed: [scheme: PushScheme, type: string, arrives: PushScheme][] = [
  ['changes', 'application/x-ndjson', 'changes'],
  ['differences', 'application/warc', 'differences'],
  ['pages', 'application/warc', 'pages'],
  ['batches', 'application/zip', 'batches'],
  ['site', 'application/zip', 'site'],
]
for (const [scheme, type, arrives] of pushed) {
  test(`${scheme} that a site pushes, signed with its own key, arrive and are proven`, async (t) => {
    const { receiver, subscribers, reports, url, put } = await pair(t)
    await subscribers.put(pushSubscriber({ url: `${url}/push`, scheme, base: BASE, begins: 0 }))
    await put({ '/a': page(1), '/b': page(1) })
    await put({ '/a': page(2), '/b': null })
    assert.deepEqual(verdictsOf(reports), ['delivered'])
    const items = await allItems(receiver)
    assert.ok(items.length >= 1)
    for (const item of items) {
      assert.deepEqual([item.origin, item.door, item.proof], [SITE, 'push', 'signature'])
      assert.deepEqual([item.type, item.scheme], [type, arrives])
    }
    assert.deepEqual(receiver.errors, [])
  })

  test(`${scheme} that a site’s own hub sends to a subscription arrive`, async (t) => {
    const { receiver, sample, subscribers, reports, put } = await pair(t)
    await put({ '/a': page(1) })
    const topic = topicUrl(BASE, scheme)
    const wish = { origin: SITE, topic, hub: hubUrl(BASE), scheme }
    const { token, secret } = (await receiver.service.subscribe(wish))!
    const callback = `http://127.0.0.1:${receiver.port}/websub/${token}`
    const body = writeSubscribeForm({ mode: 'subscribe', callback, topic, leaseSeconds: 86_400, secret })
    const headers = [['Content-Type', 'application/x-www-form-urlencoded']] as const
    const { status, text } = await sample.ask(new URL(wish.hub).pathname, { method: 'POST', headers, body })
    assert.equal(status, 202, text)
    // Verifications are made behind the back of who asked.
    await untilSo(
      async () => (await receiver.service.subscriptions())[0]?.state === 'active' && [...subscribers.all()].length > 0,
    )
    await put({ '/a': page(2), '/c': page(3) })
    assert.deepEqual(verdictsOf(reports), ['delivered'])
    const items = await allItems(receiver)
    assert.ok(items.length >= 1)
    for (const item of items)
      assert.deepEqual([item.origin, item.door, item.proof, item.scheme], [SITE, 'websub', 'subscription', arrives])
    assert.deepEqual(receiver.errors, [])
  })
}

test('what arrives of pushed pages is what the site serves', async (t) => {
  const { receiver, subscribers, url, put } = await pair(t)
  await subscribers.put(pushSubscriber({ url: `${url}/push`, scheme: 'pages', base: BASE, begins: 0 }))
  await put({ '/a': page(1), '/b': page(7) })
  const [item] = await allItems(receiver)
  const { pages, closing, problems } = readBatchAnswer(item!.body)
  assert.deepEqual(problems, [])
  assert.ok(closing)
  assert.deepEqual(
    pages.map(({ url: where, body }) => [where, Buffer.from(body).toString()]),
    [
      [`${SITE}/a`, page(1)],
      [`${SITE}/b`, page(7)],
    ],
  )
})

/** Words that do not pack well. */
const noise = (n: number): string =>
  Array.from({ length: 9_000 }, (_, i) => ((i * 7_919 + n * 104_729) % 99_991).toString(36)).join(' ')

test('a whole site goes up in parts, and comes out as it was', async (t) => {
  const { receiver, subscribers, reports, url, put } = await pair(t)
  await subscribers.put(pushSubscriber({ url: `${url}/push`, scheme: 'site', base: BASE, begins: 0 }))
  await put(Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`/${n}`, noise(n)])))
  assert.ok(reports[0]!.requests > 3, `${reports[0]?.requests} requests`)
  const [item] = await allItems(receiver)
  assert.ok(item!.body.length > 60_000, `${item?.body.length} bytes`)
  assert.equal((await receiver.service.figures()).uploads.count, 0)
})

test('IndexNow notices of the courier are taken', async (t) => {
  const { receiver, subscribers, reports, url, put } = await pair(t)
  await subscribers.put(indexNowSubscriber(`${url}/indexnow`, 0))
  await put({ '/a': page(1), '/b': page(1) })
  assert.deepEqual(
    reports.map(({ verdict }) => verdict),
    ['delivered'],
  )
  const [item] = await allItems(receiver)
  assert.deepEqual([item?.proof, urlsOf(item!).toSorted()], ['key-file', [`${SITE}/a`, `${SITE}/b`]])
})

/** Large ones come one at a time. */
async function allItems({ service }: SampleReceiver): ReturnType<SampleReceiver['items']> {
  const items = await service.read(0, 100)
  for (let more = items; more.length > 0;) {
    more = await service.read(items.at(-1)!.number, 100)
    items.push(...more)
  }
  return items
}
