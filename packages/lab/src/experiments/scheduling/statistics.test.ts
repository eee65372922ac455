import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Correlation, area, distance, leadsUntil, rankAtShare, valueAt } from './statistics.ts'
import type { Curve } from '../../simulate/record.ts'

const straight: Curve = { pages: [0, 50, 100], timeMs: [0, 10, 1_000], rank: [0, 0.5, 1] }
const early: Curve = { pages: [0, 50, 100], timeMs: [0, 10, 1_000], rank: [0, 0.9, 1] }

const values: [sentence: string, found: number, expected: number][] = [
  ['a value lies on the line between two points', valueAt(straight, 'pages', 75, 'timeMs'), 505],
  ['past the end is the end', valueAt(straight, 'timeMs', 5_000, 'pages'), 100],
  ['at the start is the start', valueAt(straight, 'timeMs', 0, 'rank'), 0],
  ['a share of pages stands for so many of them', rankAtShare(early, 0.25), 0.45],
  ['the area under a straight line is a half', area(straight), 0.5],
  ['the area under an early one is more', area(early), 0.7],
  ['a curve is as far from itself as nothing', distance(early, early), 0],
  ['who leads to the end is overtaken at 1', leadsUntil(early, [straight], 0.001), 1],
]
for (const [sentence, found, expected] of values) {
  test(sentence, () => assert.ok(Math.abs(found - expected) < 1e-9, `${found}, not ${expected}`))
}

test('a curve is overtaken where another passes it by more than the margin', () => {
  const late: Curve = { ...straight, pages: [0, 80, 90, 100], rank: [0, 0.7, 1, 1] }
  const first: Curve = { ...straight, pages: [0, 80, 100], rank: [0, 0.9, 1] }
  const at = leadsUntil(first, [straight, late], 0.001)
  assert.ok(at > 0.85 && at < 0.9, String(at))
})

test('correlations are those of the textbook', () => {
  const pairs: [expected: number, pairs: [number, number][]][] = [
    [
      1,
      [
        [1, 2],
        [2, 4],
        [3, 6],
      ],
    ],
    [
      -1,
      [
        [1, 3],
        [2, 2],
        [3, 1],
      ],
    ],
    [
      0,
      [
        [1, 1],
        [2, 2],
        [3, 1],
      ],
    ],
    [
      NaN,
      [
        [1, 1],
        [1, 2],
      ],
    ],
  ]
  for (const [expected, list] of pairs) {
    const correlation = new Correlation()
    for (const [x, y] of list) correlation.add(x, y)
    if (Number.isNaN(expected)) assert.ok(Number.isNaN(correlation.value))
    else assert.ok(Math.abs(correlation.value - expected) < 1e-12)
  }
})
