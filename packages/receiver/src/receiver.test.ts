import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { KEY_DIRECTORY_PATH, readKeySet, verificationUrl } from '@comity/protocol'
import {
  AT,
  file,
  KEY,
  notification,
  PUBLIC,
  sampleReceiver,
  SITE,
  TOPIC,
  urlsOf,
  warc,
} from './testing/sample-receiver.ts'

const indexNow = (urls: readonly string[], more: object = {}): string =>
  JSON.stringify({ host: 'a.example', key: KEY, urlList: urls, ...more })
const noticeOf = (host: string, key: string): string => JSON.stringify({ host, key, urlList: [`https://${host}/1`] })
const JSON_TYPE = [['Content-Type', 'application/json; charset=utf-8']] as const

test('IndexNow by POST: 200 when the key is in its file, and the pages are in the inbox', async (t) => {
  const { ask, items, asked } = await sampleReceiver(t)
  const body = indexNow([`${SITE}/1`, `${SITE}/2`])
  assert.equal((await ask('/indexnow', { method: 'POST', headers: JSON_TYPE, body })).status, 200)
  assert.equal((await ask('/indexnow', { method: 'POST', headers: JSON_TYPE, body })).status, 200)
  const [item, ...more] = await items()
  assert.equal(more.length, 1)
  const { number, at, origin, door, scheme, proof, type } = item!
  assert.deepEqual(
    { number, at, origin, door, scheme, proof, type },
    {
      number: 1,
      at: AT,
      origin: SITE,
      door: 'indexnow',
      scheme: 'changes',
      proof: 'key-file',
      type: 'application/x-ndjson',
    },
  )
  assert.deepEqual(urlsOf(item!), [`${SITE}/1`, `${SITE}/2`])
  assert.deepEqual(asked, [`${SITE}/${KEY}.txt`])
})

test('IndexNow by GET: one page, and the address may be spelt as the protocol’s name is', async (t) => {
  const { ask, items } = await sampleReceiver(t)
  const query = new URLSearchParams({ url: `${SITE}/päge?a=1`, key: KEY }).toString()
  assert.equal((await ask(`/indexnow?${query}`)).status, 200)
  assert.equal((await ask(`/IndexNow?${query}`)).status, 200)
  assert.equal((await ask(`/IndexNow/?${query}`)).status, 404)
  assert.equal((await items()).length, 2)
  assert.deepEqual(urlsOf((await items())[0]!), [`${SITE}/p%C3%A4ge?a=1`])
})

test('IndexNow: a key file in a folder speaks for that folder', async (t) => {
  const { ask, web, items } = await sampleReceiver(t)
  const keyLocation = `${SITE}/shop/other-key-1.txt`
  web.set(keyLocation, file('other-key-1'))
  const notice = (url: string): string => indexNow([url], { key: 'other-key-1', keyLocation })
  const post = (body: string): ReturnType<typeof ask> => ask('/indexnow', { method: 'POST', headers: JSON_TYPE, body })
  assert.equal((await post(notice(`${SITE}/shop/cup`))).status, 200)
  assert.equal((await post(notice(`${SITE}/blog/`))).status, 422)
  assert.equal((await items()).length, 1)
})

test('IndexNow: ten thousand addresses are one item, in a file', async (t) => {
  const { ask, items } = await sampleReceiver(t)
  const urls = Array.from({ length: 10_000 }, (_, i) => `${SITE}/a/rather/long/path/of/page/${i}`)
  const body = indexNow(urls)
  assert.equal((await ask('/indexnow', { method: 'POST', headers: JSON_TYPE, body })).status, 200)
  const [item] = await items()
  assert.ok((item?.file?.bytes ?? 0) > 500_000)
  assert.deepEqual(urlsOf(item!), urls)
})

test('IndexNow: with and without TLS are two sites of one host', async (t) => {
  const { ask, items } = await sampleReceiver(t)
  const body = indexNow([`${SITE}/1`, 'http://a.example/1'])
  assert.equal((await ask('/indexnow', { method: 'POST', headers: JSON_TYPE, body })).status, 200)
  assert.deepEqual(
    (await items()).map(({ origin }) => origin),
    [SITE, 'http://a.example'],
  )
})

test('IndexNow: 202 while the key cannot be looked at; it is taken when it can, and survives a restart', async (t) => {
  const first = await sampleReceiver(t)
  first.web.set(`${SITE}/${KEY}.txt`, file('', 503))
  const question = { method: 'POST', headers: JSON_TYPE, body: indexNow([`${SITE}/1`]) }
  assert.equal((await first.ask('/indexnow', question)).status, 202)
  assert.deepEqual(await first.items(), [])
  assert.equal((await first.service.figures()).pending, 1)
  await first.service.close()
  const { service, items } = await sampleReceiver(t, { dir: first.dir })
  await service.settlePending()
  const [item] = await items()
  assert.deepEqual([item?.proof, urlsOf(item!)], ['key-file', [`${SITE}/1`]])
  assert.equal((await service.figures()).pending, 0)
})

