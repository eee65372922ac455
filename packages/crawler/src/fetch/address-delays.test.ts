import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crawlOptions, politenessFor } from '../options.ts'
import { addressDelayOf } from './address-delays.ts'

const delays = [
  { delayMs: 2_000 },
  { network: '104.16.0.0/13', delayMs: 500 },
  { network: '104.16.1.0/24', delayMs: 100 },
  { network: '104.16.1.0/24', delayMs: 90 },
  { network: '2606:4700::/32', delayMs: 300 },
]
// oxfmt-ignore
const cases: [address: string, delayMs: number][] = [
  ['104.17.0.1', 500], ['104.16.1.9', 90], ['2606:4700::1111', 300], ['8.8.8.8', 2_000], ['::1', 2_000],
]
for (const [address, delayMs] of cases) {
  test(`${address} rests ${delayMs} ms between connections: the narrowest network counts, and the last of equals`, () =>
    assert.equal(addressDelayOf(delays, address), delayMs))
}

test('without a word an address rests as its sites do', () => {
  assert.equal(addressDelayOf([], '8.8.8.8'), undefined)
  assert.equal(politenessFor(crawlOptions({}), 'http://a.example', '8.8.8.8').addressDelayMs, undefined)
})

test('a delay of an address leaves the rest of its sites as it was', () => {
  const options = crawlOptions({ addressDelays: delays })
  const { delayMs, addressDelayMs } = politenessFor(options, 'http://a.example', '104.17.0.1')
  assert.deepEqual([delayMs, addressDelayMs], [15_000, 500])
  assert.equal(politenessFor(options, 'http://a.example', undefined).addressDelayMs, undefined, 'nobody knows where')
})
