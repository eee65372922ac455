import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { CollectionError } from '../errors.ts'
import { testFolder } from '../testing/sample-crawl.ts'
import { SubscriptionStore } from './subscription-store.ts'
import type { Confirmation } from './subscription-store.ts'
import type { Subscription, SubscriptionWish } from './subscription.ts'

const AT = Date.UTC(2026, 10, 1)
const DAY = 86_400_000
const topic = 'https://a.example/changelist.xml'
const wish: SubscriptionWish = { origin: 'https://a.example', topic, hub: 'https://hub.example/', scheme: 'changes' }
const begin: Confirmation = { mode: 'subscribe', topic, leaseSeconds: 86_400 }
const end: Confirmation = { mode: 'unsubscribe', topic }

function folder(t: TestContext): string {
  const dir = testFolder(t)
  mkdirSync(join(dir, 'inbox'), { recursive: true })
  return dir
}

async function asked(t: TestContext): Promise<{ dir: string; store: SubscriptionStore; token: string }> {
  const dir = folder(t)
  const store = SubscriptionStore.open(dir)
  const { token } = (await store.ask(wish, AT))!
  return { dir, store, token }
}

test('a subscription is asked for, verified, and open until its lease ends', async (t) => {
  const { dir, store, token } = await asked(t)
  assert.equal(store.isOpen(store.get(token)!, AT), false)
  assert.equal(await store.confirm(token, begin, AT + 500), true)
  const known = store.get(token)!
  assert.deepEqual([known.state, known.askedAt, known.leaseUntil], ['active', undefined, AT + 500 + DAY])
  assert.equal(store.isOpen(known, AT + DAY), true)
  assert.equal(store.isOpen(known, AT + DAY + 3_600_000), false)
  assert.deepEqual([...SubscriptionStore.open(dir).all()], [known])
})

test('tokens cannot be guessed, secrets are shorter than WebSub allows, and the file is its owner’s', async (t) => {
  const { dir, store, token } = await asked(t)
  const other = (await store.ask({ ...wish, scheme: 'pages', topic: 'https://a.example/push/pages' }, AT))!
  assert.match(token, /^[\w-]{43}$/)
  assert.notEqual(other.token, token)
  assert.notEqual(other.secret, store.get(token)?.secret)
  assert.ok(Buffer.byteLength(other.secret) < 200)
  assert.equal(statSync(join(dir, 'inbox', 'subscriptions.json')).mode & 0o777, 0o600)
})

const refusals: [
  sentence: string,
  prepare: (store: SubscriptionStore, token: string) => Promise<unknown>,
  Confirmation,
][] = [
  ['another topic than was asked for', async () => undefined, { ...begin, topic: 'https://evil.example/' }],
  ['an end that nobody asked for', async () => undefined, end],
  ['a renewal that nobody asked for', (store, token) => store.confirm(token, begin, AT - DAY), begin],
  ['a beginning while we leave', (store, token) => store.leave(token, AT), begin],
  ['what was denied', (store, token) => store.deny(token, topic, 'no', AT), begin],
]
for (const [sentence, prepare, confirmation] of refusals) {
  test(`not confirmed: ${sentence}`, async (t) => {
    const { store, token } = await asked(t)
    await prepare(store, token)
    const before = store.get(token)
    assert.equal(await store.confirm(token, confirmation, AT), false)
    assert.deepEqual(store.get(token), before)
  })
}

test('an unknown token is confirmed, denied and left by nobody', async (t) => {
  const { store } = await asked(t)
  assert.equal(await store.confirm('x', begin, AT), false)
  assert.equal(await store.deny('x', topic, undefined, AT), false)
  assert.equal(await store.leave('x', AT), undefined)
})

test('a hub that did not hear the answer may ask again for ten minutes', async (t) => {
  const { store, token } = await asked(t)
  await store.confirm(token, begin, AT)
  assert.equal(await store.confirm(token, begin, AT + 60_000), true)
  assert.equal(await store.confirm(token, begin, AT + 3_600_000), false)
})

