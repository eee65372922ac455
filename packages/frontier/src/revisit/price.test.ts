import assert from 'node:assert/strict'
import { test } from 'node:test'
import { policyNamed, REVISIT_POLICIES } from './policies.ts'
import type { RevisitFacts } from './policies.ts'
import { calibratedPrice } from './price.ts'
import { calendarRates } from '../testing/visit-rates.ts'

const DAY = 86_400_000
const pages = Array.from({ length: 60 }, (_, i): RevisitFacts => ({
  importance: 1 + (i % 7),
  visitedAt: 5 * DAY,
  dayMs: DAY,
  changeRate: 0.01 * 1.09 ** i,
  hiddenRate: 0.01 * 1.09 ** i,
  signals: 0,
  suspicion: 0,
  intervalDays: 1 + i,
  requestCost: 1,
  bodyCost: 0,
}))

for (const { name } of REVISIT_POLICIES.filter((kind) => policyNamed(kind.name).fixedPrice === undefined)) {
  test(`${name}: at the price that was found, the pages fall due as often as the budget pays for`, () => {
    const policy = policyNamed(name)
    const price = calibratedPrice(policy, pages, 9)
    const visits = pages.reduce((sum, facts) => sum + DAY / (policy.dueAt(facts, price, 0) - facts.visitedAt), 0)
    assert.ok(Math.abs(visits - 9) < 1e-3, `${visits}`)
  })
}

test('the intervals of optimal are those of the best calendar', () => {
  const policy = policyNamed('optimal')
  const price = calibratedPrice(policy, pages, 9)
  for (const [i, rate] of calendarRates(pages, 9).entries()) {
    const own = DAY / (policy.dueAt(pages[i]!, price, 0) - pages[i]!.visitedAt)
    assert.ok(Math.abs(own - rate) < 1e-3, `page ${i}: ${own} ${rate}`)
  }
})
