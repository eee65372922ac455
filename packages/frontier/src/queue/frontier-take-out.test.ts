/** A page that comes by another way, such as a dump, while it waits: it is settled like one that was leased. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { found, frontierOver, visitOnce } from '../testing/frontier-fixture.ts'
import { MemoryStore } from '../testing/memory-store.ts'

for (const batch of [undefined, { size: 2, spread: true }]) {
  const name = batch === undefined ? 'in turn' : 'in batches'
  test(`pages ${name}: one that is taken out is nobody's turn any more, and counts as visited when it is settled`, () => {
    const frontier = frontierOver(new MemoryStore(), batch === undefined ? {} : { batch })
    const pages = [1, 2, 3, 4, 5].map((n) => frontier.offer(`https://a.example/${n}`, found))
    const first = visitOnce(frontier, 0)
    const rest = pages.filter((page) => frontier.urlOf(page) !== first)
    for (const page of rest.slice(0, 2)) {
      assert.ok(frontier.takeOut(page))
      assert.ok(!frontier.takeOut(page), 'it does not wait any more')
      frontier.settle(page, 'done', 100)
    }
    assert.deepEqual([frontier.count('done'), frontier.count('waiting'), frontier.count('leased')], [3, 2, 0])
    assert.deepEqual([frontier.sites[0]?.visited, frontier.sites[0]?.leased], [3, 0])
    const later = [2_000, 4_000, 6_000].map((at) => visitOnce(frontier, at))
    assert.deepEqual(new Set(later), new Set([...rest.slice(2).map((page) => frontier.urlOf(page)), undefined]))
  })
}
