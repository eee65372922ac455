// Runs alone: all that share a process with what it holds would pay for it at every collection of garbage.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateWeb } from '../../webs/generated/web.ts'
import { auditOf } from './audit.ts'
import { liveCrawl } from './crawl.ts'
import { liveRuns, runLive } from './experiment.ts'
import { liveDefaults, liveOrders, liveSettings } from './settings.ts'
import { simulatedVisits } from './simulation.ts'
import { checkResults } from '../../report/check.ts'

const brisk = { waitMs: 10, latencyFactor: 0.01, robots: 4, draws: 3 }
const small = generateWeb({ pages: 100, sites: 6, maxSitePages: 30, seed: 1, bowTie: false })

test('every order crawls live: each page once, and nobody is asked too soon', async () => {
  const runs = await liveRuns(small, liveSettings(small.pages, brisk))
  for (const { order, repeated, missed, violations, live, simulated, ideal } of runs) {
    assert.deepEqual({ order, repeated, missed, violations }, { order, repeated: 0, missed: 0, violations: [] })
    assert.equal(live.length - 1, small.pages)
    assert.deepEqual([simulated.mean.length, ideal.length], [live.length, live.length])
    assert.ok(Math.abs(live.at(-1)! - 1) < 1e-9)
  }
})

test('a live crawl and a simulated one bring PageRank alike, and the report says how much', async () => {
  const web = generateWeb({ pages: 200, sites: 8, maxSitePages: 60, seed: 2, bowTie: false })
  const orders = ['depth', 'pagerank', 'topic']
  const crawled: string[] = []
  const result = await runLive(web, { ...brisk, orders }, { onCrawl: (order) => crawled.push(order) })
  checkResults([result])
  assert.deepEqual(crawled, orders)
  assert.match(result.finding, /points of PageRank apart on average over 3 orders.*Every order fetched every page once/)
  assert.deepEqual(
    result.figures.map(({ series }) => series.map(({ name, dashed }) => (dashed ? `${name}, dashed` : name))),
    orders.map(() => ['live', 'simulated, dashed', 'the order itself']),
  )
  const [agreement] = result.tables
  for (const [order, mean] of agreement!.rows) {
    // Far from what is measured on a quiet machine (0.005), and far below what another order would be off by.
    assert.ok(typeof mean === 'number' && mean < 0.1, `${order}: ${mean} apart on average`)
  }
})

// Then nothing depends on how long anything takes: every choice is the order's own, on what the pages say.
const kept = [
  ['a page a connection', 1],
  ['three pages a connection', 3],
  ['connections that are kept', undefined],
] as const
for (const order of liveOrders(small.pages)) {
  for (const [how, pagesPerConnection] of order === 'depth' || order === 'pagerank' ? kept : kept.slice(2)) {
    test(`${order}, ${how}: one robot that does not rest crawls live as it does simulated, page for page`, async () => {
      const unhurried = { waitMs: 0, latencyFactor: 0, bandwidthFactor: Infinity }
      const alone = { ...liveDefaults, ...unhurried, order, robots: 1, pagesPerConnection }
      const { web, visits, overheadsMs } = await liveCrawl(small, alone)
      assert.deepEqual([...visits], [...simulatedVisits(web, { ...alone, overheadsMs, robotsTxt: true })])
    })
  }
}

test('several pages a connection are fetched on one', async () => {
  const { visits, summary, audit, overheadsMs } = await liveCrawl(small, {
    ...liveDefaults,
    ...brisk,
    order: 'depth',
    pagesPerConnection: 10,
  })
  assert.deepEqual([visits.length, new Set(visits).size, summary.failed, audit.violations.length], [100, 100, 0, 0])
  assert.ok(overheadsMs.length < 40, `${overheadsMs.length} connections`)
})

test('the audit would have seen shorter rests than were promised', async () => {
  const { audit, log } = await liveCrawl(small, { ...liveDefaults, ...brisk, order: 'depth' })
  assert.deepEqual(audit.violations, [])
  assert.ok(auditOf(log, 2 * brisk.waitMs + 100).violations.length > 0)
})

test('a crawl that is called off ends the experiment', async () => {
  const reason = new Error('enough')
  await assert.rejects(runLive(small, { ...brisk, orders: ['depth'] }, { signal: AbortSignal.abort(reason) }), reason)
})
