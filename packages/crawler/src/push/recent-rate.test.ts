import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { RecentRate } from './recent-rate.ts'

const BEGIN = 1_700_000_000_000

test('nothing comes: nothing a second', () => assert.equal(new RecentRate(BEGIN).perSecond(BEGIN), 0))

test('what comes steadily has its rate, from the first seconds on', () => {
  const rate = new RecentRate(BEGIN)
  for (let ms = 0; ms < 60_000; ms += 50) {
    rate.add(BEGIN + ms)
    if (ms >= 3_000) assert.ok(Math.abs(rate.perSecond(BEGIN + ms) - 20) < 1, `${rate.perSecond(BEGIN + ms)} at ${ms}`)
  }
})

test('what came more than ten seconds ago counts no more', () => {
  const rate = new RecentRate(BEGIN)
  rate.add(BEGIN, 500)
  assert.equal(rate.perSecond(BEGIN + 1_000), 500)
  assert.ok(rate.perSecond(BEGIN + 5_000) > 0)
  assert.equal(rate.perSecond(BEGIN + 10_000), 0)
})

test('it is never less than nothing nor more than all there was', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(40_000), { minLength: 1 }), (steps) => {
      const rate = new RecentRate(BEGIN)
      let now = BEGIN
      for (const step of steps) {
        rate.add((now += step))
        const perSecond = rate.perSecond(now)
        assert.ok(perSecond > 0 && perSecond <= steps.length)
      }
    }),
  )
})
