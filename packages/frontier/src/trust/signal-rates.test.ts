import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '@comity/testbed'
import { SignalRates } from './signal-rates.ts'

/** Visits to pages of three kinds, announced with recall 0.6 and a tenth of a false signal a day. */
function visited(rates: SignalRates, visits: number, seed: number): void {
  const random = createRandom(seed)
  const poisson = (mean: number): number => {
    let [count, product] = [0, random.next()]
    for (const end = Math.exp(-mean); product > end; count++) product *= random.next()
    return count
  }
  for (let visit = 0; visit < visits; visit++) {
    const rate = [0.005, 0.05, 0.5][visit % 3]!
    const days = 0.5 + 4 * random.next()
    const [hidden, right, wrong] = [poisson(0.4 * rate * days), poisson(0.6 * rate * days), poisson(0.1 * days)]
    rates.visited(rate, days, right + wrong > 0 ? [['feed', right + wrong]] : [], hidden + right > 0)
  }
}

test('recall and false signals are found from visits that do not tell them apart', () => {
  const rates = new SignalRates()
  visited(rates, 6000, 3)
  assert.ok(Math.abs(rates.recall().guess - 0.6) < 0.05, JSON.stringify(rates.recall()))
  for (const rate of [0.005, 0.05, 0.5]) {
    const right = 1 - Math.exp(-rates.weightOf('feed', rate))
    assert.ok(Math.abs(right - (0.6 * rate) / (0.6 * rate + 0.1)) < 0.05, `${rate}: ${right}`)
  }
})

test('before anything is known a signal is right every other time, whatever the page', () => {
  for (const rate of [0.001, 0.1, 10]) {
    assert.ok(Math.abs(new SignalRates().weightOf('sitemap', rate) - Math.LN2) < 1e-9)
  }
})

test('what is sure of the recall grows with what was seen', () => {
  const [few, many] = [new SignalRates(), new SignalRates()]
  visited(few, 60, 1)
  visited(many, 3000, 1)
  assert.ok(few.recall().atLeast < many.recall().atLeast && many.recall().atLeast < many.recall().guess)
})

test('it can be kept, and what fades counts less beside what comes after', () => {
  const rates = new SignalRates()
  visited(rates, 300, 2)
  const copy = new SignalRates(JSON.parse(JSON.stringify(rates.state)))
  assert.deepEqual(copy.state, rates.state)
  copy.fade(0.01)
  for (let visit = 0; visit < 400; visit++)
    for (const each of [rates, copy]) each.visited(0.05, 1, [['feed', 1]], false)
  assert.ok(copy.weightOf('feed', 0.05) < 0.8 * rates.weightOf('feed', 0.05))
})
