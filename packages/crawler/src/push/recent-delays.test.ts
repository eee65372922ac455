import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { RecentDelays } from './recent-delays.ts'

const of = (delays: readonly number[]): RecentDelays => {
  const recent = new RecentDelays()
  for (const ms of delays) recent.add(ms)
  return recent
}

test('before the first there is nothing to tell', () => assert.equal(new RecentDelays().figures, undefined))

const cases: [sentence: string, delays: number[], p50Ms: number, p99Ms: number][] = [
  ['one is both', [7], 7, 7],
  ['half of them and nearly all', Array.from({ length: 100 }, (_, i) => 100 - i), 50, 99],
  [
    'what is older than a thousand is forgotten',
    [...Array<number>(10).fill(9_999), ...Array<number>(1_000).fill(5)],
    5,
    5,
  ],
  ['a clock that runs ahead makes no time less than none', [-40], 0, 0],
]
for (const [sentence, delays, p50Ms, p99Ms] of cases) {
  test(sentence, () => assert.deepEqual(of(delays).figures, { count: delays.length, p50Ms, p99Ms }))
}

test('at least half of those kept are no longer than the median, and it is one of them', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 1_000 }), (delays) => {
      const { p50Ms, p99Ms } = of(delays).figures!
      assert.ok(delays.includes(p50Ms) && delays.includes(p99Ms))
      assert.ok(delays.filter((ms) => ms <= p50Ms).length >= delays.length / 2)
      assert.ok(delays.filter((ms) => ms <= p99Ms).length >= 0.99 * delays.length)
    }),
  )
})
