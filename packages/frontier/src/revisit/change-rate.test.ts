import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '@comity/testbed'
import fc from 'fast-check'
import {
  LEAST_RATE,
  MOST_RATE,
  NOTHING_SEEN,
  changeRate,
  datedChangeRate,
  exactChangeRate,
  loggedChangeRate,
  regularChangeRate,
  sitePrior,
  withVisit,
} from './change-rate.ts'
import type { RateVisit } from './change-rate.ts'

const seeing = (visits: readonly RateVisit[]): ReturnType<typeof withVisit> =>
  visits.reduce((stats, visit) => withVisit(stats, visit, 1), NOTHING_SEEN)

/** Mean of an estimate over ten visits, by how many of them found a change. */
function meanOverTen(changes: number, estimate: (changed: number) => number): number {
  const p = 1 - Math.exp(-changes)
  let [mean, ways] = [0, 1]
  for (let changed = 0; changed <= 10; changed++) {
    mean += ways * p ** changed * (1 - p) ** (10 - changed) * estimate(changed)
    ways = (ways * (10 - changed)) / (changed + 1)
  }
  return mean
}

const regular: [changesPerVisit: number, estimated: number][] = [
  [0.1, 0.101],
  [0.5, 0.5],
  [1, 1.003],
  [2, 1.939],
]
for (const [changes, estimated] of regular) {
  test(`ten regular visits to a page with ${changes} changes between them give ${estimated} on average`, () => {
    const mean = meanOverTen(changes, (changed) => regularChangeRate(10, changed, 1))
    assert.ok(Math.abs(mean - estimated) < 0.001, `${mean}`)
  })
}

for (const [changes, estimated] of [
  [0.2, 0.204],
  [1, 1.008],
  [3, 3],
] as const) {
  test(`ten visits with a Last-Modified to a page with ${changes} changes between them give about ${estimated}`, () => {
    const random = createRandom(7)
    let sum = 0
    const rounds = 40_000
    for (let round = 0; round < rounds; round++) {
      const sums = { visits: 10, changed: 0, days: 0 }
      for (let visit = 0; visit < 10; visit++) {
        const age = -Math.log(1 - random.next()) / changes
        if (age < 1) sums.changed++
        sums.days += Math.min(age, 1)
      }
      sum += datedChangeRate(sums)
    }
    assert.ok(Math.abs(sum / rounds / estimated - 1) < 0.02, `${sum / rounds}`)
  })
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

test('a change log needs no more than counting', () => {
  assert.equal(loggedChangeRate(0, 9.5), 0.05)
  assert.equal(loggedChangeRate(12, 24.5), 0.5)
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
