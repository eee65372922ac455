import assert from 'node:assert/strict'
import { test } from 'node:test'
import { breakEvenDefaults, breakEvenSettings } from './settings.ts'
import type { BreakEvenSettings } from './settings.ts'

test('nothing given, all defaults', () => assert.deepEqual(breakEvenSettings(), breakEvenDefaults))

const wrong: [given: Partial<BreakEvenSettings>, words: RegExp][] = [
  [{ sitePages: [] }, /sitePages is a list of one to 20 numbers/],
  [{ sitePages: [100, 10] }, /sitePages has to be in rising order/],
  [{ sitePages: [10.5] }, /sitePages has 10.5; give whole numbers from 1 to 100000/],
  [{ changedShares: [0.5, 1.5] }, /changedShares has 1.5; give numbers from 0 to 1/],
  [{ periodHours: [1, 24] }, /periodHours has to be in falling order/],
  [{ pushChanges: [1, 50], pushPages: 20 }, /pushChanges has 50, more than the 20 of pushPages/],
  [{ viewUsd: 0.001 }, /raise viewUsd/],
  [{ changesADay: 50_000, periodDays: 40 }, /more than 100000/],
  [{ seed: 0.5 }, /seed is 0.5/],
  [{ editShare: 2 }, /editShare is 2; give 0 to 1/],
  [{ deltaPages: 0 }, /deltaPages is 0; give 1 to 1000/],
]
for (const [given, words] of wrong)
  test(`${JSON.stringify(given)} is refused with what to give`, () =>
    assert.throws(
      () => breakEvenSettings(given),
      (error: unknown) => error instanceof RangeError && words.test(error.message),
    ))

test('a setting that there is not is named with those there are', () => {
  const given: Record<string, unknown> = { sites: 1 }
  assert.throws(() => breakEvenSettings(given), /there is no setting sites; it has seed, /)
})
