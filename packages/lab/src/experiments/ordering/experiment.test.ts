// Runs alone: all that share a process with what it holds would pay for it at every collection of garbage.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missing, sharedData } from '@comity/protocol/testing'
import { generateWeb } from '../../webs/generated/web.ts'
import { loadWeb } from '../../webs/graph/graph-file.ts'
import { runOrdering } from './experiment.ts'
import { webOf } from '../../testing/ordering-fixture.ts'
import type { OrderingSettings } from './settings.ts'
import { checkResults } from '../../report/check.ts'
import type { ExperimentResult } from '../../report/model.ts'
import { ORDERING_CLAIMS } from './claim-parts.ts'
import type { WebGraph } from '../../webs/graph/web-graph.ts'

const web = generateWeb({ pages: 6_000, sites: 30, maxSitePages: 3_000, seed: 3 })
const crawls: string[] = []
const result = runOrdering(
  web,
  { starts: 2, orders: ['length', '0.5*pagerank + 2*topic', 'optimal'] },
  { onCrawl: (what) => crawls.push(what) },
)

test('a web with words gets all ten graphs, and an answer to each of the nine claims', () => {
  checkResults([result])
  assert.deepEqual(
    result.figures.map(({ paperRef }) => paperRef),
    [1, 2, 3, 3, 4, 5, 6, 7, 8, 9, 10].map((graph) => `003 Graph ${graph}`),
  )
  assert.deepEqual(
    result.claims.map(({ part }) => part),
    ORDERING_CLAIMS.flatMap(({ parts }) => parts.map(({ id }) => id)),
  )
  const shares = result.claims.filter(({ number }) => number === 1).map(({ verdict }) => verdict)
  assert.deepEqual(new Set(shares), new Set(['holds by construction']))
})

test('orders given by name are drawn beside those of the paper wherever links decide', () => {
  const names = ['PageRank', 'breadth-first', 'backlink count', 'random', 'length', '0.5*pagerank + 2*topic', 'optimal']
  for (const graph of [2, 3, 4, 5]) assert.deepEqual(seriesOf(result, graph), names)
})

test('curves end where all is found, whatever the order', () => {
  for (const { kind, paperRef, series } of result.figures) {
    if (kind !== 'lines') continue
    for (const { name, points } of series) {
      const end = points.at(-1)!
      assert.deepEqual([end.x, end.y], [1, 1], `${paperRef}, ${name}`)
      assert.ok(points.every(({ y, low, high }) => low! <= y + 1e-9 && y <= high! + 1e-9 && low! >= 0 && high! <= 1))
    }
  }
})

test('every crawl is announced before it runs', () => {
  assert.ok(crawls.length > 30)
  assert.match(crawls[0]!, /^pagerank, \d+ pages$/)
})

const small = generateWeb({ pages: 1_500, sites: 10, seed: 5 })
const settings: Partial<OrderingSettings> = { starts: 1, seeds: [7] }
const ofSmall = runOrdering(small, settings)

test('the same seed gives the same report', () => {
  assert.equal(JSON.stringify(runOrdering(small, settings)), JSON.stringify(ofSmall))
})

test('a target that few pages reach is replaced, and the notes say so', () => {
  assert.ok(ofSmall.notes.some((note) => /G = 100, so G = \d+ is used/.test(note)))
})

test('on a web without words and sites the claims about topics and small sites cannot be tested', () => {
  const { words: _, ...mute } = web
  const one: WebGraph = { ...mute, sites: 1, siteOf: new Uint32Array(web.pages) }
  const { claims, figures } = runOrdering(one, { starts: 1 })
  const untested = claims.filter(({ verdict }) => verdict === 'cannot be tested here').map(({ number }) => number)
  assert.deepEqual([...new Set(untested)], [5, 6, 7, 8])
  assert.equal(figures.length, 5)
})

test('a page that links nowhere is a web like any other', () => {
  const ofTwo = runOrdering(webOf([[1], []]), { starts: 1 })
  assert.doesNotThrow(() => checkResults([ofTwo]))
})

test('a web without links has nothing to compare', () => {
  assert.throws(() => runOrdering(webOf([]), {}), /has no page to start at/)
})

const bad: [settings: Partial<OrderingSettings>, problem: RegExp][] = [
  [{ starts: 0 }, /starts is 0; give 1 to 100/],
  [{ seeds: [] }, /there are 0 seeds/],
  [{ orders: ['beauty'] }, /there is no order "beauty"/],
  [{ orders: Array.from({ length: 13 }, () => 'depth') }, /at most 12/],
  [{ topics: ['computer', ' '] }, /a topic is empty/],
  [{ buffers: [2] }, /a buffer of 2 of the web/],
]
for (const [given, problem] of bad) {
  test(`refused: ${JSON.stringify(given).slice(0, 40)}`, () => assert.throws(() => runOrdering(web, given), problem))
}

test('Stanford computer science pages of 2001: about as many pages have three backlinks as in 1998', async (t) => {
  const path = sharedData('graphs/cs-stanford')
  if (path === undefined) return missing(t, 'cs-stanford')
  const { claims, notes } = runOrdering(await loadWeb(path), { starts: 1 })
  assert.match(claims[0]!.ours, /^5\d\.\d % of \d+ pages have 3 or more$/)
  assert.ok(notes.some((note) => note.startsWith('1,299 links of pages to themselves')))
})

const seriesOf = ({ figures }: ExperimentResult, graph: number): string[] =>
  figures.find(({ paperRef }) => paperRef === `003 Graph ${graph}`)!.series.map(({ name }) => name)
