import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Frontier, orderNamed, politeDefaults } from '@comity/frontier'
import { CrawlSampler } from './crawl-sample.ts'
import type { Totals } from '@comity/ingest'
import type { WatchSample } from '@comity/follow'

const frontier = new Frontier({
  order: orderNamed('depth'),
  politenessOf: () => politeDefaults,
  budgetOf: () => ({ maxPages: 1_000, maxBytes: 1e9, maxKnown: 1_000 }),
  maxTries: 3,
  random: () => 0,
  gates: false,
  textOf: () => assert.fail('every text is still in memory'),
})
for (const url of ['http://a.example/1', 'http://a.example/2', 'http://b.example/'])
  frontier.offer(url, { depth: 0, seed: 0 })

const sampler = (totals: Totals): CrawlSampler =>
  new CrawlSampler(
    { frontier, totals, state: () => 'running', visits: () => 3, importance: () => 0.5, unindexed: () => 7 },
    0,
  )

test('a sample says how far a crawl is, and what went wrong', () => {
  const totals = { pages: 4, bytes: 100, links: 9, requests: 9, outcomes: { ok: 4, busy: 2, 'client-error': 1 } }
  const { pagesPerSecond, bytesPerSecond, ...sample } = sampler(totals).sample(0)
  assert.deepEqual([pagesPerSecond, bytesPerSecond], [0, 0], 'no time, no rate')
  assert.deepEqual(sample, {
    at: 0,
    state: 'running',
    pages: 4,
    bytes: 100,
    sitesReady: 0,
    sitesWaiting: 2,
    pagesWaiting: 3,
    visits: 3,
    errors: { busy: 2, 'client-error': 1 },
    importance: 0.5,
    unindexed: 7,
  })
})

test('a run that keeps fresh says what it came to at that moment', () => {
  const totals = { pages: 0, bytes: 0, links: 0, requests: 0, outcomes: {} }
  const crawl = { frontier, totals, visits: () => 0, importance: () => 0, unindexed: () => 0 }
  const watch = { policy: 'value', requestsPerSecond: 5, dayMs: 1, pages: 1, freshness: 0.5, ageSeconds: 0 }
  const spent = { requests: 1, bytes: 0, needless: 0, schemes: {}, signals: {} }
  const at = (now: number): WatchSample => ({ ...watch, ...spent, requests: now })
  const sampled = new CrawlSampler({ ...crawl, state: () => 'running', watch: at }, 0)
  assert.equal(sampled.sample(7).watch?.requests, 7)
})

test('rates are those of the last moments, however often somebody looks', () => {
  const totals = { pages: 0, bytes: 0, links: 0, requests: 0, outcomes: {} }
  const crawl = sampler(totals)
  const rates: number[] = []
  for (let tick = 1; tick <= 6; tick++) {
    // 20 pages a second, and from the fourth tick on none.
    if (tick < 4) totals.pages += 10
    crawl.tick(tick * 500)
    crawl.sample(tick * 500)
    rates.push(crawl.sample(tick * 500 + 100).pagesPerSecond)
  }
  assert.deepEqual(
    rates.map((rate) => Math.round(rate)),
    [17, 17, 17, 0, 0, 0],
  )
})
