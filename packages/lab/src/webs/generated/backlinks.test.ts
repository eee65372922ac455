import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { backlinksAt } from './backlinks.ts'

const rows: [least: number, share: number][] = [
  [1, 1],
  [2, 0.63],
  [3, 0.47],
  [10, 0.1],
  [100, 0.008],
]
for (const [least, share] of rows) {
  test(`a share of ${share} of the pages has at least ${least} backlinks, and no more`, () => {
    assert.ok(backlinksAt(share * 0.999) >= least)
    if (share < 1) assert.ok(backlinksAt(share * 1.001) < least)
  })
}

test('the better the rank, the more backlinks', () => {
  const share = fc.double({ min: 1e-7, max: 1, noNaN: true })
  fc.assert(fc.property(share, share, (a, b) => assert.ok(backlinksAt(Math.min(a, b)) >= backlinksAt(Math.max(a, b)))))
})
