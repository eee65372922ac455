import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Leftovers, release } from './leftovers.ts'

test('what is released is gone at once; what is small, shared, or part of something larger is left alone', () => {
  const [whole, small] = [new Uint8Array(1 << 20), new Uint8Array(100)]
  const part = new Uint8Array(1 << 20).subarray(10)
  const shared = new Uint8Array(new SharedArrayBuffer(1 << 20))
  for (const bytes of [whole, small, part, shared]) release(bytes)
  assert.deepEqual(
    [whole, small, part, shared].map(({ length }) => length),
    [0, 100, (1 << 20) - 10, 1 << 20],
  )
})

test('what lies around outside the heap is cleared away when there is much of it', async () => {
  const leftovers = new Leftovers()
  await leftovers.clear()
  const before = process.memoryUsage().arrayBuffers
  const made = Array.from({ length: 30 }, () => new Uint8Array(1 << 20).length)
  await leftovers.clear()
  assert.equal(made.length, 30)
  assert.ok(process.memoryUsage().arrayBuffers < before + (10 << 20))
})
