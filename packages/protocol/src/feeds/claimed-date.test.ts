import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseClaimedDate } from './claimed-date.ts'

const cases: [text: string, expected: string | undefined][] = [
  ['2005', '2005-01-01T00:00:00.000Z'],
  ['2005-07', '2005-07-01T00:00:00.000Z'],
  ['2005-07-16', '2005-07-16T00:00:00.000Z'],
  ['2005-07-16T19:20+01:00', '2005-07-16T18:20:00.000Z'],
  ['2005-07-16T19:20:30Z', '2005-07-16T19:20:30.000Z'],
  ['2005-07-16T19:20:30.45-03:30', '2005-07-16T22:50:30.450Z'],
  ['2005-07-16t19:20:30.123456789z', '2005-07-16T19:20:30.123Z'],
  ['2005-07-16 19:20:30', '2005-07-16T19:20:30.000Z'],
  ['2005-07-16T19:20:30+0100', '2005-07-16T18:20:30.000Z'],
  ['  2005-07-16\n', '2005-07-16T00:00:00.000Z'],
  ['Thu, 05 Jan 2017 13:34:51 +0100', '2017-01-05T12:34:51.000Z'],
  ['Thu, 05 Jan 17 13:34:52 +0100', '2017-01-05T12:34:52.000Z'],
  ['5 Jan 2017 13:34 GMT', '2017-01-05T13:34:00.000Z'],
  ['05 Jan 97 13:34:53 EST', '1997-01-05T18:34:53.000Z'],
  ['Thursday, 05-Jan-17 13:34:52 GMT', '2017-01-05T13:34:52.000Z'],
  ['05 Jan 17 13:34:55', undefined],
  ['05 Jab 17 13:34:55 GMT', undefined],
  ['05 Anf 17 13:34:55 GMT', undefined],
  ['30 Feb 2017 13:34:55 GMT', undefined],
  ['2005-02-30', undefined],
  ['2005-13-01', undefined],
  ['2005-07-16T19:61Z', undefined],
  ['0001-01-01T00:00:00Z', undefined],
  ['2005-07-16T19:20:30+99:99', undefined],
  ['yesterday', undefined],
  ['', undefined],
  ['2'.repeat(100_000), undefined],
]
for (const [text, expected] of cases) {
  test(`"${text.slice(0, 40)}" is ${expected ?? 'no date'}`, () => {
    assert.equal(parseClaimedDate(text), expected === undefined ? undefined : Date.parse(expected))
  })
}

test('every date JavaScript writes is read back', () => {
  const dates = fc.date({ min: new Date('1970-01-01'), max: new Date('2999-12-31'), noInvalidDate: true })
  const property = fc.property(dates, (date) => {
    assert.equal(parseClaimedDate(date.toISOString()), date.getTime())
    assert.equal(parseClaimedDate(date.toUTCString()), Math.floor(date.getTime() / 1_000) * 1_000)
  })
  fc.assert(property)
})

test('no text makes it throw', () => {
  fc.assert(fc.property(fc.string(), (text) => Number.isInteger(parseClaimedDate(text) ?? 0)))
})
