import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LinkPairs, linkTable } from './links.ts'
import { largestReach, reachableFrom, startPages, wideStart } from './reach.ts'
import { createRandom } from '@comity/testbed'
import type { WebGraph } from './web-graph.ts'

function webOf(pages: number, list: readonly (readonly [number, number])[], homes: readonly number[] = []): WebGraph {
  const pairs = new LinkPairs()
  for (const [from, to] of list) pairs.add(from, to)
  const { starts, targets } = linkTable(pairs, pages)
  return { name: 'test', pages, starts, targets, sites: 1, siteOf: new Uint32Array(pages), homes }
}

/** 0 → 1 ⇄ 2 → 3 → 6, and 4 → 5 apart. */
const small: readonly (readonly [number, number])[] = [
  [0, 1],
  [1, 2],
  [2, 1],
  [2, 3],
  [3, 6],
  [4, 5],
]

test('what is reached from several pages counts once, the pages themselves included', () => {
  const { reached, count } = reachableFrom(webOf(7, small), [2, 3, 2])
  assert.deepEqual([...reached], [0, 1, 1, 1, 0, 0, 1])
  assert.equal(count, 4)
})

test('the largest reach is that of a page before the core', () => {
  const best = largestReach(webOf(7, small))
  assert.equal(best?.page, 0)
  assert.equal(best?.count, 5)
})

test('a web without pages has no start', () => {
  const web = webOf(0, [])
  assert.equal(largestReach(web), undefined)
  assert.deepEqual(startPages(web, 3, createRandom(1)), [])
  assert.deepEqual(wideStart(web), [])
})

test('home pages are the first start pages, where they reach enough', () => {
  assert.deepEqual(startPages(webOf(7, small, [4, 2]), 1, createRandom(1)), [2])
  assert.deepEqual(
    startPages(webOf(7, small, [4, 2]), 9, createRandom(1)).toSorted((a, b) => a - b),
    [0, 1, 2],
  )
})

test('start pages are found in a web without a core', () => {
  const stars = [0, 10, 20].flatMap((hub) => [1, 2, 3].map((leaf): [number, number] => [hub, hub + leaf]))
  assert.deepEqual(
    startPages(webOf(30, stars), 5, createRandom(1)).toSorted((a, b) => a - b),
    [0, 10, 20],
  )
})

test('start pages differ, reach half of what the best of the tried reaches, and are the same for the same seed', () => {
  const list = fc.array(fc.tuple(fc.nat(19), fc.nat(19)), { maxLength: 60 })
  fc.assert(
    fc.property(list, fc.nat(), (pairs, seed) => {
      const web = webOf(20, pairs)
      const chosen = startPages(web, 5, createRandom(seed))
      const { count } = largestReach(web)!
      assert.ok(chosen.length > 0 && chosen.length <= 5)
      assert.equal(new Set(chosen).size, chosen.length)
      for (const page of chosen) assert.ok(reachableFrom(web, [page]).count * 2 >= count)
      assert.deepEqual(startPages(web, 5, createRandom(seed)), chosen)
    }),
  )
})
