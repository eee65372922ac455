import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { INBOX_SCHEMES } from './inbox.ts'
import { readSubscriptions, SUBSCRIPTION_STATES, writeSubscriptions } from './subscription.ts'
import type { Subscription } from './subscription.ts'

const word = fc.string({ unit: 'binary', minLength: 1 }).map((text) => text.toWellFormed())
const subscriptions: fc.Arbitrary<Subscription> = fc.record(
  {
    origin: word,
    topic: word,
    hub: word,
    token: word,
    secret: word,
    scheme: fc.constantFrom(...INBOX_SCHEMES),
    state: fc.constantFrom(...SUBSCRIPTION_STATES),
    askedAt: fc.nat(),
    confirmedAt: fc.nat(),
    leaseUntil: fc.nat(),
    endedAt: fc.nat(),
    reason: word,
  },
  { requiredKeys: ['origin', 'topic', 'hub', 'token', 'secret', 'scheme', 'state'], noNullPrototype: true },
)

test('what is written is read', () => {
  fc.assert(
    fc.property(fc.array(subscriptions), (all) => {
      assert.deepEqual(readSubscriptions(writeSubscriptions(all)), { subscriptions: all })
    }),
  )
})

test('no text makes it throw, and a problem holds nothing of the text', () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
      const read = readSubscriptions(text)
      if (text.length > 12) assert.ok('problem' in read && !read.problem.includes(text))
    }),
  )
})

const cases: [sentence: string, text: string, problem: RegExp][] = [
  ['nothing', '', /not JSON/],
  ['another format', '{"format":2,"subscriptions":[]}', /another format/],
  ['no list', '{"format":1}', /no list/],
  ['a row that lacks its secret', '{"format":1,"subscriptions":[{"token":"a"}]}', /no subscription/],
]
for (const [sentence, text, problem] of cases) {
  test(`refused: ${sentence}`, () => {
    const read = readSubscriptions(text)
    assert.match('problem' in read ? read.problem : '', problem)
  })
}
