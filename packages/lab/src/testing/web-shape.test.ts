import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { missing, sharedData } from '@comity/protocol/testing'
import { loadWeb } from '../webs/graph/graph-file.ts'
import { LinkPairs, linkTable } from '../webs/graph/links.ts'
import type { WebGraph } from '../webs/graph/web-graph.ts'
import { bowTieOf, shapeOf } from './web-shape.ts'

function webOf(siteOf: readonly number[], list: readonly (readonly [number, number])[]): WebGraph {
  const pages = siteOf.length
  const pairs = new LinkPairs()
  for (const [from, to] of list) pairs.add(from, to)
  const { starts, targets } = linkTable(pairs, pages)
  const sites = Math.max(-1, ...siteOf) + 1
  return { name: 'test', pages, starts, targets, sites, siteOf: Uint32Array.from(siteOf), homes: [] }
}

test('a bow tie: core 0-2, in 3, out 4, a tendril 5 of in, a tube 6, and 7 apart', () => {
  const web = webOf(Array<number>(8).fill(0), [
    [0, 1],
    [1, 2],
    [2, 0],
    [3, 0],
    [1, 4],
    [3, 5],
    [3, 6],
    [6, 4],
  ])
  assert.deepEqual(bowTieOf(web), { core: 3, in: 1, out: 1, tendrils: 2, disconnected: 1 })
})

test('the parts of a bow tie add up to all pages', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(14), fc.nat(14))), (list) => {
      const tie = bowTieOf(webOf(Array<number>(15).fill(0), list))
      assert.equal(tie.core + tie.in + tie.out + tie.tendrils + tie.disconnected, 15)
      for (const part of Object.values(tie)) assert.ok(part >= 0)
    }),
  )
})

test('shares of links and backlinks', () => {
  const shape = shapeOf(
    webOf(
      [0, 0, 1, 1],
      [
        [0, 1],
        [2, 1],
        [3, 1],
        [3, 2],
      ],
    ),
  )
  assert.deepEqual(shape, {
    pages: 4,
    sites: 2,
    links: 4,
    meanLinks: 1,
    internalShare: 0.5,
    backlinkShares: { 3: 0.25, 10: 0, 100: 0 },
    backlinks: undefined,
    siteSizes: undefined,
    bowTie: { core: 1, in: 3, out: 0, tendrils: 0, disconnected: 0 },
  })
})

test('a web without pages has a shape, too', () => {
  const { pages, meanLinks, internalShare, bowTie } = shapeOf(webOf([], []))
  assert.deepEqual([pages, meanLinks, internalShare, bowTie.core], [0, 0, 0, 0])
})

test('the real pages of Stanford have backlinks as 003 §6 counted them: 47 % have three', async (t) => {
  const path = sharedData('graphs/cs-stanford')
  if (path === undefined) return missing(t, 'graphs/cs-stanford')
  const { backlinkShares, backlinks, bowTie } = shapeOf(await loadWeb(path))
  assert.equal(backlinkShares[3].toFixed(2), '0.47')
  assert.ok(backlinks !== undefined && backlinks.exponent > 2 && backlinks.exponent < 2.5)
  assert.deepEqual(bowTie, { core: 2_759, in: 883, out: 4_378, tendrils: 909, disconnected: 985 })
})
