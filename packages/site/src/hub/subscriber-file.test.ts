import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import fc from 'fast-check'
import { failsAs, testFolder } from '../testing/journal-sample.ts'
import { idOf, subscriberOf } from '../testing/killed-subscriber.ts'
import { readSubscriber, SubscriberFile } from './subscriber-file.ts'
import { PUSH_SCHEMES } from './subscriber.ts'
import { sampleSubscriber } from '../testing/subscribers.sample.ts'
import { subscribersSuite } from '../testing/subscribers.suite.ts'

subscribersSuite('subscriber file', async (t) => {
  const subscribers = await SubscriberFile.open(testFolder(t))
  t.after(async () => await subscribers[Symbol.asyncDispose]())
  return subscribers
})

test('subscribers outlast the process, and nobody else can read their secrets', async (t) => {
  const dir = join(testFolder(t), 'push')
  {
    await using subscribers = await SubscriberFile.open(dir)
    await subscribers.put(sampleSubscriber)
    await assert.rejects(SubscriberFile.open(dir), failsAs('JOURNAL_HELD', new RegExp(`process ${process.pid}`)))
  }
  assert.equal(statSync(join(dir, 'subscribers.rows')).mode & 0o077, 0)
  await using subscribers = await SubscriberFile.open(dir)
  assert.deepEqual([...subscribers.all()], [sampleSubscriber])
})

test('after ten kills at random moments all that was durable is there', async (t) => {
  const dir = testFolder(t)
  for (let kill = 0; kill < 10; kill++) {
    const child = spawn(process.execPath, [join(import.meta.dirname, '../testing/killed-subscriber.ts'), dir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let [durable, seen] = [0, 0]
    const lines = createInterface(child.stdout)
    const enough = 20 + Math.floor(Math.random() * 80)
    lines.on('line', (line) => {
      durable = Number(line)
      if (seen++ === enough) child.kill('SIGKILL')
    })
    await Promise.all([once(child, 'exit'), once(lines, 'close')])
    await using subscribers = await SubscriberFile.open(dir)
    const newest = Math.max(0, ...[...subscribers.all()].map(({ begins }) => begins))
    for (let begins = Math.max(1, newest - 40); begins <= durable; begins++) {
      assert.deepEqual(subscribers.get(idOf(begins)), subscriberOf(begins), `${begins} of ${durable}`)
    }
    assert.ok(newest >= durable - 1)
  }
})

test('a subscriber is read as it was written', () => {
  const subscribers = fc.record(
    {
      id: fc.string(),
      scheme: fc.constantFrom(...PUSH_SCHEMES),
      by: fc.constantFrom('websub' as const, 'indexnow' as const, 'push' as const),
      address: fc.webUrl(),
      topic: fc.webUrl(),
      hub: fc.webUrl(),
      secret: fc.string(),
      begins: fc.nat(),
      expiresAt: fc.nat(),
      isPing: fc.constant(true),
    },
    { requiredKeys: ['id', 'scheme', 'by', 'address', 'begins'], noNullPrototype: true },
  )
  fc.assert(
    fc.property(subscribers, (subscriber) => {
      assert.deepEqual(readSubscriber(JSON.parse(JSON.stringify(subscriber))), subscriber)
    }),
  )
})

test('anything else is no subscriber', () => {
  for (const odd of [null, 1, [], {}, { ...sampleSubscriber, scheme: 'x' }, { ...sampleSubscriber, by: 'mail' }])
    assert.equal(readSubscriber(odd), undefined)
  for (const odd of [{ begins: -1 }, { begins: 'x' }, { expiresAt: 'soon' }, { secret: 7 }, { id: undefined }])
    assert.equal(readSubscriber({ ...sampleSubscriber, ...odd }), undefined)
  fc.assert(fc.property(fc.anything(), (value) => void readSubscriber(value)))
})
