import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseVerification } from '@comity/protocol'
import type { Instant, SubscribeRequest, Verification } from '@comity/protocol'
import { callbackPolicy } from '../push/callback-policy.ts'
import { MemorySubscribers } from './memory-subscribers.ts'
import type { Post } from '../post.ts'
import { subscriptionId, Subscriptions } from './subscriptions.ts'
import type { SubscriptionOutcome, SubscriptionParts } from './subscriptions.ts'

const topic = 'https://a.example/metadata/changelist.xml'
const hub = 'https://a.example/push/hub'
const callback = 'https://crawler.example/websub/1?site=7'

/** A hub whose callbacks answer as the test says: `true` echoes the challenge, a status answers nothing more. */
class SampleHub {
  readonly subscribers = new MemorySubscribers()
  readonly asked: { readonly url: string; readonly verification: Verification }[] = []
  readonly outcomes: SubscriptionOutcome[] = []
  readonly subscriptions: Subscriptions
  now: Instant = 1_000_000
  last = 5
  answers: (verification: Verification, url: string) => boolean | number | string | Promise<never> = () => true

  constructor(parts: Partial<SubscriptionParts> = {}) {
    this.subscriptions = new Subscriptions({
      subscribers: this.subscribers,
      hub,
      schemeOf: (url) => (url === topic ? 'changes' : url.endsWith('/push/pages') ? 'pages' : undefined),
      post: this.#post,
      callbacks: callbackPolicy({ origin: 'https://a.example', allowPrivate: false }),
      now: () => this.now,
      random: (bytes) => Buffer.alloc(bytes, this.asked.length + 1),
      journal: this,
      onOutcome: (outcome) => this.outcomes.push(outcome),
      ...parts,
    })
  }

  readonly #post: Post = async ({ url, method }) => {
    assert.equal(method, 'GET')
    const read = parseVerification(new URL(url).search.slice(1))
    assert.ok('verification' in read)
    const { verification } = read
    this.asked.push({ url, verification })
    const answer = await this.answers(verification, url)
    const challenge = verification.mode === 'denied' ? '' : verification.challenge
    if (typeof answer === 'number') return { status: answer, headers: [], body: Buffer.from(challenge) }
    const body = typeof answer === 'string' ? answer : answer ? challenge : 'something else'
    return { status: 200, headers: [], body: Buffer.from(body) }
  }

  async ask(more: Partial<SubscribeRequest> = {}): Promise<string> {
    const verdict = this.subscriptions.request({ mode: 'subscribe', callback, topic, ...more })
    await this.subscriptions.settled()
    return verdict.kind === 'accepted' ? (this.outcomes.at(-1)?.kind ?? 'nothing') : String(verdict.status)
  }
}

test('a callback that echoes the challenge is subscribed, for the lease that it was told', async () => {
  const sample = new SampleHub()
  assert.equal(await sample.ask({ leaseSeconds: 86_400, secret: 'sésame' }), 'subscribed')
  assert.deepEqual(
    [...sample.subscribers.all()],
    [
      {
        id: subscriptionId(topic, callback),
        scheme: 'changes',
        by: 'websub',
        address: callback,
        topic,
        hub,
        begins: 5,
        secret: 'sésame',
        expiresAt: 1_000_000 + 86_400_000,
      },
    ],
  )
  const [{ url, verification } = assert.fail()] = sample.asked
  assert.ok(url.startsWith(`${callback}&hub.mode=subscribe&`))
  assert.ok(
    verification.mode === 'subscribe' && verification.leaseSeconds === 86_400 && verification.challenge.length === 32,
  )
})

test('whoever asks is answered before anybody is called', () => {
  const sample = new SampleHub()
  assert.deepEqual(sample.subscriptions.request({ mode: 'subscribe', callback, topic }), {
    kind: 'accepted',
    id: subscriptionId(topic, callback),
  })
  assert.deepEqual([sample.asked.length, sample.subscriptions.waiting], [0, 1])
})

const unverified: [sentence: string, answers: SampleHub['answers']][] = [
  ['answers 404', () => 404],
  ['answers 500', () => 500],
  ['redirects', () => 302],
  ['answers 410', () => 410],
  ['answers with something else', () => false],
  ['answers with the challenge and a line end', (asked) => `${'challenge' in asked ? asked.challenge : ''}\n`],
  ['answers with nothing', () => ''],
  ['does not answer', async () => await Promise.reject(new Error('timeout'))],
]
for (const [sentence, answers] of unverified) {
  for (const mode of ['subscribe', 'unsubscribe'] as const) {
    test(`a callback that ${sentence} changes nothing by ${mode}`, async () => {
      const sample = new SampleHub()
      await sample.ask({ secret: 'old' })
      const before = [...sample.subscribers.all()]
      sample.answers = answers
      assert.equal(await sample.ask({ mode, secret: 'new' }), 'unverified')
      assert.deepEqual([...sample.subscribers.all()], before)
    })
  }
}

