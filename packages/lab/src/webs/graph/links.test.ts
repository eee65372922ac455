import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LinkPairs, linkTable, transposed } from './links.ts'

const pairsOf = (links: readonly (readonly [number, number])[]): LinkPairs => {
  const pairs = new LinkPairs()
  for (const [from, to] of links) pairs.add(from, to)
  return pairs
}

const links = fc.array(fc.tuple(fc.nat(9), fc.nat(9)))

test('links are sorted by page, keep their order, and come once', () => {
  fc.assert(
    fc.property(links, (list) => {
      const { starts, targets, selfLinks, duplicates } = linkTable(pairsOf(list), 10)
      for (let page = 0; page < 10; page++) {
        const expected = new Set(list.filter(([from, to]) => from === page && to !== page).map(([, to]) => to))
        assert.deepEqual([...targets.subarray(starts[page], starts[page + 1])], [...expected])
      }
      assert.equal(selfLinks, list.filter(([from, to]) => from === to).length)
      assert.equal(targets.length + selfLinks + duplicates, list.length)
    }),
  )
})

test('turned round twice, links are sorted and the same', () => {
  fc.assert(
    fc.property(links, (list) => {
      const sorted = list.toSorted(([a, b], [c, d]) => a - c || b - d)
      const table = linkTable(pairsOf(sorted), 10)
      const { starts, targets } = transposed(transposed(table))
      assert.deepEqual({ starts, targets }, { starts: table.starts, targets: table.targets })
    }),
  )
})

test('more links than a block holds', () => {
  const pairs = new LinkPairs()
  for (let i = 0; i < 1_200_000; i++) pairs.add(i % 1_000, Math.floor(i / 1_000))
  const { targets, selfLinks } = linkTable(pairs, 1_200)
  assert.equal(selfLinks, 1_000)
  assert.equal(targets.length, 1_199_000)
})
