import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { missing, sharedData } from '../../protocol/src/shared-data.ts'
import { checkResults } from './report-check.ts'
import { renderReport } from './report-page.ts'
import { medianOf, shareBelow } from './schemes-differences.ts'
import { measureSchemes, resultOf, runSchemes } from './schemes-experiment.ts'
import { writeMadeYear } from './schemes-fixture.ts'
import { networkBytes, pollTimes } from './schemes-run.ts'
import type { SchemeRun } from './schemes-run.ts'
import { schemesSettings } from './schemes-settings.ts'
import { SCHEME_FORMS } from './schemes-table.ts'
import { LabWorker } from './schemes-worker.ts'

const folder = mkdtempSync(join(tmpdir(), 'comity-made-year-'))
after(() => rmSync(folder, { recursive: true, force: true }))
writeMadeYear(folder, { pages: 30, days: 28, seed: 7 })

const runNamed = (runs: readonly SchemeRun[], id: string): SchemeRun => runs.find(({ form }) => form.id === id)!

test('every scheme keeps a copy that is the site after every poll, and the report of it can be drawn', async () => {
  const parts: string[] = []
  const settings = schemesSettings({ everyDays: 7, oftenDays: 0, atOnce: 4 })
  const outcome = await measureSchemes(folder, settings, (what) => parts.push(what))
  const { runs } = outcome
  assert.deepEqual(
    runs.map(({ form }) => form.id),
    SCHEME_FORMS.map(({ id }) => id),
  )
  assert.equal(parts[0], 'no cooperation, every 7 days')
  for (const { form, polls, compared, first } of runs) {
    assert.equal(polls, 4, form.name)
    // The copy was compared after each poll and when it was first made; a page too few would have thrown.
    assert.equal(compared, runs[0]!.compared, form.name)
    assert.equal(first.changes, 30, form.name)
  }
  const changed = new Set(runs.map(({ year }) => year.changes))
  assert.equal(changed.size, 1, 'each reads the same changed pages')
  const bytes = (id: string): number => networkBytes(runNamed(runs, id).year)
  assert.ok(bytes('vcdiff') < bytes('archives') && bytes('archives') < bytes('none'))
  assert.ok(bytes('filter-difference') < bytes('vcdiff'))
  assert.equal(runNamed(runs, 'filter-page').year.requests, 4)
  assert.equal(runNamed(runs, 'none').year.connections, runNamed(runs, 'none').year.requests)
  assert.equal(runNamed(runs, 'keep-alive').year.connections, 4)
  const result = resultOf(outcome)
  checkResults([result])
  assert.equal(result.varies, true)
  assert.deepEqual(
    result.claims.map(({ paper, number }) => `${paper}.${number}`),
    ['002.1', '002.10'],
  )
  assert.match(renderReport([result]), /Costs against no cooperation/)
})

test('requests and bytes are the same each time; only processor times are not', async () => {
  const settings = schemesSettings({ everyDays: 14, oftenDays: 7, schemes: ['vcdiff'] })
  const measured = async (): Promise<unknown> => {
    const { runs, often, freshness } = await measureSchemes(folder, settings, () => undefined)
    return [
      freshness,
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
  await using worker = new LabWorker('./schemes-client-process.ts')
  await assert.rejects(worker.call('dance'), /schemes-client-process\.ts, dance: .*nobody does dance/)
  await assert.rejects(worker.call('open', { scheme: 'pigeons', port: 1 }), /there is no scheme pigeons/)
})

const REAL = sharedData('histories/openbsd-www-2004')

test('on the real year a filter takes a small part of the bytes, and half of the changed pages differ by less than 5 %', async (t) => {
  if (REAL === undefined) return missing(t, 'the year of openbsd-www')
  const settings = schemesSettings({ everyDays: 183, oftenDays: 0, schemes: ['filter-difference'] })
  const { runs, year, sizes } = await measureSchemes(REAL, settings, () => undefined)
  assert.deepEqual([year.present.length, year.events.length, pollTimes(year, 183).length], [1_421, 7_410, 2])
  const [none, filter] = runs.map((run) => networkBytes(run.year))
  assert.ok(filter! < none! / 10, `${filter} of ${none}`)
  assert.equal(sizes.year.length, 931)
  assert.ok(Math.abs(shareBelow(sizes.year, 0.05) - 0.488) < 0.02)
  assert.ok(medianOf(sizes.changes) < 0.01)
})
