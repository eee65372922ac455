import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  countFrom,
  counted,
  formatBytes,
  formatDuration,
  formatPerSecond,
  parseBytes,
  parseDuration,
  parseRate,
  parseRequests,
} from './quantity.ts'
import { BadValue } from '../usage-error.ts'

// oxfmt-ignore
const parsed: [sentence: string, parse: (text: string) => number, text: string, expected: number][] = [
  ['milliseconds',                      parseDuration, '500ms',   500],
  ['requests a second',                 parseRequests, '5/s',     5],
  ['a bare number of requests',         parseRequests, '2.5',     2.5],
  ['requests a minute',                 parseRequests, '120/min', 2],
  ['thousands of requests a day',       parseRequests, '86.4k/d', 1],
  ['seconds',                           parseDuration, '15s',     15_000],
  ['a bare number is seconds',          parseDuration, '15',      15_000],
  ['no time at all',                    parseDuration, '0',       0],
  ['parts of a second',                 parseDuration, '0.5s',    500],
  ['minutes',                           parseDuration, '2m',      120_000],
  ['minutes, spelled out',              parseDuration, '2 min',   120_000],
  ['hours',                             parseDuration, '1h',      3_600_000],
  ['days',                              parseDuration, '1d',      86_400_000],
  ['megabytes are millions',            parseBytes,    '500MB',   500_000_000],
  ['mebibytes are powers of two',       parseBytes,    '64MiB',   67_108_864],
  ['units in any letter case',          parseBytes,    '2gb',     2_000_000_000],
  ['a letter will do',                  parseBytes,    '10k',     10_000],
  ['bare bytes',                        parseBytes,    '123',     123],
  ['a rate',                            parseRate,     '2MB/s',   2_000_000],
  ['a rate without its second',         parseRate,     '500KB',   500_000],
  ['a count',                           countFrom(1),  '200',     200],
  ['a count with separators',           countFrom(1),  '25_000',  25_000],
  ['a count with commas',               countFrom(1),  '1,234',   1_234],
  ['a count in thousands',              countFrom(1),  '25k',     25_000],
  ['half a thousand is whole',          countFrom(1),  '0.5k',    500],
  ['the least count',                   countFrom(0),  '0',       0],
]
for (const [sentence, parse, text, expected] of parsed) {
  test(`${sentence}: ${text}`, () => assert.equal(parse(text), expected))
}

// oxfmt-ignore
const refused: [parse: (text: string) => number, texts: string[]][] = [
  [parseDuration, ['', 'fast', '-1s', '1 fortnight', '1s2', 's', '1e3', 'Infinity', '1.2.3s']],
  [parseBytes,    ['', '0', '0MB', '-5MB', '5 MBit', 'many', '0x10']],
  [parseRate,     ['', '10/s/s', '2MB/h', 'slow']],
  [countFrom(1),  ['', '0', '1.5', '-3', '1e9', 'ten', '1__0', '10MB', '99999999999999999999']],
]
for (const [parse, texts] of refused) {
  for (const text of texts) test(`"${text}" is refused`, () => assert.throws(() => parse(text), BadValue))
}

// oxfmt-ignore
const printed: [shown: string, expected: string][] = [
  [formatBytes(0),              '0 bytes'],
  [formatBytes(1),              '1 byte'],
  [formatBytes(999),            '999 bytes'],
  [formatBytes(1_000),          '1 KB'],
  [formatBytes(999_600),        '1 MB'],
  [formatBytes(12_345_678),     '12.3 MB'],
  [formatBytes(268_000_000),    '268 MB'],
  [formatDuration(0),           '0 ms'],
  [formatDuration(85.4),        '85 ms'],
  [formatDuration(12_340),      '12.3 s'],
  [formatDuration(59_990),      '1 min'],
  [formatDuration(250_000),     '4 min 10 s'],
  [formatDuration(7_500_000),   '2 h 5 min'],
  [formatDuration(100_800_000), '1 day 4 h'],
  [formatPerSecond(1_234.5),    '1,235/s'],
  [formatPerSecond(0),          '0/s'],
  [formatPerSecond(0.066),      '0.07/s'],
  [counted(1, 'page'),          '1 page'],
  [counted(1_234, 'page'),      '1,234 pages'],
]
for (const [shown, expected] of printed) test(`shown as ${expected}`, () => assert.equal(shown, expected))

test('no text, however odd, is parsed to something that is not a number from 0 on', () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom(parseDuration, parseBytes, parseRate, countFrom(0)), (text, parse) => {
      try {
        assert.ok(parse(text) >= 0)
      } catch (error) {
        assert.ok(error instanceof BadValue)
      }
    }),
  )
})

test('sizes and durations never need more than a dozen characters', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e15, noNaN: true }), (amount) => {
      assert.ok(formatBytes(Math.round(amount)).length <= 12)
      assert.ok(formatDuration(amount).length <= 18)
    }),
  )
})