test('a renewal keeps token and secret and lengthens the lease when it was verified', async (t) => {
  const { store, token } = await asked(t)
  await store.confirm(token, begin, AT)
  const again = (await store.ask({ ...wish, topic: 'https://a.example:443/changelist.xml' }, AT + DAY / 2))!
  assert.equal(again.token, token)
  assert.equal(store.get(token)?.state, 'active')
  await store.confirm(token, begin, AT + DAY / 2 + 5)
  assert.equal(store.get(token)?.leaseUntil, AT + 1.5 * DAY + 5)
})

test('leaving ends when the hub has verified it, and a later wish is a subscription of its own', async (t) => {
  const { store, token } = await asked(t)
  await store.confirm(token, begin, AT)
  await store.leave(token, AT + 1)
  assert.equal(store.isOpen(store.get(token)!, AT + 1), false)
  assert.equal(await store.confirm(token, end, AT + 2), true)
  assert.equal(await store.confirm(token, end, AT + 3), true, 'the hub asks again')
  assert.deepEqual([store.get(token)?.state, store.get(token)?.endedAt], ['ended', AT + 3])
  assert.notEqual((await store.ask(wish, AT + 4))?.token, token)
})

test('whoever changes their mind while leaving stays', async (t) => {
  const { store, token } = await asked(t)
  await store.confirm(token, begin, AT)
  await store.leave(token, AT + 1)
  assert.equal((await store.ask(wish, AT + 2))?.token, token)
  assert.equal(await store.confirm(token, begin, AT + 3), true)
})

test('a denial says why and may come at any time', async (t) => {
  const { store, token } = await asked(t)
  await store.confirm(token, begin, AT)
  assert.equal(await store.deny(token, 'https://b.example/', 'x', AT), false)
  assert.equal(await store.deny(token, topic, 'no longer offered', AT), true)
  assert.deepEqual([store.get(token)?.state, store.get(token)?.reason], ['denied', 'no longer offered'])
})

test('a sweep ends what has run out and forgets what ended a month ago', async (t) => {
  const { dir, store, token } = await asked(t)
  const never = (await store.ask({ ...wish, scheme: 'pages' }, AT))!
  await store.confirm(token, begin, AT)
  assert.deepEqual(await store.sweep(AT + DAY / 2), [])
  const ended = await store.sweep(AT + 2 * DAY)
  assert.deepEqual(new Set(ended.map((one: Subscription) => one.token)), new Set([token, never.token]))
  assert.equal(SubscriptionStore.open(dir).get(token)?.state, 'ended')
  await store.sweep(AT + 20 * DAY)
  assert.ok(store.get(token))
  await store.sweep(AT + 40 * DAY)
  assert.deepEqual([...SubscriptionStore.open(dir).all()], [])
})

test('the book is bounded', async (t) => {
  const store = SubscriptionStore.open(folder(t), { maxSubscriptions: 1 })
  assert.ok(await store.ask(wish, AT))
  assert.equal(await store.ask({ ...wish, scheme: 'pages' }, AT), undefined)
  assert.ok(await store.ask(wish, AT), 'a renewal needs no room')
})

test('many changes at once are all durable', async (t) => {
  const dir = folder(t)
  const store = SubscriptionStore.open(dir)
  const topics = Array.from({ length: 300 }, (_, i) => `https://a.example/topic/${i}`)
  await Promise.all(topics.map((one) => store.ask({ ...wish, topic: one }, AT)))
  const kept = [...SubscriptionStore.open(dir).all()].map((one) => one.topic)
  assert.deepEqual(kept, topics)
})

test('a file that is not a book is refused by name and left alone', (t) => {
  const dir = folder(t)
  const path = join(dir, 'inbox', 'subscriptions.json')
  writeFileSync(path, '{"secret":"hidden"')
  assert.throws(
    () => SubscriptionStore.open(dir),
    (error) =>
      error instanceof CollectionError && error.code === 'SUBSCRIPTIONS_DAMAGED' && !/hidden/.test(error.message),
  )
  assert.equal(readFileSync(path, 'utf8'), '{"secret":"hidden"')
})
