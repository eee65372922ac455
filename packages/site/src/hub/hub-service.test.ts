import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readApiCatalog, readBatchAnswer, readSync, readWarc, readZipDirectory, warcType } from '@comity/protocol'
import { failsAs } from '../testing/journal-sample.ts'
import { MemorySubscribers } from './memory-subscribers.ts'
import type { PushOptions } from '../push-options.ts'
import { BASE, requestOf, SampleSite } from '../testing/site-sample.ts'
import type { ReadAnswer } from '../testing/site-sample.ts'

const topic = `${BASE}metadata/changelist.xml`
const form = { 'hub.mode': 'subscribe', 'hub.callback': 'https://crawler.example/x', 'hub.topic': topic }
const FORM = [['Content-Type', 'application/x-www-form-urlencoded']] as const

const noPost = async (): Promise<never> => await Promise.reject(new Error('nobody is called'))

/** A site whose callbacks are never reached: nobody is called from these tests. */
async function hub(push: PushOptions = {}): Promise<SampleSite> {
  const sample = new SampleSite({ push: { subscribers: new MemorySubscribers(), post: noPost, ...push } })
  await sample.put({ '/': 'home' })
  return sample
}

async function post(sample: SampleSite, values: Readonly<Record<string, string>>): Promise<ReadAnswer> {
  const body = new URLSearchParams(values).toString()
  return await sample.ask('/push/hub', { method: 'POST', headers: FORM, body })
}

test('there is no hub without a place for subscribers, and nothing says that there is one', async () => {
  for (const push of [undefined, { hubs: ['https://hub.example/'] }]) {
    const sample = new SampleSite({ push })
    for (const path of ['/push/hub', '/push/pages']) assert.equal(await sample.site.answer(requestOf(path)), undefined)
    assert.equal(sample.site.subscriptions, undefined)
    const { text } = await sample.ask('/.well-known/api-catalog')
    assert.equal(readApiCatalog(text, BASE).hub, undefined)
    const channel = (await sample.ask('/metadata/capabilitylist.xml')).text.includes('change-notification')
    assert.equal(channel, push !== undefined)
    const link = (await sample.ask('/metadata/changelist.xml')).header('link')
    assert.equal(link, push === undefined ? undefined : `<https://hub.example/>; rel="hub", <${topic}>; rel="self"`)
  }
})

test('a hub is found by the catalog, the capability list, and the topics themselves', async () => {
  const sample = await hub({ schemes: ['changes', 'pages'] })
  const catalog = readApiCatalog((await sample.ask('/.well-known/api-catalog')).text, BASE)
  assert.deepEqual(
    [catalog.hub, catalog['push-pages'], catalog['push-site']],
    [`${BASE}push/hub`, `${BASE}push/pages`, undefined],
  )
  const { entries } = readSync((await sample.ask('/metadata/capabilitylist.xml')).body, BASE)
  const channel = entries.find((entry) => 'capability' in entry && entry.capability === 'change-notification')
  assert.deepEqual([channel?.url, channel?.links], [topic, [{ rel: 'hub', href: `${BASE}push/hub` }]])
  const link = `<${BASE}push/hub>; rel="hub", <${topic}>; rel="self"`
  const list = await sample.ask('/metadata/changelist.xml')
  assert.equal(list.header('link'), link)
  const { links } = readSync(list.body, topic).summary
  assert.deepEqual(
    links.map(({ rel, href }) => [rel, href]).slice(1),
    [
      ['hub', `${BASE}push/hub`],
      ['self', topic],
    ],
    'whoever sees no fields finds it in the list itself',
  )
  const again = await sample.ask('/metadata/changelist.xml', { headers: [['If-None-Match', list.header('etag')!]] })
  assert.deepEqual([again.status, again.header('link')], [304, link])
  assert.equal(await sample.site.answer(requestOf('/push/site')), undefined, 'what is not offered is not there')
})

test('a topic has the type of what is sent for it, and says what that is', async () => {
  const sample = await hub({ schemes: ['differences', 'pages', 'batches', 'site', 'agent'] })
  for (const path of ['/push/differences', '/push/pages']) {
    const { body, header, text } = await sample.ask(path)
    assert.equal(header('content-type'), 'application/warc')
    const [item, ...more] = [...readWarc(body, 0, { verify: true })]
    assert.ok(item?.kind === 'record' && warcType(item.record) === 'warcinfo' && more.length === 0)
    assert.match(text, /Whoever subscribes/)
    assert.deepEqual(readBatchAnswer(body).pages, [])
    assert.deepEqual((await sample.ask(path)).body, body)
  }
  for (const path of ['/push/batches', '/push/site']) {
    const { body, header, text } = await sample.ask(path)
    assert.equal(header('content-type'), 'application/zip')
    const source = { size: body.length, read: async (start: number, end: number) => body.subarray(start, end) }
    const directory = await readZipDirectory(source)
    assert.deepEqual('entries' in directory ? directory.entries : directory, [])
    assert.match(text, /Whoever subscribes/)
  }
  assert.equal((await sample.ask('/push/agent')).header('content-type'), 'application/x-ndjson')
  assert.equal((await sample.ask('/push/pages', { method: 'POST' })).status, 405)
})

