import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectionPages, politeDefaults } from '@comity/frontier'
import type { Politeness } from '@comity/frontier'
import fc from 'fast-check'
import { anyBatch, anyWeb, smallWeb } from '../testing/simulation-fixture.ts'
import type { LostBandwidth, SimulationResult, SimulationSettings } from './settings.ts'
import { simulate } from './simulation.ts'
import type { WebGraph } from '../webs/graph/web-graph.ts'

const politeness = (delayMs: number, pagesPerConnection: number): Politeness => ({
  ...politeDefaults,
  delayMs,
  pagesPerConnection,
  slowdown: 0,
})
const settings = (given: Partial<SimulationSettings> = {}): SimulationSettings => ({
  order: 'length',
  robots: 1,
  bandwidth: 10_000,
  politeness: politeness(15_000, 1),
  seed: 1,
  ...given,
})
const nearly = (value: number, expected: number, message?: string): void =>
  assert.ok(
    Math.abs(value - expected) <= 1e-6 * Math.max(1, Math.abs(expected)),
    `${message}: ${value}, not ${expected}`,
  )

const slow = { latencyMs: 100, bandwidth: 1_000 }
const twoPages = smallWeb([{ pages: [1_000, 1_000], ...slow }])
const twoSites = smallWeb([
  { pages: [1_000, 1_000], ...slow },
  { pages: [1_000], ...slow },
])

const times: [sentence: string, web: WebGraph, given: Partial<SimulationSettings>, timeMs: number][] = [
  ['one page takes its latency and its transfer', smallWeb([{ pages: [1_000], ...slow }]), {}, 1_100],
  ['a second page of a site waits for its rest', twoPages, {}, 1_100 + 15_000 + 1_100],
  ['a second page on the connection costs its transfer only', twoPages, { politeness: politeness(15_000, 2) }, 2_100],
  ['or its latency, too, when asked for', twoPages, { politeness: politeness(15_000, 2), requestLatency: 1 }, 2_200],
  ['a second robot is of no use on one site', twoPages, { robots: 2 }, 17_200],
  ['one robot visits another site during the rest', twoSites, {}, 17_200],
  [
    'two robots halve a link that is narrower than both sites',
    twoSites,
    { robots: 2, bandwidth: 1_000 },
    2_100 + 15_000 + 1_100,
  ],
  ['a crawl stops after as many pages as it is told', twoPages, { maxPages: 1 }, 1_100],
  [
    'a web that does not say how fast it is has what is told for it',
    { ...twoPages, bytes: undefined, latencyMs: undefined, bandwidth: undefined },
    { maxPages: 1, unknown: { bytes: 500, latencyMs: 10, bandwidth: 500 } },
    1_010,
  ],
]
for (const [sentence, web, given, timeMs] of times) {
  test(sentence, () => nearly(simulate(web, settings(given)).timeMs, timeMs, sentence))
}

// Two pages of a site: busy for 2,200 ms, of which 2,000 bytes, and resting for 15,000 ms; the link has 10 bytes a ms.
const losses: [sentence: string, given: Partial<SimulationSettings>, lost: LostBandwidth][] = [
  ['one robot loses to a slow site, and to politeness', {}, { slowSites: 20_000, politeness: 150_000, fewSites: 0 }],
  [
    'of two robots the second loses to too few sites',
    { robots: 2 },
    { slowSites: 10_000, politeness: 75_000, fewSites: 85_000 },
  ],
]
for (const [sentence, given, lost] of losses) {
  test(sentence, () => {
    const found = simulate(twoPages, settings(given)).lost
    for (const key of ['slowSites', 'politeness', 'fewSites'] as const) nearly(found[key], lost[key], key)
  })
}

test('the curve adds up the true PageRank of the pages, and ends at 1', () => {
  const web = smallWeb(
    [{ pages: [10, 10, 10], ...slow }],
    [
      [0, 1],
      [0, 2],
    ],
  )
  const { curve } = simulate(web, settings({ order: 'depth' }))
  assert.deepEqual(curve.pages, [0, 1, 2, 3])
  nearly(curve.rank.at(-1)!, 1)
  // 1, and 1.45 each for what it links to, of 3.9.
  nearly(curve.rank[1]!, 1 / 3.9, 'the home page')
})

test('active robots are means over equal stretches', () => {
  const { activity, timeMs } = simulate(twoPages, settings({ robots: 2 }))
  const busyMs = activity.robots.reduce((sum, robots, n) => {
    const length = Math.min(timeMs, (n + 1) * activity.stretchMs) - n * activity.stretchMs
    return sum + robots * length
  }, 0)
  nearly(busyMs, 2_200)
  assert.ok(activity.robots.length <= 1_024)
})

