import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DAMPING } from '@comity/frontier'
import { amount } from '@comity/protocol/testing'
import { anySmallWeb, backlinksIn, bestOf, depthsIn, slowCrawl, webOf } from '../../testing/ordering-fixture.ts'
import type { SlowCrawl, SmallWeb } from '../../testing/ordering-fixture.ts'
import { followedShare, onOneSite, partFrom, visitsOf } from './crawl.ts'
import type { CrawlPart } from './crawl.ts'
import { linksOf } from '../../webs/graph/web-graph.ts'
import type { WebGraph } from '../../webs/graph/web-graph.ts'

/** Each run crawls a web anew before each of its pages; `npm run torture:orders` takes more of them. */
const RUNS = { numRuns: amount(30, 1_000) }

const wholeOf = (web: WebGraph): CrawlPart => ({
  web,
  start: 0,
  pages: Uint32Array.from({ length: web.pages }, (_, p) => p),
})

test('a part has the pages that its start page leads to, and the links among them', () => {
  const { web, start, pages } = partFrom(webOf([[1], [0], [3, 1], [2, 0, 4], []]), 3)
  assert.deepEqual([[...pages], start], [[0, 1, 2, 3, 4], 3])
  const small = partFrom(webOf([[1], [0], [3, 1], [2, 0, 4], []]), 1)
  assert.deepEqual([[...small.pages], small.start, small.web.targets.length], [[0, 1], 1, 2])
  assert.equal(web.targets.length, 7)
})

test('a crawl that always takes a link of the last page has followed it every time', () => {
  const chain = webOf([[1], [2], [3], []])
  assert.equal(followedShare(chain, Uint32Array.of(0, 1, 2, 3)), 1)
  assert.equal(followedShare(chain, Uint32Array.of(0, 2, 1, 3)), 0)
  assert.equal(followedShare(chain, Uint32Array.of(0)), 0)
})

test('a web on one site keeps the words of its addresses', () => {
  const web = onOneSite(webOf([[1], []], { urls: [false, true], sites: [0, 1] }))
  assert.deepEqual([web.sites, web.words?.urlOf(1)], [1, 'http://web/http://s1.example/computer-1'])
})

test('the orders of Figure 2 visit pages as a crawler does that sorts the whole queue before each page', () => {
  fc.assert(
    fc.property(anySmallWeb, ({ web }) => {
      const visits = (order: string): number[] => [...visitsOf(wholeOf(web), { order, seed: 1 })]
      const slow = (score: (page: number, crawl: SlowCrawl) => number): number[] =>
        slowCrawl(web, 0, (waiting, crawl) => bestOf(waiting, (page) => score(page, crawl))).visited
      const breadthFirst = slow(() => 0)
      assert.deepEqual(visits('fifo'), breadthFirst)
      assert.deepEqual(visits('depth'), breadthFirst)
      assert.deepEqual(
        visits('backlink'),
        slow((page, crawl) => backlinksIn(crawl, page)),
      )
    }),
    RUNS,
  )
})

test('PageRank order takes a page that is within 2 % of the best when all is solved before each page', () => {
  fc.assert(
    fc.property(anySmallWeb, ({ web }) => {
      const visits = visitsOf(wholeOf(web), { order: 'pagerank', seed: 1 })
      let step = 0
      slowCrawl(web, 0, (waiting, crawl) => {
        const chosen = visits[step++]!
        const ranks = solvedRanks(web, crawl)
        assert.ok(waiting.includes(chosen))
        assert.ok(ranks[chosen]! >= 0.98 * Math.max(...waiting.map((page) => ranks[page]!)))
        return chosen
      })
      assert.equal(step, visits.length)
    }),
    RUNS,
  )
})

test('an order that ranks sites has a queue for each', () => {
  const web = webOf([[1, 2, 3, 4], [], [], [], []], { sites: [0, 0, 1, 2, 2] })
  assert.deepEqual([...visitsOf(wholeOf(web), { order: 'length', seed: 1 })].slice(0, 2), [0, 3])
  assert.deepEqual([...visitsOf(wholeOf(web), { order: 'depth', seed: 1 })], [0, 1, 2, 3, 4])
})

const ties: Readonly<Record<string, (page: number, crawl: SlowCrawl) => number>> = {
  fifo: () => 0,
  depth: (page, crawl) => -depthsIn(crawl).get(page)!,
  backlink: (page, crawl) => backlinksIn(crawl, page),
}

