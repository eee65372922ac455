import assert from 'node:assert/strict'
import { test } from 'node:test'
import { grown } from './grown.ts'

test('a column that is long enough is left as it is', () => {
  const column = new Uint32Array(4)
  assert.equal(grown(column, 4), column)
})

test('one that is too short comes back of the same kind, twice as long or as long as is needed, with what was in it', () => {
  assert.deepEqual(grown(Uint8Array.of(1, 2), 3), Uint8Array.of(1, 2, 0, 0))
  assert.deepEqual(grown(Float64Array.of(0.5), 5), Float64Array.of(0.5, 0, 0, 0, 0))
  assert.deepEqual(grown(Uint8Array.of(1, 2), 3, 255), Uint8Array.of(1, 2, 255, 255))
})
