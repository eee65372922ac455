import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { CollectionError } from '../errors.ts'
import { NO_PARENT, encodeTexts, textAt, textsOf } from './page-texts.ts'
import type { PageText } from './page-texts.ts'

const unit = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code))
const text: fc.Arbitrary<PageText> = fc
  .tuple(fc.nat(0xffffffff), fc.string({ unit, maxLength: 80 }), fc.oneof(fc.nat(1e9), fc.constant(NO_PARENT)))
  .map(([site, path, parent]) => ({ site, path, parent }))

test('a block gives back every text, one by one and all together', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 300 }), (texts) => {
      const block = encodeTexts(texts)
      assert.deepEqual(textsOf(block), texts)
      for (const [i, one] of texts.entries()) assert.deepEqual(textAt(block, i), one)
      assert.equal(textAt(block, texts.length), undefined)
      assert.equal(textAt(block, -1), undefined)
    }),
  )
})

test('a block can be read from the middle of a larger buffer', () => {
  const texts = [{ site: 1, path: '/a', parent: 0 }]
  const larger = Buffer.concat([Buffer.from('xxx'), encodeTexts(texts), Buffer.from('yyy')])
  assert.deepEqual(textsOf(larger.subarray(3, -3)), texts)
})

test('a block cut anywhere is named as damage', () => {
  const block = encodeTexts([1, 2, 3].map((site) => ({ site, path: `/page/${site}`, parent: 0 })))
  for (let end = 0; end < block.length; end++) {
    assert.throws(() => textsOf(block.subarray(0, end)), CollectionError, `cut at ${end}`)
  }
})

test('arbitrary bytes give texts or a named error, never a hang', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), fc.nat(70_000), (bytes, index) => {
      for (const read of [() => textsOf(bytes), () => textAt(bytes, index)]) {
        try {
          read()
        } catch (error) {
          assert.ok(error instanceof CollectionError, String(error))
        }
      }
    }),
    { numRuns: 2_000 },
  )
})
