import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { REVISIT_POLICIES, outdatedProbability, parsePolicy, policyNamed } from './policies.ts'
import type { RevisitFacts } from './policies.ts'

const DAY = 86_400_000
const facts: RevisitFacts = {
  importance: 1,
  visitedAt: 0,
  dayMs: DAY,
  changeRate: 0.2,
  hiddenRate: 0.2,
  signals: 0,
  suspicion: 0,
  intervalDays: 8,
  requestCost: 1,
  bodyCost: 0,
}
const arbitrary: fc.Arbitrary<RevisitFacts> = fc.record({
  importance: fc.double({ min: 0.01, max: 100, noNaN: true }),
  visitedAt: fc.nat(1000).map((days) => days * DAY),
  dayMs: fc.constant(DAY),
  changeRate: fc.double({ min: 0.001, max: 10, noNaN: true }),
  hiddenRate: fc.double({ min: 0.001, max: 10, noNaN: true }),
  ample: fc.double({ min: 0, max: 1, noNaN: true }),
  signals: fc.nat(3),
  suspicion: fc.double({ min: 0, max: 9, noNaN: true }),
  intervalDays: fc.double({ min: 0.05, max: 300, noNaN: true }),
  requestCost: fc.double({ min: 0.01, max: 10, noNaN: true }),
  bodyCost: fc.double({ min: 0, max: 10, noNaN: true }),
})

for (const { name } of REVISIT_POLICIES) {
  const policy = policyNamed(name)

  test(`${name}: value never falls while a page waits, and a page is due when its value reaches the price`, () => {
    fc.assert(
      fc.property(arbitrary, fc.double({ min: 0.1, max: 100, noNaN: true }), (given, waited) => {
        const now = given.visitedAt + waited * DAY
        const value = policy.valueAt(given, now)
        assert.ok(policy.valueAt(given, now + DAY) >= value - 1e-12 * value)
        const price = policy.fixedPrice ?? value
        const due = policy.dueAt(given, price, now)
        assert.ok(policy.dueAt(given, price * 1.1, now) >= due - 1, 'a higher price is reached no sooner')
        if (Number.isFinite(due) && due > given.visitedAt) {
          const there = policy.valueAt(given, due)
          assert.ok(Math.abs(there - price) <= 0.002 * price, `${there} ${price}`)
        } else if (due <= given.visitedAt) assert.ok(policy.valueAt(given, now) >= price * 0.999)
      }),
    )
  })

  test(`${name}: ${policy.isDeaf ? 'signals make nothing due sooner' : 'a page that is announced is due sooner'}`, () => {
    const price = policy.fixedPrice ?? policy.valueAt(facts, 30 * DAY)
    const announced = { ...facts, hiddenRate: facts.hiddenRate / 2, signals: 1, suspicion: 20 }
    const [quiet, told] = [facts, announced].map((one) => policy.dueAt(one, price, DAY))
    if (policy.isDeaf) assert.equal(told, quiet)
    else assert.ok(told! < quiet!)
  })

  test(`${name}: says why in a sentence`, () => assert.match(policy.explain(facts, 3 * DAY), /^[^\n]{20,}$/))
}

test('the policies are those that were asked for', () => {
  const names = ['uniform', 'proportional', 'adaptive', 'optimal', 'metadata', 'outdated', 'trusting', 'value']
  assert.deepEqual(
    REVISIT_POLICIES.map(({ name }) => name),
    names,
  )
})

test('metadata visits a page that is announced, and no other', () => {
  const policy = policyNamed('metadata')
  assert.equal(policy.dueAt(facts, 1, DAY), Infinity)
  assert.equal(policy.dueAt({ ...facts, signals: 1 }, 1, DAY), DAY)
})

test('outdated visits when the probability passes what is put up with', () => {
  const policy = policyNamed('outdated', { maxOutdated: 0.3 })
  const due = policy.dueAt(facts, 0.3, 0)
  assert.ok(Math.abs(outdatedProbability(facts, due) - 0.3) < 1e-9)
  assert.ok(policy.dueAt({ ...facts, suspicion: 3 }, 0.3, DAY) <= DAY)
})

test('value weighs a signal by trust where trusting drops everything for it', () => {
  const doubted = { ...facts, signals: 1, suspicion: 0.05 }
  const [value, trusting] = [policyNamed('value'), policyNamed('trusting')]
  assert.ok(value.valueAt(doubted, DAY) < 1.6 * value.valueAt(facts, DAY))
  assert.ok(trusting.valueAt(doubted, DAY) > 10 * trusting.valueAt(facts, DAY))
})

test('value prefers a small page to a large one when bytes are scarce', () => {
  const policy = policyNamed('value')
  assert.ok(policy.valueAt({ ...facts, bodyCost: 5 }, DAY) < policy.valueAt(facts, DAY))
})

const bad: [name: string, maxOutdated: number, problem: RegExp][] = [
  ['best', 0.2, /there is no policy "best"; it is one of uniform, /],
  ['outdated', 1.5, /between 0 and 1, not 1.5/],
]
for (const [name, maxOutdated, problem] of bad) {
  test(`"${name}" with ${maxOutdated} is no policy, and a sentence says why`, () => {
    const said = parsePolicy(name, { maxOutdated })
    assert.match(typeof said === 'string' ? said : 'a policy', problem)
  })
}

test('value: of pages that nobody spoke of the days are those of optimal where the budget is ample, and later where it is scarce', () => {
  const quiet: RevisitFacts = { ...facts, hiddenRate: facts.changeRate / 10, signalRate: 0.2 }
  const price = 0.05
  const [value, optimal] = [policyNamed('value'), policyNamed('optimal')].map(
    (policy) => (ample: number) => policy.dueAt({ ...quiet, ample }, price, DAY),
  )
  assert.ok(Math.abs(value!(1) / optimal!(1) - 1) < 1e-3, `${value!(1)} ${optimal!(1)}`)
  assert.ok(value!(0) > 2 * optimal!(0), `${value!(0)} ${optimal!(0)}`)
  assert.ok(value!(0.5) > value!(1) && value!(0.5) < value!(0))
})
