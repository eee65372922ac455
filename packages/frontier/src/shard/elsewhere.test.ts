import assert from 'node:assert/strict'
import { test } from 'node:test'
import { found, frontierOver } from '../testing/frontier-fixture.ts'
import { MemoryStore } from '../testing/memory-store.ts'
import type { Frontier } from '../queue/frontier.ts'
import { reasonCode } from '../queue/exclusion-reasons.ts'

const homeOf = (origin: string): number | undefined => (origin.endsWith('.away') ? 7 : undefined)

function shard(store: MemoryStore = new MemoryStore()): Frontier {
  return frontierOver(store, { shard: { homeOf } })
}
const away = 'https://b.away/x?y'

test('a page at home elsewhere is a row with an id and no site, and its shard is told of it once', () => {
  const frontier = shard()
  const page = frontier.offer(away, { depth: 3, seed: 1 })
  frontier.offer('https://a.example/', found)
  assert.equal(frontier.offer(away, { depth: 3, seed: 1 }), page)
  assert.deepEqual([frontier.findUrl(away), frontier.urlOf(page)], [page, away])
  assert.equal(frontier.findUrl('https://c.away/x?y'), -1, 'another site has another page')
  assert.deepEqual(
    frontier.sites.map(({ origin }) => origin),
    ['', 'https://a.example'],
  )
  assert.deepEqual([frontier.count('excluded'), frontier.count('waiting')], [1, 1])
  assert.deepEqual(frontier.drain().elsewhere, [[7, page]])
  assert.deepEqual(frontier.drain().elsewhere, [])
})

test('its shard is told again when it is found nearer, and not when it is found further away', () => {
  const frontier = shard()
  const page = frontier.offer(away, { depth: 3, seed: 1 })
  frontier.drain()
  for (const depth of [4, 3, 2, 2]) frontier.offer(away, { depth, seed: 1 })
  assert.deepEqual(frontier.drain().elsewhere, [[7, page]])
  assert.equal(frontier.pages.depthOf(page), 2)
})

test('scope is for its own shard to judge; what a page says of its link is not, and holds until another link does not say it', () => {
  const frontier = shard()
  const outside = frontier.offer(away, { ...found, excluded: reasonCode('scope') })
  const hidden = frontier.offer('https://c.away/', { ...found, excluded: reasonCode('nofollow') })
  assert.deepEqual(frontier.drain().elsewhere, [[7, outside]])
  frontier.offer('https://c.away/', { depth: 9, seed: 0 })
  assert.deepEqual(frontier.drain().elsewhere, [[7, hidden]])
})

test('all of it is there again after a restart, and is not told twice', () => {
  const store = new MemoryStore()
  const before = shard(store)
  const page = before.offer(away, { depth: 3, seed: 1 })
  before.offer('https://a.example/', found)
  store.store(before.drain())
  const again = shard(store)
  again.restore(store, 0, true)
  assert.equal(again.findUrl(away), page)
  again.offer(away, { depth: 3, seed: 1 })
  assert.deepEqual(again.drain().elsewhere, [])
  again.offer(away, { depth: 1, seed: 1 })
  assert.deepEqual(again.drain().elsewhere, [[7, page]])
})

test('a frontier that is alone tells nobody anything', () => {
  assert.equal('elsewhere' in frontierOver(new MemoryStore()).drain(), false)
})