test('a subscription is renewed by the same request: a new lease, another secret or none, the same place', async () => {
  const sample = new SampleHub()
  await sample.ask({ secret: 'old' })
  sample.now += 500_000
  sample.last = 99
  assert.equal(await sample.ask({ leaseSeconds: 600 }), 'renewed')
  const [only, ...others] = sample.subscribers.all()
  assert.deepEqual(
    [only?.expiresAt, only?.secret, only?.begins, others.length],
    [sample.now + 600_000, undefined, 5, 0],
  )
})

test('another callback, or another topic, is another subscription', async () => {
  const sample = new SampleHub()
  await sample.ask()
  await sample.ask({ callback: 'https://crawler.example/websub/2' })
  await sample.ask({ topic: 'https://a.example/push/pages' })
  assert.deepEqual(
    [...sample.subscribers.all()].map(({ scheme }) => scheme),
    ['changes', 'changes', 'pages'],
  )
})

test('an unsubscription that the callback wants ends it, and is told without a lease', async () => {
  const sample = new SampleHub()
  await sample.ask()
  assert.equal(await sample.ask({ mode: 'unsubscribe' }), 'unsubscribed')
  assert.deepEqual([...sample.subscribers.all()], [])
  assert.ok(!sample.asked.at(-1)!.url.includes('lease_seconds'))
})

const leases: [wished: number | undefined, given: number][] = [
  [undefined, 864_000],
  [1, 300],
  [7_200, 7_200],
  [999_999_999, 2_592_000],
]
for (const [wished, given] of leases) {
  test(`whoever wishes for ${String(wished)} seconds gets ${given}`, async () => {
    const sample = new SampleHub()
    await sample.ask({ leaseSeconds: wished })
    assert.equal([...sample.subscribers.all()][0]?.expiresAt, sample.now + given * 1_000)
  })
}

test('a lease that is over is over: it is dropped, makes room, and begins anew', async () => {
  const sample = new SampleHub({ limits: { subscribers: 1 } })
  await sample.ask({ leaseSeconds: 300 })
  assert.equal(await sample.ask({ callback: 'https://other.example/' }), '503')
  sample.now += 300_000
  sample.last = 42
  assert.equal(await sample.ask({ callback: 'https://other.example/' }), 'subscribed')
  assert.equal([...sample.subscribers.all()].length, 1)
  sample.now += 864_000_000
  assert.equal(await sample.ask({ callback: 'https://other.example/' }), 'subscribed')
  assert.equal([...sample.subscribers.all()][0]?.begins, 42)
  sample.now += 864_000_000
  await sample.subscriptions.expire()
  assert.deepEqual([...sample.subscribers.all()], [])
})

const refusals: [sentence: string, request: Partial<SubscribeRequest>, status: string][] = [
  ['a topic of somebody else', { topic: 'https://b.example/feed' }, '404'],
  ['a callback in the own network', { callback: 'http://10.0.0.1/x' }, '403'],
  ['a callback on the site itself', { callback: 'https://a.example/echo' }, '403'],
]
for (const [sentence, request, status] of refusals) {
  test(`${sentence} is refused at once, and nobody is called`, async () => {
    const sample = new SampleHub()
    assert.equal(await sample.ask(request), status)
    assert.deepEqual(sample.asked, [])
  })
}

test('there are so many subscribers in all, and so many of one host', async () => {
  const sample = new SampleHub({ limits: { subscribers: 3, subscribersPerHost: 2 } })
  const ask = async (url: string): Promise<string> => await sample.ask({ callback: url })
  assert.equal(await ask('https://one.example/1'), 'subscribed')
  assert.equal(await ask('https://one.example:8443/2'), 'subscribed')
  assert.equal(await ask('https://one.example/3'), '503')
  assert.equal(await ask('https://two.example/1'), 'subscribed')
  assert.equal(await ask('https://three.example/1'), '503')
  assert.equal(await ask('https://one.example/1'), 'renewed', 'who is there may stay')
  assert.equal(await sample.ask({ callback: 'https://three.example/1', mode: 'unsubscribe' }), 'unsubscribed')
})

