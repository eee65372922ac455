// Runs alone: all that share a process with what it holds would pay for it at every collection of garbage.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Prices } from './price.ts'
import { networkBytes, nothing, pollTimes } from './run.ts'
import type { SchemeRun } from './run.ts'
import { schemeForm } from './table.ts'
import { DAY_MS } from '../../cooperating/year.ts'
import type { Year } from '../../cooperating/year.ts'

const DAYS = 28
const year: Year = {
  name: 'made',
  folder: '',
  from: 0,
  until: DAYS * DAY_MS,
  present: ['/a', '/b'].map((path) => ({ at: 0, path, content: 'first' })),
  // At no whole minute, at which polls come.
  events: [3.51234, 10.26789, 17.75678].map((day, i) => ({
    at: Math.round(day * DAY_MS),
    path: '/a',
    content: `${i}`,
  })),
}
const prices = new Prices(year)

const runOf = (id: string, everyDays: number, bytes: number, idle: number): SchemeRun => {
  const synced = everyDays === 0 ? year.events.map(({ at }) => at + 1_000) : pollTimes(year, everyDays)
  return {
    form: schemeForm(id),
    everyDays,
    polls: synced.length,
    first: nothing,
    year: { ...nothing, received: bytes },
    idle: { ...nothing, received: idle, serverMs: 1 },
    synced,
    compared: 0,
  }
}
const bytesAt = (runs: readonly SchemeRun[], days: number): number | undefined => {
  const cost = prices.costAt(runs, days)
  return cost === undefined ? undefined : networkBytes(cost)
}

const polled = [runOf('archives', 14, 1_000, 10), runOf('archives', 1, 1_500, 10)]

// oxfmt-ignore
const cases: [sentence: string, runs: SchemeRun[], days: number, expected: number | undefined][] = [
  ['what was measured is as measured',                           polled,                              14,     1_000],
  ['also more often',                                            polled,                              1,      1_500],
  ['between, polls that find nothing are added to the longer',   polled,                              7,      1_000 + 2 * 10],
  ['and beyond the shortest to that',                            polled,                              1 / 24, 1_500 + (28 * 24 - 28) * 10],
  ['what is sent at once costs the same, however often others',  [runOf('push-pages', 0, 700, 0)],    1 / 24, 700],
  ['an entire site costs as much each time it is sent',          [runOf('push-site', 14, 800, 0)],    1,      28 * 400],
]
for (const [sentence, runs, days, expected] of cases) {
  test(`price: ${sentence}`, () => assert.equal(bytesAt(runs, days), expected))
}

test('what is sent later than polls come has no price at that freshness', () => {
  const late = { ...runOf('push-batches', 0, 700, 0), synced: year.events.map(({ at }) => at + DAY_MS) }
  assert.equal(bytesAt([late], 1 / 24), undefined)
  assert.equal(bytesAt([late], 14), 700)
})

test('for so many bytes one may come as often as polls that find nothing are paid for', () => {
  assert.equal(prices.daysFor(polled, 1_500 + 28 * 10), 0.5)
  assert.equal(prices.daysFor([polled[0]!], 1_000), 14)
})

test('however little a poll sends, it is not had more often than it takes time', () => {
  const busy = { ...runOf('agent-index', 14, 100, 0), idle: { ...nothing, serverMs: DAY_MS / 2 } }
  assert.equal(prices.daysFor([busy], 1_000_000), 0.5)
})

test('who takes more than there is comes less often', () => {
  assert.equal(prices.daysFor([polled[0]!], 500), 28)
})

test('the shorter the period, the less is stale, down to periods that are not gone through one by one', () => {
  const rates = [14, 7, 1, 1 / 24, 1 / 1_440, 1 / 86_400].map((days) => prices.polled(days).stale)
  for (const [i, rate] of rates.entries()) assert.ok(i === 0 || rate < rates[i - 1]!, rates.join(' '))
})
