import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  crawlerCase,
  crawlerRateFor,
  indexCase,
  loadOf,
  paperCases,
  peakOf,
  plateauOf,
  runCase,
  valueAt,
} from './scenarios.ts'
import type { CaseOutcome, NetworkPoint } from './scenarios.ts'
import { networkDefaults, networkSettings } from './settings.ts'
import { transitStub } from './topology.ts'

const topology = transitStub(networkDefaults)

test('the cases are those of the paper', () => {
  assert.deepEqual(
    paperCases(networkDefaults).map(({ name }) => name),
    ['0 % crawlers', '20 % crawlers', '40 % crawlers', 'indexing, 0 %', 'indexing, 3 %', 'indexing, 7 %'],
  )
})

test('a share of crawlers is one of the bits, or of the requests', () => {
  const rate = crawlerRateFor(0.4, 0.0025, { shareOf: 'bits', crawlerLength: 0.7 })
  assert.ok(Math.abs((rate * 0.7) / (rate * 0.7 + 0.0025) - 0.4) < 1e-12)
  assert.ok(Math.abs(crawlerRateFor(0.5, 0.002, { shareOf: 'requests', crawlerLength: 0.7 }) - 0.002) < 1e-12)
})

test('crawlers visit what no active gateway sees, as often as before', () => {
  const settings = { ...networkDefaults, serverStubs: 12 }
  const spread = transitStub(settings)
  const half = loadOf({ ...crawlerCase(0.4), activeShare: 0.5, overhead: 0.07 }, 0.002, spread, settings)
  assert.equal(half.active.length, 6)
  assert.ok(half.crawled!.every((server) => !half.active.includes(spread.gatewayOf[server]!)))
  const none = loadOf(crawlerCase(0.4), 0.002, spread, settings)
  assert.ok(Math.abs(half.crawlerRate / half.crawled!.length - none.crawlerRate / none.crawled!.length) < 1e-12)
  assert.equal(loadOf(indexCase(0.07), 0.002, topology, networkDefaults).active.length, 3)
})

test('each rate is run with each seed, and told with its interval', () => {
  const settings = networkSettings({ ticks: 100_000, warmUpTicks: 0 })
  const { points } = runCase(crawlerCase(0.2), settings, { rates: [0.001, 0.002], seeds: [1, 2, 3] })
  assert.deepEqual(
    points.map(({ clientRate }) => clientRate),
    [0.001, 0.002],
  )
  for (const { totalRate, clientRate, client } of points) {
    assert.ok(totalRate > clientRate)
    assert.ok(client.throughput.low < client.throughput.mean && client.throughput.mean < client.throughput.high)
  }
})

const interval = (mean: number) => ({ mean, low: mean, high: mean })
const kind = (mean: number) => ({ throughput: interval(mean), delay: interval(mean), completed: interval(mean) })
const pointAt = (rate: number, mean: number): NetworkPoint => ({
  clientRate: rate,
  totalRate: rate,
  client: kind(mean),
  clientRuns: [mean],
  crawler: kind(mean),
  index: kind(mean),
  lostShare: interval(0),
  againShare: interval(0),
})

test('peak, plateau and values between rates are read off the points', () => {
  const outcome: CaseOutcome = {
    ...crawlerCase(0),
    points: [pointAt(1, 100), pointAt(2, 220), pointAt(2.5, 180), pointAt(3, 140), pointAt(4, 150)],
  }
  assert.equal(peakOf(outcome).clientRate, 2)
  assert.equal(plateauOf(outcome), 145)
  const at = (x: number): number =>
    valueAt(
      outcome.points,
      x,
      ({ clientRate }) => clientRate,
      ({ client }) => client.delay.mean,
    )
  assert.deepEqual([at(1), at(1.5), at(4), at(0.5), at(5)], [100, 160, 150, NaN, NaN])
})
