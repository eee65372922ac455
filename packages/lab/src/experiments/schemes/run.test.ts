// Runs alone: all that share a process with what it holds would pay for it at every collection of garbage.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { writeMadeYear } from '../../testing/schemes-fixture.ts'
import { digestsOf, networkBytes, nothing, pollTimes, runScheme, siteMs, sum } from './run.ts'
import { schemeForm } from './table.ts'
import { DAY_MS, readBodies, readYear, storeBodies } from '../../cooperating/year.ts'

const folder = mkdtempSync(join(tmpdir(), 'comity-run-'))
after(() => rmSync(folder, { recursive: true, force: true }))
writeMadeYear(folder, { pages: 5, days: 4, seed: 1 })

const cases: [sentence: string, days: number, every: number, expected: number[]][] = [
  ['the last poll may be at the end', 14, 7, [7, 14]],
  ['and need not be', 15, 7, [7, 14]],
  ['polls may be less than a day apart', 1, 0.5, [0.5, 1]],
  ['a period longer than the year has none', 5, 7, []],
]
for (const [sentence, days, every, expected] of cases) {
  test(`polls: ${sentence}`, () =>
    assert.deepEqual(
      pollTimes({ from: 0, until: days * DAY_MS }, every),
      expected.map((day) => day * DAY_MS),
    ))
}

test('costs add up', () => {
  const cost = { ...nothing, sent: 1, received: 2, serverMs: 3, recordingMs: 4, broken: 5 }
  const twice = sum(cost, cost)
  assert.deepEqual([networkBytes(twice), siteMs(twice), twice.broken, twice.requests], [6, 14, 10, 0])
})

test('a copy that is not the site ends the run, and the page is named', async () => {
  const [year, bodies] = [await readYear(folder), await readBodies(folder)]
  const stored = storeBodies(bodies, join(folder, 'stored'))
  const digests = new Map(digestsOf(bodies))
  const last = year.events.findLast(({ content }) => content !== undefined)!
  digests.set(last.content!, 'another')
  const replay = { year, bodies: stored, digests, textOf: () => '' }
  const periods = { everyDays: 1, agentDays: 1 }
  for (const id of ['filter-page', 'push-pages']) {
    const form = schemeForm(id)
    const run = runScheme(replay, form, periods)
    await assert.rejects(run, new RegExp(`${form.name}: the copy is not the site: ${last.path}`))
  }
})
