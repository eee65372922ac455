import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseClaimedDate } from './claimed-date.ts'
import { w3cDate } from './w3c-date.ts'

const cases: [sentence: string, at: number, text: string | undefined][] = [
  ['a whole second has no fraction', Date.UTC(2013, 0, 3, 9), '2013-01-03T09:00:00Z'],
  ['milliseconds are kept', Date.UTC(2013, 0, 3, 9) + 7, '2013-01-03T09:00:00.007Z'],
  ['a year of five digits has no such date', Date.UTC(10_000, 0), undefined],
  ['nor has a year before 1000', Date.UTC(999, 0), undefined],
  ['nor what is no number', NaN, undefined],
]
for (const [sentence, at, text] of cases) test(`W3C date: ${sentence}`, () => assert.equal(w3cDate(at), text))

test('every date written is read as the same instant', () => {
  const instants = fc.integer({ min: Date.UTC(1_000, 0), max: Date.UTC(9_999, 11, 31) })
  fc.assert(fc.property(instants, (at) => parseClaimedDate(w3cDate(at) ?? '') === at))
})
