/** The orders that 003 and 004 only describe, against slow and obvious references that look at everything before each page. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DAMPING, locationRules, topicSimilarity } from '@comity/frontier'
import { anySmallWeb, backlinksIn, bestOf, depthsIn, slowCrawl } from '../../testing/ordering-fixture.ts'
import type { SlowCrawl } from '../../testing/ordering-fixture.ts'
import { visitsOf } from './crawl.ts'
import { linksOf } from '../../webs/graph/web-graph.ts'
import type { WebGraph } from '../../webs/graph/web-graph.ts'

type Score = (page: number, crawl: SlowCrawl, web: WebGraph) => number

const linksOn = ({ links, visited }: SlowCrawl, page: number): number =>
  visited.includes(page) ? links.filter(([from]) => from === page).length : 0

/** Ranks of 003 §2 for all that was found, by iterating the equation until nothing moves. */
function ranksIn(crawl: SlowCrawl): Map<number, number> {
  let ranks = new Map(crawl.found.map((page) => [page, 1]))
  for (let sweep = 0; sweep < 300; sweep++) {
    const next = new Map(crawl.found.map((page) => [page, 1]))
    for (const [from, to] of crawl.links)
      next.set(to, next.get(to)! + (DAMPING * ranks.get(from)!) / linksOn(crawl, from))
    ranks = next
  }
  const mean = [...ranks.values()].reduce((sum, rank) => sum + rank, 0) / ranks.size
  return new Map([...ranks].map(([page, rank]) => [page, rank / mean]))
}

const scores: Readonly<Record<string, Score>> = {
  // O(u) = IS(A, Q), the best anchor so far.
  anchor: (page, crawl, web) =>
    Math.max(
      0,
      ...crawl.visited.flatMap((from) =>
        Array.from(linksOf(web, from), (to, n) =>
          to === page ? topicSimilarity({ body: web.words!.anchorOf(web.starts[from]! + n) }, ['computers']) : 0,
        ),
      ),
    ),
  // Until a page is seen: the mean of the pages that link to it.
  forward: (page, crawl) => {
    const counts = crawl.links.filter(([, to]) => to === page).map(([from]) => linksOn(crawl, from))
    return counts.length === 0 ? 0 : counts.reduce((sum, count) => sum + count, 0) / counts.length
  },
  // One site behind one name: slashes and words are the same for all but `computer`.
  location: (page, _, web) => (web.words!.urlOf(page).includes('computer') ? 1 : 0),
  'backlink - 0.5*forward + depth': (page, crawl, web) =>
    backlinksIn(crawl, page) - 0.5 * scores['forward']!(page, crawl, web) - depthsIn(crawl).get(page)!,
}

for (const [order, score] of Object.entries(scores)) {
  test(`${order} takes what a crawler would take that scores the whole queue before each page`, () => {
    fc.assert(
      fc.property(anySmallWeb, ({ web }) => {
        const whole = { web, start: 0, pages: Uint32Array.from({ length: web.pages }, (_, p) => p) }
        const importance = { topic: ['computers'], location: { ...locationRules, words: [['computer', 1] as const] } }
        const { visited } = slowCrawl(web, 0, (waiting, crawl) => bestOf(waiting, (page) => score(page, crawl, web)))
        assert.deepEqual([...visitsOf(whole, { order, seed: 1, importance })], visited)
      }),
    )
  })
}

test('optimal takes the most important page among those found; perfect of all, found or not', () => {
  fc.assert(
    fc.property(anySmallWeb, fc.infiniteStream(fc.nat(5)), ({ web }, worth) => {
      const oracle = Float64Array.from({ length: web.pages }, () => Number(worth.next().value))
      const whole = { web, start: 0, pages: Uint32Array.from({ length: web.pages }, (_, p) => p) }
      const { visited } = slowCrawl(web, 0, (waiting) => bestOf(waiting, (page) => oracle[page]!))
      assert.deepEqual([...visitsOf(whole, { order: 'optimal', seed: 1, oracle })], visited)
      const all = [...whole.pages].toSorted((a, b) => oracle[b]! - oracle[a]! || a - b)
      assert.deepEqual([...visitsOf(whole, { order: 'perfect', seed: 1, oracle })], all)
    }),
  )
})

const sorted = (pages: Iterable<number>): number[] => [...pages].toSorted((a, b) => a - b)

test('random draws each page once', () => {
  fc.assert(
    fc.property(anySmallWeb, fc.nat(), ({ web }, seed) => {
      const whole = { web, start: 0, pages: Uint32Array.from({ length: web.pages }, (_, p) => p) }
      const { visited } = slowCrawl(web, 0, (waiting) => waiting[0]!)
      assert.deepEqual(sorted(visitsOf(whole, { order: 'random', seed })), sorted(visited))
    }),
  )
})

for (const size of [1, 3, 7]) {
  test(`batch:${size} takes the best ${size} by a fresh PageRank, all of them before the next are chosen`, () => {
    fc.assert(
      fc.property(anySmallWeb, ({ web }) => {
        const whole = { web, start: 0, pages: Uint32Array.from({ length: web.pages }, (_, p) => p) }
        const visits = visitsOf(whole, { order: `batch:${size}`, seed: 1 })
        let batch: number[] = []
        let step = 0
        slowCrawl(web, 0, (waiting, crawl) => {
          const ranks = ranksIn(crawl)
          const chosen = visits[step++]!
          if (batch.length === 0) {
            // Which of nearly equal pages are in is up to the tolerance.
            const best = waiting.toSorted((a, b) => ranks.get(b)! - ranks.get(a)!)
            batch = Array.from(visits.subarray(step - 1, step - 1 + Math.min(size, waiting.length)))
            const worst = Math.min(...batch.map((page) => ranks.get(page)!))
            assert.ok(batch.every((page) => waiting.includes(page)))
            assert.ok(worst >= 0.98 * ranks.get(best[batch.length - 1]!)!)
          }
          batch = batch.filter((page) => page !== chosen)
          return chosen
        })
      }),
    )
  })
}