test('IndexNow: what stays unproven is dropped and counted, without holding up the rest', async (t) => {
  const { ask, web, clock, service, items } = await sampleReceiver(t)
  web.set(`${SITE}/${KEY}.txt`, file('', 503))
  web.set('https://b.example/key-of-b-example.txt', file('', 503))
  const post = (body: string): ReturnType<typeof ask> => ask('/indexnow', { method: 'POST', headers: JSON_TYPE, body })
  assert.equal((await post(noticeOf('b.example', 'key-of-b-example'))).status, 202)
  assert.equal((await post(noticeOf('a.example', KEY))).status, 202)
  web.set(`${SITE}/${KEY}.txt`, file(KEY))
  clock.now += 60_000
  await service.settlePending()
  assert.deepEqual(
    (await items()).map(({ origin }) => origin),
    [SITE],
  )
  assert.equal((await service.figures()).pending, 1)
  clock.now += 3_600_000
  await service.settlePending()
  const { pending, totals } = await service.figures()
  assert.deepEqual([pending, totals.refused['key-file-wrong']], [0, 1])
})

test('WebSub: a challenge is echoed for what was asked for, and content comes by it', async (t) => {
  const { service, ask, items, deliver } = await sampleReceiver(t)
  const { token } = (await service.subscribe({
    origin: SITE,
    topic: TOPIC,
    hub: 'https://h.example/',
    scheme: 'changes',
  }))!
  const { search } = new URL(
    verificationUrl(PUBLIC, { mode: 'subscribe', topic: TOPIC, challenge: '<b>c</b>', leaseSeconds: 60 }),
  )
  const { status, text, headers } = await ask(`/websub/${token}${search}`)
  assert.deepEqual([status, text], [200, '<b>c</b>'])
  assert.match(String(headers['content-type']), /^text\/plain/)
  assert.equal(headers['x-content-type-options'], 'nosniff')
  const [subscription] = await service.subscriptions()
  assert.equal((await deliver(subscription!, notification(['/1', '/2']))).status, 202)
  const [item] = await items()
  const { origin, door, proof } = item!
  assert.deepEqual([origin, door, proof, urlsOf(item!)], [SITE, 'websub', 'subscription', [`${SITE}/1`, `${SITE}/2`]])
})

test('WebSub: a denial and an end are taken, and content after them is told 410', async (t) => {
  const { service, ask, subscribed, deliver } = await sampleReceiver(t)
  const one = await subscribed()
  const denied = new URL(verificationUrl(PUBLIC, { mode: 'denied', topic: TOPIC, reason: 'closed' })).search
  assert.equal((await ask(`/websub/${one.token}${denied}`)).status, 200)
  assert.equal((await deliver(one, notification())).status, 410)
  const two = await subscribed()
  await service.leave(two.token)
  const end = new URL(verificationUrl(PUBLIC, { mode: 'unsubscribe', topic: TOPIC, challenge: 'bye' })).search
  assert.equal((await ask(`/websub/${two.token}${end}`)).text, 'bye')
  assert.equal((await deliver(two, notification())).status, 410)
})

test('WebSub: content that is not signed by the hub is answered like any other, not taken, and counted', async (t) => {
  const { service, subscribed, deliver, items } = await sampleReceiver(t)
  const one = await subscribed()
  await deliver(one, notification())
  for (const value of ['sha256=00', 'sha1=da39a3ee5e6b4b0d3255bfef95601890afd80709', '', 'sha256=' + 'ab'.repeat(32)])
    assert.equal((await deliver(one, notification(['/9']), { headers: [['X-Hub-Signature', value]] })).status, 202)
  assert.equal((await items()).length, 1)
  const { totals, sites } = await service.figures()
  assert.equal(totals.ignored, 4)
  assert.deepEqual(sites[0]?.refused, { forged: 4 })
})

test('WebSub: a feed is heard too, as far as it speaks of the site itself', async (t) => {
  const { subscribed, deliver, items } = await sampleReceiver(t)
  const one = await subscribed('changes', `${SITE}/feed`)
  const feed = `<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="${SITE}/post"/><updated>2026-10-31T00:00:00Z</updated></entry><entry><link href="https://elsewhere.example/"/></entry></feed>`
  assert.equal((await deliver(one, feed, { type: 'application/atom+xml' })).status, 202)
  assert.deepEqual(urlsOf((await items())[0]!), [`${SITE}/post`])
})