for (const [name, score] of Object.entries(ties)) {
  for (const [figure, nearHot] of [
    [4, 0],
    [5, 3],
  ] as const) {
    test(`topic:${name} visits pages as the two queues of Figure ${figure} do`, () => {
      fc.assert(
        fc.property(anySmallWeb, (small) => {
          const inHotQueue = new Set<number>()
          const { visited } = slowCrawl(small.web, 0, (waiting, crawl) => {
            const url = twoQueues(waiting, inHotQueue, (page) => score(page, crawl))
            enqueueNew(small, url, crawl, nearHot, inHotQueue)
            return url
          })
          assert.deepEqual(topicVisits(small, `topic:${name}`, nearHot, false), visited)
        }),
        RUNS,
      )
    })

    test(`topic:${name} with promotion asks of every page that waits what Figure ${figure} asks of a new one`, () => {
      fc.assert(
        fc.property(anySmallWeb, (small) => {
          const { visited } = slowCrawl(small.web, 0, (waiting, crawl) => {
            const hot = hotIn(small, crawl)
            const inHotQueue = new Set(waiting.filter((page) => looksHot(small.web, crawl, hot, page, nearHot)))
            return twoQueues(waiting, inHotQueue, (page) => score(page, crawl))
          })
          assert.deepEqual(topicVisits(small, `topic:${name}`, nearHot, true), visited)
        }),
        RUNS,
      )
    })
  }
}

function topicVisits({ web, hot }: SmallWeb, order: string, nearHot: number, promote: boolean): number[] {
  return [...visitsOf(wholeOf(web), { order, seed: 1, hot, importance: { topic: ['computer'], nearHot, promote } })]
}

/** dequeue2, after reorder_queue of both. */
function twoQueues(
  waiting: readonly number[],
  inHotQueue: ReadonlySet<number>,
  score: (page: number) => number,
): number {
  const hotQueue = waiting.filter((page) => inHotQueue.has(page))
  return bestOf(hotQueue.length > 0 ? hotQueue : waiting, score)
}

/** The inner loop of Figures 4 and 5, run before its links are added to those of the crawl. */
function enqueueNew(small: SmallWeb, url: number, crawl: SlowCrawl, nearHot: number, inHotQueue: Set<number>): void {
  const seen: SlowCrawl = { found: [...crawl.found], visited: [...crawl.visited, url], links: [...crawl.links] }
  const hot = hotIn(small, seen)
  for (const u of linksOf(small.web, url)) {
    seen.links.push([url, u])
    if (seen.found.includes(u)) continue
    seen.found.push(u)
    if (looksHot(small.web, seen, hot, u, nearHot)) inHotQueue.add(u)
  }
}

const hotIn = ({ hot }: SmallWeb, { visited }: SlowCrawl): ReadonlySet<number> =>
  new Set(visited.filter((page) => hot[page] === 1))

function looksHot(
  { words, ...web }: WebGraph,
  { links }: SlowCrawl,
  hot: ReadonlySet<number>,
  u: number,
  nearHot: number,
): boolean {
  const named = links.some(([from, to]) => {
    if (to !== u) return false
    const link = web.starts[from]! + linksOf(web, from).indexOf(u)
    return words!.anchorOf(link).includes('computer')
  })
  return named || words!.urlOf(u).includes('computer') || distanceFromHotPage(links, hot, u) < nearHot
}

/** As printed: 0, 1 or 2 links; further is not looked for. */
function distanceFromHotPage(links: SlowCrawl['links'], hot: ReadonlySet<number>, u: number): number {
  const before = (page: number): number[] => links.filter(([, to]) => to === page).map(([from]) => from)
  if (hot.has(u)) return 0
  if (before(u).some((v) => hot.has(v))) return 1
  if (before(u).some((w) => before(w).some((v) => hot.has(v)))) return 2
  return Infinity
}

/** Ranks of all pages found, but for a common factor: the equations of Figure 2, iterated. */
function solvedRanks(web: WebGraph, { visited }: SlowCrawl): Float64Array {
  let ranks = new Float64Array(web.pages).fill(1)
  for (let round = 0; round < 300; round++) {
    const next = new Float64Array(web.pages).fill(1)
    for (const page of visited) {
      const links = linksOf(web, page)
      for (const to of links) next[to]! += (DAMPING * ranks[page]!) / links.length
    }
    ranks = next
  }
  return ranks
}
