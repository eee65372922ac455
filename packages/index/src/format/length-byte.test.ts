import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { MAX_POSITION } from '../document.ts'
import { LENGTHS, lengthByte } from './length-byte.ts'

test('short pages have their exact length', () => {
  for (let words = 0; words <= 20; words++) assert.equal(LENGTHS[lengthByte(words)], words)
})

test('lengths rise with their byte and go beyond the longest page', () => {
  for (let byte = 1; byte < 256; byte++) assert.ok((LENGTHS[byte] as number) > (LENGTHS[byte - 1] as number))
  assert.ok((LENGTHS[255] as number) > MAX_POSITION)
})

test('a length is rounded down, by a twentieth at most', () => {
  fc.assert(
    fc.property(fc.nat({ max: MAX_POSITION }), (words) => {
      const length = LENGTHS[lengthByte(words)] as number
      assert.ok(length <= words && words < length * 1.05 + 1)
    }),
  )
})
