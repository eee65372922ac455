import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { defaultBackOff, nextPaceMs, nextTryAt } from './back-off.ts'

// oxfmt-ignore
const cases: [sentence: string, failures: number, random: number, askedAt: number | undefined, expected: number][] = [
  ['the first failure waits for a second at least',    1,     0,   undefined, 1_000],
  ['and for two at most',                              1,     1,   undefined, 2_000],
  ['the second waits twice as long',                   2,     0,   undefined, 2_000],
  ['a day of failures waits for an hour at most',      30,    1,   undefined, 3_600_000],
  ['any number of them does',                          9_999, 1,   undefined, 3_600_000],
  ['a later Retry-After wins',                         1,     0.5, 90_000,    90_000],
  ['an earlier one never shortens the wait',           1,     0,   5,         1_000],
  ['one of a century is a month',                      1,     0,   4e12,      30 * 86_400_000],
]
for (const [sentence, failures, random, askedAt, expected] of cases) {
  test(sentence, () => assert.equal(nextTryAt(failures, 0, random, askedAt), expected))
}

test('whatever happened, the next try is later than now and not before what was asked for', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(fc.nat(), fc.nat(), share, fc.nat(), (failures, now, random, asked) => {
      const at = nextTryAt(failures, now, random, asked)
      assert.ok(at >= now + defaultBackOff.firstMs / 2)
      assert.ok(at >= Math.min(asked, now + defaultBackOff.mostAskedMs))
    }),
  )
})

test('a pace slows by doubling, within bounds, and ends by halving', () => {
  let pace = 0
  for (let i = 0; i < 20; i++) pace = nextPaceMs(pace, true)
  assert.equal(pace, 600_000)
  assert.deepEqual([nextPaceMs(0, true), nextPaceMs(1_000, true), nextPaceMs(0, false)], [1_000, 2_000, 0])
  for (let i = 0; i < 11; i++) pace = nextPaceMs(pace, false)
  assert.equal(pace, 0)
})
