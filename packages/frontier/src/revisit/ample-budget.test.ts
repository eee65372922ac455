import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ampleness, watchedRate } from './ample-budget.ts'

// oxfmt-ignore
const cases: [sentence: string, visitsPerChange: number, expected: number][] = [
  ['a budget that does not pay for every change is scarce', 0.5,      0],
  ['three visits a change are scarce',                      3,        0],
  ['between the two it is part of each',                    4.5,      0.5],
  ['six visits a change are ample',                         6,        1],
  ['where nothing changes any budget is ample',             Infinity, 1],
]
for (const [sentence, visitsPerChange, expected] of cases) {
  test(sentence, () => assert.equal(ampleness(visitsPerChange), expected))
}

test('the rate that is watched lies between hidden changes and all, and rises with the budget', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(share, share, share, (hidden, one, other) => {
      const [low, high] = [watchedRate(1, hidden, Math.min(one, other)), watchedRate(1, hidden, Math.max(one, other))]
      assert.ok(hidden <= low && low <= high && high <= 1 + 1e-12)
    }),
  )
})