test('partial keeps the ranks of the last solution, and gives what is new the shares of what points to it', () => {
  const every = 3
  fc.assert(
    fc.property(anySmallWeb, ({ web }) => {
      const whole = { web, start: 0, pages: Uint32Array.from({ length: web.pages }, (_, p) => p) }
      const visits = visitsOf(whole, { order: `partial:${every}`, seed: 1 })
      let solved = new Map<number, number>()
      const temporary = new Map<number, number>()
      const rankOf = (page: number): number => solved.get(page) ?? temporary.get(page) ?? 1
      let step = 0
      slowCrawl(web, 0, (waiting, crawl) => {
        const last = crawl.visited.at(-1)
        if (last !== undefined && crawl.visited.length % every === 0) {
          solved = ranksIn(crawl)
          temporary.clear()
        } else if (last !== undefined) {
          const share = rankOf(last) / linksOn(crawl, last)
          for (const to of linksOf(web, last)) if (!solved.has(to)) temporary.set(to, (temporary.get(to) ?? 0) + share)
        }
        const chosen = visits[step++]!
        assert.ok(rankOf(chosen) >= 0.98 * Math.max(...waiting.map(rankOf)), `${chosen} of ${waiting.join(' ')}`)
        return chosen
      })
    }),
  )
})

/** Sites in the order in which they have waited for their turn; the turn is over when a site was taken. */
class Turns {
  readonly #turns = new Map<number, number>()
  #next = 0

  of(sites: readonly number[]): (site: number) => number {
    for (const site of sites) if (!this.#turns.has(site)) this.#turns.set(site, this.#next++)
    return (site) => this.#turns.get(site)!
  }

  over(site: number): void {
    this.#turns.delete(site)
  }
}

/** `choose` picks a site; in it the page with the fewest clicks goes first, or the one found first. */
function assertSites(
  web: WebGraph,
  order: string,
  pageScore: Score,
  choose: (sites: readonly number[], waiting: readonly number[], turnOf: (site: number) => number) => number,
): void {
  const turns = new Turns()
  // Sites are numbered as the crawl meets them.
  const met: number[] = []
  const { visited } = slowCrawl(web, 0, (waiting, crawl) => {
    for (const page of crawl.found) if (!met.includes(web.siteOf[page]!)) met.push(web.siteOf[page]!)
    const sites = met.filter((site) => waiting.some((page) => web.siteOf[page] === site))
    const site = choose(sites, waiting, turns.of(sites))
    turns.over(site)
    return bestOf(
      waiting.filter((page) => web.siteOf[page] === site),
      (page) => pageScore(page, crawl, web),
    )
  })
  const whole = { web, start: 0, pages: Uint32Array.from({ length: web.pages }, (_, p) => p) }
  assert.deepEqual([...visitsOf(whole, { order, seed: 1, queues: 'site' })], visited)
}

const byDepth: Score = (page, crawl) => -depthsIn(crawl).get(page)!

test('length takes the site with the longest queue, and there the page with the fewest clicks', () => {
  fc.assert(
    fc.property(anySmallWeb, ({ web }) => {
      assertSites(web, 'length', byDepth, (sites, waiting, turnOf) => {
        const lengthOf = (site: number): number => waiting.filter((page) => web.siteOf[page] === site).length
        return sites.toSorted((a, b) => lengthOf(b) - lengthOf(a) || turnOf(a) - turnOf(b))[0]!
      })
    }),
  )
})

test('webbase: between two turns of a site every other site that has something waiting is read', () => {
  fc.assert(
    fc.property(anySmallWeb, ({ web }) => {
      const whole = { web, start: 0, pages: Uint32Array.from({ length: web.pages }, (_, p) => p) }
      const visits = [...visitsOf(whole, { order: 'webbase', seed: 1, queues: 'site' })]
      const { found } = slowCrawl(web, 0, (waiting) => waiting[0]!)
      assert.deepEqual(
        visits.toSorted((a, b) => a - b),
        found.toSorted((a, b) => a - b),
      )
      assertFair(web, visits)
    }),
  )
})

/** With 500 queues a small web has a queue for each site, hardly ever two: no site is read twice while another waits. */
function assertFair(web: WebGraph, visits: readonly number[]): void {
  const known = new Set([0])
  const visited = new Set<number>()
  const readSince = new Map<number, Set<number>>()
  for (const page of visits) {
    const site = web.siteOf[page]!
    const waitingSites = new Set([...known].filter((one) => !visited.has(one)).map((one) => web.siteOf[one]!))
    for (const [other, since] of readSince) {
      if (other !== site && waitingSites.has(other) && since.has(site)) {
        assert.fail(`site ${site} was read twice while ${other} waited`)
      }
      since.add(site)
    }
    for (const other of waitingSites) if (!readSince.has(other)) readSince.set(other, new Set())
    readSince.delete(site)
    for (const other of readSince.keys()) if (!waitingSites.has(other)) readSince.delete(other)
    visited.add(page)
    for (const to of linksOf(web, page)) known.add(to)
  }
}
