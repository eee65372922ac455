import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PushRow } from './push-store.ts'
import { pushStory, isBelieved } from './push-story.ts'
import type { CooperationRow } from './cooperation-store.ts'
import { NEW_PUSH_RECORD, checkedPush, tookPush } from '../choose/push-record.ts'

const DAY = 86_400_000
const NOON = Date.UTC(2026, 10, 15, 12)

const calls: PushRow = { outcomes: { applied: 4, same: 1 }, schemes: { differences: 5 }, bytes: 900, refused: {} }
const topics = { differences: 'https://a.example/push/differences', changes: 'https://a.example/changelist.xml' }
const offers = { lookedAt: 0, lookAgainAt: 0, offers: [], push: { hub: 'https://a.example/push/hub', topics } }

const why = (row: CooperationRow, now = NOON): string => pushStory(row, DAY, now)?.why.join(' ') ?? ''

test('a site that neither pushes nor offers to has no such story', () => {
  assert.equal(pushStory({}, DAY, NOON), undefined)
  assert.equal(pushStory({ offers: { ...offers, push: undefined } }, DAY, NOON), undefined)
})

const subscriptions: [sentence: string, row: CooperationRow, words: RegExp][] = [
  [
    'it offers, and is asked',
    { offers },
    /^It offers to send changes, differences, and is not subscribed to: it is asked\.$/,
  ],
  [
    'its hub was asked',
    { offers, calls: { ...calls, subscription: { scheme: 'differences', state: 'asked' } } },
    /^Its hub was asked for its differences and has not verified that yet\.$/,
  ],
  [
    'it is subscribed to',
    { offers, calls: { ...calls, subscription: { scheme: 'differences', state: 'active', leaseUntil: NOON + DAY } } },
    /^Its differences are subscribed to until 2026-11-16 12:00:00 UTC\.$/,
  ],
  [
    'a lease that has run out is none',
    { offers, calls: { ...calls, subscription: { scheme: 'differences', state: 'active', leaseUntil: NOON } } },
    /is not subscribed to/,
  ],
  [
    'its hub would not',
    { offers, calls: { ...calls, subscription: { scheme: 'differences', state: 'denied', reason: 'no room' } } },
    /, but its hub would not: no room\.$/,
  ],
  [
    'it has our address',
    { calls: { ...calls, proof: 'signature' } },
    /^It pushes by itself\. That it speaks for itself is proven by a key that it publishes\.$/,
  ],
]
for (const [sentence, row, words] of subscriptions) test(sentence, () => assert.match(why(row), words))

test('a site that sends what it serves is believed, with the figures', () => {
  let record = NEW_PUSH_RECORD
  for (let page = 0; page < 4; page++) record = tookPush(record)
  assert.match(
    why({ calls, pushes: record }),
    /4 pages were taken as sent; none was compared with what it serves yet: believed\.$/,
  )
  record = checkedPush(record, 'same', NOON, DAY)
  assert.match(why({ calls, pushes: record }), /of 1 that was fetched too, none was another page: believed\.$/)
})

test('a site that sends other pages is not believed until its rest is over, and that is remembered', () => {
  let record = tookPush(NEW_PUSH_RECORD)
  for (let check = 0; check < 2; check++) record = checkedPush(record, 'different', NOON, DAY)
  const story = pushStory({ calls, pushes: record }, DAY, NOON)!
  assert.equal(isBelieved(story), false)
  assert.deepEqual([story.different, story.strikes, story.restsUntil], [2, 1, NOON + DAY])
  assert.match(
    story.why.join(' '),
    /1 page was taken as sent; of 2 that were fetched too, 2 were other pages: not believed until 2026-11-16 12:00:00 UTC, for the first time: what it sends is a hint and no more\.$/,
  )
  const later = pushStory({ calls, pushes: record }, DAY, NOON + DAY)!
  assert.ok(isBelieved(later))
  assert.match(later.why.join(' '), /believed again, after 1 time that it was not\.$/)
})

test('what was refused in its name is told by reason', () => {
  const refused = { forged: 2, stale: 1 }
  assert.match(why({ calls: { ...calls, refused } }), /3 requests in its name were refused: forged 2, stale 1\.$/)
})

test('its worth is as of now', () => {
  const story = pushStory({ calls, worth: { worth: 8, at: NOON } }, DAY, NOON + 14 * DAY)!
  assert.deepEqual([story.worth, story.heard, story.schemes], [2, 5, { differences: 5 }])
})
