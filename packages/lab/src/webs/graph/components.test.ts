import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { componentsOf } from './components.ts'
import { LinkPairs, linkTable } from './links.ts'
import type { Links } from './links.ts'
import { reachableFrom } from './reach.ts'

function linksFrom(pages: number, list: readonly (readonly [number, number])[]): Links {
  const pairs = new LinkPairs()
  for (const [from, to] of list) pairs.add(from, to)
  return linkTable(pairs, pages)
}

test('two pages are in one component just when they reach each other, and components come behind what they reach', () => {
  const list = fc.array(fc.tuple(fc.nat(11), fc.nat(11)), { maxLength: 30 })
  fc.assert(
    fc.property(list, (pairs) => {
      const links = linksFrom(12, pairs)
      const { componentOf, sizes, memberOf } = componentsOf(links)
      const reach = Array.from({ length: 12 }, (_, page) => reachableFrom(links, [page]).reached)
      for (let a = 0; a < 12; a++) {
        for (let b = 0; b < 12; b++) {
          const isMutual = reach[a]![b] === 1 && reach[b]![a] === 1
          assert.equal(componentOf[a] === componentOf[b], isMutual)
          if (reach[a]![b] === 1) assert.ok(componentOf[a]! >= componentOf[b]!)
        }
      }
      for (const [component, size] of sizes.entries()) {
        assert.equal(componentOf.filter((other) => other === component).length, size)
        assert.equal(componentOf[memberOf[component]!], component)
      }
    }),
  )
})

test('a ring of a million pages is one component', () => {
  const pages = 1_000_000
  const starts = Uint32Array.from({ length: pages + 1 }, (_, page) => page)
  const targets = Uint32Array.from({ length: pages }, (_, page) => (page + 1) % pages)
  assert.deepEqual([...componentsOf({ starts, targets }).sizes], [pages])
})
