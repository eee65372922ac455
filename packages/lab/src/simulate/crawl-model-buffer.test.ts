import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { backlinkEstimate, bufferPerformance, randomBufferPerformance } from './crawl-model-buffer.ts'
import { worthOfBest } from './crawl-models.ts'
import { importanceOfWeb } from '../webs/importance-of-web.ts'
import { partFrom } from '../experiments/ordering/crawl.ts'
import { anySmallWeb, webOf } from '../testing/ordering-fixture.ts'
import { linksOf } from '../webs/graph/web-graph.ts'

test('a page that looked no better than others when there was no room is gone, however good it proves later', () => {
  // Page 1 is the best: 0, 3 and 4 link to it. Before 3 and 4 are seen it is like 2.
  const web = webOf([[1, 2, 3, 4], [], [], [1], [1]])
  const backlinks = importanceOfWeb(web, 'backlink')
  const kept = (...visits: number[]): number[] =>
    bufferPerformance(web, Uint32Array.from(visits), backlinks, [1, 5], backlinkEstimate(web))
  assert.deepEqual(kept(0, 1, 2, 3, 4), [0, 1])
  assert.deepEqual(kept(0, 3, 4, 1, 2), [1, 1])
})

test('keeping at random, a page is hot as likely as any', () => {
  assert.equal(randomBufferPerformance(Float64Array.of(1, 3, 2, 3), 2), 1 / 2)
  assert.equal(randomBufferPerformance(Float64Array.of(1, 3, 2, 3), 1), 1 / 2)
  assert.equal(randomBufferPerformance(new Float64Array(0), 1), 0)
})

test('what is kept is what counting all backlinks again before each drop would keep', () => {
  fc.assert(
    fc.property(anySmallWeb, fc.integer({ min: 1, max: 8 }), (small, size) => {
      const { web } = partFrom(small.web, 0)
      const visits = Uint32Array.from({ length: web.pages }, (_, page) => page)
      const backlinks = importanceOfWeb(web, 'backlink')
      const kept: number[] = []
      for (const page of visits) {
        kept.push(page)
        const seen = (to: number): number =>
          visits.filter((from) => from <= page && linksOf(web, from).includes(to)).length
        if (kept.length > size) kept.splice(kept.indexOf(kept.reduce((a, b) => (seen(b) < seen(a) ? b : a))), 1)
      }
      const hot = kept.filter((page) => backlinks[page]! >= worthOfBest(backlinks, size)).length
      const [ours] = bufferPerformance(web, visits, backlinks, [size], backlinkEstimate(web))
      assert.equal(ours, hot / kept.length)
    }),
  )
})
