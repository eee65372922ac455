/** What every store of subscribers does, whatever it is kept in. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { Subscriber, Subscribers } from '../hub/subscriber.ts'
import { sampleSubscriber } from './subscribers.sample.ts'

export function subscribersSuite(name: string, make: (t: TestContext) => Promise<Subscribers>): void {
  const second: Subscriber = { id: 'push-2', scheme: 'pages', by: 'push', address: 'https://b.example/', begins: 0 }

  test(`${name}: what was put is there, and what was deleted is not`, async (t) => {
    const subscribers = await make(t)
    assert.deepEqual([...subscribers.all()], [])
    await subscribers.put(sampleSubscriber)
    await subscribers.put(second)
    assert.deepEqual(subscribers.get('websub-1'), sampleSubscriber)
    assert.deepEqual([...subscribers.all()], [sampleSubscriber, second])
    await subscribers.delete('websub-1')
    await subscribers.delete('never')
    assert.equal(subscribers.get('websub-1'), undefined)
    assert.deepEqual([...subscribers.all()], [second])
  })

  test(`${name}: a subscriber that is put again is the new one`, async (t) => {
    const subscribers = await make(t)
    await subscribers.put(sampleSubscriber)
    const { secret: _, ...open } = sampleSubscriber
    await subscribers.put({ ...open, expiresAt: 1 })
    assert.deepEqual([...subscribers.all()], [{ ...open, expiresAt: 1 }])
  })

  test(`${name}: it may be changed while it is gone through`, async (t) => {
    const subscribers = await make(t)
    for (const id of ['a', 'b', 'c']) await subscribers.put({ ...second, id })
    for (const { id } of subscribers.all()) await subscribers.delete(id)
    assert.deepEqual([...subscribers.all()], [])
  })
}
