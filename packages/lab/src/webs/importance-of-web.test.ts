import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DAMPING } from '@comity/frontier'
import { clicksFrom, hotPages, importanceOfWeb } from './importance-of-web.ts'
import { anySmallWeb, webOf } from '../testing/ordering-fixture.ts'
import { linksOf } from './graph/web-graph.ts'
import type { WebGraph } from './graph/web-graph.ts'

const web = webOf([[1, 2], [2], [0], []], { hot: [false, true, false, false], urls: [false, false, true, false] })

const cases: [name: string, expected: number[]][] = [
  ['backlink', [1, 1, 2, 0]],
  ['forward', [2, 1, 1, 0]],
  ['1 + depth', [1, 0, 0, -Infinity]],
  ['topic', [0, 1, 0, 0]],
  ['2*backlink + 10*topic', [2, 12, 4, 0]],
  ['backlink - forward', [-1, 0, 1, 0]],
]
for (const [name, expected] of cases) {
  test(`${name} of every page`, () =>
    assert.deepEqual([...importanceOfWeb(web, name, { topic: ['computer'] })], expected))
}

test('location looks at addresses by the rules given', () => {
  const location = { endings: [], words: [['computer', 3]] as const, slash: 0 }
  assert.deepEqual([...importanceOfWeb(web, 'location', { location })], [0, 0, 3, 0])
})

test('anchor is the similarity of the page itself, with or without idf', () => {
  const texts = ['red red blue', 'red', 'green', '']
  const words = { ...web.words!, titleOf: () => '', bodyOf: (page: number) => texts[page]! }
  const similar = (idf: boolean): number[] => [
    ...importanceOfWeb({ ...web, words }, 'anchor', {
      topic: ['red', 'blue'],
      similarity: { measure: 'inner', titleWeight: 1, idf },
    }),
  ]
  assert.deepEqual(similar(false), [3, 1, 0, 0])
  // `red` stands three times in the collection, `blue` once; both vectors carry the factor.
  assert.deepEqual(
    similar(true).map((value) => value.toFixed(6)),
    [2 / 9 + 1, 1 / 9, 0, 0].map((value) => value.toFixed(6)),
  )
})

test('a web without words has nothing on any topic', () => {
  const { words: _, ...mute } = web
  assert.deepEqual([...hotPages(mute, ['computer'])], [0, 0, 0, 0])
  assert.deepEqual([...importanceOfWeb(mute, 'anchor', { topic: ['computer'] })], [0, 0, 0, 0])
})

test('an importance that nobody knows is refused by name', () => {
  assert.throws(() => importanceOfWeb(web, 'beauty'), /"beauty" is no importance: there is no metric "beauty"/)
})

test('ranks have a mean of 1 and fulfil the equation of 003 §2, pages without links linking to all', () => {
  fc.assert(
    fc.property(anySmallWeb, (small) => {
      const ranks = importanceOfWeb(small.web, 'pagerank')
      const wanted = equation(small.web, ranks)
      assert.ok(Math.abs(ranks.reduce((a, b) => a + b, 0) / ranks.length - 1) < 1e-4)
      for (const [page, rank] of ranks.entries()) assert.ok(Math.abs(rank - wanted[page]!) < 1e-4 * rank)
    }),
  )
})

function equation(of: WebGraph, ranks: Float64Array): Float64Array {
  const wanted = new Float64Array(of.pages).fill(1 - DAMPING)
  for (const [page, rank] of ranks.entries()) {
    const links = linksOf(of, page)
    for (const to of links) wanted[to]! += (DAMPING * rank) / links.length
    if (links.length === 0) for (let to = 0; to < of.pages; to++) wanted[to]! += (DAMPING * rank) / of.pages
  }
  return wanted
}

test('clicks are counted from the nearest start page', () => {
  assert.deepEqual([...clicksFrom(webOf([[1], [2], [], [2]]), [0, 3])], [0, 1, 1, 0])
})
