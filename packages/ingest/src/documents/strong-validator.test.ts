/** Validators that tell two versions apart for certain. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HeaderList } from '@comity/protocol'
import { isStrongDate, strongValidator } from './strong-validator.ts'

const T = Date.parse('2026-01-01T00:00:10Z')
const AT_10 = 'Thu, 01 Jan 2026 00:00:10 GMT'
const AT_11 = 'Thu, 01 Jan 2026 00:00:11 GMT'

test('a date is strong when the answer was made in a later second, by the clock that made both', () => {
  for (const [what, servedAt, isStrong] of [
    ['within the second', T, false],
    ['within it, told more exactly', T + 999, false],
    ['a second later', T + 1_000, true],
    ['a clock that was put back', T - 5_000, false],
    ['no clock, and just received', undefined, false],
  ] as const)
    assert.equal(isStrongDate(AT_10, servedAt, T + 2_000), isStrong, what)
  assert.equal(isStrongDate(AT_10, undefined, T + 61_000), true)
})

test('what is no date is no validator', () => {
  for (const said of ['', 'yesterday', '0']) assert.equal(isStrongDate(said, Date.parse('2000-01-01'), 0), false, said)
})

test('a part of a file is known by an entity tag or a date, where those are strong', () => {
  // oxfmt-ignore
  const cases: readonly (readonly [HeaderList, string | undefined])[] = [
    [[['ETag', '"a"'], ['Last-Modified', AT_10], ['Date', AT_10]], '"a"'],
    [[['ETag', 'W/"a"'], ['Last-Modified', AT_10], ['Date', AT_11]], undefined],
    [[['Last-Modified', AT_10], ['Date', AT_11]], AT_10],
    [[['Last-Modified', AT_10], ['Date', AT_10]], undefined],
    [[['Last-Modified', 'x'.repeat(101)], ['Date', AT_10]], undefined],
    [[], undefined],
  ]
  for (const [headers, validator] of cases)
    assert.equal(strongValidator(headers, T), validator, JSON.stringify(headers))
})
