import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventsOf, periodCurves, staleness } from './period.ts'
import type { PageEvent, PeriodPlan } from './period.ts'

const DAY = 86_400_000
const plan: PeriodPlan = {
  process: 'at random',
  periodHours: [240, 24, 1],
  periodPages: 10,
  periodDays: 20,
  changesADay: 2,
  meanBytes: 2_000,
  editShare: 0.05,
  pushSeconds: 1,
  seed: 1,
}

test('as many changes a day as asked for, in order and within the time', () => {
  for (const process of ['at random', 'in bursts'] as const) {
    const events = eventsOf({ ...plan, process, periodDays: 2_000 })
    assert.ok(Math.abs(events.length / 4_000 - 1) < 0.1, `${process}: ${events.length}`)
    for (const [i, { at }] of events.entries()) assert.ok(i === 0 || at >= events[i - 1]!.at)
    assert.ok(events.at(-1)!.at < 2_000 * DAY)
  }
})

const cases: [sentence: string, events: readonly PageEvent[], freshness: number][] = [
  ['nothing changes, all is fresh', [], 1],
  ['a change at noon is stale until the poll at midnight', [{ at: DAY / 2, page: 0 }], 1 - 0.5 / 20],
  [
    'two changes of a page before a poll count once',
    [
      { at: DAY / 2, page: 0 },
      { at: DAY * 0.75, page: 0 },
    ],
    1 - 0.5 / 20,
  ],
  [
    'those of two pages count twice',
    [
      { at: DAY / 2, page: 0 },
      { at: DAY / 2, page: 1 },
    ],
    1 - 1 / 20,
  ],
]
for (const [sentence, events, freshness] of cases) {
  test(sentence, () => {
    const of = { periodPages: 2, periodDays: 10 }
    const found = staleness(events, of, (at) => Math.ceil(at / DAY) * DAY)
    assert.ok(Math.abs(found.freshness - freshness) < 1e-12, `${found.freshness}`)
  })
}

const curves = await periodCurves(plan)

test('the shorter the period, the fresher, the younger and the dearer', () => {
  for (const [i, now] of curves.periods.entries()) {
    const before = curves.periods[i - 1]
    if (before === undefined) continue
    assert.ok(now.freshness > before.freshness && now.ageHours < before.ageHours)
    for (const name of Object.keys(now.bytes)) assert.ok(now.bytes[name]! > before.bytes[name]!, name)
  }
  assert.deepEqual(
    curves.periods.map(({ polls }) => polls),
    [2, 20, 480],
  )
})

test('push is fresher than any period, for a price that no period has', () => {
  const { push, periods } = curves
  assert.ok(push.freshness > periods.at(-1)!.freshness && push.freshness < 1)
  assert.ok(push.bytes['differences, sent']! < push.bytes['pages, sent']!)
  assert.ok(push.bytes['differences, sent']! < periods.at(-1)!.bytes['filter, differences']!)
})

test('the same seed gives the same curves', async () => assert.deepEqual(await periodCurves(plan), curves))
