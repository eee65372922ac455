import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { MAX_OUTDATED, newsRate, paced, pollPeriodMs } from './poll-period.ts'
import type { NewsPace } from './poll-period.ts'
import { HEAD_BYTES } from '../request-price.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const terms = { maxOutdated: MAX_OUTDATED, minMs: MINUTE, maxMs: DAY }

/** Looks every `everyMs` at a site of which every `nth` brings news. */
function paceOf(looks: number, everyMs: number, nth: number): NewsPace | undefined {
  let pace: NewsPace | undefined
  for (let poll = 1; poll <= looks; poll++) pace = paced(pace, everyMs, poll % nth === 0)
  return pace
}

const cases: [sentence: string, pace: NewsPace | undefined, idleBytes: number, from: number, to: number][] = [
  ['an unknown site is asked a few times a day', undefined, HEAD_BYTES, DAY / 6, DAY / 4],
  ['one that always has news is asked as often as it may be', paceOf(40, MINUTE, 1), HEAD_BYTES, MINUTE, MINUTE],
  [
    'one that has news once an hour is asked every quarter of an hour',
    paceOf(60, DAY / 96, 4),
    HEAD_BYTES,
    DAY / 130,
    DAY / 80,
  ],
  ['one that never has any is asked once a day', paceOf(60, DAY, 1_000), HEAD_BYTES, DAY, DAY],
  [
    'where a poll costs a hundred times as much, more is put up with',
    paceOf(60, DAY / 96, 4),
    100 * HEAD_BYTES,
    DAY / 20,
    DAY / 8,
  ],
]
for (const [sentence, pace, idleBytes, from, to] of cases) {
  test(sentence, () => {
    const period = pollPeriodMs(pace, idleBytes, terms)
    assert.ok(period >= from && period <= to, `${period / MINUTE} minutes`)
  })
}

test('at the period the probability of news is what is put up with', () => {
  const pace = paceOf(200, DAY / 96, 4)
  const period = pollPeriodMs(pace, HEAD_BYTES, terms)
  assert.ok(Math.abs(1 - Math.exp(-newsRate(pace, DAY) * period) - MAX_OUTDATED) < 1e-9)
})

test('the rate is found again, whatever the interval, unless every poll has news', () => {
  for (const hours of [1, 4, 12]) {
    let [pace, seed]: [NewsPace | undefined, number] = [undefined, 1]
    const rates: number[] = []
    for (let poll = 0; poll < 4_000; poll++) {
      // Park and Miller's minimal standard generator.
      seed = (seed * 48_271) % 2_147_483_647
      pace = paced(pace, hours * 3_600_000, seed / 2_147_483_647 < 1 - Math.exp(-hours / 12))
      if (poll > 100) rates.push(newsRate(pace, DAY) * 12 * 3_600_000)
    }
    const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length
    assert.ok(mean > 0.8 && mean < 1.25, `${hours} h: ${mean} of what it is`)
  }
})

test('a period lies between its limits, and shrinks with news and grows with costs', () => {
  const poll = fc.record({ ms: fc.integer({ min: 0, max: 10 * DAY }), hadNews: fc.boolean() })
  fc.assert(
    fc.property(fc.array(poll, { maxLength: 60 }), fc.integer({ min: 0, max: 1e8 }), (looks, bytes) => {
      const pace = looks.reduce<NewsPace | undefined>((sum, { ms, hadNews }) => paced(sum, ms, hadNews), undefined)
      const period = pollPeriodMs(pace, bytes, terms)
      assert.ok(period >= MINUTE && period <= DAY)
      assert.ok(pollPeriodMs(pace, bytes * 2, terms) >= period)
      assert.ok(newsRate(paced(pace, MINUTE, true), DAY) >= newsRate(paced(pace, MINUTE, false), DAY))
    }),
  )
})
