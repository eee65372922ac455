import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { clustersOf } from './clusters.ts'
import type { WeightedLink } from './clusters.ts'

const clique = (members: readonly number[]): WeightedLink[] =>
  members.flatMap((a) => members.filter((b) => b < a).map((b): WeightedLink => [a, b, 1]))

test('two groups with one link between them are two clusters, the larger first', () => {
  const links: WeightedLink[] = [...clique([0, 1, 2]), ...clique([3, 4, 5, 6]), [2, 3, 1]]
  assert.deepEqual([...clustersOf(7, links)], [1, 1, 1, 0, 0, 0, 0])
})

test('weight decides where a site belongs', () => {
  const links: WeightedLink[] = [...clique([0, 1, 2]), ...clique([3, 4, 5]), [6, 0, 1], [6, 3, 9]]
  const clusters = clustersOf(7, links)
  assert.equal(clusters[6], clusters[3])
})

test('sites without links are clusters of their own', () => {
  assert.deepEqual([...clustersOf(3, [])], [0, 1, 2])
  assert.deepEqual([...clustersOf(0, [])], [])
})

test('a ring of triangles comes apart into its triangles', () => {
  const triangles = Array.from({ length: 8 }, (_, t) => clique([t * 3, t * 3 + 1, t * 3 + 2]))
  const ring = triangles.map((_, t): WeightedLink => [t * 3, ((t + 1) % 8) * 3 + 1, 1])
  const clusters = clustersOf(24, [...triangles.flat(), ...ring])
  for (let t = 0; t < 8; t++) assert.equal(new Set(clusters.slice(t * 3, t * 3 + 3)).size, 1)
})

test('names of clusters are dense, in order of size, and the same every time', () => {
  const links = fc.array(fc.tuple(fc.nat(14), fc.nat(14), fc.nat(100)), { maxLength: 60 })
  fc.assert(
    fc.property(links, (some) => {
      const clusters = clustersOf(15, some)
      const counts = Array.from({ length: 15 }, (_, name) => clusters.filter((one) => one === name).length)
      assert.deepEqual(
        counts,
        counts.toSorted((a, b) => b - a),
      )
      assert.deepEqual(clusters, clustersOf(15, some))
    }),
  )
})
