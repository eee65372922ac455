// Runs alone: all that share a process with what it holds would pay for it at every collection of garbage.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateWeb } from '../../webs/generated/web.ts'
import { checkResults } from '../../report/check.ts'
import { runScheduling } from './experiment.ts'
import type { SchedulingSettings } from './settings.ts'
import { smallWeb } from '../../testing/simulation-fixture.ts'

const web = generateWeb({ pages: 1_500, sites: 60, seed: 3 })
const quick: Partial<SchedulingSettings> = {
  robots: [1, 8],
  bandwidths: [20_000_000, 2_000],
  batchSizes: [100_000],
  tailBandwidths: [20_000, 2_000],
  seeds: [1, 2],
}

test('an experiment becomes a report: every figure, table and claim, and the same for the same seed', () => {
  const told: number[] = []
  const result = runScheduling(web, quick, { onProgress: (_, done, of) => void told.push(done, of) })
  checkResults([result])
  assert.deepEqual(
    [...new Set(result.claims.map(({ paper, number }) => `${paper}.${number}`))],
    ['004.1', '004.2', '004.3', '004.4', '004.5', '004.6', '004.7', '004.8', '004.9', '002.9'],
  )
  assert.deepEqual(
    new Set(result.figures.map(({ paperRef }) => paperRef)),
    new Set([
      '004 Figure 3',
      '004 Figure 5',
      undefined,
      '004 Figure 6',
      '004 Figure 7',
      '004 Figure 8',
      '004 Figure 9',
      '004 Figure 10',
      '002 Figure 6.4',
    ]),
  )
  assert.equal(told.at(-2), told.at(-1)! - 1, 'as many crawls as announced')
  assert.deepEqual(runScheduling(web, quick), result)
})

test('every line ends with all pages and all PageRank, and the widest link is the fastest', () => {
  const { figures, tables } = runScheduling(web, quick)
  for (const { points } of figures.find(({ id }) => id.endsWith('-fig5'))!.series) {
    assert.equal(points.at(-1)!.x, 1)
    assert.ok(Math.abs(points.at(-1)!.y - 1) < 1e-9)
  }
  const [wide, narrow] = tables.find(({ paperRef }) => paperRef === '004 Table 1')!.rows
  assert.equal(wide![1], 1)
  assert.ok(Number(narrow![1]) < 1 && Number(narrow![2]) <= Number(wide![2]))
})

test('a random order run with several seeds has a band', () => {
  const { figures } = runScheduling(web, { ...quick, orders: ['random', 'length'] })
  const points = figures.find(({ id }) => id.endsWith('-fig5'))!.series.find(({ name }) => name === 'random')!.points
  assert.ok(points.slice(1, -1).every(({ y, low, high }) => low! <= y && y <= high!))
})

test('a web of one site can be crawled, and says that there was nothing to schedule', () => {
  const one = smallWeb(
    [{ pages: [10, 20, 30, 40], latencyMs: 10, bandwidth: 100 }],
    [
      [0, 1],
      [0, 2],
      [2, 3],
    ],
  )
  const result = runScheduling({ ...one, bytes: undefined }, quick)
  checkResults([result])
  const untested = result.claims.filter(({ verdict }) => verdict === 'cannot be tested here')
  assert.deepEqual(
    [...new Set(untested.map(({ paper, number }) => `${paper}.${number}`))],
    ['004.1', '004.3', '004.4', '004.5', '004.6', '004.7', '004.8', '004.9', '002.9'],
  )
  assert.match(result.notes.at(-1)!, /13,000 bytes a page/)
})

test('crawls stop after as many pages as they are told', () => {
  const { figures, parameters } = runScheduling(web, { ...quick, orders: ['length'], maxPages: 300 })
  assert.equal(parameters.find(({ name }) => name === 'most pages of a crawl')!.value, 300)
  assert.ok(figures.find(({ id }) => id.endsWith('-fig5'))!.series[0]!.points.at(-1)!.y < 1)
})
