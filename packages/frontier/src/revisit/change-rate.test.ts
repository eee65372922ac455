import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '@comity/testbed'
import fc from 'fast-check'
import { HALF_DAY_PRIOR, LEAST_RATE, MOST_RATE, NOTHING_SEEN, changeRate, sitePrior, withVisit } from './change-rate.ts'
import type { RatePrior, RateVisit } from './change-rate.ts'

const seeing = (visits: readonly RateVisit[]): ReturnType<typeof withVisit> =>
  visits.reduce((stats, visit) => withVisit(stats, visit, 1), NOTHING_SEEN)

const pull = (rate: number, days: number): number => (days === 0 ? 1 / rate : days / Math.expm1(rate * days))

/** The most likely rate from the whole history, visit by visit: what `changeRate` approximates. */
function exactChangeRate(visits: readonly RateVisit[], prior: RatePrior = HALF_DAY_PRIOR): number {
  let [low, high] = [LEAST_RATE, MOST_RATE]
  let quiet = prior.quietDays
  for (const { days, changed, ageDays } of visits) quiet += changed ? (ageDays ?? 0) : days
  for (let step = 0; step < 60; step++) {
    const rate = Math.sqrt(low * high)
    let pulls = prior.changes * pull(rate, prior.changeDays)
    for (const { days, changed, ageDays } of visits) if (changed) pulls += pull(rate, ageDays === undefined ? days : 0)
    if (pulls > quiet) low = rate
    else high = rate
  }
  return high
}

test('a page that never changed and one that always did have finite rates', () => {
  const days = 10
  const never = changeRate(seeing(Array.from({ length: 20 }, () => ({ days, changed: false }))))
  const always = changeRate(seeing(Array.from({ length: 20 }, () => ({ days, changed: true }))))
  assert.ok(never > 0 && never < 0.01, `${never}`)
  assert.ok(always > 0.2 && always < MOST_RATE, `${always}`)
})

test('with intervals all alike the five numbers say exactly what the history says', () => {
  const history = fc.array(fc.boolean(), { maxLength: 40 })
  fc.assert(
    fc.property(history, fc.double({ min: 0.01, max: 60, noNaN: true }), (bits, days) => {
      const visits = bits.map((changed) => ({ days, changed }))
      const [near, exact] = [changeRate(seeing(visits)), exactChangeRate(visits)]
      assert.ok(Math.abs(near / exact - 1) < 1e-6, `${near} ${exact}`)
    }),
  )
})

test('with irregular intervals they come near, far nearer than chance lets the history itself come to the truth', () => {
  const random = createRandom(11)
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
  for (const [spread, bound] of [
    [0.7, 0.03],
    [1.3, 0.11],
    [2, 0.2],
  ] as const) {
    const errors: number[] = []
    for (let page = 0; page < 300; page++) {
      const rate = 0.05 * Math.exp(1.7 * normal())
      const visits = Array.from({ length: 20 }, () => {
        const days = 5 * Math.exp(spread * normal())
        return { days, changed: random.next() < 1 - Math.exp(-rate * days) }
      })
      errors.push(Math.abs(Math.log(changeRate(seeing(visits)) / exactChangeRate(visits))))
    }
    const ninetyFifth = errors.toSorted((a, b) => a - b)[285]!
    assert.ok(ninetyFifth < bound, `spread ${spread}: ${ninetyFifth}`)
  }
})

test('dated changes make the estimate the plain quotient of changes and days', () => {
  const visits = [
    { days: 4, changed: true, ageDays: 1 },
    { days: 4, changed: false },
    { days: 4, changed: true, ageDays: 3 },
  ]
  const rate = changeRate(seeing(visits), { changes: 0, changeDays: 0, quietDays: 0 })
  assert.ok(Math.abs(rate - 2 / 8) < 1e-6, `${rate}`)
  assert.ok(Math.abs(exactChangeRate(visits, { changes: 0, changeDays: 0, quietDays: 0 }) - 2 / 8) < 1e-6)
})

test('a new page changes as its site does, and leaves that belief visit by visit', () => {
  const prior = sitePrior(0.3)
  const quiet = (visits: number): number =>
    changeRate(seeing(Array.from({ length: visits }, () => ({ days: 5, changed: false }))), prior)
  assert.ok(Math.abs(quiet(0) - 0.3) < 1e-6)
  assert.ok(quiet(0) > quiet(1) && quiet(1) > quiet(5))
})

test('a page that changes its habits is believed after some visits', () => {
  let stats = NOTHING_SEEN
  for (let visit = 0; visit < 200; visit++) stats = withVisit(stats, { days: 1, changed: true })
  for (let visit = 0; visit < 200; visit++) stats = withVisit(stats, { days: 1, changed: false })
  assert.ok(changeRate(stats) < 0.05, `${changeRate(stats)}`)
})

test('whatever the visits, the rate stays within its bounds', () => {
  const visit = fc.record({
    days: fc.double({ min: 0, max: 4000, noNaN: true }),
    changed: fc.boolean(),
    recall: fc.double({ min: 0, max: 0.98, noNaN: true }),
  })
  fc.assert(
    fc.property(fc.array(visit, { maxLength: 60 }), (visits) => {
      const rate = changeRate(seeing(visits))
      assert.ok(rate >= LEAST_RATE && rate <= MOST_RATE, `${rate}`)
    }),
  )
})