test('no topic is ever listed as a page, whatever the site answers there', async () => {
  const sample = await hub({ indexNowKey: 'abcdefgh12345678' })
  await sample.put({ '/push/pages': 'x', '/push/events': 'x', '/abcdefgh12345678.txt': 'x', '/push/other': 'x' })
  const { text } = await sample.ask('/sitemap.xml')
  assert.deepEqual(
    [...text.matchAll(/<loc>([^<]*)/g)].map(([, url]) => url),
    [BASE, `${BASE}push/other`],
  )
})

test('the hub says what it is, and what may be asked of it', async () => {
  const sample = await hub()
  const { status, text, header } = await sample.ask('/push/hub')
  assert.equal(status, 200)
  assert.match(text, /WebSub/)
  assert.ok(text.includes(topic) && text.includes(`${BASE}push/site`))
  assert.equal(header('allow'), 'GET, HEAD, POST, OPTIONS')
  assert.equal(header('accept-query'), undefined)
  assert.equal((await sample.ask('/push/hub', { method: 'PUT' })).status, 405)
  assert.equal((await sample.ask('/push/hub', { method: 'HEAD' })).sent.length, 0)
})

const answers: [sentence: string, values: Readonly<Record<string, string>>, status: number][] = [
  ['a subscription', form, 202],
  ['an unsubscription of what nobody knows', { ...form, 'hub.mode': 'unsubscribe' }, 202],
  ['a callback in the own network', { ...form, 'hub.callback': 'http://192.168.1.1/admin' }, 403],
  ['a callback at a local name', { ...form, 'hub.callback': 'http://localhost/' }, 403],
  ['a callback on the site itself', { ...form, 'hub.callback': `${BASE}echo` }, 403],
  ["somebody else's topic", { ...form, 'hub.topic': 'https://b.example/' }, 404],
  ['a page, which is no topic', { ...form, 'hub.topic': BASE }, 404],
  ['a topic that is not offered', { ...form, 'hub.topic': `${BASE}push/agent` }, 404],
  ['nothing', {}, 400],
  ['news of a topic', { 'hub.mode': 'publish', 'hub.url': topic }, 204],
  ["news of somebody else's topic", { 'hub.mode': 'publish', 'hub.url': 'https://b.example/' }, 404],
  ['news of nothing', { 'hub.mode': 'publish' }, 400],
]
for (const [sentence, values, status] of answers) {
  test(`${sentence} is answered by ${status}`, async () => {
    const sample = await hub()
    assert.equal((await post(sample, values)).status, status)
  })
}

test('whoever says that a topic changed makes us look at once', async () => {
  let looks = 0
  const sample = await hub({ onPublish: () => looks++ })
  await post(sample, { 'hub.mode': 'publish', 'hub.url': topic })
  assert.equal(looks, 1)
})

test('when too many wait, the next is asked to come later', async () => {
  const sample = await hub({ limits: { waitingPerHost: 1, waiting: 2 } })
  const statuses: (number | string | undefined)[] = []
  for (const host of ['one', 'one', 'two', 'three']) {
    const body = new URLSearchParams({ ...form, 'hub.callback': `https://${host}.example/` }).toString()
    // All in one breath: nobody is called before the last of them has asked.
    statuses.push((await sample.site.answer(requestOf('/push/hub', { method: 'POST', headers: FORM, body })))?.status)
  }
  assert.deepEqual(statuses, [202, 429, 202, 503])
})

test('a form without end is too large', async () => {
  const sample = await hub()
  const body = `hub.mode=subscribe&x=${'y'.repeat(100_000)}`
  assert.equal((await sample.ask('/push/hub', { method: 'POST', headers: FORM, body })).status, 413)
})

test('the key of IndexNow stands at the root, and nothing else is in it', async () => {
  const sample = new SampleSite({ push: { indexNowKey: 'abcdefgh12345678' } })
  const { status, text, header } = await sample.ask('/abcdefgh12345678.txt')
  assert.deepEqual([status, text, header('content-type')], [200, 'abcdefgh12345678', 'text/plain; charset=utf-8'])
  assert.equal(sample.site.isOurs('/other1234.txt'), false)
})

const mistakes: [push: PushOptions | Readonly<Record<string, unknown>>, problem: RegExp][] = [
  [{ subscriber: 1 }, /no option named subscriber/],
  [{ schemes: ['everything'] }, /Nothing named everything/],
  [{ hubs: ['hub.example'] }, /is no hub/],
  [{ indexNowKey: 'short' }, /8 to 128/],
  [{ limits: { waitng: 1 } }, /no limit named waitng/],
  [{ limits: { waiting: 0 } }, /cannot be 0/],
]
for (const [push, problem] of mistakes) {
  test(`push: ${JSON.stringify(push)} cannot be meant`, () => {
    assert.throws(() => new SampleSite({ push }), failsAs('PUBLISH_OPTION_INVALID', problem))
  })
}
