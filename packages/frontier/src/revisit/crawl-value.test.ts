import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '@comity/testbed'
import fc from 'fast-check'
import { noisyValue, visitCycle } from '../testing/noisy-value.ts'
import type { NoisyPage } from '../testing/noisy-value.ts'
import { expectedValue, moreThan, chanceOfTwoChanges, suspicionWorth, valuePerCost } from './crawl-value.ts'

const near = (got: number, wanted: number, share: number): void =>
  assert.ok(Math.abs(got - wanted) <= share * Math.abs(wanted) + 1e-12, `${got} instead of ${wanted}`)

const pages: NoisyPage[] = [
  { importance: 1, changeRate: 1, recall: 0.6, falseRate: 0.3 },
  { importance: 1, changeRate: 0.2, recall: 0.9, falseRate: 0.01 },
  { importance: 1, changeRate: 2, recall: 0.3, falseRate: 3 },
  { importance: 2, changeRate: 0.5, recall: 0.5, falseRate: 0.5 },
  { importance: 1, changeRate: 0.05, recall: 0.85, falseRate: 1 },
]

/** Visit cycles one by one: hidden changes, true and false signals, and a visit when the threshold is reached. */
function simulate(page: NoisyPage, threshold: number): { days: number; fresh: number } {
  const random = createRandom(5)
  const { changeRate, recall, falseRate } = page
  const hidden = (1 - recall) * changeRate
  const signals = recall * changeRate + falseRate
  const perSignal = -Math.log(falseRate / signals) / hidden
  const rounds = 50_000
  let [days, fresh] = [0, 0]
  for (let round = 0; round < rounds; round++) {
    let [t, n] = [0, 0]
    let changedAt = -Math.log(1 - random.next()) / hidden
    for (;;) {
      const next = t - Math.log(1 - random.next()) / signals
      const end = threshold - n * perSignal
      if (next >= end) {
        t = Math.max(t, end)
        break
      }
      t = next
      n++
      if (random.next() >= falseRate / signals) changedAt = Math.min(changedAt, t)
    }
    days += t
    fresh += Math.min(t, changedAt)
  }
  return { days: days / rounds, fresh: fresh / rounds }
}

for (const page of pages) {
  const name = `rate ${page.changeRate}, recall ${page.recall}, ${page.falseRate} false signals a day`
  test(`${name}: the length of a cycle and its fresh part are what a simulation shows`, () => {
    for (const threshold of [0.7 / page.changeRate, 2.5 / page.changeRate]) {
      const [formula, simulated] = [visitCycle(page, threshold), simulate(page, threshold)]
      near(formula.days, simulated.days, 0.02)
      near(formula.fresh, simulated.fresh, 0.02)
    }
  })

  test(`${name}: a longer cycle adds fresh time with the probability of still being fresh at its end`, () => {
    const hidden = (1 - page.recall) * page.changeRate
    for (const at of [0.4, 1.1, 3]) {
      const step = 1e-5
      const [before, after] = [visitCycle(page, at - step), visitCycle(page, at + step)]
      near((after.fresh - before.fresh) / (after.days - before.days), Math.exp(-hidden * at), 1e-4)
    }
  })

  test(`${name}: value rises with days and with signals, up to importance over rate`, () => {
    const most = page.importance / page.changeRate
    let before = 0
    for (let days = 0.1; days < 20; days += 0.7) {
      const value = noisyValue(page, days, 0)
      assert.ok(value > before - 1e-12 && value <= most + 1e-9)
      assert.ok(noisyValue(page, days, 1) >= value && noisyValue(page, days, 2) >= noisyValue(page, days, 1))
      before = value
    }
    near(noisyValue(page, 20 / ((1 - page.recall) * page.changeRate), 0), most, 1e-4)
  })
}

test('the special cases are the limits of the general formula', () => {
  const base = { importance: 1.5, changeRate: 0.8 }
  const days = 1.3
  near(noisyValue({ ...base, recall: 0, falseRate: 0 }, days, 0), expectedValue(1.5, 0.8, 0.8 * days), 1e-12)
  near(noisyValue({ ...base, recall: 0, falseRate: 2 }, days, 3), expectedValue(1.5, 0.8, 0.8 * days), 1e-12)
  for (const n of [0, 1, 2]) {
    const noiseless = noisyValue({ ...base, recall: 0.6, falseRate: 0 }, days, n)
    near(noiseless, noisyValue({ ...base, recall: 0.6, falseRate: 1e-9 }, days, n), 1e-3)
    const complete = noisyValue({ ...base, recall: 1, falseRate: 0.7 }, days, n)
    const almost = noisyValue({ ...base, recall: 1 - 1e-9, falseRate: 0.7 }, days, n)
    assert.ok(Math.abs(complete - almost) < 1e-6, `${complete} ${almost}`)
  }
  near(noisyValue({ ...base, recall: 1e-9, falseRate: 0.5 }, days, 0), expectedValue(1.5, 0.8, 0.8 * days), 1e-3)
  assert.equal(noisyValue({ importance: 1, changeRate: 0, recall: 0.5, falseRate: 1 }, 5, 2), 0)
})

test('the stand-in formula is exact without signals and orders pages much as the exact one does', () => {
  const rows = pages.flatMap((page) =>
    [0.3, 1, 3, 8].flatMap((days) =>
      [0, 1, 2].map((n) => {
        const signals = page.recall * page.changeRate + page.falseRate
        const x = (1 - page.recall) * page.changeRate * days - n * Math.log(page.falseRate / signals)
        return [noisyValue(page, days, n), expectedValue(page.importance, page.changeRate, x)] as const
      }),
    ),
  )
  let [agree, pairs] = [0, 0]
  for (const [exact, plain] of rows) {
    for (const [otherExact, otherPlain] of rows) {
      if (exact >= otherExact) continue
      pairs++
      if (plain < otherPlain) agree++
    }
  }
  assert.ok(agree / pairs > 0.9, `${agree / pairs}`)
})

test('value per cost rises with suspicion whatever the costs, and its inverse is found', () => {
  const positive = fc.double({ min: 1e-3, max: 1e3, noNaN: true })
  fc.assert(
    fc.property(positive, positive, positive, positive, fc.double({ min: 0.01, max: 12, noNaN: true }), (...given) => {
      const [importance, rate, request, body, x] = given
      const price = valuePerCost(importance, rate, x, request, body)
      assert.ok(valuePerCost(importance, rate, x * 1.01, request, body) > price)
      near(suspicionWorth(price, importance, rate, request, body), x, 1e-3)
    }),
  )
  assert.equal(suspicionWorth(2, 1, 1, 1, 0), Infinity)
})

test('its parts are what they are called', () => {
  near(chanceOfTwoChanges(0.000_999), chanceOfTwoChanges(0.001_001), 0.005)
  near(chanceOfTwoChanges(1e-4), 1e-8 / 2 - 1e-12 / 3, 1e-9)
  near(moreThan(0, 2), 1 - Math.exp(-2), 1e-12)
  near(moreThan(1, 2), 1 - 3 * Math.exp(-2), 1e-12)
  near(moreThan(5, 0.01), (0.01 ** 6 / 720) * Math.exp(-0.01) * (1 + 0.01 / 7), 1e-6)
  near(moreThan(100, 1000), 1, 1e-12)
})
