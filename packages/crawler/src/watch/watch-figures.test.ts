import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RevisitFacts } from '@comity/frontier'
import type { PageRow } from '@comity/collection'
import type { SettledVisit } from '@comity/ingest'
import { WatchFigures, estimateFreshness } from './watch-figures.ts'

const DAY = 86_400_000
const facts: RevisitFacts = {
  importance: 1,
  visitedAt: 0,
  dayMs: DAY,
  changeRate: 0,
  hiddenRate: 0,
  signals: 0,
  suspicion: 0,
  intervalDays: 1,
  requestCost: 1,
  bodyCost: 1,
}

function mulberry(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    const mixed = Math.imul(state ^ (state >>> 15), state | 1)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

test('pages that never change are fresh for ever', () => {
  assert.deepEqual(
    estimateFreshness(10, () => facts, 100 * DAY, mulberry(1)),
    { freshness: 1, ageSeconds: 0 },
  )
})

test('nothing is held: nothing is stale', () => {
  assert.deepEqual(
    estimateFreshness(0, () => undefined, DAY, mulberry(1)),
    { freshness: 1, ageSeconds: 0 },
  )
})

test('freshness and age are what Poisson changes since the visit make of them', () => {
  const [rate, days] = [0.5, 3]
  const { freshness, ageSeconds } = estimateFreshness(
    1,
    () => ({ ...facts, hiddenRate: rate }),
    days * DAY,
    mulberry(1),
  )
  assert.ok(Math.abs(freshness - Math.exp(-rate * days)) < 1e-12)
  // By throwing dice: the mean of the days since the first change.
  const random = mulberry(7)
  let sum = 0
  const throws = 200_000
  for (let i = 0; i < throws; i++) sum += Math.max(0, days + Math.log(1 - random()) / rate)
  assert.ok(Math.abs(ageSeconds / 86_400 - sum / throws) < 0.02)
})

test('a believed signal makes a page stale, and an important page counts for more', () => {
  const heard = { ...facts, suspicion: 20, importance: 3 }
  const { freshness } = estimateFreshness(2, (page) => (page === 0 ? heard : facts), DAY, mulberry(3))
  assert.ok(Math.abs(freshness - 0.25) < 1e-6, `${freshness}: of so few, all are looked at`)
})

test('pages that a filter sends and names that it tells are counted apart', () => {
  const figures = new WatchFigures()
  const row: PageRow = {
    site: 0,
    outcome: 'ok',
    status: 200,
    visitedAt: 1,
    visits: 2,
    changes: 1,
    bytes: 9,
    timings: {},
  }
  const visit: SettledVisit = {
    page: 1,
    outcome: 'ok',
    at: 1,
    before: { ...row, changes: 0 },
    row,
    bytes: 9,
    scheme: 'filter',
  }
  figures.settled(visit)
  figures.looked('filter-pages', 500)
  const terms = { policy: 'value', requestsPerSecond: 1, dayMs: DAY }
  const spent = new Map([['filter', { requests: 3, bytes: 120 }]])
  const { schemes, bytes } = figures.sample(terms, 1, { freshness: 1, ageSeconds: 0 }, spent)
  assert.deepEqual(schemes['filter-pages'], { requests: 1, bytes: 500, changed: 1, unchanged: 0 })
  assert.deepEqual(schemes['filter'], { requests: 3, bytes: 120, changed: 0, unchanged: 0 })
  assert.equal(bytes, 620)
})
