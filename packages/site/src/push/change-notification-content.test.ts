import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  checkHubSignature,
  headerOf,
  parseIndexNow,
  parsePublishForm,
  readChangeNotification,
  readHubLinks,
} from '@comity/protocol'
import { ChangeNotificationContent } from './change-notification-content.ts'
import { indexNowSubscriber, INDEXNOW_ENDPOINT } from './indexnow-sender.ts'
import type { Change } from '../journal/journal.ts'
import { failsAs } from '../testing/journal-sample.ts'
import { outsideHub } from './outside-hub.ts'
import { PublicView } from '../privacy/public-view.ts'
import { BASE, SampleSite } from '../testing/site-sample.ts'
import { siteSetting } from '../site-options.ts'
import type { PushContent, Subscriber } from '../hub/subscriber.ts'
import { sampleSubscriber } from '../testing/subscribers.sample.ts'

const key = 'abcdef0123456789'
const topic = `${BASE}metadata/changelist.xml`

async function made(
  subscriber: Subscriber,
  robots = '',
  edit: (changes: readonly Change[]) => readonly Change[] = (changes) => changes,
): Promise<PushContent | undefined> {
  const sample = new SampleSite()
  await sample.put({ '/': 'home' })
  await sample.put({ '/a.html': 'a', '/private/b.html': 'b' })
  await sample.put({ '/': null })
  const { journal } = sample
  const setting = siteSetting({ journal, base: BASE, now: () => sample.now, read: async () => undefined, robots })
  const maker = new ChangeNotificationContent(new PublicView(setting), { indexNowKey: key, hasCapabilityList: true })
  return await maker.make(edit((journal.changesAfter(1) ?? []).toSorted((a, b) => b.at - a.at)), subscriber)
}

test('a subscription is sent a change notification in order of time, signed over what is sent', async () => {
  const content = await made(sampleSubscriber)
  assert.ok(content !== undefined)
  const { type, body, headers } = content
  assert.equal(type, 'application/xml')
  assert.deepEqual(readHubLinks(headers, topic), { hubs: [sampleSubscriber.hub], topic })
  assert.equal(checkHubSignature('sésame', headerOf(headers, 'x-hub-signature'), body), 'good')
  const read = readChangeNotification(body, topic)
  assert.ok('changes' in read)
  assert.deepEqual(read.problems, {})
  assert.deepEqual(
    read.changes.map(({ url, change }) => [new URL(url).pathname, change]),
    [
      ['/a.html', 'created'],
      ['/private/b.html', 'created'],
      ['/', 'deleted'],
    ],
  )
})

test('without a secret nothing is signed; without a topic of its own it is that of changes', async () => {
  const { secret: _, ...open } = sampleSubscriber
  assert.equal(headerOf((await made(open))!.headers, 'x-hub-signature'), undefined)
  const push: Subscriber = { id: 'p', scheme: 'changes', by: 'push', address: 'https://c.example/push', begins: 0 }
  assert.deepEqual(readHubLinks((await made(push))!.headers, topic), { hubs: [], topic })
})

const only = (changes: readonly Change[]): readonly Change[] =>
  changes.filter(({ path }) => path.startsWith('/private/'))

test('what may not be told is in no form of it, and of nothing else there is nothing to send', async () => {
  const robots = 'User-agent: *\nDisallow: /private/\n'
  for (const subscriber of [sampleSubscriber, indexNowSubscriber(INDEXNOW_ENDPOINT, 0)]) {
    const content = await made(subscriber, robots)
    assert.ok(content !== undefined && !Buffer.from(content.body).includes('private'))
    assert.equal(await made(subscriber, robots, only), undefined)
  }
})

test('a search engine is sent addresses, deleted ones among them, with the key', async () => {
  const content = await made(indexNowSubscriber(INDEXNOW_ENDPOINT, 0))
  const read = parseIndexNow('POST', '', content!.type, content!.body)
  assert.deepEqual(read, {
    notice: { host: 'a.example', key, urls: [BASE, `${BASE}a.html`, `${BASE}private/b.html`] },
  })
})

test('an outside hub is told that the topic changed, or sent the notification with its own links', async () => {
  const hub = { url: 'https://hub.example/', topic, begins: 0 }
  const ping = await made(outsideHub({ ...hub, way: 'ping' }))
  assert.equal(ping?.type, 'application/x-www-form-urlencoded')
  assert.deepEqual(parsePublishForm(Buffer.from(ping.body).toString()), { topics: [topic] })
  const notice = await made(outsideHub({ ...hub, way: 'notification' }))
  assert.equal(notice?.type, 'application/xml')
  assert.deepEqual(readHubLinks(notice.headers, topic), { hubs: ['https://hub.example/'], topic })
})

test('what is no address is refused by name', () => {
  const invalid = failsAs('PUBLISH_OPTION_INVALID', /absolute/)
  assert.throws(() => indexNowSubscriber('bing', 0), invalid)
  assert.throws(() => outsideHub({ url: 'ftp://hub.example/', topic, way: 'ping', begins: 0 }), invalid)
})
