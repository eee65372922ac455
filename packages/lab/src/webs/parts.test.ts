import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { PARTS, partsOf } from './parts.ts'
import { LinkPairs, linkTable } from './graph/links.ts'
import type { Links } from './graph/links.ts'
import { reachableFrom } from './graph/reach.ts'

function linksOf(pages: number, list: readonly (readonly [number, number])[]): Links {
  const pairs = new LinkPairs()
  for (const [from, to] of list) pairs.add(from, to)
  return linkTable(pairs, pages)
}

test('every page has its part', () => {
  const links = linksOf(8, [
    [0, 1],
    [1, 2],
    [2, 0],
    [3, 0],
    [1, 4],
    [3, 5],
    [6, 4],
  ])
  assert.deepEqual(
    Array.from(partsOf(links), (part) => PARTS[part]),
    ['core', 'core', 'core', 'in', 'out', 'tendrils', 'tendrils', 'disconnected'],
  )
})

test('a crawl from any page of the core finds the core and OUT and nothing else', () => {
  const webs = fc.array(fc.tuple(fc.nat(19), fc.nat(19)), { maxLength: 60 })
  fc.assert(
    fc.property(webs, (list) => {
      const links = linksOf(20, list)
      const parts = Array.from(partsOf(links), (part) => PARTS[part])
      for (const [page, part] of parts.entries()) {
        if (part !== 'core') continue
        const { reached } = reachableFrom(links, [page])
        assert.deepEqual(
          Array.from(reached),
          parts.map((one) => (one === 'core' || one === 'out' ? 1 : 0)),
        )
      }
    }),
  )
})

test('a web without pages has no parts', () => assert.equal(partsOf(linksOf(0, [])).length, 0))
