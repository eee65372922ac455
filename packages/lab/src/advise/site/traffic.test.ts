import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RobotAgent, LoggedRequest } from '@comity/protocol'
import { trafficShareClaims } from './claims.ts'
import { crawlerShareOf, SIDES, TrafficCount, trafficOfAll } from './traffic.ts'

const HOUR = 3_600_000
const bot: RobotAgent = { name: 'Bot', purpose: 'search', source: '' }
const NOBODY = Object.fromEntries(SIDES.map((side) => [side, { requests: 0, bytes: 0 }]))
const request = (given: Partial<LoggedRequest>): LoggedRequest => ({
  address: 'a',
  at: 0,
  method: 'GET',
  target: '/',
  protocol: 'HTTP/1.1',
  status: 200,
  bytes: 100,
  ...given,
})

test('hits and bytes are counted for both sides, by the hour and by the day', () => {
  const store = new TrafficCount()
  store.note(request({}), undefined)
  store.note(request({ at: HOUR, bytes: 10 }), bot)
  store.note(request({ at: 25 * HOUR, bytes: 30 }), bot)
  const { people, crawlers, hours, days } = store.traffic()
  assert.deepEqual(
    [people, crawlers],
    [
      { requests: 1, bytes: 100 },
      { requests: 2, bytes: 40 },
    ],
  )
  assert.equal(hours.length, 3)
  assert.deepEqual(days, [
    { ...NOBODY, people: { requests: 1, bytes: 100 }, crawlers: { requests: 1, bytes: 10 } },
    { ...NOBODY, crawlers: { requests: 1, bytes: 30 } },
  ])
})

test('feed readers, previews and tools are neither people nor crawlers, and all of them together are the traffic', () => {
  const store = new TrafficCount()
  for (const purpose of ['feed', 'preview', 'user', 'watch', 'program', 'search'] as const)
    store.note(request({}), { ...bot, purpose })
  const traffic = store.traffic()
  const counts = SIDES.map((side) => traffic[side].requests)
  assert.deepEqual(counts, [0, 1, 1, 2, 2])
  assert.equal(trafficOfAll(traffic, 'requests'), 6)
  assert.equal(crawlerShareOf(traffic, 'bytes'), 1 / 6)
})

const views: [sentence: string, request: LoggedRequest, views: number, searched: number][] = [
  ['a page that a person got is a view', request({}), 1, 0],
  ['also one that was in the cache', request({ status: 304 }), 1, 0],
  ['from a search engine it is one that was searched for', request({ referrer: 'https://www.google.com/' }), 1, 1],
  ['a name in a path is no search engine', request({ referrer: 'https://a.example/google.html' }), 1, 0],
  ['a picture is no view', request({ target: '/a.png' }), 0, 0],
  ['an error is none', request({ status: 404 }), 0, 0],
  ['nor is a form that was sent', request({ method: 'POST' }), 0, 0],
]
for (const [sentence, one, all, searched] of views) {
  test(sentence, () => {
    const store = new TrafficCount()
    store.note(one, undefined)
    store.note(one, bot)
    assert.deepEqual([store.traffic().views, store.traffic().searched], [all, searched])
  })
}

const days = (botBytes: readonly number[]): TrafficCount => {
  const store = new TrafficCount()
  for (const [day, bytes] of botBytes.entries()) {
    for (let hit = 0; hit < 40; hit++)
      store.note(request({ at: day * 24 * HOUR, bytes: hit % 4 === 0 ? bytes : 100 }), hit % 4 === 0 ? bot : undefined)
  }
  return store
}

const verdict = (bytes: readonly number[]): string =>
  trafficShareClaims({ id: 'x', web: 'log' }, days(bytes).traffic()).at(-1)!.verdict

test('the claim holds where crawlers take less of the bytes than of the hits on every day (001 claim 1)', () => {
  assert.equal(verdict([50, 60, 70]), 'holds')
  assert.equal(verdict([50, 500, 70]), 'does not hold here')
  assert.equal(verdict([50]), 'cannot be tested here')
})
