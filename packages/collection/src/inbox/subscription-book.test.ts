import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { CollectionError } from '../errors.ts'
import { testFolder } from '../testing/sample-crawl.ts'
import { SubscriptionBook } from './subscription-book.ts'
import type { Confirmation } from './subscription-book.ts'
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

async function asked(t: TestContext): Promise<{ dir: string; book: SubscriptionBook; token: string }> {
  const dir = folder(t)
  const book = SubscriptionBook.open(dir)
  const { token } = (await book.ask(wish, AT))!
  return { dir, book, token }
}

test('a subscription is asked for, verified, and open until its lease ends', async (t) => {
  const { dir, book, token } = await asked(t)
  assert.equal(book.isOpen(book.get(token)!, AT), false)
  assert.equal(await book.confirm(token, begin, AT + 500), true)
  const known = book.get(token)!
  assert.deepEqual([known.state, known.askedAt, known.leaseUntil], ['active', undefined, AT + 500 + DAY])
  assert.equal(book.isOpen(known, AT + DAY), true)
  assert.equal(book.isOpen(known, AT + DAY + 3_600_000), false)
  assert.deepEqual([...SubscriptionBook.open(dir).all()], [known])
})

test('tokens cannot be guessed, secrets are shorter than WebSub allows, and the file is its owner’s', async (t) => {
  const { dir, book, token } = await asked(t)
  const other = (await book.ask({ ...wish, scheme: 'pages', topic: 'https://a.example/push/pages' }, AT))!
  assert.match(token, /^[\w-]{43}$/)
  assert.notEqual(other.token, token)
  assert.notEqual(other.secret, book.get(token)?.secret)
  assert.ok(Buffer.byteLength(other.secret) < 200)
  assert.equal(statSync(join(dir, 'inbox', 'subscriptions.json')).mode & 0o777, 0o600)
})

const refusals: [
  sentence: string,
  prepare: (book: SubscriptionBook, token: string) => Promise<unknown>,
  Confirmation,
][] = [
  ['another topic than was asked for', async () => undefined, { ...begin, topic: 'https://evil.example/' }],
  ['an end that nobody asked for', async () => undefined, end],
  ['a renewal that nobody asked for', (book, token) => book.confirm(token, begin, AT - DAY), begin],
  ['a beginning while we leave', (book, token) => book.leave(token, AT), begin],
  ['what was denied', (book, token) => book.deny(token, topic, 'no', AT), begin],
]
for (const [sentence, prepare, confirmation] of refusals) {
  test(`not confirmed: ${sentence}`, async (t) => {
    const { book, token } = await asked(t)
    await prepare(book, token)
    const before = book.get(token)
    assert.equal(await book.confirm(token, confirmation, AT), false)
    assert.deepEqual(book.get(token), before)
  })
}

test('an unknown token is confirmed, denied and left by nobody', async (t) => {
  const { book } = await asked(t)
  assert.equal(await book.confirm('x', begin, AT), false)
  assert.equal(await book.deny('x', topic, undefined, AT), false)
  assert.equal(await book.leave('x', AT), undefined)
})

test('a hub that did not hear the answer may ask again for ten minutes', async (t) => {
  const { book, token } = await asked(t)
  await book.confirm(token, begin, AT)
  assert.equal(await book.confirm(token, begin, AT + 60_000), true)
  assert.equal(await book.confirm(token, begin, AT + 3_600_000), false)
})

test('a renewal keeps token and secret and lengthens the lease when it was verified', async (t) => {
  const { book, token } = await asked(t)
  await book.confirm(token, begin, AT)
  const again = (await book.ask({ ...wish, topic: 'https://a.example:443/changelist.xml' }, AT + DAY / 2))!
  assert.equal(again.token, token)
  assert.equal(book.get(token)?.state, 'active')
  await book.confirm(token, begin, AT + DAY / 2 + 5)
  assert.equal(book.get(token)?.leaseUntil, AT + 1.5 * DAY + 5)
})

test('leaving ends when the hub has verified it, and a later wish is a subscription of its own', async (t) => {
  const { book, token } = await asked(t)
  await book.confirm(token, begin, AT)
  await book.leave(token, AT + 1)
  assert.equal(book.isOpen(book.get(token)!, AT + 1), false)
  assert.equal(await book.confirm(token, end, AT + 2), true)
  assert.equal(await book.confirm(token, end, AT + 3), true, 'the hub asks again')
  assert.deepEqual([book.get(token)?.state, book.get(token)?.endedAt], ['ended', AT + 3])
  assert.notEqual((await book.ask(wish, AT + 4))?.token, token)
})

test('whoever changes their mind while leaving stays', async (t) => {
  const { book, token } = await asked(t)
  await book.confirm(token, begin, AT)
  await book.leave(token, AT + 1)
  assert.equal((await book.ask(wish, AT + 2))?.token, token)
  assert.equal(await book.confirm(token, begin, AT + 3), true)
})

test('a denial says why and may come at any time', async (t) => {
  const { book, token } = await asked(t)
  await book.confirm(token, begin, AT)
  assert.equal(await book.deny(token, 'https://b.example/', 'x', AT), false)
  assert.equal(await book.deny(token, topic, 'no longer offered', AT), true)
  assert.deepEqual([book.get(token)?.state, book.get(token)?.reason], ['denied', 'no longer offered'])
})

test('a sweep ends what has run out and forgets what ended a month ago', async (t) => {
  const { dir, book, token } = await asked(t)
  const never = (await book.ask({ ...wish, scheme: 'pages' }, AT))!
  await book.confirm(token, begin, AT)
  assert.deepEqual(await book.sweep(AT + DAY / 2), [])
  const ended = await book.sweep(AT + 2 * DAY)
  assert.deepEqual(new Set(ended.map((one: Subscription) => one.token)), new Set([token, never.token]))
  assert.equal(SubscriptionBook.open(dir).get(token)?.state, 'ended')
  await book.sweep(AT + 20 * DAY)
  assert.ok(book.get(token))
  await book.sweep(AT + 40 * DAY)
  assert.deepEqual([...SubscriptionBook.open(dir).all()], [])
})

test('the book is bounded', async (t) => {
  const book = SubscriptionBook.open(folder(t), { maxSubscriptions: 1 })
  assert.ok(await book.ask(wish, AT))
  assert.equal(await book.ask({ ...wish, scheme: 'pages' }, AT), undefined)
  assert.ok(await book.ask(wish, AT), 'a renewal needs no room')
})

test('many changes at once are all durable', async (t) => {
  const dir = folder(t)
  const book = SubscriptionBook.open(dir)
  const topics = Array.from({ length: 300 }, (_, i) => `https://a.example/topic/${i}`)
  await Promise.all(topics.map((one) => book.ask({ ...wish, topic: one }, AT)))
  const kept = [...SubscriptionBook.open(dir).all()].map((one) => one.topic)
  assert.deepEqual(kept, topics)
})

test('a file that is not a book is refused by name and left alone', (t) => {
  const dir = folder(t)
  const path = join(dir, 'inbox', 'subscriptions.json')
  writeFileSync(path, '{"secret":"hidden"')
  assert.throws(
    () => SubscriptionBook.open(dir),
    (error) =>
      error instanceof CollectionError && error.code === 'SUBSCRIPTIONS_DAMAGED' && !/hidden/.test(error.message),
  )
  assert.equal(readFileSync(path, 'utf8'), '{"secret":"hidden"')
})