test('whoever is verified after the last place was taken is denied, and told so', async () => {
  const sample = new SampleHub({ limits: { subscribers: 1 } })
  const urls = ['https://one.example/', 'https://two.example/']
  for (const url of urls) sample.subscriptions.request({ mode: 'subscribe', callback: url, topic })
  await sample.subscriptions.settled()
  assert.deepEqual(sample.outcomes.map(({ kind }) => kind).toSorted(), ['denied', 'subscribed'])
  const denied = sample.asked.find(({ verification }) => verification.mode === 'denied')
  assert.ok(denied?.verification.mode === 'denied' && denied.verification.reason !== undefined)
})

test('no more requests wait than may, for one host and in all', () => {
  const sample = new SampleHub({ limits: { waiting: 3, waitingPerHost: 2 } })
  const ask = (url: string): unknown => {
    const verdict = sample.subscriptions.request({ mode: 'subscribe', callback: url, topic })
    return verdict.kind === 'refused' ? verdict.status : verdict.kind
  }
  const urls = ['https://one.example/1', 'https://one.example/2', 'https://one.example/3', 'https://two.example/1']
  assert.deepEqual([...urls, 'https://three.example/1'].map(ask), ['accepted', 'accepted', 429, 'accepted', 503])
})

test('the owner may deny: the subscriber is told, the challenge is never sent', async () => {
  const sample = new SampleHub({
    validate: async ({ secret }) => (secret === undefined ? 'bring a secret' : undefined),
  })
  assert.equal(await sample.ask(), 'denied')
  assert.deepEqual(
    sample.asked.map(({ verification }) => verification),
    [{ mode: 'denied', topic, reason: 'bring a secret' }],
  )
  assert.equal(await sample.ask({ secret: 'x' }), 'subscribed')
  assert.equal(await sample.ask({ mode: 'unsubscribe' }), 'unsubscribed', 'nobody is kept')
})

test('a subscription that was accepted may be denied later', async () => {
  const sample = new SampleHub()
  await sample.ask()
  await sample.subscriptions.deny(subscriptionId(topic, callback), 'the hub moves')
  assert.deepEqual([...sample.subscribers.all()], [])
  assert.deepEqual(sample.asked.at(-1)?.verification, { mode: 'denied', topic, reason: 'the hub moves' })
})

test('a store that cannot be written is an outcome, and nothing is half done', async () => {
  const sample = new SampleHub()
  sample.subscribers.put = async () => await Promise.reject(new Error('disk full'))
  assert.equal(await sample.ask(), 'failed')
  assert.match(sample.outcomes[0]?.reason ?? '', /disk full/)
})

test('a stranger can neither end nor change what the callback did not ask for', async () => {
  const sample = new SampleHub()
  await sample.ask({ secret: 'mine' })
  // The subscriber knows what it wants: to stay, with its own secret.
  sample.answers = () => 404
  const before = [...sample.subscribers.all()]
  for (const mode of ['unsubscribe', 'subscribe'] as const) await sample.ask({ mode, secret: 'theirs' })
  assert.deepEqual([...sample.subscribers.all()], before)
})

test('whatever is asked, in whatever order, the state is that of the last verified request of each subscription', async () => {
  const requests = fc.record({
    mode: fc.constantFrom('subscribe' as const, 'unsubscribe' as const),
    n: fc.nat(2),
    secret: fc.constantFrom('a', 'b', undefined),
    isWanted: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(requests, { maxLength: 15 }), async (all) => {
      const sample = new SampleHub()
      const wanted = new Map<string, boolean[]>()
      sample.answers = (_, url) => (wanted.get(new URL(url).pathname)?.shift() === true ? true : 404)
      const expected = new Map<string, string | undefined>()
      for (const { mode, n, secret, isWanted } of all) {
        const url = `https://c${n}.example/${n}`
        wanted.set(`/${n}`, [...(wanted.get(`/${n}`) ?? []), isWanted])
        sample.subscriptions.request({ mode, callback: url, topic, secret })
        if (isWanted && mode === 'subscribe') expected.set(url, secret)
        else if (isWanted) expected.delete(url)
      }
      await sample.subscriptions.settled()
      const state = new Map([...sample.subscribers.all()].map(({ address, secret }) => [address, secret]))
      assert.deepEqual(state, expected)
    }),
    { numRuns: 50 },
  )
})

test('a hub that stops forgets what waits', async () => {
  const sample = new SampleHub()
  sample.subscriptions.request({ mode: 'subscribe', callback, topic })
  sample.subscriptions[Symbol.dispose]()
  await sample.subscriptions.settled()
  assert.deepEqual([sample.asked, [...sample.subscribers.all()]], [[], []])
})
