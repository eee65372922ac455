import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networkDefaults } from './settings.ts'
import { indexSenders, lognormalLaw, requestSources } from './sources.ts'
import { transitStub } from './topology.ts'

const topology = transitStub(networkDefaults)
const load = { clientRate: 0.002, crawlerRate: 0.001, overhead: 0.07, active: topology.gateways.slice(0, 1) }

test('a lognormal law has the mean and the deviation it was asked for', () => {
  for (const [mean, sd] of [
    [2_880, 848],
    [80_000, 200_000],
  ] as const) {
    const { median, sigma } = lognormalLaw(mean, sd)
    assert.ok(Math.abs(median * Math.exp(sigma ** 2 / 2) - mean) < 1e-6 * mean)
    assert.ok(Math.abs(mean * Math.sqrt(Math.expm1(sigma ** 2)) - sd) < 1e-6 * sd)
  }
})

const isNear = (value: number, wanted: number): void =>
  assert.ok(Math.abs(value / wanted - 1) < 0.05, `${value}, not ${wanted}`)

test('clients ask at the rate and for the sizes of the paper, crawlers for shorter pages', () => {
  const [clients, crawlers] = requestSources(topology, load, networkDefaults, 1)
  const count = 40_000
  const mean = (draw: () => number): number =>
    Array.from({ length: count }, draw).reduce((sum, one) => sum + one, 0) / count
  isNear(
    mean(() => clients!.nextGap()),
    500,
  )
  isNear(
    mean(() => crawlers!.nextGap()),
    1_000,
  )
  isNear(
    mean(() => clients!.draw().requestBits),
    2_880,
  )
  isNear(
    mean(() => clients!.draw().responseBits),
    80_000,
  )
  isNear(
    mean(() => crawlers!.draw().responseBits),
    56_000,
  )
})

test('crawlers that ask for nothing are no source', () => {
  assert.equal(requestSources(topology, { ...load, crawlerRate: 0 }, networkDefaults, 1).length, 1)
})

test('a router sends in a period what it gathered in the one before, at equal intervals, and keeps the rest', () => {
  const [sender] = indexSenders(load, { ...networkDefaults, indexBits: 10_000, indexTicks: 1_000 })
  const sent: number[] = []
  const turn = (until: number): void => {
    for (let now = sender!.next(at); now < until; now = sender!.next(now)) {
      if (sender!.takeMessage(now)) sent.push(now)
      at = now
    }
  }
  let at = 0
  sender!.gather(34_000)
  turn(2_000)
  assert.deepEqual(sent, [1_250, 1_500, 1_750])
  sender!.gather(6_000)
  turn(4_000)
  assert.equal(sent.length, 4)
})

test('without overhead nobody sends an index', () => {
  assert.deepEqual(indexSenders({ ...load, overhead: 0 }, networkDefaults), [])
})
