import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { PageHeap } from './page-heap.ts'
import { NOWHERE, PageTable, WAITING } from './page-table.ts'

function tableOf(pages: number): PageTable {
  const table = new PageTable(() => 0.5)
  for (let page = 0; page < pages; page++) table.add(0, page, page, 0, 0, WAITING)
  return table
}

test('the lowest rank comes first, and of equals the page known longest', () => {
  const table = tableOf(4)
  const heap = new PageHeap(table)
  for (const [page, rank] of [2, 1, 2, 1].entries()) {
    table.setRank(page, rank)
    heap.push(page)
  }
  assert.deepEqual([heap.pop(), heap.pop(), heap.pop(), heap.pop(), heap.pop()], [1, 3, 0, 2, undefined])
})

test('a page that is not in the heap can be removed and updated without harm', () => {
  const table = tableOf(2)
  const heap = new PageHeap(table)
  heap.push(0)
  heap.remove(1)
  heap.update(1)
  assert.deepEqual([heap.size, heap.peek(), table.placeOf(1)], [1, 0, NOWHERE])
})

test('after any pushes, pops, removals and changes of rank it agrees with a sorted list', () => {
  const step = fc.record({
    kind: fc.constantFrom('push', 'push', 'rank', 'remove', 'pop'),
    page: fc.nat(39),
    rank: fc.nat(9),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const table = tableOf(40)
      const heap = new PageHeap(table)
      const held = new Set<number>()
      const best = (): number | undefined => [...held].toSorted((a, b) => table.rankOf(a) - table.rankOf(b) || a - b)[0]
      for (const { kind, page, rank } of steps) {
        if (kind === 'push' && !held.has(page)) {
          table.setRank(page, rank)
          heap.push(page)
          held.add(page)
        } else if (kind === 'rank') {
          table.setRank(page, rank)
          heap.update(page)
        } else if (kind === 'remove') {
          heap.remove(page)
          held.delete(page)
        } else if (kind === 'pop') {
          const expected = best()
          assert.equal(heap.pop(), expected)
          if (expected !== undefined) held.delete(expected)
        }
        assert.equal(heap.peek(), best())
        assert.deepEqual(
          [...heap].toSorted((a, b) => a - b),
          [...held].toSorted((a, b) => a - b),
        )
      }
    }),
  )
})

test('filled at once, in order or not, it is the same heap', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(9), { maxLength: 60 }), (ranks) => {
      const table = tableOf(ranks.length)
      const heap = new PageHeap(table)
      for (const [page, rank] of ranks.entries()) {
        table.setRank(page, rank)
        table.setPlace(page, page)
      }
      const isSorted = ranks.every((rank, i) => i === 0 || rank >= ranks[i - 1]!)
      heap.fill(Uint32Array.from(ranks.keys()), isSorted)
      const expected = [...ranks.keys()].toSorted((a, b) => ranks[a]! - ranks[b]! || a - b)
      assert.deepEqual(
        expected.map(() => heap.pop()),
        expected,
      )
    }),
  )
})
