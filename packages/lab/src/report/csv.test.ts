import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { figureCsv, tableCsv } from './csv.ts'
import type { Figure } from './model.ts'

test('a table of any text and numbers comes back from its CSV as it was', () => {
  const cell = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('a,b', '"', 'x\r\ny', '', ' ', '=1+1', '-cmd', '+a', '@x', "'tis", '-5'),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  )
  const table = fc.integer({ min: 1, max: 4 }).chain((width) =>
    fc.record({
      labels: fc.array(fc.string({ minLength: 1 }), { minLength: width, maxLength: width }),
      rows: fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 5 }),
    }),
  )
  fc.assert(
    fc.property(table, ({ labels, rows }) => {
      const text = tableCsv({ id: 't', title: 't', columns: labels.map((label) => ({ label })), rows })
      const read = parseCsv(text)
      for (const one of read.flat()) if (Number.isNaN(Number(one))) assert.doesNotMatch(one, /^[=+@-]/, 'no formula')
      const unescaped = read.map((row) => row.map((one) => (one.startsWith("'") ? one.slice(1) : one)))
      assert.deepEqual(unescaped, [labels, ...rows.map((row) => row.map(String))])
    }),
  )
})

test('a figure gives one row for each point drawn, with units in the head and empty cells for what is not known', () => {
  const figure: Figure = {
    id: 'f',
    kind: 'histogram',
    title: '',
    caption: '',
    x: { label: 'Backlinks' },
    y: { label: 'Pages', unit: 'share' },
    series: [
      {
        name: 'a',
        points: [
          { x: 1, x2: 2, y: 0.5, low: 0.4 },
          { x: 2, y: NaN },
        ],
      },
    ],
  }
  assert.deepEqual(parseCsv(figureCsv(figure)), [
    ['series', 'Backlinks from', 'Backlinks to', 'Pages (share)', 'low', 'high'],
    ['a', '1', '2', '0.5', '0.4', ''],
    ['a', '2', '', '', '', ''],
  ])
})

/** RFC 4180, for text that we wrote ourselves. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === ',') continue
    rows.push(row)
    row = []
  }
  return rows
}
