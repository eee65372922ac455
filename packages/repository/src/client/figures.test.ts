import assert from 'node:assert/strict'
import { test } from 'node:test'
import { counted, formatBytes, formatDuration, formatRate, formatShare } from './figures.js'

const cases: [shown: string, expected: string][] = [
  [counted(1, 'page'), '1 page'],
  [counted(1_234, 'page'), '1,234 pages'],
  [formatBytes(1), '1 byte'],
  [formatBytes(999_600), '1 MB'],
  [formatBytes(12_345_678), '12.3 MB'],
  [formatDuration(85), '85 ms'],
  [formatDuration(12_340), '12.3 s'],
  [formatDuration(240_000), '4 min'],
  [formatDuration(7_500_000), '2 h 5 min'],
  [formatDuration(266_400_000), '3 days 2 h'],
  [formatRate(0), '0'],
  [formatRate(0.066), '0.07'],
  [formatRate(1_200.4), '1,200'],
  [formatShare(0), '0 %'],
  [formatShare(0.3712), '37 %'],
  [formatShare(0.042), '4.2 %'],
  [formatShare(0.000314), '0.03 %'],
  [formatShare(0.0000001), '< 0.01 %'],
]
for (const [shown, expected] of cases) test(`${expected} is how it reads`, () => assert.equal(shown, expected))
