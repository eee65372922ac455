import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '@comity/testbed'
import { calendarFreshness, calendarPrices, calendarRates } from './visit-rates.ts'
import type { RatedPage } from './visit-rates.ts'

const random = createRandom(2)
const pages: RatedPage[] = Array.from({ length: 200 }, () => ({
  importance: 0.2 + random.next() ** 4 * 20,
  changeRate: 0.002 * 5000 ** random.next(),
}))
const BUDGET = 40
const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0)
const near = (got: number, wanted: number, share = 1e-6): void =>
  assert.ok(Math.abs(got - wanted) <= share * Math.abs(wanted), `${got} instead of ${wanted}`)

test('the budget is used up, and no more', () => near(sum(calendarRates(pages, BUDGET)), BUDGET))

test('with the best calendar, one more visit wins as much wherever it goes, and less where there are none', () => {
  const rates = calendarRates(pages, BUDGET)
  const prices = calendarPrices(pages, rates).filter((_, i) => rates[i]! > 0)
  near(Math.min(...prices), Math.max(...prices))
  for (const [i, { importance, changeRate }] of pages.entries()) {
    if (rates[i] === 0) assert.ok(importance / changeRate <= prices[0]! * (1 + 1e-9))
  }
  assert.ok(rates.includes(0), 'some change too often to be worth a visit')
})

test('visits rise with the change rate, then fall to none: fast changers are given up', () => {
  const ladder = Array.from({ length: 60 }, (_, i) => ({ importance: 1, changeRate: 0.01 * 1.2 ** i }))
  const rates = calendarRates(ladder, 8)
  const top = rates.indexOf(Math.max(...rates))
  assert.ok(top > 5 && top < 50)
  assert.equal(rates.at(-1), 0)
  for (let i = 1; i <= top; i++) assert.ok(rates[i]! >= rates[i - 1]!)
  for (let i = top + 1; i < rates.length; i++) assert.ok(rates[i]! <= rates[i - 1]!)
})

test('the best calendar is fresher than equal visits, and those than visits in proportion to changes', () => {
  const best = calendarFreshness(pages, calendarRates(pages, BUDGET))
  const equal = calendarFreshness(
    pages,
    pages.map(() => BUDGET / pages.length),
  )
  const changes = sum(pages.map(({ changeRate }) => changeRate))
  const inProportion = calendarFreshness(
    pages,
    pages.map(({ changeRate }) => (BUDGET * changeRate) / changes),
  )
  assert.ok(best > equal + 0.05 && equal > inProportion + 0.05, `${best} ${equal} ${inProportion}`)
})

test('pages that never change need no visits', () => {
  const still = [
    { importance: 5, changeRate: 0 },
    { importance: 1, changeRate: 1 },
  ]
  const rates = calendarRates(still, 3)
  assert.equal(rates[0], 0)
  near(rates[1]!, 3)
})
