import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LinkGraph, MAX_LINKS } from './link-graph.ts'

test('the links of a page are those it was last told with', () => {
  const steps = fc.array(fc.tuple(fc.nat(3_000), fc.array(fc.nat(9), { maxLength: 5 })))
  fc.assert(
    fc.property(steps, (list) => {
      const graph = new LinkGraph()
      const model = new Map<number, number[]>()
      for (const [page, links] of list) {
        graph.set(page, links)
        model.set(page, links)
      }
      for (const [page, links] of model) assert.deepEqual([...graph.linksOf(page)], links)
      assert.equal(
        graph.links,
        [...model.values()].reduce((sum, links) => sum + links.length, 0),
      )
      assert.equal(graph.countOf(9_999), 0)
      assert.deepEqual([...graph.linksOf(9_999)], [])
    }),
  )
})

test('a page that is told a thousand times keeps no more than it needs', () => {
  const graph = new LinkGraph()
  const many = Uint32Array.from({ length: 100_000 }, (_, i) => i)
  graph.set(7, [1, 2, 3])
  for (let time = 0; time < 1_000; time++) graph.set(5, many)
  assert.deepEqual([...graph.linksOf(7)], [1, 2, 3])
  assert.equal(graph.linksOf(5).at(-1), 99_999)
  assert.equal(graph.links, 100_003)
})

test('a page with more links than fit is heard as far as they do', () => {
  const graph = new LinkGraph()
  graph.set(0, { length: MAX_LINKS + 5 })
  assert.equal(graph.countOf(0), MAX_LINKS)
})
