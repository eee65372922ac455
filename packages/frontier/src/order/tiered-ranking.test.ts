import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { PageVisit, RankedWeb } from './order.ts'
import { DAMPING } from './page-rank.ts'
import { TieredRanking, tierOf } from './tiered-ranking.ts'

type Links = readonly number[]

/** Links of each page, told one page after the other; the same page may be told again. */
const webs = fc.integer({ min: 1, max: 12 }).chain((pages) =>
  fc.record({
    depths: fc.array(fc.nat(9), { minLength: pages, maxLength: pages }),
    visits: fc.array(fc.tuple(fc.nat(pages - 1), fc.uniqueArray(fc.nat(pages - 1), { maxLength: pages })), {
      maxLength: 30,
    }),
  }),
)

const visitOf = (links: Links): PageVisit => ({ links, anchorOf: () => '', similarity: 0, isHot: false })
const siteWith = (visited: number, best = 0) => ({ origin: 'http://a.example', waiting: 1, visited, best })

const webOf = (depths: readonly number[], moved: (page: number) => void = () => {}): RankedWeb => ({
  count: depths.length,
  depthOf: (page) => depths[page]!,
  siteOf: () => siteWith(0),
  isWaiting: () => true,
  urlOf: () => '',
  moved,
  allMoved: () => assert.fail('one page moves few others'),
})

/** x = 1 + d · Σ x(T)/c(T), iterated until nothing changes. */
function slowRanks(links: readonly Links[]): number[] {
  let ranks = links.map(() => 1)
  for (let round = 0; round < 300; round++) {
    const next = links.map(() => 1)
    for (const [page, targets] of links.entries())
      for (const to of targets) next[to]! += (DAMPING * ranks[page]!) / targets.length
    ranks = next
  }
  return ranks
}

/** Every page is in the tier that the whole web, looked at anew, puts it in; or next to a border that it is as near to. */
function assertTiers(ranks: readonly number[], links: readonly Links[], depths: readonly number[]): void {
  const near = 1.05
  for (const [page, exact] of slowRanks(links).entries()) {
    const backlinks = links.filter((targets) => targets.includes(page)).length
    const least = tierOf(exact / near, backlinks, depths[page]!)
    const most = tierOf(exact * near, backlinks, depths[page]!)
    assert.ok(-ranks[page]! >= least && -ranks[page]! <= most, `page ${page}: ${-ranks[page]!}, not ${least}…${most}`)
  }
}

test('asked again only about what it says has moved, a queue is right at every moment, links taken back included', () => {
  fc.assert(
    fc.property(webs, ({ depths, visits }) => {
      const links: Links[] = depths.map(() => [])
      const ranking = new TieredRanking(webOf(depths, (page) => (queue[page] = ranking.rankPage(page))))
      const queue = depths.map((_, page) => ranking.rankPage(page))
      for (const [page, targets] of visits) {
        links[page] = targets
        ranking.visited(page, visitOf(targets))
        ranking.refresh()
        // A page that was visited does not wait; when it begins to again, it is ranked anew.
        for (const other of depths.keys()) if (links[other]!.length > 0) queue[other] = ranking.rankPage(other)
        queue[page] = ranking.rankPage(page)
        assertTiers(queue, links, depths)
      }
    }),
  )
})

test('a crawl that goes on ranks as if it had never stopped', () => {
  fc.assert(
    fc.property(webs, ({ depths, visits }) => {
      const links: Links[] = depths.map(() => [])
      for (const [page, targets] of visits) links[page] = targets
      const ranking = new TieredRanking(webOf(depths))
      ranking.restore(visits.map(([page, targets]) => [page, visitOf(targets)]))
      const ranks = depths.map((_, page) => ranking.rankPage(page))
      assertTiers(ranks, links, depths)
    }),
  )
})

test('pages that one link points to are equal, be it one of four or of five; one that two point to is before them', () => {
  const ranking = new TieredRanking(webOf(Array<number>(20).fill(1)))
  ranking.visited(0, visitOf([2, 3, 4, 5]))
  ranking.visited(1, visitOf([5, 6, 7, 8, 9]))
  ranking.refresh()
  assert.equal(ranking.rankPage(2), ranking.rankPage(9))
  assert.ok(ranking.rankPage(5) < ranking.rankPage(2))
})

test('more pages than it has made room for are no trouble', () => {
  const ranking = new TieredRanking(webOf(Array<number>(5_000).fill(1)))
  ranking.visited(0, visitOf([4_999]))
  ranking.refresh()
  assert.ok(ranking.rankPage(4_999) < ranking.rankPage(4_998))
})

const falls: [visited: number, tiers: number][] = [
  [0, 0],
  [12, 0],
  [13, 1],
  [200, 2],
  [36_200, 4],
]
for (const [visited, tiers] of falls) {
  test(`a site that has given ${visited} pages falls by ${tiers} tiers`, () => {
    assert.equal(new TieredRanking(webOf([])).rankSite(siteWith(visited, -3)), -3 + tiers)
  })
}
