import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ByteQueue } from './byte-queue.ts'

test('a queue holds what was pushed and not dropped, however it came', () => {
  const steps = fc.array(fc.oneof(fc.uint8Array({ maxLength: 9 }), fc.nat(20)))
  const property = fc.property(steps, fc.boolean(), (list, look) => {
    const queue = new ByteQueue()
    let expected: number[] = []
    for (const step of list) {
      if (typeof step === 'number') queue.drop(step)
      else queue.push(step)
      expected = typeof step === 'number' ? expected.slice(step) : [...expected, ...step]
      if (look) assert.deepEqual([...queue.bytes()], expected)
      assert.equal(queue.size, expected.length)
    }
    assert.deepEqual([...queue.bytes()], expected)
  })
  fc.assert(property)
})
