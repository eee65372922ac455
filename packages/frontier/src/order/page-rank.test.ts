import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DAMPING, PageRank, TOLERANCE } from './page-rank.ts'

/** Links of each page, told one page after the other; the same page may be told again. */
const webs = fc.integer({ min: 1, max: 12 }).chain((pages) =>
  fc.record({
    pages: fc.constant(pages),
    visits: fc.array(fc.tuple(fc.nat(pages - 1), fc.uniqueArray(fc.nat(pages - 1), { maxLength: pages })), {
      maxLength: 30,
    }),
  }),
)

/** 003 §2 solved directly, by elimination: a page without links links to every page, and the mean is 1. */
function directly(links: readonly (readonly number[])[]): number[] {
  const n = links.length
  const rows = links.map((_, to) => {
    const row = links.map((out, from) => {
      const share = out.length === 0 ? 1 / n : out.includes(to) ? 1 / out.length : 0
      return (from === to ? 1 : 0) - DAMPING * share
    })
    return [...row, 1 - DAMPING]
  })
  for (let pivot = 0; pivot < n; pivot++) {
    for (let row = 0; row < n; row++) {
      if (row === pivot) continue
      const factor = rows[row]![pivot]! / rows[pivot]![pivot]!
      for (let column = pivot; column <= n; column++) rows[row]![column]! -= factor * rows[pivot]![column]!
    }
  }
  return rows.map((row, i) => row[n]! / row[i]!)
}

const ranksOf = (ranks: PageRank, pages: number): number[] =>
  Array.from({ length: pages }, (_, page) => ranks.rankOf(page))

function assertNear(actual: readonly number[], expected: readonly number[], within: number): void {
  const error = actual.reduce((sum, value, i) => sum + Math.abs(value - expected[i]!), 0)
  const total = expected.reduce((sum, value) => sum + value, 0)
  assert.ok(error <= within * total, `${actual.join(' ')} is not ${expected.join(' ')}`)
}

test('told of pages one by one, also of some again, it stays within the tolerance of a direct solution', () => {
  fc.assert(
    fc.property(webs, ({ pages, visits }) => {
      const ranks = new PageRank()
      ranks.grow(pages)
      const links: number[][] = Array.from({ length: pages }, () => [])
      for (const [page, targets] of visits) {
        links[page] = targets
        ranks.link(page, targets, () => {})
        assert.ok(ranks.worstResidual() <= TOLERANCE * 1.001)
        assertNear(ranksOf(ranks, pages), directly(links), (2 * TOLERANCE) / (1 - DAMPING))
      }
    }),
    { numRuns: 300 },
  )
})

test('solved from the start it is the direct solution, and the mean is 1', () => {
  fc.assert(
    fc.property(webs, ({ pages, visits }) => {
      const ranks = new PageRank()
      ranks.grow(pages)
      const links: number[][] = Array.from({ length: pages }, () => [])
      for (const [page, targets] of visits) {
        links[page] = targets
        ranks.set(page, targets)
      }
      ranks.solve(1e-12)
      assertNear(ranksOf(ranks, pages), directly(links), 1e-9)
      assertNear([ranksOf(ranks, pages).reduce((sum, rank) => sum + rank, 0)], [pages], 1e-9)
    }),
  )
})

test('every page without links whose value has moved is named once, by what it is worth then', () => {
  const ranks = new PageRank()
  const seen = new Map<number, number>()
  ranks.link(0, [1, 2], (page) => seen.set(page, ranks.valueOf(page)))
  assert.deepEqual(
    [...seen],
    [
      [1, 1.45],
      [2, 1.45],
    ],
  )
  seen.clear()
  ranks.link(1, [2, 3], (page) => seen.set(page, ranks.valueOf(page)))
  assert.deepEqual(
    [...seen.keys()].toSorted((a, b) => a - b),
    [2, 3],
  )
  assert.ok(Math.abs(seen.get(2)! - (1.45 + 0.45 * 1.45)) < 1e-12)
})

test('what does not change is not touched: a page nobody else links from costs as many steps as it has links', () => {
  const ranks = new PageRank()
  for (let page = 0; page < 1_000; page++) ranks.link(page, [page + 1_000, page + 2_000], () => {})
  assert.equal(ranks.passed, 2_000)
})
