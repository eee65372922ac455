import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hourChart } from './hour-chart.ts'

const draw = (...given: Parameters<typeof hourChart>): string => hourChart(...given).source

test('hours without hits are drawn as none, and the newest stands at the right edge', () => {
  const drawn = draw([{ hour: 11, people: 10, robots: 5 }], 12, 3)
  assert.match(drawn, /class="line s0" d="M0\.0 100\.00L500\.0 0\.00L1000\.0 100\.00"/)
  assert.match(drawn, /class="line s1" d="M0\.0 100\.00L500\.0 50\.00L1000\.0 100\.00"/)
  assert.match(drawn, /at most 10 by people, 5 by robots; in the last hour 0 and 0\./)
  assert.match(drawn, /1970-01-01 10:00:00.+1970-01-01 13:00:00/s)
})

test('nothing at all, one hour, and what lies before the chart', () => {
  assert.match(draw([], 12, 1), /d="M0\.0 100\.00"/)
  assert.match(draw([{ hour: 2, people: 99, robots: 0 }], 12, 3), /at most 0 by people/)
  assert.doesNotMatch(draw([{ hour: 12, people: 7e9, robots: 1 }], 12, 3), /NaN|Infinity/)
})
