import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { csvCell, tsvCell } from './table-cell.ts'
import type { TableCell } from './table-cell.ts'

// oxfmt-ignore
const cases: [sentence: string, cell: TableCell, csv: string, tsv: string][] = [
  ['a text is itself',                         'Bread',                    'Bread',                        'Bread'],
  ['a formula is a text',                      '=1+1',                     "'=1+1",                        "'=1+1"],
  ['one with a quote and a comma, too',        '=HYPERLINK("x","y")',      '"\'=HYPERLINK(""x"",""y"")"',  `'=HYPERLINK("x","y")`],
  ['a plus sign begins one',                   '+cmd',                     "'+cmd",                        "'+cmd"],
  ['so does a minus sign',                     '-cmd|x',                   "'-cmd|x",                      "'-cmd|x"],
  ['so does an at sign',                       '@SUM(A1)',                 "'@SUM(A1)",                    "'@SUM(A1)"],
  ['so does a tab',                            '\t=1',                     '"\'\t=1"',                     "'=1"],
  ['so does a carriage return',                '\r=1',                     '"\'\r=1"',                     "'=1"],
  ['so does a sign of full width',             '＝1+1',                    "'＝1+1",                       "'＝1+1"],
  ['so does one behind blanks',                ' \u00a0=1',                "' \u00a0=1",                   "'=1"],
  ['so does one behind what nobody sees',      '\ufeff\u200b=1',           "'\ufeff\u200b=1",              "'\u200b=1"],
  ['an apostrophe gets another',               "'tis",                     "''tis",                        "''tis"],
  ['a number is a number',                     -5,                         '-5',                           '-5'],
  ['so is a small one',                        -1e-7,                      '-1e-7',                        '-1e-7'],
  ['no number is nothing',                     Number.NaN,                 '',                             ''],
  ['a text that is a number is one',           '-12.5 %',                  '-12.5 %',                      '-12.5 %'],
  ['a text that only begins like one is not',  '-5+cmd',                   "'-5+cmd",                      "'-5+cmd"],
  ['what is not known is empty',               undefined,                  '',                             ''],
  ['a semicolon is quoted',                    'a;b',                      '"a;b"',                        'a;b'],
]
for (const [sentence, cell, csv, tsv] of cases)
  test(`cell: ${sentence}`, () => assert.deepEqual([csvCell(cell), tsvCell(cell)], [csv, tsv]))

const hostile = fc.string({
  unit: fc.constantFrom('=', '+', '-', '@', "'", '"', ',', '\t', '\r', '\n', ' ', 'a', '1', '.'),
})

test('no text is a formula, and taking one apostrophe away gives it back', () => {
  fc.assert(
    fc.property(fc.oneof(hostile, fc.string({ unit: 'binary' })), (text) => {
      const cell = csvCell(text)
      const read = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell
      assert.equal(read.startsWith("'") ? read.slice(1) : read, text)
      if (!Number.isFinite(Number(read.replace('%', '')))) assert.doesNotMatch(read, /^\s*[=+\-@]/)
      assert.doesNotMatch(tsvCell(text), /[\t\r\n]/)
    }),
    { numRuns: 2_000 },
  )
})
