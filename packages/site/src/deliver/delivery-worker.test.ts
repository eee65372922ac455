import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conventionalBytes } from '../conventional-bytes.ts'
import { untilSo } from '@comity/protocol/testing'
import { headerOf } from '@comity/protocol'
import { PushedSample } from '../testing/delivery-worker-fixture.ts'
import { httpPost } from '../post.ts'
import { PushReceiver } from '../testing/push-receiver-fixture.ts'

const LONG = 'words that stay the same, '.repeat(60)
const page = (version: number): string => `<p>${LONG}</p><p>version ${version}</p>`

test('what changes is sent, whole at first and as a difference then, and what is gone is said to be', async (t) => {
  const pushed = await PushedSample.make(t)
  await pushed.put({ '/a': page(1), '/b': page(1) })
  await pushed.drain()
  await pushed.put({ '/a': page(2), '/b': null })
  await pushed.drain()
  const { receiver } = pushed
  assert.deepEqual(receiver.records, ['200 /a', '200 /b', '226 /a', '410 /b'])
  assert.deepEqual(receiver.texts(), { '/a': page(2) })
  assert.deepEqual([receiver.faults, receiver.asked], [[], []])
  assert.equal(pushed.state.waiting, 0)
  assert.ok(receiver.received[1]!.body.length < 1_000, `${receiver.received[1]!.body.length} bytes`)
})

test('nothing is sent while nothing changed, and nothing that is not public', async (t) => {
  const pushed = await PushedSample.make(t, { site: { robots: 'User-agent: *\nDisallow: /private/\n' } })
  await pushed.put({ '/a': page(1), '/private/b': 'secret' })
  await pushed.drain()
  await pushed.put({ '/private/b': 'another secret' })
  await pushed.drain()
  await pushed.drain()
  assert.deepEqual(pushed.receiver.records, ['200 /a'])
  assert.equal(pushed.receiver.received.length, 1)
  assert.ok(pushed.receiver.received.every(({ body }) => !body.includes('secret')))
})

test('ten edits while the receiver is down become one', async (t) => {
  const pushed = await PushedSample.make(t)
  const { receiver } = pushed
  receiver.behaviours = Array.from({ length: 5 }, () => ({ status: 500 }))
  for (let version = 1; version <= 10; version++) {
    await pushed.put({ '/a': page(version) })
    await pushed.drain()
  }
  await pushed.drainAll()
  assert.deepEqual(receiver.records, ['200 /a'])
  assert.deepEqual(receiver.texts(), { '/a': page(10) })
})

test('a receiver that was gone for a day gets everything, coalesced, and is not called too often meanwhile', async (t) => {
  const pushed = await PushedSample.make(t)
  const { receiver, sample } = pushed
  let isDown = true
  receiver.judge = () => (isDown ? { status: 502 } : undefined)
  const evening = sample.now + 86_400_000
  for (let version = 1; sample.now < evening; version++) {
    await pushed.put({ [`/${version % 7}`]: page(version) })
    await pushed.drain()
    sample.now += 600_000
  }
  const tries = receiver.received.length
  assert.ok(tries > 20 && tries < 60, `${tries} tries in a day`)
  assert.equal(pushed.state.failures, tries)
  assert.match(pushed.state.trouble ?? '', /502/)
  isDown = false
  await pushed.drainAll()
  assert.equal(receiver.received.length, tries + 1)
  assert.deepEqual(receiver.texts(), pushed.texts())
  assert.match(pushed.told.join('\n'), /did not take differences[^]*takes differences again, after \d+ failures/)
})

test('Retry-After is a floor, and 429 makes the next deliveries slower', async (t) => {
  const pushed = await PushedSample.make(t)
  const { receiver, sample } = pushed
  receiver.behaviours = [{ status: 429, headers: { 'retry-after': '7200' } }]
  await pushed.put({ '/a': page(1) })
  const began = sample.now
  await pushed.drain()
  assert.equal(pushed.deliveryWorker.nextAt(), began + 7_200_000)
  sample.now = began + 7_199_999
  await pushed.drain()
  assert.equal(receiver.received.length, 1)
  sample.now++
  await pushed.drain()
  assert.deepEqual(receiver.texts(), { '/a': page(1) })
  // A second that it asked for, halved by the delivery it took.
  assert.equal(pushed.memory.row('crawler')?.paceMs, 500)
})

