// Runs alone: all that share a process with what it holds would pay for it at every collection of garbage.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { amount, missing, sharedData } from '@comity/protocol/testing'
import { checkResults } from '../../report/check.ts'
import { renderReport } from '../../report/page.ts'
import { changeSizes, medianOf, shareBelow } from './differences.ts'
import { hasAgent } from '../../cooperating/agent.ts'
import { measureSchemes, measureYear, runSchemes } from './experiment.ts'
import { resultOf } from './result.ts'
import { writeMadeYear } from '../../testing/schemes-fixture.ts'
import { networkBytes, pollTimes } from './run.ts'
import type { SchemeRun } from './run.ts'
import { schemesSettings } from './settings.ts'
import { LabWorker } from './worker.ts'
import { bodiesOf, readBodies, readYear } from '../../cooperating/year.ts'
import type { Year } from '../../cooperating/year.ts'

const folder = mkdtempSync(join(tmpdir(), 'comity-made-year-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const PAGES = amount(15, 30)
writeMadeYear(folder, { pages: PAGES, days: 28, seed: 7 })

const runNamed = (runs: readonly SchemeRun[], id: string): SchemeRun => runs.find(({ form }) => form.id === id)!

/** Of each kind some; every form is tried in schemes-table.test.ts, without processes. */
const SOME = [
  'push-changes',
  'push-differences-signed',
  'push-batches',
  'push-site',
  ...(hasAgent('visible-text-change') ? ['agent-text'] : []),
  'archives',
  'change-list',
  'vcdiff',
  'keep-alive',
  'filter-difference',
]

test('schemes that are polled and sent keep a copy that is the site, and the report of it can be drawn', async () => {
  const parts: string[] = []
  const settings = schemesSettings({ days: 21, everyDays: 7, oftenDays: 0, agentDays: 7, atOnce: 4, schemes: SOME })
  const outcome = await measureSchemes(folder, settings, (what) => parts.push(what))
  const { runs, staleness, year } = outcome
  assert.deepEqual(new Set(runs.map(({ form }) => form.id)), new Set(['none', 'none-knowing', ...SOME]))
  assert.match(parts[0]!, /^no cooperation, every 7\sdays$/)
  assert.deepEqual([outcome.days, outcome.wholeDays], [21, 28])
  for (const { form, first } of runs) assert.equal(first.changes, PAGES, form.name)
  const pulled = runs.filter(({ form }) => form.kind === 'pulled')
  for (const { form, polls, compared } of pulled) {
    assert.equal(polls, 3, form.name)
    // The copy was compared after each poll; a page too few would have thrown.
    assert.equal(compared, runs[0]!.compared, form.name)
  }
  assert.equal(new Set(pulled.map((run) => run.year.changes)).size, 1, 'each reads the same changed pages')
  const knowing = runNamed(runs, 'none-knowing').year
  assert.ok(knowing.fetched < runs[0]!.year.fetched / 2, 'who knows asks for what changed')
  const sent = runNamed(runs, 'push-changes')
  assert.equal(sent.polls, new Set(year.events.map(({ at }) => at)).size)
  assert.equal(runNamed(runs, 'push-batches').polls, 21)
  const bytes = (id: string): number => networkBytes(runNamed(runs, id).year)
  assert.ok(bytes('vcdiff') < bytes('archives') && bytes('archives') < bytes('none'))
  assert.ok(bytes('filter-difference') < bytes('vcdiff'))
  assert.ok(bytes('push-differences-signed') < bytes('push-changes'))
  assert.equal(runNamed(runs, 'none').year.connections, runNamed(runs, 'none').year.requests)
  assert.equal(runNamed(runs, 'keep-alive').year.connections, 3)
  const stale = (id: string): number => staleness.get(id)!.stale
  assert.ok(stale('push-changes') < stale('push-batches') && stale('push-batches') < stale('none'))
  const result = resultOf(outcome)
  checkResults([result])
  assert.equal(result.varies, true)
  assert.deepEqual(
    [...new Set(result.claims.map(({ paper, number }) => `${paper}.${number}`))],
    ['002.1', '002.6', '002.8', '002.10'],
  )
  const verdicts = new Map(result.claims.map(({ part, verdict }) => [part, verdict]))
  assert.deepEqual(
    ['002.6a', '002.6b', '002.8a'].map((part) => verdicts.get(part)),
    ['holds', 'holds', 'holds by construction'],
  )
  assert.match(renderReport([result]), /Costs against no cooperation/)
})

test('requests and bytes are the same each time; only processor times and delays are not', async () => {
  const settings = schemesSettings({ days: 0, everyDays: 14, oftenDays: 7, schemes: ['vcdiff', 'push-pages'] })
  const measured = async (): Promise<unknown> => {
    const { runs, often, equalFreshness } = await measureSchemes(folder, settings, () => undefined)
    return [
      equalFreshness[0]!.stale,
      ...[...runs, ...often].map(({ form, year }) => [form.id, year.requests, year.sent, year.received]),
    ]
  }
  const [one, other] = [await measured(), await measured()]
  assert.deepEqual(one, other)
})

test('a folder without a year, and settings that make no sense, are refused before anything runs', async () => {
  await assert.rejects(runSchemes(tmpdir()), /no year of a site/)
  await assert.rejects(runSchemes(folder, { everyDays: 0 }), RangeError)
  await assert.rejects(runSchemes(folder, { schemes: ['pigeons'] }), RangeError)
})

test('what goes wrong in a process is told to who had it done', async () => {
  await using worker = new LabWorker('./client-process.ts')
  await assert.rejects(worker.call('dance'), /client-process\.ts, dance: .*nobody does dance/)
  await assert.rejects(worker.call('open', { scheme: 'pigeons', port: 1 }), /there is no scheme pigeons/)
})

const REAL = sharedData('histories/openbsd-www-2004')
const real = REAL === undefined ? undefined : { year: await readYear(REAL), bodies: await readBodies(REAL) }

test('of the real year half of the changed pages differ by less than 5 %', { timeout: 60_000 }, (t) => {
  if (real === undefined) return missing(t, 'the year of openbsd-www')
  const { year, bodies } = real
  assert.deepEqual([year.present.length, year.events.length, pollTimes(year, 183).length], [1_421, 7_410, 2])
  const sizes = changeSizes(year, bodies, year.until)
  assert.equal(sizes.year.length, 931)
  assert.ok(Math.abs(shareBelow(sizes.year, 0.05) - 0.488) < 0.02)
  assert.ok(medianOf(sizes.changes) < 0.01)
})

/** Every so manieth page: `comity lab schemes` lives through all of them. */
function thinned(year: Year, every: number): Year {
  const paths = new Set([...year.present, ...year.events].map(({ path }) => path))
  const kept = new Set([...paths].filter((_path, i) => i % every === 0))
  const ofKept = (events: Year['events']): Year['events'] => events.filter(({ path }) => kept.has(path))
  return { ...year, present: ofKept(year.present), events: ofKept(year.events) }
}

test('in the first month of its pages a filter takes a small part of the bytes', { timeout: 120_000 }, async (t) => {
  if (real === undefined) return missing(t, 'the year of openbsd-www')
  const settings = schemesSettings({ days: 30, everyDays: 30, oftenDays: 0, schemes: ['filter-difference'] })
  const year = thinned(real.year, amount(24, 12))
  const { runs } = await measureYear(year, bodiesOf(year, real.bodies), settings, () => undefined)
  assert.equal(runs[0]!.first.fetched, year.present.length)
  const [none, filter] = ['none', 'filter-difference'].map((id) => networkBytes(runNamed(runs, id).year))
  assert.ok(filter! < none! / 10, `${filter} of ${none}`)
})
