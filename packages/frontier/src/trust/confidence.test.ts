import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { shareAtLeast, shareAtMost } from './confidence.ts'

test('one of twenty is hardly a fifth, and nothing seen says nothing', () => {
  assert.ok(shareAtLeast(1, 20) < 0.05 && shareAtMost(1, 20) < 0.2)
  assert.ok(shareAtLeast(19, 20) > 0.8)
  assert.deepEqual([shareAtLeast(0, 0), shareAtMost(0, 0)], [0, 1])
})

test('the bounds hold the share between them and draw together as more is seen', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0.1, max: 1e6, noNaN: true }),
      (share, of) => {
        const [low, high] = [shareAtLeast(share * of, of), shareAtMost(share * of, of)]
        assert.ok(low >= 0 && low <= share + 1e-12 && high >= share - 1e-12 && high <= 1)
        assert.ok(shareAtLeast(share * of * 4, of * 4) >= low - 1e-12)
      },
    ),
  )
})
