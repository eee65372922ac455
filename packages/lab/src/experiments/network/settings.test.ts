import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networkDefaults, networkSettings } from './settings.ts'
import type { NetworkSettings } from './settings.ts'

test('without any the settings are the defaults', () => assert.deepEqual(networkSettings(), networkDefaults))

const bad: [sentence: string, given: Partial<NetworkSettings>, message: RegExp][] = [
  ['more server stubs than gateways', { serverStubs: 13 }, /12 gateways/],
  ['a network too large', { clients: 2_000, servers: 2_000 }, /too many/],
  ['a run that is all warming up', { warmUpTicks: 3_000_000 }, /all of a run/],
  ['a share of something else', { shareOf: 'bytes' }, /bits or requests/],
  ['an index message longer than a packet', { indexBits: 20_000 }, /longer than a packet/],
  ['no seeds', { seeds: [] }, /whole numbers/],
  ['rates that fall', { rates: [0.002, 0.001] }, /rising/],
  ['all of it crawlers', { crawlerShares: [1] }, /crawlerShares/],
  ['an overhead of more than the pages', { overheads: [1.5] }, /overheads/],
  ['a window of half a packet', { window: 0.5 }, /window/],
  ['links that carry nothing', { gatewayRate: 0 }, /gatewayRate/],
]
for (const [sentence, given, message] of bad)
  test(`refused: ${sentence}`, () => assert.throws(() => networkSettings(given), { name: 'RangeError', message }))
