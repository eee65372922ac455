import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { shareAtLeast } from './confidence.ts'

test('nineteen of twenty are more than four fifths, and nothing seen says nothing', () => {
  assert.ok(shareAtLeast(1, 20) < 0.05)
  assert.ok(shareAtLeast(19, 20) > 0.8)
  assert.equal(shareAtLeast(0, 0), 0)
})

test('the bound is below the share and draws nearer as more is seen', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0.1, max: 1e6, noNaN: true }),
      (share, of) => {
        const low = shareAtLeast(share * of, of)
        assert.ok(low >= 0 && low <= share + 1e-12)
        assert.ok(shareAtLeast(share * of * 4, of * 4) >= low - 1e-12)
      },
    ),
  )
})
