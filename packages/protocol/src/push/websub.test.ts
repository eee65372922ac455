import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  checkHubSignature,
  hubLinks,
  hubMode,
  hubSignature,
  parsePublishForm,
  parseSubscribeForm,
  parseVerification,
  readHubLinks,
  sameUrl,
  verificationUrl,
  writePublishForm,
  writeSubscribeForm,
} from './websub.ts'
import type { HubSignatureVerdict, SubscribeRequest, Verification } from './websub.ts'

const callback = 'https://crawler.example/websub/Zk3?site=7'
const topic = 'https://a.example/changelist.xml'
const form = (values: Readonly<Record<string, string>>): string =>
  new URLSearchParams({
    'hub.mode': 'subscribe',
    'hub.callback': callback,
    'hub.topic': topic,
    ...values,
  }).toString()

const forms: [sentence: string, form: string, expected: SubscribeRequest | RegExp][] = [
  [
    'callback, mode and topic are enough',
    form({}),
    { mode: 'subscribe', callback, topic, leaseSeconds: undefined, secret: undefined },
  ],
  [
    'a lease and a secret may be wished for',
    form({ 'hub.lease_seconds': '86400', 'hub.secret': 'sésame' }),
    { mode: 'subscribe', callback, topic, leaseSeconds: 86_400, secret: 'sésame' },
  ],
  [
    'parameters that nobody knows are passed over',
    form({ 'hub.verify': 'async', 'hub.verify_token': 'x', foo: 'bar' }),
    { mode: 'subscribe', callback, topic, leaseSeconds: undefined, secret: undefined },
  ],
  [
    'empty values are none',
    form({ 'hub.lease_seconds': '', 'hub.secret': '' }),
    { mode: 'subscribe', callback, topic, leaseSeconds: undefined, secret: undefined },
  ],
  [
    'the lease of an unsubscription is ignored, even one that is none',
    form({ 'hub.mode': 'unsubscribe', 'hub.lease_seconds': 'soon' }),
    { mode: 'unsubscribe', callback, topic },
  ],
  [
    'a secret of 199 bytes is the longest',
    form({ 'hub.secret': 'x'.repeat(199) }),
    { mode: 'subscribe', callback, topic, leaseSeconds: undefined, secret: 'x'.repeat(199) },
  ],
  ['bytes count, not characters', form({ 'hub.secret': 'é'.repeat(100) }), /secret/],
  ['another mode is none', form({ 'hub.mode': 'publish' }), /hub\.mode/],
  ['a mode is needed', form({ 'hub.mode': '' }), /hub\.mode/],
  ['a callback is needed', form({ 'hub.callback': '' }), /hub\.callback/],
  ['a callback is absolute', form({ 'hub.callback': '/websub' }), /hub\.callback/],
  ['a callback is http or https', form({ 'hub.callback': 'ftp://crawler.example/' }), /hub\.callback/],
  ['a callback names no user', form({ 'hub.callback': 'https://me:pw@crawler.example/' }), /hub\.callback/],
  ['a callback is no field injection', form({ 'hub.callback': 'https://crawler.example/\r\nX: y' }), /hub\.callback/],
  ['a topic is needed', form({ 'hub.topic': '' }), /hub\.topic/],
  ['a topic without end is none', form({ 'hub.topic': `https://a.example/${'x'.repeat(3_000)}` }), /hub\.topic/],
  ['a lease is positive', form({ 'hub.lease_seconds': '0' }), /lease/],
  ['a lease is decimal', form({ 'hub.lease_seconds': '1e3' }), /lease/],
]
for (const [sentence, text, expected] of forms) {
  test(`subscription form: ${sentence}`, () => {
    const read = parseSubscribeForm(text)
    if (expected instanceof RegExp) assert.match('problem' in read ? read.problem : 'no problem', expected)
    else assert.deepEqual(read, { request: expected })
  })
}

