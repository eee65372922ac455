import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LeastRate } from './least-rate.ts'

const TERMS = { graceMs: 10_000, bytesPerSecond: 1_000 }

const cases: [sentence: string, came: readonly (readonly [at: number, bytes: number])[], at: number, slow: boolean][] =
  [
    ['nothing yet, within the grace', [], 10_000, false],
    ['nothing, after it', [], 10_001, true],
    ['a byte now and then', [2_000, 4_000, 6_000, 8_000].map((at) => [at, 1] as const), 10_100, true],
    ['a mebibyte at once, and then nothing', [[100, 1 << 20]], 10_101, true],
    ['a mebibyte at once, and a moment of rest', [[100, 1 << 20]], 10_099, false],
    [
      'the least rate, for an hour',
      Array.from({ length: 3_600 }, (_, i) => [i * 1_000, 1_000] as const),
      3_600_000,
      false,
    ],
    ['nine tenths of it, for long', Array.from({ length: 200 }, (_, i) => [i * 1_000, 900] as const), 200_000, true],
  ]
for (const [sentence, came, at, slow] of cases) {
  test(`${sentence}: ${slow ? 'given up' : 'waited for'}`, () => {
    const rate = new LeastRate(TERMS)
    rate.waits(0)
    for (const [when, bytes] of came) {
      rate.came(bytes, when)
      rate.waits(when)
    }
    assert.equal(rate.isSlow(at), slow)
  })
}

test('only waiting counts, not what we do meanwhile', () => {
  const rate = new LeastRate(TERMS)
  rate.waits(0)
  rate.came(1, 5_000)
  assert.equal(rate.isSlow(1_000_000), false)
  rate.waits(1_000_000)
  assert.equal(rate.isSlow(1_005_000), false)
  assert.equal(rate.isSlow(1_005_002), true)
})

test('whatever came before, nobody stands still for longer than the grace', () => {
  const steps = fc.array(fc.tuple(fc.nat(9_000), fc.nat(1 << 24)), { maxLength: 50 })
  fc.assert(
    fc.property(steps, (all) => {
      const rate = new LeastRate(TERMS)
      let now = 0
      for (const [ms, bytes] of all) {
        rate.waits(now)
        now += ms
        rate.came(bytes, now)
      }
      rate.waits(now)
      assert.ok(rate.isSlow(now + TERMS.graceMs + 1))
    }),
  )
})
