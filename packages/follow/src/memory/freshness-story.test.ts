import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RevisitQueue, policyNamed } from '@comity/frontier'
import type { RevisitRecord } from '@comity/frontier'
import type { CooperationRow } from './cooperation-store.ts'
import { storyOf } from './freshness-story.ts'
import type { FreshnessStory } from './freshness-story.ts'
import type { WatchMemory } from './watch-memory.ts'

const DAY = 86_400_000
const row = { visitedAt: 0, bytes: 1_000 }

function memory(policy: string, price: number, dayMs = DAY): WatchMemory {
  const spent = { requests: 0, bytes: 0, needless: 0, schemes: {}, signals: {} }
  const sample = { policy, requestsPerSecond: 5, dayMs, pages: 1, freshness: 1, ageSeconds: 0, ...spent }
  return { at: 0, price, bytesPerSecond: Infinity, sample }
}

/** A page visited every day for ten days, changed at every second visit, then told of by the filter. */
function lived(isTold: boolean): { record: RevisitRecord; cooperation: CooperationRow } {
  const queue = new RevisitQueue({
    policy: policyNamed('value'),
    budget: { requestsPerSecond: 5 },
    random: () => 0.5,
    dayMs: DAY,
  })
  queue.added(0, { site: 0, visitedAt: 0 }, 0)
  const told = { url: 'https://a.example/', change: 'updated', channel: 'filter' } as const
  for (let day = 1; day <= 10; day++) {
    if (day % 2 === 0) queue.signalled(0, told, (day - 0.5) * DAY)
    queue.visited(0, { at: day * DAY, changed: day % 2 === 0, bytes: 1_000 })
  }
  if (isTold) queue.signalled(0, told, 10.5 * DAY)
  return { record: queue.recordOf(0)!, cooperation: { trust: queue.trustOf(0)!.state() } }
}

const story = (isTold: boolean, kept: WatchMemory, at: number): FreshnessStory => {
  const { record, cooperation } = lived(isTold)
  return storyOf({ row, record }, cooperation, kept, at)
}

test('a page says how often it changes, what was heard since the last visit, and of its site how far it is believed', () => {
  const told = story(true, memory('value', 0.1), 11 * DAY)
  assert.equal(told.visits, 10)
  assert.ok(told.changesEveryMs! > DAY && told.changesEveryMs! < 4 * DAY, String(told.changesEveryMs! / DAY))
  assert.deepEqual(told.heard, [{ channel: 'filter', signals: 1 }])
  assert.equal(told.heardAt, 10.5 * DAY)
  assert.match(told.site.why[0] ?? '', /filter: 5 of 5/)
})

test('a signal makes it likely outdated; without one it is less so', () => {
  const [told, quiet] = [story(true, memory('value', 0.1), 11 * DAY), story(false, memory('value', 0.1), 11 * DAY)]
  assert.ok(told.outdated > 0.7, String(told.outdated))
  assert.ok(quiet.outdated < told.outdated)
  assert.deepEqual(quiet.heard, [])
})

test('when it is due follows the policy and the price of the last watch', () => {
  const cheap = story(false, memory('value', 1e-6), 10 * DAY).dueAt!
  const dear = story(false, memory('value', 0.5), 10 * DAY).dueAt
  assert.ok(dear === undefined || dear > cheap)
  // A fifth of a chance is reached after ln(1.25) ÷ rate days.
  const { dueAt, outdated } = story(false, memory('outdated', 0.2), 10 * DAY)
  const later = story(false, memory('outdated', 0.2), dueAt!)
  assert.ok(outdated < 0.2 && Math.abs(later.outdated - 0.2) < 0.03, `${outdated} ${later.outdated}`)
  assert.equal(story(false, memory('metadata', 1), 10 * DAY).dueAt, undefined, 'only a signal makes it due')
})

test('a policy that this version does not know is told, and weighed as the usual one', () => {
  assert.equal(story(false, memory('of-tomorrow', 0.1), 11 * DAY).policy, 'of-tomorrow')
})

test('a page that was neither visited again nor heard of has no rate of its own', () => {
  const fresh = storyOf({ row, record: undefined }, {}, memory('value', 0.1), DAY)
  assert.deepEqual([fresh.visits, fresh.changesEveryMs, fresh.heard, fresh.heardAt], [0, undefined, [], undefined])
  assert.ok(fresh.outdated > 0 && fresh.outdated < 0.2)
})

test('a short day shortens what is told in time', () => {
  const short = memory('value', 0.1, 5_000)
  const { record, cooperation } = lived(false)
  assert.ok(storyOf({ row, record }, cooperation, short, 10 * DAY + 1_000).changesEveryMs! < 30_000)
})
