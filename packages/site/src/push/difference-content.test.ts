import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readBatchAnswer, readChangeNotification } from '@comity/protocol'
import { PushedSample } from '../testing/delivery-worker-fixture.ts'
import { DELTAS_PER_BASE } from './difference-content.ts'
import { BASE } from '../testing/site-sample.ts'

const page = (name: string): string => `<p>${name}</p>${'<p>words of a site</p>'.repeat(30)}`

test('a page without bytes that anybody could check is named, so that it is asked for', async (t) => {
  const pushed = await PushedSample.make(t)
  await pushed.sample.put({ '/a': page('a') })
  await pushed.sample.put({ '/m': page('m') }, { masked: true })
  await pushed.drain()
  const { pages, closing } = readBatchAnswer(pushed.receiver.received[0]!.body)
  assert.deepEqual(
    pages.map(({ url }) => url),
    ['https://a.example/a'],
  )
  assert.deepEqual(closing?.rest, ['https://a.example/m'])
})

test('a difference that would not be shorter is no difference', async (t) => {
  const pushed = await PushedSample.make(t)
  await pushed.put({ '/a': 'short' })
  await pushed.drain()
  await pushed.put({ '/a': 'other' })
  await pushed.drain()
  assert.deepEqual(pushed.receiver.records, ['200 /a', '200 /a'])
})

test('changes alone are a notification, and to an IndexNow endpoint addresses', async (t) => {
  const pushed = await PushedSample.make(t, {
    subscriber: { scheme: 'changes' },
    site: { push: { indexNowKey: 'abcdefgh12345678' } },
  })
  const { receiver, subscribers } = pushed
  await subscribers.put({ id: 'engine', scheme: 'changes', by: 'indexnow', address: receiver.url, begins: 0 })
  await pushed.put({ '/a': page('a'), '/b': page('b') })
  await pushed.drain()
  const [notice, addresses] = receiver.received.toSorted((a, b) => b.body.length - a.body.length)
  const notification = readChangeNotification(notice!.body, BASE)
  assert.ok('changes' in notification && notification.changes.length === 2)
  assert.deepEqual(JSON.parse(addresses!.body.toString()), {
    host: 'a.example',
    key: 'abcdefgh12345678',
    urlList: ['https://a.example/a', 'https://a.example/b'],
  })
})

test('after fifty differences of a page the whole is sent', async (t) => {
  const pushed = await PushedSample.make(t)
  for (let version = 0; version <= DELTAS_PER_BASE + 2; version++) {
    await pushed.put({ '/a': page(`version ${version}`) })
    await pushed.drain()
  }
  const wholes = pushed.receiver.records.flatMap((record, i) => (record === '200 /a' ? [i] : []))
  assert.deepEqual(wholes, [0, DELTAS_PER_BASE + 1])
  assert.deepEqual(pushed.receiver.texts(), pushed.texts())
})
