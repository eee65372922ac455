import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { networkSettings } from './settings.ts'
import type { NetworkSettings } from './settings.ts'
import { simulateNetwork } from './simulation.ts'
import type { NetworkLoad } from './sources.ts'
import type { NetworkOutcome } from './measures.ts'
import { transitStub } from './topology.ts'

const quick: Partial<NetworkSettings> = { ticks: 400_000, warmUpTicks: 40_000 }

function run(load: Partial<NetworkLoad>, given: Partial<NetworkSettings> = {}, seed = 1): NetworkOutcome {
  const settings = networkSettings({ ...quick, ...given })
  const whole = { clientRate: 0.001, crawlerRate: 0, overhead: 0, active: [], ...load }
  return simulateNetwork(transitStub(settings), whole, settings, seed)
}

test('at a light load nothing is lost, and all is completed', () => {
  const { client, lostShare, againShare } = run({ clientRate: 0.0005 })
  assert.equal(lostShare, 0)
  assert.equal(againShare, 0)
  assert.ok(client.completed > 0.98)
})

test('the delay of one packet over an empty network is what its links take', () => {
  // Sizes do not vary: a request of 1,000 bits there, a page of 10,000 back, over five links of 1 tick each way.
  const { client } = run(
    { clientRate: 0.00001 },
    {
      requestMean: 1_000,
      requestSd: 0,
      responseMean: 10_000,
      responseSd: 0,
      coreRouters: 1,
      coreRate: 100,
      gatewayRate: 100,
      serverRate: 100,
      siteRate: 100,
      ticks: 4_000_000,
    },
  )
  assert.ok(Math.abs(client.delay - (4 * 10 + 4 * 100 + 8)) < 5, String(client.delay))
})

test('past saturation packets are lost and sent again, fewer requests complete, and clients get less', () => {
  const [calm, full] = [run({ clientRate: 0.0025 }), run({ clientRate: 0.008 })]
  assert.ok(full.lostShare > 0.1 && full.againShare > 0.1)
  assert.ok(full.client.completed < 0.6 * calm.client.completed)
  assert.ok(full.client.throughput < calm.client.throughput)
  assert.ok(full.client.delay > 2 * calm.client.delay)
})

test('nobody gets more than the gateways of the servers carry, or more than was asked for', () => {
  const cases = fc.record({
    clientRate: fc.constantFrom(0.001, 0.003, 0.01),
    crawlerRate: fc.constantFrom(0, 0.002),
    seed: fc.nat(1_000),
  })
  fc.assert(
    fc.property(cases, ({ seed, ...load }) => {
      const { client, crawler } = run(load, { ticks: 200_000, warmUpTicks: 0 }, seed)
      assert.ok(client.throughput + crawler.throughput <= 3 * 99)
      assert.ok(client.completed <= 1)
    }),
    { numRuns: 10 },
  )
})

test('the same seed gives the same run, another one another', () => {
  const load = { clientRate: 0.004, crawlerRate: 0.001 }
  assert.deepEqual(run(load), run(load))
  assert.notDeepEqual(run(load), run(load, {}, 2))
})

test('active gateways without overhead change no packet', () => {
  const { gateways } = transitStub(networkSettings())
  assert.deepEqual(run({ clientRate: 0.003, active: gateways.slice(0, 3) }), run({ clientRate: 0.003 }))
})

test('the index that arrives is the overhead of the pages that passed', () => {
  const { gateways } = transitStub(networkSettings())
  const { client, index } = run(
    { clientRate: 0.001, overhead: 0.07, active: gateways.slice(0, 3) },
    { ticks: 2_000_000 },
  )
  assert.ok(Math.abs(index.throughput / client.throughput - 0.07) < 0.007)
  assert.ok(index.completed > 0.98)
})

const some = (active: readonly number[]): number =>
  run({ clientRate: 0.001, overhead: 0.07, active }, { ticks: 2_000_000 }).index.throughput

test('a gateway indexes the servers behind it only', () => {
  const { gateways } = transitStub(networkSettings())
  assert.equal(some(gateways.slice(3)), 0)
  assert.ok(some(gateways.slice(0, 1)) < 0.6 * some(gateways.slice(0, 3)))
})