test('a subscription ends with 410, and nothing of it is left', async (t) => {
  const topic = 'https://a.example/push/differences'
  const pushed = await PushedSample.make(t, {
    subscriber: { by: 'websub', topic, secret: 'sesame' },
    post: httpPost({ allowPrivate: true }),
  })
  pushed.receiver.behaviours = ['take', { status: 410 }]
  await pushed.put({ '/a': page(1) })
  await pushed.drain()
  await pushed.put({ '/a': page(2) })
  await pushed.drain()
  await pushed.deliveryWorker.settled()
  assert.deepEqual([...pushed.subscribers.all()], [])
  assert.deepEqual([...pushed.memory.ids()], [])
  assert.equal(pushed.memory.held('crawler', '/a'), undefined)
  const { headers } = pushed.receiver.received[0]!
  assert.match(headerOf(headers, 'x-hub-signature') ?? '', /^sha256=[0-9a-f]{64}$/)
  assert.match(headerOf(headers, 'link') ?? '', /<https:\/\/a\.example\/push\/differences>; rel="self"/)
  assert.match(pushed.told.join(), /ended its subscription/)
})

test('a callback at a private address is not called, whoever subscribed', async (t) => {
  const pushed = await PushedSample.make(t, { subscriber: { by: 'websub', topic: 'https://a.example/push/pages' } })
  await pushed.put({ '/a': page(1) })
  await pushed.drain()
  assert.equal(pushed.receiver.received.length, 0)
  assert.match(pushed.state.trouble ?? '', /private or reserved/)
})

test('a lease that ended is not delivered to', async (t) => {
  const pushed = await PushedSample.make(t, { subscriber: { expiresAt: 1 } })
  await pushed.put({ '/a': page(1) })
  await pushed.drain()
  assert.equal(pushed.receiver.received.length, 0)
  assert.equal(pushed.deliveryWorker.nextAt(), Infinity)
})

test('413 halves what is sent until it fits, and a single page that does not is a dead letter', async (t) => {
  const pushed = await PushedSample.make(t, { subscriber: { scheme: 'pages' } })
  const { receiver } = pushed
  receiver.judge = ({ paths }) => (paths.length > 3 || paths.includes('/huge') ? { status: 413 } : undefined)
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`/${i}`, page(i)]))
  await pushed.put({ ...many, '/huge': page(0) })
  await pushed.drainAll()
  assert.deepEqual(
    receiver.texts(),
    Object.fromEntries(Object.entries(pushed.texts()).filter(([path]) => path !== '/huge')),
  )
  const [letter, ...others] = pushed.deliveryWorker.deadLetters()
  assert.deepEqual(others, [])
  assert.deepEqual([letter?.path, letter?.reason, letter?.status], ['/huge', 'too-large', 413])
  assert.equal(pushed.state.waiting, 0)
})

test('a page that is refused is found, set aside with the reason, and keeps no other page', async (t) => {
  const pushed = await PushedSample.make(t)
  const { receiver } = pushed
  receiver.judge = ({ paths }) =>
    paths.includes('/bad') ? { status: 422, body: 'not a page\u001b[2J of yours' } : undefined
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`/${i}`, page(i)]))
  await pushed.put({ ...many, '/bad': page(0), '/after': page(1) })
  await pushed.drainAll()
  assert.equal(Object.keys(receiver.texts()).length, 51)
  const [letter] = pushed.deliveryWorker.deadLetters()
  assert.deepEqual([letter?.path, letter?.reason, letter?.message], ['/bad', 'refused', 'not a page [2J of yours'])
  assert.ok(receiver.received.length < 25, `${receiver.received.length} requests`)
  // Its next version is news again.
  receiver.judge = () => undefined
  await pushed.put({ '/bad': page(2) })
  await pushed.drainAll()
  assert.ok('/bad' in receiver.texts())
})

