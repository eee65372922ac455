import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryAfter } from './retry-after.ts'

const now = Date.parse('2026-11-15T08:00:00Z')
const cases: [sentence: string, value: string | undefined, expected: number | undefined][] = [
  ['seconds count from now', '120', now + 120_000],
  ['an IMF date is taken as it is', 'Sun, 15 Nov 2026 08:05:00 GMT', now + 300_000],
  ['an RFC 850 date too', 'Sunday, 15-Nov-26 08:05:00 GMT', now + 300_000],
  ['a date in the past means now', 'Sun, 15 Nov 2020 08:05:00 GMT', now],
  ['a negative number says nothing', '-5', undefined],
  ['garbage says nothing', 'soon', undefined],
  ['a number with a unit says nothing', '10 minutes', undefined],
  ['a missing field says nothing', undefined, undefined],
  ['a thousand years is a number like any other; politeness cut it', '31536000000', now + 31536000000000],
]
for (const [sentence, value, expected] of cases) test(sentence, () => assert.equal(retryAfter(value, now), expected))