test('a signed push is taken: pages as a WARC, also packed, notices as signals', async (t) => {
  const { push, items } = await sampleReceiver(t)
  const pages = warc(['/1', '/2'])
  assert.equal((await push({ body: pages })).status, 202)
  const packed = gzipSync(warc(['/3']))
  assert.equal((await push({ body: packed, headers: [['Content-Encoding', 'gzip']] })).status, 202)
  assert.equal((await push({ body: notification(), type: 'application/xml' })).status, 202)
  const all = await items()
  assert.deepEqual(
    all.map(({ scheme, proof, type }) => [scheme, proof, type]),
    [
      ['pages', 'signature', 'application/warc'],
      ['pages', 'signature', 'application/warc'],
      ['changes', 'signature', 'application/x-ndjson'],
    ],
  )
  assert.ok(Buffer.from(all[0]!.body).equals(pages))
})

test('a large push goes to the disk as it comes, and comes back whole', async (t) => {
  const { push, items, service } = await sampleReceiver(t)
  const body = warc(
    Array.from({ length: 40 }, (_, i) => `/${i}`),
    SITE,
    'words '.repeat(10_000),
  )
  assert.equal((await push({ body })).status, 202)
  const [item] = await items()
  assert.equal(item?.file?.bytes, body.length)
  assert.ok(Buffer.from(item.body).equals(body))
  const { peakMemoryBytes, peakSpoolBytes } = await service.figures()
  assert.ok(peakMemoryBytes <= 256 << 10, String(peakMemoryBytes))
  assert.equal(peakSpoolBytes, body.length)
})

test('our own keys are published, each signing the answer', async (t) => {
  const { ask } = await sampleReceiver(t)
  const { status, text, headers } = await ask(KEY_DIRECTORY_PATH)
  const set = readKeySet(Buffer.from(text))
  assert.ok('keys' in set && set.keys.size === 1)
  assert.deepEqual(
    [status, headers['content-type'], headers['cache-control']],
    [200, 'application/http-message-signatures-directory+json', 'max-age=3600'],
  )
  assert.match(String(headers['signature-input']), /tag="http-message-signatures-directory"/)
  const without = await sampleReceiver(t, { keyRing: undefined })
  assert.equal((await without.ask(KEY_DIRECTORY_PATH)).status, 404)
})

test('what was accepted is still there after a restart, and what was read is not', async (t) => {
  const first = await sampleReceiver(t)
  for (let i = 0; i < 5; i++) await first.push({ body: warc([`/${i}`]) })
  await first.service.acknowledged(2)
  await first.service.close()
  const { items } = await sampleReceiver(t, { dir: first.dir, after: 3 })
  assert.deepEqual(
    (await items()).map(({ number }) => number),
    [4, 5],
  )
})

test('a loud site is told to come again, and the others are heard', async (t) => {
  const { push, ask, web, service } = await sampleReceiver(t, { limits: { site: { perSecond: 1, burst: 3 } } })
  const statuses = []
  for (let i = 0; i < 5; i++) statuses.push((await push({ body: warc([`/${i}`]) })).status)
  assert.deepEqual(statuses, [202, 202, 202, 429, 429])
  web.set('https://b.example/key-of-b-example.txt', file('key-of-b-example'))
  const body = JSON.stringify({ host: 'b.example', key: 'key-of-b-example', urlList: ['https://b.example/1'] })
  assert.equal((await ask('/indexnow', { method: 'POST', headers: JSON_TYPE, body })).status, 200)
  assert.deepEqual((await service.site(SITE))?.refused, { 'too-often': 2 })
})

test('what waits is bounded: 503 or 429 with Retry-After, and room again when it was read', async (t) => {
  const { push, service, items } = await sampleReceiver(t, { limits: { queueItems: 9, queueBytes: 90_000 } })
  const replies = []
  for (let i = 0; i < 6; i++) replies.push(await push({ body: warc([`/${i}`]) }))
  assert.deepEqual(
    replies.map(({ status, kind }) => kind ?? status),
    [202, 202, 202, 'over-share', 'over-share', 'over-share'],
  )
  assert.match(String(replies.at(-1)?.headers['retry-after']), /^[1-9]\d*$/)
  await service.acknowledged((await items()).at(-1)!.number)
  assert.equal((await push({ body: warc() })).status, 202)
})

test('an opening that fails says why and leaves nothing locked', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'comity-receiver-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  mkdirSync(join(dir, 'inbox'))
  const store = join(dir, 'inbox', 'subscriptions.json')
  writeFileSync(store, 'torn')
  await assert.rejects(sampleReceiver(t, { dir }), { code: 'SUBSCRIPTIONS_DAMAGED' })
  rmSync(store)
  const { push } = await sampleReceiver(t, { dir })
  assert.equal((await push({ body: warc() })).status, 202)
})
