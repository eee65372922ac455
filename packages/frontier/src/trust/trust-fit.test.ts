import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '@comity/testbed'
import fc from 'fast-check'
import { MOST_WEIGHT, TrustFit, fitTrust } from './trust-fit.ts'
import type { TrustPrior, TrustVisit } from './trust-fit.ts'

const WEAK: TrustPrior = { mean: 0.7, shape: 0.5 }
const PRIORS = [{ mean: 1, shape: 0.5 }, WEAK]

/** Visits at random intervals to a page that changes once a day, with signals of this recall and precision. */
function log(visits: number, recall: number, precision: number, seed: number): TrustVisit[] {
  const random = createRandom(seed)
  const poisson = (mean: number): number => {
    let [count, product] = [0, random.next()]
    for (const end = Math.exp(-mean); product > end; count++) product *= random.next()
    return count
  }
  const falseRate = (recall * (1 - precision)) / precision
  return Array.from({ length: visits }, () => {
    const days = 0.2 + 1.6 * random.next()
    const [hidden, announced, alarms] = [
      poisson((1 - recall) * days),
      poisson(recall * days),
      poisson(falseRate * days),
    ]
    return { x: [days, announced + alarms], changed: hidden + announced > 0 }
  })
}

test('recall and precision are found again in a log of visits', () => {
  const [recall, precision] = [0.6, 2 / 3]
  const visits = log(20_000, recall, precision, 4)
  const [hidden, weight] = fitTrust(visits, PRIORS)
  assert.ok(Math.abs(hidden! - (1 - recall)) < 0.03, `${hidden}`)
  assert.ok(Math.abs(1 - Math.exp(-weight!) - precision) < 0.03, `${weight}`)
})

test('cells instead of a log come to what the whole log says', () => {
  for (const [recall, precision] of [
    [0.6, 0.667],
    [0.9, 0.9],
    [0.3, 0.1],
  ] as const) {
    for (const seed of [1, 2, 3]) {
      const visits = log(500, recall, precision, seed)
      const online = new TrustFit(PRIORS)
      for (const visit of visits) online.observe(visit)
      const [hidden, weight] = fitTrust(visits, PRIORS)
      const words = `recall ${recall} seed ${seed}: ${online.weight(0)} ${hidden} ${online.weight(1)} ${weight}`
      assert.ok(Math.abs(online.weight(0) - hidden!) < 0.1, words)
      assert.ok(Math.abs(Math.exp(-online.weight(1)) - Math.exp(-weight!)) < 0.04, words)
    }
  }
})

test('a channel that turns to lies is found out once the old visits fade', () => {
  const fit = new TrustFit(PRIORS)
  for (const visit of log(400, 0.8, 0.95, 8)) fit.observe(visit)
  assert.ok(fit.weight(1) > 1.5, `${fit.weight(1)}`)
  for (const visit of log(400, 0.3, 0.05, 9)) {
    fit.fade(0.98)
    fit.observe(visit)
  }
  assert.ok(fit.weight(1) < 0.25, `${fit.weight(1)}`)
})

test('its state can be kept and taken up again, and a new channel starts at its prior', () => {
  const visits = log(60, 0.6, 0.6, 3)
  const whole = new TrustFit(PRIORS)
  for (const visit of visits) whole.observe(visit)
  const first = new TrustFit(PRIORS)
  for (const visit of visits.slice(0, 30)) first.observe(visit)
  const second = new TrustFit(PRIORS, JSON.parse(JSON.stringify(first.state)))
  for (const visit of visits.slice(30)) second.observe(visit)
  assert.deepEqual(second.state, whole.state)
  whole.grow(WEAK)
  assert.equal(whole.weight(2), WEAK.mean)
  whole.observe({ x: [0.1, 0, 1], changed: true })
  assert.ok(whole.weight(2) > WEAK.mean)
  whole.reset(2)
  assert.equal(whole.weight(2), WEAK.mean)
})

test('whatever is observed, the weights stay finite and inside their bounds', () => {
  const x = fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1e6, noNaN: true }), fc.nat(7))
  const visit = fc.record({ x: fc.tuple(x, x, x), changed: fc.boolean() })
  fc.assert(
    fc.property(fc.array(visit, { maxLength: 40 }), (visits) => {
      const fit = new TrustFit([...PRIORS, WEAK])
      for (const each of visits) fit.observe(each)
      for (const weight of [...fit.state.theta, ...fitTrust(visits, [...PRIORS, WEAK])]) {
        assert.ok(weight > 0 && weight <= MOST_WEIGHT, `${weight}`)
      }
    }),
  )
})
