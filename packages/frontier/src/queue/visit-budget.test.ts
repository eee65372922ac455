import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { VisitBudget } from './visit-budget.ts'

/** Visits as soon as they can be paid for, each of so many bytes. Returns visits and bytes per second. */
function spend(budget: VisitBudget, bytes: number, seconds: number): { visits: number; bytes: number } {
  let [now, visits] = [0, 0]
  while (now < seconds * 1000) {
    const at = budget.readyAt(now)
    if (at > now) now = at
    else {
      budget.spendRequest(now)
      budget.spendBytes(bytes)
      visits++
    }
  }
  return { visits: visits / seconds, bytes: (visits * bytes) / seconds }
}

test('requests are spent at their rate, however the day is cut', () => {
  for (const requestsPerSecond of [0.001, 0.5, 40]) {
    const { visits } = spend(new VisitBudget({ requestsPerSecond }), 1e9, 2000 / requestsPerSecond)
    assert.ok(Math.abs(visits / requestsPerSecond - 1) < 0.01, `${visits}`)
  }
})

test('bytes that were not foreseen are paid back by waiting', () => {
  const { visits, bytes } = spend(new VisitBudget({ requestsPerSecond: 10, bytesPerSecond: 10_000 }), 50_000, 1000)
  assert.ok(visits < 0.22 && Math.abs(bytes / 10_000 - 1) < 0.05, `${visits} ${bytes}`)
})

test('costs are in the scarce unit: requests at first, bytes once they run out', () => {
  const budget = new VisitBudget({ requestsPerSecond: 10, bytesPerSecond: 10_000 })
  assert.deepEqual([budget.requestCost, budget.bodyCost(50_000)], [0.1, 0])
  spend(budget, 50_000, 4000)
  assert.ok(budget.byteShare > 0.9 && budget.bodyCost(50_000) > 4, `${budget.byteShare}`)
})

test('a burst is what was saved in a few seconds and no more', () => {
  const budget = new VisitBudget({ requestsPerSecond: 4, burstSeconds: 5 })
  budget.readyAt(0)
  let burst = 0
  for (const now = 3_600_000; budget.readyAt(now) === now; burst++) budget.spendRequest(now)
  assert.equal(burst, 20)
})

test('a clock that goes back gives nothing and takes nothing', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(100_000), { maxLength: 50 }), (instants) => {
      const budget = new VisitBudget({ requestsPerSecond: 1, burstSeconds: 1 })
      let visits = 0
      for (const now of instants) {
        if (budget.readyAt(now) > now) continue
        budget.spendRequest(now)
        visits++
      }
      assert.ok(visits <= 2 + Math.max(0, ...instants) / 1000)
    }),
  )
})

test('a budget of nothing is refused', () => {
  assert.throws(() => new VisitBudget({ requestsPerSecond: 0 }), /both are above 0/)
  assert.throws(() => new VisitBudget({ requestsPerSecond: 1, bytesPerSecond: -1 }), /both are above 0/)
})