const webUrls = fc.webUrl({ withQueryParameters: true }).filter((url) => !/[<>"\\]/.test(url) && url.length < 2_000)

test('a subscription form is read as it was written', () => {
  const requests = fc.record(
    {
      mode: fc.constant('subscribe' as const),
      callback: webUrls,
      topic: webUrls,
      leaseSeconds: fc.option(fc.integer({ min: 1, max: 9_999_999 }), { nil: undefined }),
      secret: fc.option(fc.string({ minLength: 1, maxLength: 40 }), { nil: undefined }),
    },
    { noNullPrototype: true },
  )
  fc.assert(
    fc.property(requests, (request) => {
      assert.deepEqual(parseSubscribeForm(writeSubscribeForm(request)), { request })
    }),
  )
})

const addresses: [sentence: string, callback: string, verification: Verification, expected: string][] = [
  [
    'the parameters of a verification',
    'https://c.example/x',
    { mode: 'subscribe', topic: 'http://a.example/', challenge: 'q w', leaseSeconds: 60 },
    'https://c.example/x?hub.mode=subscribe&hub.topic=http%3A%2F%2Fa.example%2F&hub.challenge=q+w&hub.lease_seconds=60',
  ],
  [
    "the callback's own query comes first and stays as it is, even where names are the same",
    'https://c.example/x?hub.mode=mine&red=fish%20%7e',
    { mode: 'unsubscribe', topic: 'http://a.example/', challenge: 'q' },
    'https://c.example/x?hub.mode=mine&red=fish%20%7e&hub.mode=unsubscribe&hub.topic=http%3A%2F%2Fa.example%2F&hub.challenge=q',
  ],
  [
    'a query that is empty',
    'https://c.example/x?',
    { mode: 'denied', topic: 'http://a.example/', reason: 'full' },
    'https://c.example/x?hub.mode=denied&hub.topic=http%3A%2F%2Fa.example%2F&hub.reason=full',
  ],
]
for (const [sentence, to, verification, expected] of addresses) {
  test(`verification: ${sentence}`, () => {
    const url = verificationUrl(to, verification)
    assert.equal(url, expected)
    const read = parseVerification(url.slice(url.indexOf('?') + 1))
    assert.deepEqual(read, { verification })
  })
}

const wrong: [sentence: string, query: string, problem: RegExp][] = [
  ['without a topic', 'hub.mode=subscribe&hub.challenge=x&hub.lease_seconds=1', /topic/],
  ['without a challenge', 'hub.mode=subscribe&hub.topic=http://a.example/&hub.lease_seconds=1', /challenge/],
  ['of an unknown mode', 'hub.mode=maybe&hub.topic=http://a.example/', /mode/],
  ['for ever', 'hub.mode=subscribe&hub.topic=http://a.example/&hub.challenge=x', /lease/],
]
for (const [sentence, query, problem] of wrong) {
  test(`a verification ${sentence} is none`, () => {
    const read = parseVerification(query)
    assert.match('problem' in read ? read.problem : '', problem)
  })
}

const body = Buffer.from('<urlset/>')
const sign = (algorithm: string, key = 'k'): string => createHmac(algorithm, key).update(body).digest('hex')
const signatures: [sentence: string, header: string | undefined, verdict: HubSignatureVerdict][] = [
  ['with SHA-256 is good', `sha256=${sign('sha256')}`, 'good'],
  ['with SHA-384 is good', `sha384=${sign('sha384')}`, 'good'],
  ['with SHA-512 is good', `SHA512=${sign('sha512').toUpperCase()}`, 'good'],
  ['with SHA-1 is weak, whoever made it', `sha1=${sign('sha1')}`, 'weak'],
  ['that is not there is absent', undefined, 'absent'],
  ['by another key is forged', `sha256=${sign('sha256', 'other')}`, 'forged'],
  ['that was cut is malformed', `sha256=${sign('sha256').slice(2)}`, 'malformed'],
  ['with an unknown method is malformed', `md5=${sign('md5')}`, 'malformed'],
  ['without a method is malformed', sign('sha256'), 'malformed'],
  ['of many megabytes is malformed', `sha256=${'ab'.repeat(5_000_000)}`, 'malformed'],
]
for (const [sentence, header, verdict] of signatures) {
  test(`a signature ${sentence}`, () => assert.equal(checkHubSignature('k', header, body), verdict))
}

test('what is signed checks, and one other byte does not', () => {
  const algorithms = fc.constantFrom('sha256' as const, 'sha384' as const, 'sha512' as const)
  fc.assert(
    fc.property(fc.string(), fc.uint8Array(), algorithms, (secret, bytes, algorithm) => {
      const header = hubSignature(secret, bytes, algorithm)
      assert.equal(checkHubSignature(secret, header, bytes), 'good')
      assert.equal(checkHubSignature(secret, header, Buffer.concat([bytes, Buffer.from([0])])), 'forged')
    }),
  )
})

test('links are read as they were written, and only those of the answer itself', () => {
  const hubs = ['https://hub.example/', 'https://a.example/push/hub']
  const headers = [['Link', hubLinks(hubs, topic)]] as const
  assert.deepEqual(readHubLinks(headers, topic), { hubs, topic })
  const foreign = [['link', '<https://x.example/>; rel="hub"; anchor="https://other.example/"']] as const
  assert.deepEqual(readHubLinks(foreign, topic), { hubs: [], topic: undefined })
})

test('a publisher may name several topics, by either name', () => {
  const topics = [topic, 'https://a.example/push/pages']
  assert.deepEqual(parsePublishForm(writePublishForm(topics)), { topics })
  assert.deepEqual(parsePublishForm(`hub.mode=publish&hub.topic=${encodeURIComponent(topic)}`), { topics: [topic] })
  for (const bad of ['hub.mode=publish', 'hub.mode=subscribe&hub.url=http://a.example/', 'hub.mode=publish&hub.url=x'])
    assert.ok('problem' in parsePublishForm(bad), bad)
  assert.ok('problem' in parsePublishForm(writePublishForm(Array.from({ length: 101 }, (_, i) => `${topic}?${i}`))))
})

const same: [one: string, other: string, expected: boolean][] = [
  ['http://a.example/%7Euser', 'http://a.example/~user', true],
  ['http://a.example:80/', 'http://A.example/', true],
  ['http://a.example/a%2Fb', 'http://a.example/a/b', false],
  ['http://a.example/%c3%a9', 'http://a.example/%C3%A9', true],
  ['http://a.example/?a=1', 'http://a.example/?a=2', false],
  ['https://a.example/', 'http://a.example/', false],
]
for (const [one, other, expected] of same) {
  test(`${one} and ${other} are ${expected ? 'one address' : 'two'}`, () => assert.equal(sameUrl(one, other), expected))
}

test('nothing that a stranger sends makes a reader throw', () => {
  const names = ['hub.mode', 'hub.callback', 'hub.topic', 'hub.lease_seconds', 'hub.secret', 'hub.challenge', 'hub.url']
  const values = fc.oneof(
    fc.string(),
    fc.webUrl(),
    fc.constantFrom('subscribe', 'denied', 'publish', '%', '&&&', '%ff'),
  )
  const pairs = fc.array(fc.tuple(fc.constantFrom(...names), values), { maxLength: 12 })
  const texts = fc.oneof(
    fc.string(),
    pairs.map((all) => all.map(([name, value]) => `${name}=${value}`).join('&')),
  )
  fc.assert(
    fc.property(texts, fc.uint8Array(), (text, bytes) => {
      hubMode(text)
      const read = parseSubscribeForm(text)
      if ('request' in read) assert.ok(URL.canParse(verificationUrl(read.request.callback, { mode: 'denied', topic })))
      const asked = parseVerification(text)
      if ('verification' in asked) assert.match(asked.verification.topic, /^https?:\/\//i)
      parsePublishForm(text)
      assert.notEqual(checkHubSignature('secret', text, bytes), 'good')
    }),
    { numRuns: 500 },
  )
})
