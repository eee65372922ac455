import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MemorySubscribers } from '../hub/memory-subscribers.ts'
import { configureSubscribers, pushSubscriber } from './push-address.ts'
import { sampleSubscriber } from '../testing/subscribers.sample.ts'

const at = (url: string, begins = 0): ReturnType<typeof pushSubscriber> =>
  pushSubscriber({ url, scheme: 'pages', base: 'https://a.example/docs/', begins })

test('an address has one id however it is spelled, and another for another scheme', () => {
  assert.equal(at('https://C.example/push').id, at('https://c.example:443/push').id)
  const other = pushSubscriber({ url: 'https://c.example/push', scheme: 'site', base: 'https://a.example/', begins: 0 })
  assert.notEqual(other.id, at('https://c.example/push').id)
  assert.equal(at('https://c.example/push').topic, 'https://a.example/docs/push/pages')
  assert.throws(() => at('c.example'), { code: 'PUBLISH_OPTION_INVALID' })
})

test('what is no longer configured goes, what still is goes on, and subscriptions are left alone', async () => {
  const [kept, dropped, added] = [at('https://k.example/'), at('https://d.example/'), at('https://n.example/')]
  const subscribers = new MemorySubscribers([sampleSubscriber, kept, dropped])
  await configureSubscribers(subscribers, [{ ...kept, begins: 99 }, added])
  assert.deepEqual([...subscribers.all()], [sampleSubscriber, kept, added])
})
