// Runs alone: all that share a process with what it holds would pay for it at every collection of garbage.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { stalenessOf } from './freshness.ts'
import type { Staleness } from './freshness.ts'
import { pollTimes } from './run.ts'
import { DAY_MS } from '../../cooperating/year.ts'
import type { Year, YearEvent } from '../../cooperating/year.ts'

const DAYS = 16
const event = (day: number, path: string, content: string | undefined): YearEvent => ({
  at: day * DAY_MS,
  path,
  content,
})
const yearOf = (events: readonly YearEvent[]): Year => ({
  name: 'made',
  folder: '',
  from: 0,
  until: DAYS * DAY_MS,
  present: ['/a', '/b'].map((path) => ({ at: 0, path, content: 'first' })),
  events: events.toSorted((a, b) => a.at - b.at),
})
const staleness = (events: readonly YearEvent[], everyDays: number): Staleness => {
  const year = yearOf(events)
  return stalenessOf(year, pollTimes(year, everyDays))
}
const freshness = (events: readonly YearEvent[], everyDays: number): number => 1 - staleness(events, everyDays).stale

// oxfmt-ignore
const cases: [sentence: string, events: YearEvent[], everyDays: number, expected: number][] = [
  ['nothing changes, everything is fresh',                     [],                                            8, 1],
  ['one of two pages is old from its change to the next poll', [event(4, '/a', 'x')],                         8, 1 - (4 / 16) / 2],
  ['a change at a poll is not missed',                         [event(8, '/a', 'x')],                         8, 1],
  ['a page that is as it was is fresh again',                  [event(2, '/a', 'x'), event(4, '/a', 'first')], 8, 1 - (2 / 16) / 2],
  ['a page that nobody knows of counts as old',                [event(4, '/c', 'x')],                         8, 1 - (4 / 16) / 3],
  ['so does one that is gone and still held',                  [event(4, '/a', undefined)],                   8, 1 - (4 / 16) / 2],
  ['after the last poll a change stays unseen',                [event(12, '/a', 'x')],                       10, 1 - (4 / 16) / 2],
]
for (const [sentence, events, everyDays, expected] of cases) {
  test(sentence, () =>
    assert.ok(Math.abs(freshness(events, everyDays) - expected) < 1e-9, String(freshness(events, everyDays))),
  )
}

// oxfmt-ignore
const ages: [sentence: string, events: YearEvent[], everyDays: number, days: number][] = [
  ['nothing changes, nothing is old',                          [],                                               8, 0],
  ['a page is as old as its first change that is not seen',    [event(4, '/a', 'x'), event(6, '/a', 'y')],       8, (4 ** 2 / 2) / 16 / 2],
  ['one that is as it was is not old',                         [event(2, '/a', 'x'), event(4, '/a', 'first')],   8, (2 ** 2 / 2) / 16 / 2],
  ['ages of two pages add up',                                 [event(4, '/a', 'x'), event(6, '/b', 'x')],       8, (4 ** 2 + 2 ** 2) / 2 / 16 / 2],
  ['after the last poll a page gets older to the end',         [event(12, '/a', 'x')],                          10, (4 ** 2 / 2) / 16 / 2],
]
for (const [sentence, events, everyDays, days] of ages) {
  test(`age: ${sentence}`, () => {
    const { ageMs } = staleness(events, everyDays)
    assert.ok(Math.abs(ageMs / DAY_MS - days) < 1e-9, String(ageMs / DAY_MS))
  })
}

test('who is told at once is stale for as long as that takes', () => {
  const year = yearOf([event(4, '/a', 'x'), event(9, '/b', 'y')])
  const { stale, ageMs } = stalenessOf(
    year,
    [4, 9].map((day) => day * DAY_MS + 1_000),
  )
  assert.ok(Math.abs(stale * 2 * DAYS * DAY_MS - 2_000) < 1e-3)
  assert.ok(Math.abs(ageMs * 2 * DAYS * DAY_MS - 1_000 ** 2) < 1)
})

test('whoever polls at the same moments and at others between them is never less fresh, if nothing comes or goes', () => {
  // Contents that never come back, for then a copy cannot become right by waiting.
  const changes = fc
    .array(fc.record({ at: fc.integer({ min: 1, max: DAYS * DAY_MS }), path: fc.constantFrom('/a', '/b') }))
    .map((events) => events.map((one, i) => ({ ...one, content: `version ${i}` })))
  fc.assert(
    fc.property(changes, (events) => {
      const rates = [8, 4, 2, 1].map((days) => freshness(events, days))
      for (const [i, rate] of rates.entries()) {
        assert.ok(rate >= 0 && rate <= 1 + 1e-9)
        assert.ok(rate + 1e-9 >= (rates[i - 1] ?? 0), rates.join(' '))
      }
    }),
  )
})
