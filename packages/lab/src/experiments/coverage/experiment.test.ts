// Runs alone: all that share a process with what it holds would pay for it at every collection of garbage.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missing, sharedData } from '@comity/protocol/testing'
import { crawlReaches } from './crawl.ts'
import { runCoverage } from './experiment.ts'
import { partsOf } from '../../webs/parts.ts'
import { readersOf, seenAfter } from './readers.ts'
import { coverageDefaults, coverageSettings } from './settings.ts'
import type { CoverageSettings } from './settings.ts'
import { generateWeb } from '../../webs/generated/web.ts'
import { loadWeb } from '../../webs/graph/graph-file.ts'
import { reportFiles } from '../../report/files.ts'

const web = generateWeb({ pages: 2_000, sites: 40, seed: 3 })
const parts = partsOf(web)
const sum = (values: Uint8Array): number => values.reduce((total, value) => total + value, 0)

test('more start pages find more, and none finds less than the best page alone', () => {
  const [core, best, ...many] = crawlReaches(web, parts, [1, 10, 2_000])
  assert.ok(sum(core!.reached) <= sum(best!.reached))
  const found = many.map(({ reached }) => sum(reached))
  assert.equal(found[0], sum(best!.reached))
  assert.ok(found[1]! > found[0])
  assert.equal(found[2], web.pages)
})

test('readers have as many views as there should be, and see more with time', () => {
  for (const readers of readersOf(web, coverageDefaults).slice(0, 2)) {
    const views = readers.viewsADay.reduce((total, value) => total + value, 0)
    assert.ok(Math.abs(views - 0.1 * web.pages) < 1e-6 * web.pages)
    const seen = [0, 1, 10, 100, 10_000].map((days) => seenAfter(readers, days, () => true))
    assert.equal(seen[0], 0)
    assert.ok(seen.every((share, at) => at === 0 || share > seen[at - 1]!))
    assert.ok(seen.at(-1)! > 0.999)
  }
})

test('what lies behind other gateways is never seen', () => {
  const [, all, some] = readersOf(web, coverageDefaults)
  const [most, fewer] = [all!, some!].map((readers) => seenAfter(readers, 1e9, () => true))
  assert.ok(most! > 0.999)
  assert.ok(fewer! > 0 && fewer! < 0.9)
})

test('a day of readers is what chance gives: 1 − e^−views of each page', () => {
  const [readers] = readersOf(web, { ...coverageDefaults, zipf: 0 })
  assert.ok(Math.abs(seenAfter(readers!, 1, () => true) - (1 - Math.exp(-0.1))) < 1e-9)
  assert.equal(
    seenAfter(readers!, 1, () => false),
    NaN,
  )
})

test('the report answers claim 3 of 001, the same each time', () => {
  const result = runCoverage(web)
  assert.deepEqual(
    result.claims.map(({ part, verdict }) => [part, verdict]),
    [
      ['001.3a', 'holds by construction'],
      ['001.3b', 'holds by construction'],
    ],
  )
  assert.deepEqual([...reportFiles([result])], [...reportFiles([runCoverage(web)])])
})

test('hidden pages that hardly anybody reads are not seen', () => {
  const [, claim] = runCoverage(web, { viewsPerPage: 1e-4 }).claims
  assert.equal(claim!.verdict, 'does not hold here')
})

test('a real graph that was gathered by following links has no hidden pages to test with', async (t) => {
  const path = sharedData('graphs/cnr-2000.graph-txt.gz')
  if (path === undefined) return missing(t, 'cnr-2000.graph-txt.gz')
  const [claim] = runCoverage(await loadWeb(path)).claims
  assert.equal(claim!.verdict, 'cannot be tested here')
})

const bad: [sentence: string, given: Partial<CoverageSettings>, message: RegExp][] = [
  ['days that fall', { days: [2, 1] }, /rising/],
  ['half a start page', { seedCounts: [0.5] }, /seedCounts/],
  ['part of a start page', { seedCounts: [1.5] }, /whole/],
  ['more than all sites', { activeShare: 2 }, /activeShare/],
]
for (const [sentence, given, message] of bad)
  test(`refused: ${sentence}`, () => assert.throws(() => coverageSettings(given), { name: 'RangeError', message }))