test('a receiver that refuses everything is not hammered', async (t) => {
  const pushed = await PushedSample.make(t, { subscriber: { scheme: 'pages' } })
  const { receiver, sample } = pushed
  receiver.judge = () => ({ status: 400 })
  await pushed.put(Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`/${i}`, page(i)])))
  const end = sample.now + 60_000
  while (sample.now < end) {
    await pushed.drain()
    sample.now += 1_000
  }
  assert.ok(receiver.received.length <= 30, `${receiver.received.length} requests in a minute`)
})

test('what cannot be unpacked is sent plain from then on', async (t) => {
  const pushed = await PushedSample.make(t)
  const { receiver } = pushed
  receiver.behaviours = [{ status: 415 }]
  await pushed.put({ '/a': page(1) })
  await pushed.drain()
  await pushed.put({ '/b': page(1) })
  await pushed.drain()
  const codings = receiver.received.map(({ headers }) => headerOf(headers, 'content-encoding'))
  assert.deepEqual(codings, ['gzip', undefined, undefined])
  assert.deepEqual(receiver.texts(), pushed.texts())
})

for (const scheme of ['changes', 'differences', 'pages'] as const)
  test(`${scheme}: a page that changed and is again as it was told is told again, as it may have been visited meanwhile`, async (t) => {
    const pushed = await PushedSample.make(t, { subscriber: { scheme } })
    await pushed.put({ '/a': page(1) })
    await pushed.drainAll()
    const before = pushed.receiver.received.length
    await pushed.put({ '/a': page(2) })
    await pushed.put({ '/a': page(1) })
    await pushed.drainAll()
    assert.equal(pushed.receiver.received.length, before + 1)
    assert.equal(pushed.state.waiting, 0)
  })

test('when everything is asked for anew, what was taken before comes too', async (t) => {
  const pushed = await PushedSample.make(t, { subscriber: { scheme: 'pages' } })
  await pushed.put({ '/a': page(1), '/b': page(1) })
  await pushed.drainAll()
  await pushed.deliveryWorker.again('crawler')
  await pushed.drainAll()
  assert.deepEqual(pushed.receiver.records, ['200 /a', '200 /b', '200 /a', '200 /b'])
})

test('a receiver that does not hold what a difference is from is sent the whole page', async (t) => {
  const pushed = await PushedSample.make(t)
  const { receiver } = pushed
  await pushed.put({ '/a': page(1) })
  await pushed.drain()
  receiver.behaviours = [{ status: 409, body: 'I do not hold that' }]
  await pushed.put({ '/a': page(2) })
  await pushed.drain()
  assert.deepEqual(receiver.records, ['200 /a', '200 /a'])
  assert.deepEqual(receiver.texts(), pushed.texts())
})

test('changes that were dropped behind a receiver that is away are made up for by telling it of everything', async (t) => {
  const pushed = await PushedSample.make(t, { journal: { limits: { changes: 5 } } })
  const { receiver, sample } = pushed
  await pushed.put({ '/a': page(1), '/gone': page(1) })
  await pushed.drain()
  let isDown = true
  receiver.judge = () => (isDown ? { status: 500 } : undefined)
  await pushed.put({ '/gone': null })
  for (let version = 1; version <= 20; version++) await pushed.put({ [`/${version % 9}`]: page(version) })
  sample.journal.compact(sample.now)
  assert.equal(sample.journal.changesAfter(2), undefined)
  await pushed.drain()
  isDown = false
  await pushed.drainAll()
  assert.deepEqual(receiver.texts(), pushed.texts())
  assert.equal(pushed.state.isWalking, false)
})

test('rules that change: pages that come into view are sent, and of those that leave it nothing is', async (t) => {
  let robots = 'User-agent: *\nDisallow: /later/\n'
  const pushed = await PushedSample.make(t, { site: { robots: () => robots } })
  const { receiver } = pushed
  await pushed.put({ '/later/a': page(1), '/now/b': page(1), '/c': page(1) })
  await pushed.drainAll()
  assert.deepEqual(Object.keys(receiver.texts()), ['/c', '/now/b'])
  robots = 'User-agent: *\nDisallow: /now/\n'
  await pushed.put({ '/now/b': page(2) })
  await pushed.drainAll()
  assert.deepEqual(receiver.records, ['200 /now/b', '200 /c', '200 /later/a'])
  assert.equal(receiver.texts()['/now/b'], page(1))
})

