import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { GrowingBytes } from './growing-bytes.ts'

test('what was appended comes back, in a buffer of exactly its size', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 5_000 }), { maxLength: 20 }),
      fc.nat(99_999),
      (chunks, expected) => {
        const bytes = new GrowingBytes()
        // Whatever a server promises.
        if (expected > 0) bytes.expect(expected)
        for (const chunk of chunks) bytes.append(chunk)
        const whole = Buffer.concat(chunks)
        assert.deepEqual(bytes.view, whole)
        assert.equal(bytes.size, whole.length)
        const taken = bytes.take()
        assert.deepEqual(Buffer.from(taken), whole)
        assert.equal(taken.buffer.byteLength, whole.length)
        assert.equal(bytes.size, 0)
      },
    ),
  )
})

test('a chunk is copied: whoever sent it may use its buffer again', () => {
  const bytes = new GrowingBytes()
  const chunk = Buffer.from('abc')
  bytes.append(chunk)
  chunk.fill(0)
  assert.equal(Buffer.from(bytes.take()).toString(), 'abc')
})
