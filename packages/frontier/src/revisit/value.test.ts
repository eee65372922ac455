import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { noisyValue } from '../testing/noisy-value.ts'
import { expectedValue } from './crawl-value.ts'
import { announcedValue, announcedValuePerCost, announcedWorth } from './value.ts'
import type { ValuedPage } from './value.ts'

const anyPage: fc.Arbitrary<ValuedPage> = fc
  .record({
    importance: fc.double({ min: 0.1, max: 10, noNaN: true }),
    changeRate: fc.double({ min: 0.001, max: 5, noNaN: true }),
    recall: fc.double({ min: 0, max: 0.98, noNaN: true }),
    falsePerRight: fc.double({ min: 0, max: 30, noNaN: true }),
  })
  .map(({ importance, changeRate, recall, falsePerRight }) => ({
    importance,
    changeRate,
    hiddenRate: (1 - recall) * changeRate,
    signalRate: recall * changeRate * (1 + falsePerRight),
  }))
const anySuspicion = fc.double({ min: 1e-6, max: 30, noNaN: true })

// oxfmt-ignore
const exact: [sentence: string, recall: number, falseRate: number, days: number, signals: number][] = [
  ['after ten quiet days at an honest site', 0.9, 0.01, 10, 0],
  ['after a hundred quiet days',             0.9, 0.01, 100, 0],
  ['after a signal at an honest site',       0.9, 0.01, 10, 1],
  ['after two signals at a stale one',       0.5, 0.04, 5, 2],
]
for (const [sentence, recall, falseRate, days, signals] of exact) {
  test(`${sentence} the value is that of the exact sums`, () => {
    const changeRate = 0.1
    const page = { importance: 2, changeRate, recall, falseRate }
    const signalRate = recall * changeRate + falseRate
    const hiddenRate = (1 - recall) * changeRate
    const x = hiddenRate * days - signals * Math.log(falseRate / signalRate)
    const ours = announcedValue({ importance: 2, changeRate, hiddenRate, signalRate }, x)
    const theirs = noisyValue(page, days, signals)
    assert.ok(Math.abs(ours / theirs - 1) < 1e-6, `${ours} is not ${theirs}`)
  })
}

test('at a site that announces nine of ten changes, looking for the tenth is worth ten times what the plain formula says', () => {
  const page = { importance: 1, changeRate: 0.1, hiddenRate: 0.01, signalRate: 0.09 }
  const x = 0.001
  const times = announcedValue(page, x) / expectedValue(1, 0.1, x)
  assert.ok(times > 9 && times < 11, `${times}`)
})

test('without signals, or with such that say nothing, it is the plain formula', () => {
  for (const signalRate of [0, 50])
    assert.equal(
      announcedValue({ importance: 3, changeRate: 0.2, hiddenRate: 0.1, signalRate }, 0.7),
      expectedValue(3, 0.2, 0.7),
    )
})

test('value rises with suspicion and never passes what a visit to an outdated page is worth', () => {
  fc.assert(
    fc.property(anyPage, anySuspicion, anySuspicion, (page, a, b) => {
      const [less, more] = [announcedValue(page, Math.min(a, b)), announcedValue(page, Math.max(a, b))]
      const most = page.importance / page.changeRate
      assert.ok(less <= more + 1e-9 * most && more <= most * (1 + 1e-9) && less >= 0, `${less} ${more} ${most}`)
    }),
  )
})

test('a page is due when its visit is worth the price, to a thousandth', () => {
  fc.assert(
    fc.property(anyPage, anySuspicion, fc.nat(100), (page, x, bodyCost) => {
      const price = announcedValuePerCost(page, x, 1, bodyCost)
      const due = announcedWorth(price, page, 1, bodyCost)
      // Where the value has come to its top, no price tells one suspicion from another.
      const isAtTop = price > announcedValuePerCost(page, 40, 1, bodyCost) * (1 - 1e-6)
      assert.ok(isAtTop || (due <= x * 1.001 && announcedValuePerCost(page, due, 1, bodyCost) >= price * 0.999))
    }),
  )
})

test('a price that no suspicion reaches is never due', () => {
  const page = { importance: 1, changeRate: 2, hiddenRate: 1, signalRate: 1.5 }
  assert.equal(announcedWorth(0.6, page, 1, 0), Infinity)
})
