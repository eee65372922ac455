// Runs alone: all that share a process with what it holds would pay for it at every collection of garbage.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requireTransitStub, runNetwork } from './experiment.ts'
import type { NetworkSettings } from './settings.ts'
import { reportFiles } from '../../report/files.ts'

const quick: Partial<NetworkSettings> = {
  rates: [0.001, 0.002, 0.0025, 0.003, 0.005],
  seeds: [1, 2],
  ticks: 150_000,
  warmUpTicks: 15_000,
  beyondSeeds: 1,
}

test('the report has Figures 2 to 6 and an answer to claims 4 to 10, the same each time', () => {
  const result = runNetwork(quick)
  assert.deepEqual(
    result.figures.map(({ paperRef }) => paperRef),
    [2, 3, 4, 5, 6].map((number) => `001 Figure ${number}`),
  )
  assert.deepEqual([...new Set(result.claims.map(({ number }) => number))], [4, 5, 6, 7, 8, 9, 10])
  assert.ok(result.claims.every(({ ours }) => ours !== ''))
  assert.deepEqual([...reportFiles([result])], [...reportFiles([runNetwork(quick)])])
})

test('clients lose to crawlers and hardly to indexing, and without overhead not at all', () => {
  const { tables } = runNetwork({ ...quick, beyondSeeds: 0 })
  const less = new Map(tables[0]!.rows.map((row) => [row[0], row[4] as number]))
  assert.equal(less.get('indexing, 0 %'), 0)
  assert.ok(less.get('40 % crawlers')! > less.get('20 % crawlers')!)
  assert.ok(less.get('40 % crawlers')! > 0.25)
  assert.ok(Math.abs(less.get('indexing, 7 %')!) < 0.1)
})

const verdict = (given: Partial<NetworkSettings>): string =>
  runNetwork({ ...quick, beyondSeeds: 0, seeds: [1], ...given }).claims[0]!.verdict

test('what was calibrated holds by construction; another network shows something', () => {
  assert.equal(verdict({}), 'holds by construction')
  assert.equal(verdict({ gatewayRate: 50 }), 'does not hold here')
})

test('every part is told before it runs', () => {
  const told: [number, number][] = []
  runNetwork({ ...quick, seeds: [1] }, { onPart: (_, done, of) => told.push([done, of]) })
  assert.deepEqual(
    told.map(([done]) => done),
    told.map((_, at) => at),
  )
  assert.ok(told.every(([, of]) => of === told.length))
})

test('it runs on no web', () => assert.throws(() => requireTransitStub('cnr-2000'), /runs on no web/))