test('a journal that was begun anew is told of from the start', async (t) => {
  const pushed = await PushedSample.make(t)
  await pushed.put({ '/a': page(1) })
  await pushed.drain()
  const row = pushed.memory.row('crawler')!
  await pushed.memory.commit({ ...row, position: { ...row.position, journal: 'another', cursor: 900 } })
  await pushed.put({ '/b': page(1) })
  await pushed.drainAll()
  // Nothing happened to the first since it was told.
  assert.deepEqual(pushed.receiver.records, ['200 /a', '200 /b'])
})

test('whoever subscribes later is told of what comes after', async (t) => {
  const pushed = await PushedSample.make(t, { subscriber: { begins: 1 } })
  await pushed.put({ '/old': page(1) })
  await pushed.put({ '/new': page(1) })
  await pushed.drain()
  assert.deepEqual(pushed.receiver.records, ['200 /new'])
})

test('one slow receiver keeps no other waiting, and each is called once at a time', async (t) => {
  const pushed = await PushedSample.make(t, { atOncePerHost: 2, post: httpPost({ idleMs: 300 }) })
  const { receiver, subscribers, deliveryWorker } = pushed
  for (const id of ['b', 'c', 'd']) await subscribers.put({ ...subscribers.get('crawler')!, id })
  receiver.behaviours = ['hang']
  await pushed.put({ '/a': page(1) })
  const first = deliveryWorker.tick(pushed.sample.now)
  // Two are under way to this host, and another host would not have to wait for them.
  const elsewhere = await PushReceiver.listen()
  t.after(() => elsewhere[Symbol.asyncDispose]())
  const other = { ...subscribers.get('crawler')!, id: 'e', address: elsewhere.url.replace('127.0.0.1', '127.0.0.2') }
  await subscribers.put(other)
  assert.equal(await deliveryWorker.tick(pushed.sample.now), 1)
  assert.ok(receiver.received.length <= 2)
  await subscribers.delete('e')
  await first
  assert.equal(receiver.received.length, 2)
  await pushed.drainAll()
  assert.deepEqual(
    deliveryWorker.states().map(({ waiting }) => waiting),
    [0, 0, 0, 0],
  )
})

test('the loop sends what is recorded while it runs, and stops when it is told to', async (t) => {
  const pushed = await PushedSample.make(t, { lookEveryMs: 5 })
  const stop = new AbortController()
  const running = pushed.deliveryWorker.run(stop.signal)
  await pushed.put({ '/a': page(1) })
  pushed.deliveryWorker.wake()
  await untilSo(() => pushed.receiver.pages.size > 0)
  pushed.receiver.behaviours = ['hang']
  await pushed.put({ '/a': page(2) })
  await untilSo(() => pushed.receiver.received.length > 1)
  stop.abort()
  await running
  // Broken off: it is not known whether it arrived, and it is no failure.
  const row = pushed.memory.row('crawler')!
  assert.deepEqual([row.failures, row.position.cursor, row.doubtUpTo], [0, 1, 2])
})

test('every attempt is counted, with what the pages would have cost otherwise', async (t) => {
  const pushed = await PushedSample.make(t)
  pushed.receiver.behaviours = [{ status: 500 }]
  await pushed.put({ '/a': page(1), '/b': page(2) })
  await pushed.drainAll()
  const [failure, success] = pushed.reports
  assert.deepEqual([failure?.verdict, failure?.status, failure?.pages, failure?.requests], ['later', 500, 0, 1])
  // Packed, as crawlers take pages that they ask for.
  const whole = [page(1), page(2)].map(({ length: bytes }) => conventionalBytes({ bytes, type: 'text/html' }, true))
  assert.deepEqual([success?.verdict, success?.pages, success?.pageBytes], ['delivered', 2, whole[0]! + whole[1]!])
  assert.equal(success?.bytes, pushed.receiver.received[1]!.body.length)
})
