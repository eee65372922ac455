// Runs alone: all that share a process with what it holds would pay for it at every collection of garbage.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateWeb } from '../../webs/generated/web.ts'
import { reachableFrom } from '../../webs/graph/reach.ts'
import { liveOrders } from './settings.ts'
import { idealVisits, simulatedVisits } from './simulation.ts'
import type { LiveSimulationSettings } from './simulation.ts'
import { politenessOf } from '../scheduling/runs.ts'
import { simulate } from '../../simulate/simulation.ts'
import { smallWeb } from '../../testing/simulation-fixture.ts'

const web = generateWeb({ pages: 600, sites: 12, seed: 2, bowTie: false })
const settings: LiveSimulationSettings = {
  order: 'depth',
  waitMs: 1_000,
  pagesPerConnection: 1,
  robots: 4,
  topic: 'computer',
  seed: 1,
  robotsTxt: false,
  overheadsMs: new Float64Array(0),
}
const all = Array.from({ length: web.pages }, (_, page) => page)
const sorted = (pages: Uint32Array): number[] => Array.from(pages).toSorted((a, b) => a - b)

const wideLink = 1e12
const crawls: [order: string, robots: number, pagesPerConnection: number, waitMs: number][] = [
  ['depth', 1, 1, 1_000],
  ['length', 4, 1, 15_000],
  ['pagerank', 4, 3, 1_000],
  ['batch:50', 8, 1, 2_000],
  ['random', 30, 2, 0],
]
for (const [order, robots, pagesPerConnection, waitMs] of crawls) {
  test(`it is the crawl of the simulator, page for page: ${order}, r ${robots}, k ${pagesPerConnection}, w ${waitMs}`, () => {
    const visits: number[] = []
    simulate(
      web,
      {
        order,
        robots,
        bandwidth: wideLink,
        politeness: politenessOf(waitMs, pagesPerConnection),
        seed: 1,
        requestLatency: 1,
      },
      { onPage: (page) => visits.push(page) },
    )
    const ours = simulatedVisits(web, { ...settings, order, robots, pagesPerConnection, waitMs })
    assert.deepEqual([...ours], visits)
  })
}

for (const order of liveOrders(web.pages)) {
  test(`${order}: every page is visited once, with time and without`, () => {
    assert.equal(reachableFrom(web, web.homes).count, web.pages)
    const overheadsMs = Float64Array.of(1, 2, 50)
    assert.deepEqual(sorted(simulatedVisits(web, { ...settings, order, robotsTxt: true, overheadsMs })), all)
    assert.deepEqual(sorted(idealVisits(web, { ...settings, order })), all)
  })
}

for (const order of liveOrders(web.pages)) {
  test(`${order}: connections that are kept where there is no rest bring the pages in the order of one each`, () => {
    for (const robots of [1, 4]) {
      const unhurried = { ...settings, order, robots, waitMs: 0, robotsTxt: true }
      assert.deepEqual(
        [...simulatedVisits(web, { ...unhurried, pagesPerConnection: undefined })],
        [...simulatedVisits(web, unhurried)],
      )
    }
  })
}

test('the same seed gives the same crawl, and other overheads another', () => {
  const with3 = { ...settings, robotsTxt: true, overheadsMs: Float64Array.of(1, 2, 500) }
  const first = [...simulatedVisits(web, with3)]
  assert.deepEqual([...simulatedVisits(web, with3)], first)
  assert.notDeepEqual([...simulatedVisits(web, { ...with3, seed: 2 })], first)
})

test('robots.txt holds a slow site up once', () => {
  const slow = 3
  const latencyMs = web.latencyMs.map((_, site) => (site === slow ? 400 : 100))
  const pages = { ...web, latencyMs, bandwidth: web.bandwidth.map(() => 1e9) }
  const firstOf = (robotsTxt: boolean): number =>
    simulatedVisits(pages, { ...settings, robots: web.sites, robotsTxt, waitMs: 450 }).findIndex(
      (page) => web.siteOf[page] === slow,
    )
  // 400 ms, when the others have been here once; 800 ms, when they have been here twice.
  assert.deepEqual([firstOf(false), firstOf(true)], [web.sites - 1, 2 * (web.sites - 1)])
})

test('the page after robots.txt is chosen when that has come, not when the site was taken', () => {
  const [fast, slow] = [10, 100].map((latencyMs) => ({ latencyMs, bandwidth: 1e9 }))
  const sites = [
    { pages: [0], ...fast! },
    { pages: [0, 0], ...slow! },
  ]
  // The fast home page links to page 2 of the slow site, while that is asked for its robots.txt or its home page, 1.
  const { bytes, latencyMs, bandwidth, ...graph } = smallWeb(sites, [[0, 2]])
  const words = { ...web.words, urlOf: (page: number) => `http://site-${graph.siteOf[page]}.example/${page}` }
  const small = { ...graph, words, bytes: bytes!, latencyMs: latencyMs!, bandwidth: bandwidth! }
  const visits = (robotsTxt: boolean): string =>
    simulatedVisits(small, { ...settings, order: 'backlink', robotsTxt }).join(' ')
  assert.deepEqual([visits(false), visits(true)], ['0 1 2', '0 2 1'])
})

const isHot = (page: number): boolean => /computer/i.test(web.words.titleOf(page))

/** How many pages come before one on the topic, on average. */
function meanPlace(visits: Uint32Array): number {
  const places = Array.from(visits, (page, place) => ({ page, place })).filter(({ page }) => isHot(page))
  return places.reduce((sum, { place }) => sum + place, 0) / places.length
}

test('an order with a topic goes to pages on it before others', () => {
  const [topical, plain] = ['topic', 'depth'].map((order) => meanPlace(idealVisits(web, { ...settings, order })))
  assert.ok(topical! < plain!, `${topical} pages before one that is hot, ${plain} by depth`)
})
