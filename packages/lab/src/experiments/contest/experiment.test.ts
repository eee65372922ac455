// Runs alone: all that share a process with what it holds would pay for it at every collection of garbage.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runContest } from './experiment.ts'
import { contestSettings, sizedOrders } from './settings.ts'
import { generateWeb } from '../../webs/generated/web.ts'
import { webOf } from '../../testing/ordering-fixture.ts'
import { checkResults } from '../../report/check.ts'

const web = generateWeb({ pages: 400, sites: 8, seed: 3, bowTie: false })

test('the champion is compared with each of the others, on every measure', () => {
  const parts: string[] = []
  const result = runContest(
    web,
    { orders: ['depth', 'batch', 'random'], starts: 2 },
    { onPart: (what) => parts.push(what) },
  )
  checkResults([result])
  const [pairs, areas] = result.tables
  assert.deepEqual(
    pairs!.rows.map(([order]) => order),
    ['depth', 'batch:100', 'random'],
  )
  assert.equal(areas!.rows.length, 4)
  for (const row of pairs!.rows)
    for (const cell of row.slice(1)) assert.match(String(cell), /^[0-2]–[0-2], [+−]\d+\.\d$/)
  assert.equal(parts.length, 8)
})

test('the same seeds give the same result', () => {
  const settings = { orders: ['depth', 'random'], starts: 1 }
  assert.deepEqual(runContest(web, settings), runContest(web, settings))
})

test('an oracle is never behind, and a web of one site has no politeness to show', () => {
  const one = { ...web, sites: 1, siteOf: new Uint32Array(web.pages) }
  const { tables } = runContest(one, { champion: 'optimal', orders: ['random'], starts: 2 })
  const [, rank, , , , polite] = tables[0]!.rows[0]!
  assert.match(String(rank), /^2–0, \+/)
  assert.equal(polite, '–')
})

const bad: [settings: object, problem: RegExp][] = [
  [{ champion: 'nobody' }, /there is no order "nobody"/],
  [{ orders: [] }, /orders is empty/],
  [{ starts: 0 }, /starts is 0/],
  [{ wellLinked: 2 }, /wellLinked is 2/],
  [{ waitMs: -1 }, /waitMs is -1/],
]
for (const [settings, problem] of bad) {
  test(`${JSON.stringify(settings)} cannot be used`, () => assert.throws(() => contestSettings(settings), problem))
}

test('a web without links has no contest', () => assert.throws(() => runContest(webOf([])), /no page to start at/))

test('batches are as long as the web asks for', () => {
  assert.deepEqual(sizedOrders(3_500_000, contestSettings({ orders: ['batch'] })), ['tiered', 'batch:10000'])
})
