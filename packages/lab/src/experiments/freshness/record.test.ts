import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FreshnessRecord } from './record.ts'
import { DAY_MS } from '../../webs/history-window.ts'

const store = (importance: readonly number[], fromDay = 0): FreshnessRecord =>
  new FreshnessRecord(Float64Array.from(importance), fromDay * DAY_MS)

test('a copy that is never outdated is fresh all the time and has no age', () => {
  const figures = store([1, 3]).close(10 * DAY_MS)
  assert.deepEqual(figures, { freshness: 1, plainFreshness: 1, ageDays: 0, plainAgeDays: 0 })
})

test('time counts from the first change on, by importance', () => {
  const one = store([1, 3])
  one.changed(1, 2 * DAY_MS)
  one.changed(1, 5 * DAY_MS)
  assert.equal(one.visited(1, 6 * DAY_MS), true)
  assert.equal(one.visited(1, 7 * DAY_MS), false)
  const { freshness, plainFreshness, ageDays, plainAgeDays } = one.close(10 * DAY_MS)
  // Four days of ten, at three parts of four; its age went from 0 to 4 days.
  assert.equal(freshness, 1 - (3 * 4) / (4 * 10))
  assert.equal(plainFreshness, 1 - 4 / 20)
  assert.equal(ageDays, (3 * 8) / 40)
  assert.equal(plainAgeDays, 8 / 20)
})

test('of days before the beginning only the age is taken along', () => {
  const one = store([1], 4)
  one.changed(0, 2 * DAY_MS)
  one.visited(0, 6 * DAY_MS)
  const { freshness, ageDays } = one.close(8 * DAY_MS)
  assert.equal(freshness, 1 - 2 / 4)
  // From two days old to four: (16 − 4) / 2 over four days.
  assert.equal(ageDays, 6 / 4)
})

test('a copy that is still outdated at the end counts, and the last change is known', () => {
  const one = store([1])
  assert.equal(one.changedAt(0), undefined)
  one.changed(0, 9 * DAY_MS)
  assert.equal(one.changedAt(0), 9 * DAY_MS)
  assert.equal(one.close(10 * DAY_MS).freshness, 0.9)
})
