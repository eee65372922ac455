import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { headerOf, readChangeNotification } from '@comity/protocol'
import { ZIP_TYPE } from './batch-content.ts'
import { PushedSample } from '../testing/delivery-worker-fixture.ts'
import type { PushedSampleOptions } from '../testing/delivery-worker-fixture.ts'
import { pushSchedule } from '../deliver/push-schedule.ts'
import { BASE } from '../testing/site-sample.ts'
import { unpackedDump } from '../testing/unpacked-dump-fixture.ts'

const HOUR = 3_600_000
const page = (name: string): string => `<p>${name}</p>${'<p>words of a site</p>'.repeat(30)}`

const batches = async (t: TestContext, more: PushedSampleOptions = {}): Promise<PushedSample> =>
  await PushedSample.make(t, { subscriber: { scheme: 'batches' }, schedule: pushSchedule('hourly'), ...more })

test('a batch is sent when it is time, and has the last state of every page that changed', async (t) => {
  const pushed = await batches(t)
  const { receiver, sample } = pushed
  await pushed.put({ '/a': page('a'), '/gone': page('gone') })
  await pushed.drain()
  await pushed.put({ '/a': page('a again'), '/same': page('a again') })
  await pushed.put({ '/gone': null })
  await pushed.drain()
  assert.equal(receiver.received.length, 0)
  sample.now = Math.ceil(sample.now / HOUR) * HOUR
  await pushed.drain()
  assert.equal(receiver.received.length, 1)
  const { body, headers } = receiver.received[0]!
  assert.equal(headerOf(headers, 'content-type'), ZIP_TYPE)
  const { files, manifest } = await unpackedDump(body)
  assert.equal(manifest.summary.capability, 'changedump-manifest')
  const told = manifest.entries.map((entry) => {
    assert.equal(entry.kind, 'change')
    const { url, change, path = '' } = entry as Extract<typeof entry, { kind: 'change' }> & { path?: string }
    return [url, change, files.get(path.slice(1))]
  })
  assert.deepEqual(told, [
    ['https://a.example/a', 'updated', page('a again')],
    ['https://a.example/same', 'created', page('a again')],
    ['https://a.example/gone', 'deleted', undefined],
  ])
})

test('between two times nothing is sent, a time without news is passed over, and one that was missed is made up for', async (t) => {
  const pushed = await batches(t)
  const { receiver, sample } = pushed
  sample.now = Math.ceil(sample.now / HOUR) * HOUR
  await pushed.drain()
  sample.now += 1.5 * HOUR
  await pushed.drain()
  await pushed.put({ '/a': page('a') })
  await pushed.drain()
  assert.equal(receiver.received.length, 0)
  sample.now += HOUR
  pushed.restarted()
  await pushed.drain()
  assert.equal(receiver.received.length, 1)
  await pushed.put({ '/a': page('b') })
  await pushed.drain()
  assert.equal(receiver.received.length, 1)
})

test('a batch that is too much for one file is several, all in its time', async (t) => {
  const pushed = await batches(t, { limits: { pages: 4 } })
  const { receiver, sample } = pushed
  await pushed.put(Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`/${i}`, page(String(i))])))
  await pushed.drain()
  sample.now += HOUR
  await pushed.drain()
  assert.equal(receiver.received.length, 3)
  const manifests = await Promise.all(receiver.received.map(async ({ body }) => (await unpackedDump(body)).manifest))
  assert.equal(manifests.flatMap(({ entries }) => entries).length, 10)
})

test('a batch that failed is tried again soon, not an hour later', async (t) => {
  const pushed = await batches(t)
  const { receiver, sample } = pushed
  receiver.behaviours = [{ status: 500 }]
  await pushed.put({ '/a': page('a') })
  await pushed.drain()
  sample.now += HOUR
  await pushed.drain()
  sample.now += 10_000
  await pushed.drain()
  assert.equal(receiver.received.length, 2)
  assert.equal(pushed.state.waiting, 0)
})

test('a batch may only be announced: then it is told where the dump is', async (t) => {
  const pushed = await batches(t, { isBatchAnnounced: true })
  await pushed.put({ '/a': page('a') })
  await pushed.drain()
  pushed.sample.now += HOUR
  await pushed.drain()
  const { body } = pushed.receiver.received[0]!
  const notification = readChangeNotification(body, BASE)
  assert.ok('changes' in notification)
  assert.deepEqual(
    notification.changes.map(({ url, change }) => [url, change]),
    [['https://a.example/metadata/changedump.xml', 'updated']],
  )
})