test('the batches are listed with what was fetched before them', () => {
  const web = smallWeb([
    { pages: [10, 10, 10], ...slow },
    { pages: [10, 10], ...slow },
  ])
  const { batches } = simulate(web, settings({ batch: { size: 2, spread: true } }))
  assert.deepEqual(
    batches.map(({ pages, sites, after }) => [pages, sites, after]),
    [
      [2, 2, 0],
      [2, 2, 2],
      [1, 1, 4],
    ],
  )
})

for (const [name, given] of [
  ['no robots', { robots: 0 }],
  ['half a robot', { robots: 0.5 }],
  ['no link', { bandwidth: 0 }],
  ['an endless link', { bandwidth: Infinity }],
] as const) {
  test(`${name}: refused with a sentence`, () =>
    assert.throws(() => simulate(twoPages, settings(given)), /^RangeError: .*(robots cannot crawl|is no link)/))
}

const anyCrawl: fc.Arbitrary<SimulationSettings> = fc.record({
  order: fc.constantFrom('length', 'depth', 'random', 'optimal', 'pagerank', 'batch:3', 'partial:3'),
  robots: fc.integer({ min: 1, max: 12 }),
  bandwidth: fc.constantFrom(200, 5_000, 50_000, 10_000_000),
  politeness: fc.tuple(fc.constantFrom(0, 500, 15_000), fc.constantFrom(1, 2, 100)).map(([w, k]) => politeness(w, k)),
  seed: fc.nat(),
})

interface Connection {
  readonly site: number
  readonly from: number
  readonly to: number
  readonly pages: number
}

function watched(
  web: WebGraph,
  crawl: SimulationSettings,
): { result: SimulationResult; connections: Connection[]; pages: number[] } {
  const connections: Connection[] = []
  const pages: number[] = []
  const result = simulate(web, crawl, {
    onPage: (page) => void pages.push(page),
    onConnection: (site, from, to, count) => void connections.push({ site, from, to, pages: count }),
  })
  return { result, connections, pages }
}

test('every page is fetched once, no byte is lost, and no crawl is faster than T*', () => {
  fc.assert(
    fc.property(anyWeb, anyCrawl, (web, crawl) => {
      const { result, pages } = watched(web, crawl)
      assert.deepEqual(
        pages.toSorted((a, b) => a - b),
        [...web.siteOf.keys()],
      )
      assert.equal(
        result.bytes,
        web.bytes!.reduce((sum, bytes) => sum + bytes, 0),
      )
      assert.ok(result.timeMs >= result.leastTimeMs * (1 - 1e-9))
      const { politeness: polite, slowSites, fewSites } = result.lost
      assert.ok(polite >= 0 && slowSites >= 0 && fewSites >= 0)
      nearly(polite + slowSites + fewSites, (crawl.bandwidth * result.timeMs) / 1_000 - result.bytes, 'losses')
    }),
  )
})

test('a site has one visitor at a time, rests for w between connections, and gets at most k pages on one', () => {
  fc.assert(
    fc.property(anyWeb, anyCrawl, (web, crawl) => {
      const { delayMs } = crawl.politeness
      for (const own of Map.groupBy(watched(web, crawl).connections, ({ site }) => site).values()) {
        const inOrder = own.toSorted((a, b) => a.from - b.from || a.to - b.to)
        for (const [n, { from, pages }] of inOrder.entries()) {
          assert.ok(pages <= connectionPages(crawl.politeness))
          if (n > 0) assert.ok(from >= inOrder[n - 1]!.to + delayMs)
        }
      }
    }),
  )
})

test('the same seed gives the same crawl', () => {
  fc.assert(
    fc.property(anyWeb, anyCrawl, (web, crawl) => {
      assert.deepEqual(watched(web, crawl), watched(web, crawl))
    }),
    { numRuns: 30 },
  )
})

test('with a robot for every site and a link wide enough, 100 pages a connection are never slower than one', () => {
  fc.assert(
    fc.property(anyBatch, fc.constantFrom(0, 500, 15_000), (web, waitMs) => {
      const wide = { robots: web.sites, bandwidth: 100_000_000 }
      const [one, many] = [1, 100].map(
        (k) => simulate(web, settings({ ...wide, politeness: politeness(waitMs, k) })).timeMs,
      )
      assert.ok(many! <= one! * (1 + 1e-9))
    }),
  )
})
