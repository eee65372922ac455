import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { compareTerms } from './posting.ts'

const terms = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('a', 'é', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}') }),
)

test('terms are in the order of their UTF-8', () => {
  fc.assert(
    fc.property(terms, terms, (a, b) => {
      assert.equal(Math.sign(compareTerms(a, b)), Buffer.compare(Buffer.from(a), Buffer.from(b)))
    }),
    { numRuns: 2_000 },
  )
})
